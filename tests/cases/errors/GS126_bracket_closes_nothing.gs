\ a bracket that closes nothing
: MAIN ( -- ) 2 DROP ) ;

\ == error
\ GS126_bracket_closes_nothing.gs:2:22: error GS126: `)` closes no `(`
\ : MAIN ( -- ) 2 DROP ) ;
\                      ^
\   help: take it out
\ 1 error
