\ warnings: constants of optimizers that no TRAIN has, and a rhythm of saves without a file; MUON has ADAM's constants too
: OBJECTIVE ( r:b:4 -- r ) 1 LINEAR TRAINABLE SUM MEAN ;
: MAIN ( -- )
  OBJECTIVE-LOSS "rows.csv" 4 CSV-INPUT { d }
  0.95 SGDM-BETA! 0.9 ADAM-BETA1! 3 MUON-STEPS! 0.9 RMSPROP-BETA! ADAM-UPDATES 50 SAVE-EVERY
  d ALL ['] OBJECTIVE TRAIN
  MUON-UPDATES d ALL ['] OBJECTIVE TRAIN ;

\ == error
\ GS615_settings_without_use.gs:5:8: warning GS615: `SGDM-BETA!` does nothing: no TRAIN behind it has the optimizer that it belongs to
\   0.95 SGDM-BETA! 0.9 ADAM-BETA1! 3 MUON-STEPS! 0.9 RMSPROP-BETA! ADAM-UPDATES 50 SAVE-EVERY
\        ^^^^^^^^^^
\   help: write SGDM-UPDATES, or leave it out; ADAM-UPDATES holds here
\ GS615_settings_without_use.gs:5:53: warning GS615: `RMSPROP-BETA!` does nothing: no TRAIN behind it has the optimizer that it belongs to
\   0.95 SGDM-BETA! 0.9 ADAM-BETA1! 3 MUON-STEPS! 0.9 RMSPROP-BETA! ADAM-UPDATES 50 SAVE-EVERY
\                                                     ^^^^^^^^^^^^^
\   help: write RMSPROP-UPDATES, or leave it out; ADAM-UPDATES holds here
\ GS615_settings_without_use.gs:5:83: warning GS615: `SAVE-EVERY` is how often SAVE-MODEL-ALL writes its file, which this program does not name
\   0.95 SGDM-BETA! 0.9 ADAM-BETA1! 3 MUON-STEPS! 0.9 RMSPROP-BETA! ADAM-UPDATES 50 SAVE-EVERY
\                                                                                   ^^^^^^^^^^
\   help: write "state.safetensors" SAVE-MODEL-ALL, or give the binary --save-model-all
\ 3 warnings
