\ a definition that does not fit on one line has its signature first and its structures below one another
: LONG ( r:b:100 r:b:100 n -- r ) { first second count } first second + first second - * SUM count 0 DO first second MAX SUM + count 2 MOD 0 = IF first SUM + ELSE second SUM + BEGIN DUP 100 > WHILE 2 / REPEAT THEN LOOP SUM ;
: SHORT ( -- ) ;
: MAIN ( -- ) ;
\ == words
\ : LONG ( r:b:100 r:b:100 n -- r )
\   { first second count } first second + first second - * SUM count 0
\   DO
\     first second MAX SUM + count 2 MOD 0 =
\     IF first SUM + ELSE second SUM + BEGIN DUP 100 > WHILE 2 / REPEAT THEN
\   LOOP
\   SUM ;
\
\ : SHORT ( -- ) ;
\ : MAIN ( -- ) ;
