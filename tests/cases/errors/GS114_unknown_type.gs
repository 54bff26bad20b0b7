\ an unknown type in a signature
: Q ( r:4 m -- r ) DROP SUM ;
: F ( reel -- x ) 2 / ;
: G ( n:4 -- <layr> ) ;
: H ( size: "r" -- r ) ;
: MAIN ( -- ) ;

\ == error
\ GS114_unknown_type.gs:2:11: error GS114: `m` is no type
\ : Q ( r:4 m -- r ) DROP SUM ;
\           ^
\   help: a name goes before its type: `m:r`; a type is `r` `f` (with dimensions: `r:28:28`), `n` `xt` `s` `data` `batch` or `<layer>`
\ GS114_unknown_type.gs:3:7: error GS114: `reel` is no type
\ : F ( reel -- x ) 2 / ;
\       ^^^^
\   help: a name goes before its type: `reel:r`; a type is `r` `f` (with dimensions: `r:28:28`), `n` `xt` `s` `data` `batch` or `<layer>`
\ GS114_unknown_type.gs:3:15: error GS114: `x` is no type
\ : F ( reel -- x ) 2 / ;
\               ^
\   help: a name goes before its type: `x:r`; a type is `r` `f` (with dimensions: `r:28:28`), `n` `xt` `s` `data` `batch` or `<layer>`
\ GS114_unknown_type.gs:4:9: error GS114: the type `n` has no dimensions
\ : G ( n:4 -- <layr> ) ;
\         ^
\   help: only `r` and `f` have a shape
\ GS114_unknown_type.gs:4:14: error GS114: `<layr>` is no type
\ : G ( n:4 -- <layr> ) ;
\              ^^^^^^
\   help: did you mean `<layer>`? a type is `r` `f` (with dimensions: `r:28:28`), `n` `xt` `s` `data` `batch` or `<layer>`
\ GS114_unknown_type.gs:5:7: error GS114: `size:` is no type
\ : H ( size: "r" -- r ) ;
\       ^^^^^
\   help: a type is `r` `f` (with dimensions: `r:28:28`), `n` `xt` `s` `data` `batch` or `<layer>`
\ GS114_unknown_type.gs:5:13: error GS114: `"r"` is no type
\ : H ( size: "r" -- r ) ;
\             ^^^
\   help: a type is `r` `f` (with dimensions: `r:28:28`), `n` `xt` `s` `data` `batch` or `<layer>`
\ 7 errors
