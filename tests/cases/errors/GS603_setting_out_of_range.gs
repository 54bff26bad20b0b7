\ settings out of their ranges
: OBJECTIVE ( r:b:4 -- r ) SUM SUM ;
: SETTINGS ( n -- ) POPULATION ;
: MAIN ( -- )
  OBJECTIVE-LOSS
  0 EPOCHS 1 SETTINGS 2000 WORKERS -1 SEED 2.5 EPOCHS
  1 MUON-BETA! 0 ES-GAUSSIAN 1 0 / ALPHA "" METRICS-FILE
  "rows.csv" 0 CSV-INPUT ALL ['] OBJECTIVE TRAIN ;

\ == error
\ GS603_setting_out_of_range.gs:3:21: error GS603: `POPULATION` takes an integer at least 2 and at most 1073741824, not 1
\ : SETTINGS ( n -- ) POPULATION ;
\                     ^^^^^^^^^^
\   stack:   n
\   help: POPULATION: members in each epoch
\   in SETTINGS at GS603_setting_out_of_range.gs:6:14
\ GS603_setting_out_of_range.gs:6:5: error GS603: `EPOCHS` takes an integer at least 1, not 0
\   0 EPOCHS 1 SETTINGS 2000 WORKERS -1 SEED 2.5 EPOCHS
\     ^^^^^^
\   stack:   n
\   help: EPOCHS: rounds of this stage
\ GS603_setting_out_of_range.gs:6:28: error GS603: `WORKERS` takes an integer at least 0 and at most 1024, not 2000
\   0 EPOCHS 1 SETTINGS 2000 WORKERS -1 SEED 2.5 EPOCHS
\                            ^^^^^^^
\   stack:   n
\   help: WORKERS: threads, 0: one per core
\ GS603_setting_out_of_range.gs:6:39: error GS603: `SEED` takes an integer at least 0, not -1
\   0 EPOCHS 1 SETTINGS 2000 WORKERS -1 SEED 2.5 EPOCHS
\                                       ^^^^
\   stack:   n
\   help: SEED: seed of every random stream
\ GS603_setting_out_of_range.gs:6:48: error GS602: `EPOCHS` takes an integer at least 1, not the real number 2.5
\   0 EPOCHS 1 SETTINGS 2000 WORKERS -1 SEED 2.5 EPOCHS
\                                                ^^^^^^
\   stack:   r
\   wanted:  n
\   help: EPOCHS: rounds of this stage
\ GS603_setting_out_of_range.gs:7:5: error GS603: `MUON-BETA!` takes a number at least 0 and below 1, not 1
\   1 MUON-BETA! 0 ES-GAUSSIAN 1 0 / ALPHA "" METRICS-FILE
\     ^^^^^^^^^^
\   stack:   n
\   help: MUON-BETA!: momentum of MUON
\ GS603_setting_out_of_range.gs:7:18: error GS603: `ES-GAUSSIAN` takes a number at least 1.17549435e-38, not 0
\   1 MUON-BETA! 0 ES-GAUSSIAN 1 0 / ALPHA "" METRICS-FILE
\                  ^^^^^^^^^^^
\   stack:   n
\   help: SIGMA: standard deviation of the perturbation
\ GS603_setting_out_of_range.gs:7:36: error GS603: `ALPHA` takes a number at least 0, not inf
\   1 MUON-BETA! 0 ES-GAUSSIAN 1 0 / ALPHA "" METRICS-FILE
\                                    ^^^^^
\   stack:   r
\   help: ALPHA: step size
\ GS603_setting_out_of_range.gs:7:45: error GS603: `METRICS-FILE` takes a text that is not empty, not ""
\   1 MUON-BETA! 0 ES-GAUSSIAN 1 0 / ALPHA "" METRICS-FILE
\                                             ^^^^^^^^^^^^
\   stack:   s
\   help: METRICS-FILE: file that gets the metrics as JSON lines
\ GS603_setting_out_of_range.gs:8:16: error GS603: `CSV-INPUT` takes rows of 1 to 2147483647 numbers, not 0
\   "rows.csv" 0 CSV-INPUT ALL ['] OBJECTIVE TRAIN ;
\                ^^^^^^^^^
\   stack:   s n
\ 10 errors
