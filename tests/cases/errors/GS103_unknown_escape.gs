\ an unknown escape in a string
: MAIN ( -- ) "data\new.csv" DROP ;

\ == error
\ GS103_unknown_escape.gs:2:20: error GS103: `\n` is no escape
\ : MAIN ( -- ) "data\new.csv" DROP ;
\                    ^^
\   help: the escapes are `\"` and `\\`; a backslash is written `\\`
\ 1 error
