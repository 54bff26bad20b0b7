\ `CONSTANT` without a value
CONSTANT HIDDEN 8
: MAIN ( -- ) ;

\ == error
\ GS125_constant_without_value.gs:2:1: error GS125: `CONSTANT` wants a value before it
\ CONSTANT HIDDEN 8
\ ^^^^^^^^
\   help: write `8 CONSTANT HIDDEN`
\ 1 error
