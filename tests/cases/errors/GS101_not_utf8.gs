\ the file is not UTF-8
: MAIN ( -- ) ; \ naïve Latin-1

\ == error
\ GS101_not_utf8.gs:2:21: error GS101: byte 44 of the file, 0xef, is not UTF-8
\ : MAIN ( -- ) ; \ naï¿½ve Latin-1
\                     ^
\   help: save the file as UTF-8
\ 1 error
