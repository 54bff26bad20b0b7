"""Data and stages: what MAIN says after its settings."""

from __future__ import annotations

from geode.vocabulary.entry import Counter, Entry, Example

GROUP = "stages"

_TRAIN = 'OBJECTIVE-LOSS 2 EPOCHS 4 POPULATION .METRICS "rows.csv" 4 CSV-INPUT ALL [\'] OBJECTIVE TRAIN'

ENTRIES: tuple[Entry, ...] = (
    Entry(
        "CSV-INPUT",
        GROUP,
        "( s n -- data )",
        "rows of n numbers from a CSV file, its path relative to where the program runs",
        "data file",
        Example(main=_TRAIN),
        Counter("GS610", Example(main='"rows.csv" CSV-INPUT ALL [\'] OBJECTIVE TRAIN')),
    ),
    Entry(
        "ALL",
        GROUP,
        "( data -- batch )",
        "every row each epoch",
        "batch",
        Example(main=_TRAIN),
        Counter("GS610", Example(main="4 ALL ['] OBJECTIVE TRAIN")),
    ),
    Entry(
        "TRAIN",
        GROUP,
        "( batch xt -- )",
        "evolves the parameters of a word ( r:b:k -- r ), or ( r:k -- r ) as the mean over rows",
        "stage",
        Example(main=_TRAIN),
        Counter("GS610", Example(main="['] OBJECTIVE TRAIN")),
    ),
)
