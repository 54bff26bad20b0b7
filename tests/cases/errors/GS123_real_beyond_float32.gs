\ a real is beyond float32
: MAIN ( -- ) 1e39 DROP ;

\ == error
\ GS123_real_beyond_float32.gs:2:15: error GS123: `1e39` is beyond float32
\ : MAIN ( -- ) 1e39 DROP ;
\               ^^^^
\   help: the largest float32 is 3.4028235e38; infinity is written `INF`
\ 1 error
