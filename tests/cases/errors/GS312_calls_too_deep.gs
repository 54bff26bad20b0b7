\ a hundred words, each calling the one before
: A0 ( r -- r ) 2* ;
: A1 ( r -- r ) A0 ;
: A2 ( r -- r ) A1 ;
: A3 ( r -- r ) A2 ;
: A4 ( r -- r ) A3 ;
: A5 ( r -- r ) A4 ;
: A6 ( r -- r ) A5 ;
: A7 ( r -- r ) A6 ;
: A8 ( r -- r ) A7 ;
: A9 ( r -- r ) A8 ;
: A10 ( r -- r ) A9 ;
: A11 ( r -- r ) A10 ;
: A12 ( r -- r ) A11 ;
: A13 ( r -- r ) A12 ;
: A14 ( r -- r ) A13 ;
: A15 ( r -- r ) A14 ;
: A16 ( r -- r ) A15 ;
: A17 ( r -- r ) A16 ;
: A18 ( r -- r ) A17 ;
: A19 ( r -- r ) A18 ;
: A20 ( r -- r ) A19 ;
: A21 ( r -- r ) A20 ;
: A22 ( r -- r ) A21 ;
: A23 ( r -- r ) A22 ;
: A24 ( r -- r ) A23 ;
: A25 ( r -- r ) A24 ;
: A26 ( r -- r ) A25 ;
: A27 ( r -- r ) A26 ;
: A28 ( r -- r ) A27 ;
: A29 ( r -- r ) A28 ;
: A30 ( r -- r ) A29 ;
: A31 ( r -- r ) A30 ;
: A32 ( r -- r ) A31 ;
: A33 ( r -- r ) A32 ;
: A34 ( r -- r ) A33 ;
: A35 ( r -- r ) A34 ;
: A36 ( r -- r ) A35 ;
: A37 ( r -- r ) A36 ;
: A38 ( r -- r ) A37 ;
: A39 ( r -- r ) A38 ;
: A40 ( r -- r ) A39 ;
: A41 ( r -- r ) A40 ;
: A42 ( r -- r ) A41 ;
: A43 ( r -- r ) A42 ;
: A44 ( r -- r ) A43 ;
: A45 ( r -- r ) A44 ;
: A46 ( r -- r ) A45 ;
: A47 ( r -- r ) A46 ;
: A48 ( r -- r ) A47 ;
: A49 ( r -- r ) A48 ;
: A50 ( r -- r ) A49 ;
: A51 ( r -- r ) A50 ;
: A52 ( r -- r ) A51 ;
: A53 ( r -- r ) A52 ;
: A54 ( r -- r ) A53 ;
: A55 ( r -- r ) A54 ;
: A56 ( r -- r ) A55 ;
: A57 ( r -- r ) A56 ;
: A58 ( r -- r ) A57 ;
: A59 ( r -- r ) A58 ;
: A60 ( r -- r ) A59 ;
: A61 ( r -- r ) A60 ;
: A62 ( r -- r ) A61 ;
: A63 ( r -- r ) A62 ;
: A64 ( r -- r ) A63 ;
: A65 ( r -- r ) A64 ;
: A66 ( r -- r ) A65 ;
: A67 ( r -- r ) A66 ;
: A68 ( r -- r ) A67 ;
: A69 ( r -- r ) A68 ;
: A70 ( r -- r ) A69 ;
: A71 ( r -- r ) A70 ;
: A72 ( r -- r ) A71 ;
: A73 ( r -- r ) A72 ;
: A74 ( r -- r ) A73 ;
: A75 ( r -- r ) A74 ;
: A76 ( r -- r ) A75 ;
: A77 ( r -- r ) A76 ;
: A78 ( r -- r ) A77 ;
: A79 ( r -- r ) A78 ;
: A80 ( r -- r ) A79 ;
: A81 ( r -- r ) A80 ;
: A82 ( r -- r ) A81 ;
: A83 ( r -- r ) A82 ;
: A84 ( r -- r ) A83 ;
: A85 ( r -- r ) A84 ;
: A86 ( r -- r ) A85 ;
: A87 ( r -- r ) A86 ;
: A88 ( r -- r ) A87 ;
: A89 ( r -- r ) A88 ;
: A90 ( r -- r ) A89 ;
: A91 ( r -- r ) A90 ;
: A92 ( r -- r ) A91 ;
: A93 ( r -- r ) A92 ;
: A94 ( r -- r ) A93 ;
: A95 ( r -- r ) A94 ;
: A96 ( r -- r ) A95 ;
: A97 ( r -- r ) A96 ;
: A98 ( r -- r ) A97 ;
: A99 ( r -- r ) A98 ;
: A100 ( r -- r ) A99 ;
: OBJECTIVE ( r:b:4 -- r ) SUM A100 SUM ;
: MAIN ( -- )
  OBJECTIVE-LOSS "rows.csv" 4 CSV-INPUT ALL ['] OBJECTIVE TRAIN ;

\ == error
\ GS312_calls_too_deep.gs:3:17: error GS312: at `A0` calls stand more than 100 deep in each other
\ : A1 ( r -- r ) A0 ;
\                 ^^
\   help: every call is compiled at its own place, and a loop within loops several times
\   in A1 at GS312_calls_too_deep.gs:4:17
\   in A2 at GS312_calls_too_deep.gs:5:17
\   in A3 at GS312_calls_too_deep.gs:6:17
\   in A4 at GS312_calls_too_deep.gs:7:17
\   in A5 at GS312_calls_too_deep.gs:8:17
\   in A6 at GS312_calls_too_deep.gs:9:17
\   … 88 more calls …
\   in A95 at GS312_calls_too_deep.gs:98:18
\   in A96 at GS312_calls_too_deep.gs:99:18
\   in A97 at GS312_calls_too_deep.gs:100:18
\   in A98 at GS312_calls_too_deep.gs:101:18
\   in A99 at GS312_calls_too_deep.gs:102:19
\   in A100 at GS312_calls_too_deep.gs:103:32
\ 1 error
