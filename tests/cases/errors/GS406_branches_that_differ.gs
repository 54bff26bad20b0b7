\ branches decided at run time that leave different things
: DEPTH ( r -- r ) DUP 0> IF DUP THEN ;
: TYPES ( r -- r ) DUP 0> IF "text" ELSE 1 THEN DROP ;
: SHAPES ( r:4 -- r ) DUP SUM 0> IF DUP ELSE DUP SUM THEN DROP SUM ;
: TOKENS ( r -- r ) DUP 0> IF ['] DEPTH ELSE ['] TYPES THEN DROP ;
: OBJECTIVE ( r:b:4 -- r ) SUM DEPTH SUM ;
: MAIN ( -- )
  OBJECTIVE-LOSS "rows.csv" 4 CSV-INPUT ALL ['] OBJECTIVE TRAIN ;

\ == error
\ GS406_branches_that_differ.gs:2:34: error GS406: the two branches leave stacks of different depth
\ : DEPTH ( r -- r ) DUP 0> IF DUP THEN ;
\                                  ^^^^
\   stack:   r:b
\   wanted:  one value more after IF, as many values otherwise
\   help: both branches must leave the same types
\   in DEPTH at GS406_branches_that_differ.gs:6:32
\ GS406_branches_that_differ.gs:3:44: error GS406: one branch leaves s, the other n
\ : TYPES ( r -- r ) DUP 0> IF "text" ELSE 1 THEN DROP ;
\                                            ^^^^
\   stack:   r n
\   help: a branch taken at run time can't choose between two of them
\ GS406_branches_that_differ.gs:4:54: error GS406: one branch leaves r:4, the other r
\ : SHAPES ( r:4 -- r ) DUP SUM 0> IF DUP ELSE DUP SUM THEN DROP SUM ;
\                                                      ^^^^
\   stack:   r:4 r
\   wanted:  the same types
\ GS406_branches_that_differ.gs:5:56: error GS406: one branch leaves xt, the other xt
\ : TOKENS ( r -- r ) DUP 0> IF ['] DEPTH ELSE ['] TYPES THEN DROP ;
\                                                        ^^^^
\   stack:   r xt
\   help: a branch taken at run time can't choose between two of them
\ 4 errors
