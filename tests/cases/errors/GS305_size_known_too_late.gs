\ the number of outputs comes from the data, or is a real, or too small
: A ( r:4 r -- r:3 ) LINEAR ;
: B ( r:4 -- r ) 1.5 LINEAR SUM ;
: C ( r:4 -- r ) 3 4 - LINEAR SUM ;
: OBJECTIVE ( r:b:4 -- r ) { x } 3 { n } 4 TO n x n LINEAR SUM SUM ;
: MAIN ( -- )
  OBJECTIVE-LOSS "rows.csv" 4 CSV-INPUT ALL ['] OBJECTIVE TRAIN ;

\ == error
\ GS305_size_known_too_late.gs:2:22: error GS305: `LINEAR` wants the number of outputs as a constant n, not an r
\ : A ( r:4 r -- r:3 ) LINEAR ;
\                      ^^^^^^
\   stack:   r:4 r
\   wanted:  x:r:k n
\   help: an integer literal, a CONSTANT, a dimension of the signature, or arithmetic on them
\ GS305_size_known_too_late.gs:3:22: error GS305: `LINEAR` wants the number of outputs as a constant n, not an r
\ : B ( r:4 -- r ) 1.5 LINEAR SUM ;
\                      ^^^^^^
\   stack:   r:4 r
\   wanted:  x:r:k n
\   help: an integer literal, a CONSTANT, a dimension of the signature, or arithmetic on them
\ GS305_size_known_too_late.gs:4:24: error GS305: `LINEAR` wants at least one output, not -1
\ : C ( r:4 -- r ) 3 4 - LINEAR SUM ;
\                        ^^^^^^
\   stack:   r:4 n
\   wanted:  x:r:k n
\ GS305_size_known_too_late.gs:5:53: error GS305: `LINEAR` wants the number of outputs as a constant n, not an r
\ : OBJECTIVE ( r:b:4 -- r ) { x } 3 { n } 4 TO n x n LINEAR SUM SUM ;
\                                                     ^^^^^^
\   stack:   r:b:4 r
\   wanted:  x:r:k n
\   help: an integer literal, a CONSTANT, a dimension of the signature, or arithmetic on them
\ 4 errors
