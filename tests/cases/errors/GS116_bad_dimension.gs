\ a dimension is badly formed
: F ( r:0 r:-1 r:n-k -- r: ) DROP DROP ;
: G ( r:3:* -- ) DROP ;
: H ( -- ) r::2 DROP r:99999999999 DROP ;
: MAIN ( -- ) ;

\ == error
\ GS116_bad_dimension.gs:2:9: error GS116: an axis has at least one element
\ : F ( r:0 r:-1 r:n-k -- r: ) DROP DROP ;
\         ^
\   help: a size is an integer from 1 to 2147483647
\ GS116_bad_dimension.gs:2:13: error GS116: `-1` is no dimension
\ : F ( r:0 r:-1 r:n-k -- r: ) DROP DROP ;
\             ^^
\   help: a dimension is an integer, a CONSTANT or a variable in lower case
\ GS116_bad_dimension.gs:2:16: error GS211: no CONSTANT `n-k` is defined here
\ : F ( r:0 r:-1 r:n-k -- r: ) DROP DROP ;
\                ^^^^^
\   help: a dimension is a size or one name, without arithmetic; a variable is in lower case
\ GS116_bad_dimension.gs:2:27: error GS116: a dimension is missing here
\ : F ( r:0 r:-1 r:n-k -- r: ) DROP DROP ;
\                           ^
\   help: a dimension is an integer, a CONSTANT or a variable in lower case
\ GS116_bad_dimension.gs:3:11: error GS116: `*` is a whole row shape, not one dimension
\ : G ( r:3:* -- ) DROP ;
\           ^
\   help: `r:*` is a row of any shape, `r:b:*` a batch of such rows
\ GS116_bad_dimension.gs:4:14: error GS116: a dimension is missing here
\ : H ( -- ) r::2 DROP r:99999999999 DROP ;
\              ^
\   help: a dimension is an integer, a CONSTANT or a variable in lower case
\ GS116_bad_dimension.gs:4:24: error GS116: `99999999999` is too long for an axis
\ : H ( -- ) r::2 DROP r:99999999999 DROP ;
\                        ^^^^^^^^^^^
\   help: a size is an integer from 1 to 2147483647
\ 7 errors
