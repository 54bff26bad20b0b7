\ a definition has no signature
: MAIN ;

\ == error
\ GS112_signature_missing.gs:2:3: error GS112: `MAIN` has no signature
\ : MAIN ;
\   ^^^^
\   help: write `: MAIN ( -- ) … ;`
\ 1 error
