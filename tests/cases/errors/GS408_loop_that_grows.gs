\ bodies that leave other types than they found
: GROWS ( r -- r ) 4 0 DO DUP LOOP ;
: SHRINKS ( r r -- r ) BEGIN DROP DUP 0> UNTIL ;
: CHANGES ( r:4 -- r ) 4 0 DO SUM LOOP ;
: LEAVES ( r r -- r ) 4 0 DO DUP 0> IF DROP LEAVE THEN LOOP + ;
: OBJECTIVE ( r:b:4 -- r ) SUM GROWS SUM ;
: MAIN ( -- )
  OBJECTIVE-LOSS "rows.csv" 4 CSV-INPUT ALL ['] OBJECTIVE TRAIN ;

\ == error
\ GS408_loop_that_grows.gs:2:24: error GS408: the loop's body leaves one value more than it found
\ : GROWS ( r -- r ) 4 0 DO DUP LOOP ;
\                        ^^
\   stack:   r:b r:b
\   help: a body leaves the types it found
\   in GROWS at GS408_loop_that_grows.gs:6:32
\ GS408_loop_that_grows.gs:3:42: error GS408: the loop's body leaves one value fewer than it found
\ : SHRINKS ( r r -- r ) BEGIN DROP DUP 0> UNTIL ;
\                                          ^^^^^
\   stack:   r
\   help: a body leaves the types it found
\ GS408_loop_that_grows.gs:4:28: error GS408: the loop's body makes r of r:4
\ : CHANGES ( r:4 -- r ) 4 0 DO SUM LOOP ;
\                            ^^
\   stack:   r
\   help: a body leaves the types it found
\ GS408_loop_that_grows.gs:5:27: error GS408: `LEAVE` leaves one value fewer than the loop found
\ : LEAVES ( r r -- r ) 4 0 DO DUP 0> IF DROP LEAVE THEN LOOP + ;
\                           ^^
\   stack:   r r
\ 4 errors
