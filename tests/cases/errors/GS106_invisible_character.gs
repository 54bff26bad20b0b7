\ a character that cannot be seen
: MAIN ( -- ) 2  DROP ;

\ == error
\ GS106_invisible_character.gs:2:17: error GS106: the character U+00A0 (NO-BREAK SPACE) cannot be seen here
\ : MAIN ( -- ) 2 �DROP ;
\                 ^
\   help: write an ordinary space, or take it out
\ 1 error
