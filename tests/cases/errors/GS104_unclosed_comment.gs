\ a comment is never closed
: MAIN ( -- ) ( the end) ;

\ == error
\ GS104_unclosed_comment.gs:2:15: error GS104: this comment is never closed
\ : MAIN ( -- ) ( the end) ;
\               ^
\   help: a comment that starts with `(` ends at the next `)` that stands alone, with white space around it
\ 1 error
