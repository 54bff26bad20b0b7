\ TO keeps the local's type
: A ( r:4 -- r:4 ) { x } x 3 LINEAR TO x x ;
: B ( r:4 -- r ) { x } ['] A { f } 1 TO f x SUM ;
: C ( r:4 -- r ) { x } "a" { name } 1 TO name x SUM ;
: OBJECTIVE ( r:b:4 -- r ) { x } 0 { s } x TO s s SUM SUM ;
: MAIN ( -- )
  OBJECTIVE-LOSS "rows.csv" 4 CSV-INPUT ALL ['] OBJECTIVE TRAIN ;

\ == error
\ GS307_to_another_type.gs:2:37: error GS307: `TO x` stores r:3 in a local of type r:4
\ : A ( r:4 -- r:4 ) { x } x 3 LINEAR TO x x ;
\                                     ^^^^
\   stack:   r:3
\   wanted:  r:4
\ GS307_to_another_type.gs:3:38: error GS307: `TO f` stores n in a local of type xt
\ : B ( r:4 -- r ) { x } ['] A { f } 1 TO f x SUM ;
\                                      ^^^^
\   stack:   n
\   wanted:  xt
\   help: a choice of word is made while compiling
\ GS307_to_another_type.gs:4:39: error GS307: `TO name` stores n in a local of type s
\ : C ( r:4 -- r ) { x } "a" { name } 1 TO name x SUM ;
\                                       ^^^^^^^
\   stack:   n
\   wanted:  s
\ GS307_to_another_type.gs:5:44: error GS307: `TO s` stores r:b:4 in a local of type r
\ : OBJECTIVE ( r:b:4 -- r ) { x } 0 { s } x TO s s SUM SUM ;
\                                            ^^^^
\   stack:   r:b:4
\   wanted:  r
\ 4 errors
