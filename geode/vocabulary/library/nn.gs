\ nn.gs -- cells, attention and blocks, written in the language: INCLUDE <nn>.
\ Every call has weights of its own; SHARED, TIMES or `~` tie them. Sizes come from the values and from the arguments.

\ --- perceptrons

: MLP ( <layer> hidden:n out:n -- <layer> )             \ one hidden layer of ReLU units
  { x hidden out } x hidden AFFINE INIT-HE TRAINABLE RELU out AFFINE TRAINABLE ;

: RESIDUAL-MLP ( r:d hidden:n -- r:d )                  \ x + MLP of its norm
  { x hidden } x RMSNORM TRAINABLE hidden d MLP x + ;

\ --- recurrent cells: the state and an input give the next state

: GRU-CELL ( h:r:d x:r:k -- r:d )                       \ Cho et al. 2014
  { h x }
  h x CONCAT d AFFINE TRAINABLE SIGMOID { update }
  h x CONCAT d AFFINE TRAINABLE SIGMOID { reset }
  reset h * x CONCAT d AFFINE TRAINABLE TANH { candidate }
  1 update - h * update candidate * + ;

: MINGRU-CELL ( h:r:d x:r:k -- r:d )                    \ Feng et al. 2024: gates that do not see the state
  { h x }
  x d AFFINE TRAINABLE SIGMOID { update }
  x d AFFINE TRAINABLE { candidate }
  1 update - h * update candidate * + ;

: LSTM-CELL ( h:r:d c:r:d x:r:k -- h:r:d c:r:d )        \ Hochreiter and Schmidhuber 1997, with a forget gate
  { h c x } h x CONCAT { both }
  both d AFFINE TRAINABLE SIGMOID { keep }
  both d AFFINE TRAINABLE SIGMOID { add }
  both d AFFINE TRAINABLE SIGMOID { show }
  both d AFFINE TRAINABLE TANH { candidate }
  keep c * add candidate * + { next }
  next TANH show * next ;

\ --- attention over t tokens of d numbers

: ATTENTION-OF ( queries:r:t:d keys:r:t:d values:r:t:d -- r:t:d )      \ softmax of q·k / √d, applied to the values
  { q k v } q k TRANSPOSE MATMUL d SQRT / SOFTMAX v MATMUL ;

: CAUSAL-ATTENTION-OF ( queries:r:t:d keys:r:t:d values:r:t:d -- r:t:d )  \ a token sees itself and those before it
  { q k v }
  t IOTA r:t ONES OUTER t IOTA >= { seen }
  q k TRANSPOSE MATMUL d SQRT / INF NEGATE seen SELECT SOFTMAX v MATMUL ;

: ATTENTION ( r:t:d -- r:t:d )
  { x } x d LINEAR TRAINABLE x d LINEAR TRAINABLE x d LINEAR TRAINABLE ATTENTION-OF d LINEAR TRAINABLE ;

: CAUSAL-ATTENTION ( r:t:d -- r:t:d )
  { x } x d LINEAR TRAINABLE x d LINEAR TRAINABLE x d LINEAR TRAINABLE CAUSAL-ATTENTION-OF d LINEAR TRAINABLE ;

: TRANSFORMER-BLOCK ( r:t:d -- r:t:d )                  \ norm before each half, hidden layer of 4 d
  { x } x RMSNORM TRAINABLE CAUSAL-ATTENTION x + { y }
  y RMSNORM TRAINABLE d 4 * d MLP y + ;
