\ INIT and TRAINABLE where no layer is open
: CLOSED ( r:4 -- r:3 ) 3 LINEAR ;
: OPENED ( <layer> -- <layer> ) INIT-HE TRAINABLE ;
: LOCAL ( r:4 -- r:3 ) 3 LINEAR { w } w TRAINABLE ;
: COPIED ( r:4 -- r:3 ) 3 LINEAR DUP TRAINABLE + ;
: GIVEN ( r:4 -- r:4 ) INIT-HE ;
: CONSTANT-VALUE ( -- r ) 1 TRAINABLE ;
: REOPENED ( r:4 -- r:4 ) 4 LINEAR RELU OPENED ;
: OBJECTIVE ( r:b:4 -- r ) 4 LINEAR OPENED CLOSED TRAINABLE SUM SUM ;
: MAIN ( -- )
  OBJECTIVE-LOSS "rows.csv" 4 CSV-INPUT ALL ['] OBJECTIVE TRAIN ;

\ == error
\ GS501_no_open_layer.gs:3:33: error GS501: `INIT-HE` reaches no parameter: `RELU` closed it
\ : OPENED ( <layer> -- <layer> ) INIT-HE TRAINABLE ;
\                                 ^^^^^^^
\   stack:   r:4
\   wanted:  <layer>
\   help: write `INIT-HE` directly after the parameter word (LINEAR …)
\   in OPENED at GS501_no_open_layer.gs:8:41
\ GS501_no_open_layer.gs:4:41: error GS501: `TRAINABLE` reaches no parameter: the local `w` closed it
\ : LOCAL ( r:4 -- r:3 ) 3 LINEAR { w } w TRAINABLE ;
\                                         ^^^^^^^^^
\   stack:   r:3
\   wanted:  <layer>
\   help: write `TRAINABLE` directly after the parameter word (LINEAR …)
\ GS501_no_open_layer.gs:5:38: error GS501: `TRAINABLE` reaches no parameter: `DUP` closed it
\ : COPIED ( r:4 -- r:3 ) 3 LINEAR DUP TRAINABLE + ;
\                                      ^^^^^^^^^
\   stack:   r:3 r:3
\   wanted:  <layer>
\   help: write `TRAINABLE` directly after the parameter word (LINEAR …)
\ GS501_no_open_layer.gs:6:24: error GS501: `INIT-HE` reaches no parameter: `GIVEN` closed it
\ : GIVEN ( r:4 -- r:4 ) INIT-HE ;
\                        ^^^^^^^
\   stack:   r:4
\   wanted:  <layer>
\   help: write `INIT-HE` directly after the parameter word (LINEAR …)
\ GS501_no_open_layer.gs:7:29: error GS501: `TRAINABLE` reaches no parameter: no parameter word has just made this value
\ : CONSTANT-VALUE ( -- r ) 1 TRAINABLE ;
\                             ^^^^^^^^^
\   stack:   n
\   wanted:  <layer>
\   help: write `TRAINABLE` directly after the parameter word (LINEAR …)
\ GS501_no_open_layer.gs:9:51: error GS501: `TRAINABLE` reaches no parameter: `CLOSED` closed it
\ : OBJECTIVE ( r:b:4 -- r ) 4 LINEAR OPENED CLOSED TRAINABLE SUM SUM ;
\                                                   ^^^^^^^^^
\   stack:   r:b:3
\   wanted:  <layer>
\   help: write `TRAINABLE` directly after the parameter word (LINEAR …)
\ 6 errors
