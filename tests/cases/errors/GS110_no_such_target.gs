\ a target that there is not, at the top and where it is taken for a part of a CONSTANT
TARGET-GPU
: F ( r:4 -- r ) SUM ;
target-metal 8 CONSTANT K
: MAIN ( -- ) ;

\ == error
\ GS110_no_such_target.gs:2:1: error GS110: there is no target `TARGET-GPU`
\ TARGET-GPU
\ ^^^^^^^^^^
\   help: the targets are `TARGET-CPU`, `TARGET-APPLE-METAL` and `TARGET-CUDA`
\ GS110_no_such_target.gs:4:1: error GS201: unknown word `target-metal`
\ target-metal 8 CONSTANT K
\ ^^^^^^^^^^^^
\   help: the targets are `TARGET-CPU`, `TARGET-APPLE-METAL` and `TARGET-CUDA`
\ 2 errors
