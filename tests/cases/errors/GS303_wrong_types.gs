\ values of other types and shapes than the words take
: PAIR ( r:k r:k -- r:k ) + ;
: SQUARED ( x:r:k n -- r:k ) DROP DUP * ;
: SHAPES ( r:4 -- r ) DUP 3 LINEAR PAIR SUM ;
: REAL ( r:4 -- r ) 0.5 SQUARED SUM ;
: STRING ( r:4 -- r ) "text" + SUM ;
: SCALAR ( r:4 -- r:2 ) SUM 2 LINEAR ;
: STAR ( r:* r:* -- r ) - SUM ;
: OBJECTIVE ( r:b:4 -- r ) DUP SUM STAR SUM ;
: MAIN ( -- )
  OBJECTIVE-LOSS "rows.csv" 4 CSV-INPUT ALL ['] OBJECTIVE TRAIN ;

\ == error
\ GS303_wrong_types.gs:4:36: error GS303: `PAIR` can't take these values: `r:k` does not take r:3 (k = 4)
\ : SHAPES ( r:4 -- r ) DUP 3 LINEAR PAIR SUM ;
\                                    ^^^^
\   stack:   r:4 r:3
\   wanted:  r:k r:k
\ GS303_wrong_types.gs:5:25: error GS303: `SQUARED` can't take these values: `n` does not take r
\ : REAL ( r:4 -- r ) 0.5 SQUARED SUM ;
\                         ^^^^^^^
\   stack:   r:4 r
\   wanted:  x:r:k n
\ GS303_wrong_types.gs:6:30: error GS303: `+` wants an r, not an s
\ : STRING ( r:4 -- r ) "text" + SUM ;
\                              ^
\   stack:   r:4 s
\   wanted:  x y
\ GS303_wrong_types.gs:7:31: error GS303: `LINEAR` wants a value with at least one axis, not a scalar
\ : SCALAR ( r:4 -- r:2 ) SUM 2 LINEAR ;
\                               ^^^^^^
\   stack:   r n
\   wanted:  x:r:k n
\ GS303_wrong_types.gs:9:36: error GS303: `STAR` can't take these values: `r:*` stands for r:4 here, not r:b
\ : OBJECTIVE ( r:b:4 -- r ) DUP SUM STAR SUM ;
\                                    ^^^^
\   stack:   r:b:4 r:b
\   wanted:  r:* r:*
\ 5 errors
