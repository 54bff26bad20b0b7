\ a file includes itself
INCLUDE "GS128_includes_itself.gs"
: MAIN ( -- ) ;

\ == error
\ GS128_includes_itself.gs:2:1: error GS128: `GS128_includes_itself.gs` includes itself
\ INCLUDE "GS128_includes_itself.gs"
\ ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
\   help: move what both files need into a third, and include that one in both
\ 1 error
