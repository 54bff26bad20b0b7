"""Data and stages: what MAIN says after its settings. `graph/stage_words` runs them."""

from __future__ import annotations

from geode.vocabulary.entry import Counter, Entry, Example

GROUP = "stages"
_SETTINGS = "OBJECTIVE-LOSS 2 EPOCHS 4 POPULATION .METRICS"
_DATA = '"rows.csv" 4 CSV-INPUT'
_TRAIN = f"{_SETTINGS} {_DATA} ALL ['] OBJECTIVE TRAIN"


def _entry(name: str, effect: str, summary: str, lowering: str, example: str, code: str, counter: str) -> Entry:
    return Entry(name, GROUP, effect, summary, lowering, Example(main=example), Counter(code, Example(main=counter)))


ENTRIES: tuple[Entry, ...] = (
    _entry("CSV-INPUT", "( s n -- data )", "rows of n numbers from a CSV file, its path relative to where the program runs",
           "data file", _TRAIN, "GS610", "\"rows.csv\" CSV-INPUT ALL ['] OBJECTIVE TRAIN"),
    _entry("NPY-INPUT", "( s shape -- data )", "rows of that shape from an npy file, whose first axis they lie along",
           "data file", f"{_SETTINGS} \"rows.npy\" r:4 NPY-INPUT ALL ['] OBJECTIVE TRAIN", "GS610",
           "\"rows.npy\" 4 NPY-INPUT ALL ['] OBJECTIVE TRAIN"),
    _entry("TEXT-INPUT", "( s n -- data )", "a file's bytes, 0 to 255, in windows of n that don't overlap",
           "data file", f"{_SETTINGS} \"rows.txt\" 4 TEXT-INPUT ALL ['] OBJECTIVE TRAIN", "GS603",
           "\"rows.txt\" 0 TEXT-INPUT ALL ['] OBJECTIVE TRAIN"),
    _entry("ROWS", "( data start count -- data )", "these rows, in file order", "data slice",
           f"{_SETTINGS} {_DATA} 2 5 ROWS ALL ['] OBJECTIVE TRAIN", "GS603",
           f"{_SETTINGS} {_DATA} 2 0 ROWS ALL ['] OBJECTIVE TRAIN"),
    _entry("ALL", "( data -- batch )", "every row each epoch", "batch", _TRAIN, "GS610", "4 ALL ['] OBJECTIVE TRAIN"),
    _entry("BATCH", "( data n -- batch )", "the next n rows of a seeded shuffle, a new shuffle where fewer are left",
           "batch", f"{_SETTINGS} {_DATA} 3 BATCH ['] OBJECTIVE TRAIN", "GS610", "3 BATCH ['] OBJECTIVE TRAIN"),
    _entry("EPISODES", "( n -- batch )", "n rows without data, told apart by RAND, RANDN and EPISODE alone", "batch",
           f"{_SETTINGS} 3 EPISODES ['] EPISODIC TRAIN", "GS603", f"{_SETTINGS} 0 EPISODES ['] EPISODIC TRAIN"),
    _entry("TRAIN", "( batch xt -- )", "evolves the parameters of a word ( r:b:k -- r ), or ( r:k -- r ) as the mean over rows",
           "stage", _TRAIN, "GS610", "OBJECTIVE-LOSS ['] OBJECTIVE TRAIN"),
    _entry("EVALUATE", "( batch xt -- )", "prints the word's value with the current weights", "stage",
           f"{_TRAIN} {_DATA} ALL ['] OBJECTIVE EVALUATE", "GS610", "['] OBJECTIVE EVALUATE"),
    _entry("PREDICT", "( data xt s -- )", "writes the word's output for every row to a CSV file", "stage",
           f"{_TRAIN} {_DATA} ['] NETWORK \"out.csv\" PREDICT", "GS610", f"{_DATA} ['] NETWORK PREDICT"),
)  # fmt: skip
