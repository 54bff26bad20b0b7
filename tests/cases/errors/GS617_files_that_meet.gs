\ warnings: files that two words write, or that the program reads; a prediction for a later stage is none of them
: OBJECTIVE ( r:b:4 -- r ) "t.csv" r:4 TABLE * 1 LINEAR TRAINABLE SUM MEAN ;
: NEXT ( r:4 -- r:4 ) 2 * ;
: MAIN ( -- )
  OBJECTIVE-LOSS "rows.csv" 4 CSV-INPUT { d } "later.csv" 4 CSV-INPUT { later }
  "a" SAVE-MODEL-ALL "./a" SAVE-MODEL "rows.csv" METRICS-FILE
  d ALL ['] OBJECTIVE TRAIN
  "b.best-member.st" METRICS-FILE "t.csv" SAVE-MODEL-ALL "b.st" SAVE-MODEL
  d ALL ['] OBJECTIVE TRAIN
  d ['] NEXT "later.csv" PREDICT
  later ['] NEXT "rows.csv" PREDICT ;

\ == error
\ GS617_files_that_meet.gs:6:7: warning GS617: `SAVE-MODEL` and `SAVE-MODEL-ALL` would both write a
\   "a" SAVE-MODEL-ALL "./a" SAVE-MODEL "rows.csv" METRICS-FILE
\       ^^^^^^^^^^^^^^
\   help: give the file another name, here or by an option of the binary, which refuses to run so
\ GS617_files_that_meet.gs:6:50: warning GS617: `METRICS-FILE` would overwrite rows.csv, which this program reads
\   "a" SAVE-MODEL-ALL "./a" SAVE-MODEL "rows.csv" METRICS-FILE
\                                                  ^^^^^^^^^^^^
\   help: give the file another name, here or by an option of the binary, which refuses to run so
\ GS617_files_that_meet.gs:8:22: warning GS617: `SAVE-MODEL` and `METRICS-FILE` would both write b.best-member.st
\   "b.best-member.st" METRICS-FILE "t.csv" SAVE-MODEL-ALL "b.st" SAVE-MODEL
\                      ^^^^^^^^^^^^
\   help: give the file another name, here or by an option of the binary, which refuses to run so
\ GS617_files_that_meet.gs:8:43: warning GS617: `SAVE-MODEL-ALL` would overwrite t.csv, which this program reads
\   "b.best-member.st" METRICS-FILE "t.csv" SAVE-MODEL-ALL "b.st" SAVE-MODEL
\                                           ^^^^^^^^^^^^^^
\   help: give the file another name, here or by an option of the binary, which refuses to run so
\ GS617_files_that_meet.gs:11:9: warning GS617: `METRICS-FILE` and `PREDICT` would both write rows.csv
\   later ['] NEXT "rows.csv" PREDICT ;
\         ^^^^^^^^
\   help: give the file another name, here or by an option of the binary, which refuses to run so
\ 5 warnings
