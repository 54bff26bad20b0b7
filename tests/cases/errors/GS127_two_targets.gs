\ more than one target
TARGET-CPU
TARGET-APPLE-METAL
: MAIN ( -- ) ;

\ == error
\ GS127_two_targets.gs:3:1: error GS127: a second target
\ TARGET-APPLE-METAL
\ ^^^^^^^^^^^^^^^^^^
\   help: a program has one target; leave one of them out
\   note: `TARGET-CPU` stands here, at GS127_two_targets.gs:2:1
\ 1 error
