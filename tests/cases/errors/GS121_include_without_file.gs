\ `INCLUDE` without a file
INCLUDE file.gs
: MAIN ( -- ) ;

\ == error
\ GS121_include_without_file.gs:2:1: error GS121: `INCLUDE` wants a file's name
\ INCLUDE file.gs
\ ^^^^^^^
\   help: write `INCLUDE "file.gs"`, or `INCLUDE <nn>` for the bundled library
\ 1 error
