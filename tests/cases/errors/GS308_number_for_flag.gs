\ numbers where flags are wanted
: A ( r:4 r:4 -- r:4 ) DUP SELECT ;
: B ( r:4 -- f:4 ) "text" AND ;
: OBJECTIVE ( r:b:4 -- r ) NOT SUM SUM ;
: MAIN ( -- )
  OBJECTIVE-LOSS "rows.csv" 4 CSV-INPUT ALL ['] OBJECTIVE TRAIN ;

\ == error
\ GS308_number_for_flag.gs:2:28: error GS308: `SELECT` wants a flag f, not an r:4
\ : A ( r:4 r:4 -- r:4 ) DUP SELECT ;
\                            ^^^^^^
\   stack:   r:4 r:4 r:4
\   wanted:  x y f
\   help: compare it first: 0 <> gives a flag
\ GS308_number_for_flag.gs:3:27: error GS308: `AND` wants a flag f, not an s
\ : B ( r:4 -- f:4 ) "text" AND ;
\                           ^^^
\   stack:   r:4 s
\   wanted:  f f
\ GS308_number_for_flag.gs:4:28: error GS308: `NOT` wants a flag f, not an r:b:4
\ : OBJECTIVE ( r:b:4 -- r ) NOT SUM SUM ;
\                            ^^^
\   stack:   r:b:4
\   wanted:  f
\   help: compare it first: 0 <> gives a flag
\ 3 errors
