\ the batch axis does not stand first
: LOSS ( r:100:b -- r ) SUM SUM ;
: MAIN ( -- ) ;

\ == error
\ GS115_batch_not_first.gs:2:16: error GS115: `b` is the batch axis and stands first in a shape
\ : LOSS ( r:100:b -- r ) SUM SUM ;
\                ^
\   help: write `r:b:…`; a dimension that is not the batch wants another name
\ 1 error
