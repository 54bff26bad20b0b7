\ a file cannot be read
INCLUDE "no/such/file.gs"
: MAIN ( -- ) ;

\ == error
\ GS107_unreadable_file.gs:2:1: error GS107: cannot read the file: no such file or directory
\ INCLUDE "no/such/file.gs"
\ ^^^^^^^^^^^^^^^^^^^^^^^^^
\   help: the path is relative to the file that includes it
\ 1 error
