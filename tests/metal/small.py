"""A small program with a layer of each kind, and settings that go through every optimizer, shaping and family of noise."""

from __future__ import annotations

SMALL = """TARGET-CPU
: NETWORK ( r:3 -- r:2 ) 4 AFFINE TRAINABLE TANH 2 AFFINE TRAINABLE ;
: OBJECTIVE ( r:3 -- r ) DUP NETWORK SWAP SUM - SQUARE SUM ;
: SETTINGS ( -- ) OBJECTIVE-LOSS 6 EPOCHS 12 POPULATION 3 SEED .METRICS {settings} ;
: MAIN ( -- ) SETTINGS "datasets/xor.csv" 3 CSV-INPUT {batch} ['] OBJECTIVE TRAIN ;
"""

SETTINGS = {
    "quick": "MUON-UPDATES 0.1 ALPHA 0.1 2 EGGROLL ANTITHETIC SCORE-RANK-SHAPED 0.5 UPDATE-CLIP 4 MUON-STEPS!",
    "sgd": "SGD-UPDATES 0.1 ALPHA 0.1 ES-GAUSSIAN ANTITHETIC SCORE-ZSCORE",
    "sgdm": "SGDM-UPDATES 0.1 ALPHA 0.1 ES-GAUSSIAN ANTITHETIC SCORE-SIGN 0.01 WEIGHT-DECAY",
    "rmsprop": "RMSPROP-UPDATES 0.1 ALPHA 0.1 ES-GAUSSIAN ANTITHETIC SCORE-RAW 0.5 UPDATE-CLIP",
    "muon": "MUON-UPDATES 0.1 ALPHA 0.1 ES-GAUSSIAN ANTITHETIC SCORE-UTILITY 0.5 UPDATE-CLIP 4 MUON-STEPS!",
    "eggroll": "ADAM-UPDATES 0.1 ALPHA 0.1 2 EGGROLL ANTITHETIC SCORE-RANK-SHAPED",
    "omelette": "MUON-UPDATES 0.1 ALPHA 0.1 OMELETTE-R1 ANTITHETIC SCORE-RANK-SHAPED",
    "independent": "ADAM-UPDATES 0.1 ALPHA 0.1 ES-GAUSSIAN INDEPENDENT SCORE-UTILITY 2 EVALUATE-EVERY",
}

# The kernels of an epoch, without the numbers of entries.
_FIRST = ["gs_prepare", "gs_members", "gs_score"]
GENERATIONS = [
    [*_FIRST, shape, "gs_estimate", update]
    for shape in ("gs_shape", "gs_standardise")
    for update in ("gs_update", "gs_update_muon")
]
