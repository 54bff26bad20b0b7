\ names that other frameworks have; SIGMAS is near to a word of the program, which comes first
8 CONSTANT SIGMA0
: OBJECTIVE ( r:b:3 -- r ) Dense MSE cross_entropy CONV SIGMA Backward ;
: MAIN ( -- )
  OBJECTIVE-LOSS 0.1 LR rows.csv 3 CSV-INPUT ALL ['] OBJECTIVE TRAIN
  “rows.csv” 3 CSV-INPUT ALL ['] OBJECTIVE EVALUATE ;

\ == error
\ GS201_names_of_other_frameworks.gs:3:28: error GS201: unknown word `Dense`
\ : OBJECTIVE ( r:b:3 -- r ) Dense MSE cross_entropy CONV SIGMA Backward ;
\                            ^^^^^
\   help: a layer with a bias is `AFFINE`, one without `LINEAR`; both want `TRAINABLE`
\ GS201_names_of_other_frameworks.gs:3:34: error GS201: unknown word `MSE`
\ : OBJECTIVE ( r:b:3 -- r ) Dense MSE cross_entropy CONV SIGMA Backward ;
\                                  ^^^
\   help: the mean squared error is `LOSS-MSE`
\ GS201_names_of_other_frameworks.gs:3:38: error GS201: unknown word `cross_entropy`
\ : OBJECTIVE ( r:b:3 -- r ) Dense MSE cross_entropy CONV SIGMA Backward ;
\                                      ^^^^^^^^^^^^^
\   help: the cross entropy of logits and a label is `LOSS-CROSS-ENTROPY`; of a logit and 0 or 1, `LOSS-BINARY`
\ GS201_names_of_other_frameworks.gs:3:52: error GS201: unknown word `CONV`
\ : OBJECTIVE ( r:b:3 -- r ) Dense MSE cross_entropy CONV SIGMA Backward ;
\                                                    ^^^^
\   help: a convolution is `CONV2D`
\ GS201_names_of_other_frameworks.gs:3:57: error GS201: unknown word `SIGMA`
\ : OBJECTIVE ( r:b:3 -- r ) Dense MSE cross_entropy CONV SIGMA Backward ;
\                                                         ^^^^^
\   help: did you mean `SIGMA0`?
\ GS201_names_of_other_frameworks.gs:3:63: error GS201: unknown word `Backward`
\ : OBJECTIVE ( r:b:3 -- r ) Dense MSE cross_entropy CONV SIGMA Backward ;
\                                                               ^^^^^^^^
\   help: no gradient is taken: `TRAIN` moves the weights by the scores of perturbed copies
\ GS201_names_of_other_frameworks.gs:5:22: error GS201: unknown word `LR`
\   OBJECTIVE-LOSS 0.1 LR rows.csv 3 CSV-INPUT ALL ['] OBJECTIVE TRAIN
\                      ^^
\   help: the step size is `ALPHA`
\ GS201_names_of_other_frameworks.gs:5:25: error GS201: unknown word `rows.csv`
\   OBJECTIVE-LOSS 0.1 LR rows.csv 3 CSV-INPUT ALL ['] OBJECTIVE TRAIN
\                         ^^^^^^^^
\   help: a path is a string: `"rows.csv"`
\ GS201_names_of_other_frameworks.gs:6:3: error GS201: unknown word `“rows.csv”`
\   “rows.csv” 3 CSV-INPUT ALL ['] OBJECTIVE EVALUATE ;
\   ^^^^^^^^^^
\   help: a string stands in straight quotes: `"rows.csv"`
\ 9 errors
