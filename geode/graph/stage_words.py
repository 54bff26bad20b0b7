"""Data and stages: the words that MAIN says after its settings.

In: MAIN being run, its stack of Python values. Out: data files and stages.
Invariant: a stage has the settings made before it.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from geode.diagnostics import Diagnostic
from geode.graph.concrete import BatchValue, DataValue, TokenValue
from geode.graph.training_program import DataFile, DataKind, Stage, StageKind
from geode.graph.types import MOST_AXES
from geode.graph.values import ShapeValue
from geode.settings import check_values
from geode.source import Span
from geode.syntax.read_literal import LONGEST_AXIS

if TYPE_CHECKING:
    from geode.graph.main_to_stages import Main

_MOST_ROWS = 2**53
_DATA = 'a data set: "rows.csv" 100 CSV-INPUT'


def _csv_input(main: Main, _: Span) -> None:
    _input_of_width(main, "csv", 'a path and the number of columns: "rows.csv" 100 CSV-INPUT')


def _text_input(main: Main, _: Span) -> None:
    _input_of_width(main, "text", 'a path and the bytes of a window: "text.txt" 64 TEXT-INPUT')


def _input_of_width(main: Main, kind: DataKind, what: str) -> None:
    path, width = main.take("s n", what, str, int)
    assert isinstance(path, str)
    assert isinstance(width, int)
    _add_file(main, DataFile(path, kind, (width,)))


def _npy_input(main: Main, _: Span) -> None:
    path, shape = main.take(
        "s shape", 'a path and the shape of a row: "pictures.npy" r:28:28 NPY-INPUT', str, ShapeValue
    )
    assert isinstance(path, str)
    assert isinstance(shape, ShapeValue)
    if len(shape.shape) > MOST_AXES:
        main.machine.fail("GS603", f"`NPY-INPUT` takes rows of at most {MOST_AXES} axes, not {len(shape.shape)}")
    _add_file(main, DataFile(path, "npy", shape.shape))


def _add_file(main: Main, file: DataFile) -> None:
    word = main.machine.word
    if not 1 <= file.row_floats <= LONGEST_AXIS:
        main.machine.fail("GS603", f"`{word}` takes rows of 1 to {LONGEST_AXIS} numbers, not {file.row_floats}")
    if not file.path:
        main.machine.fail("GS603", f"`{word}` takes a path, not an empty string")
    main.files.append(file)
    main.machine.stack.append(DataValue(len(main.files) - 1))


def _rows(main: Main, _: Span) -> None:
    data, start, count = main.take("data start count", f"{_DATA} 0 1500 ROWS", DataValue, int, int)
    assert isinstance(data, DataValue)
    assert isinstance(start, int)
    assert isinstance(count, int)
    if not 0 <= start < _MOST_ROWS or not 1 <= count < _MOST_ROWS:
        main.machine.fail("GS603", f"`ROWS` takes a start of at least 0 and at least one row, not {start} and {count}")
    if data.count is not None and start + count > data.count:
        main.machine.fail("GS603", f"rows {start} to {start + count - 1} are past the end of {data.count} rows")
    main.machine.stack.append(DataValue(data.file, data.first + start, count))


def _all(main: Main, _: Span) -> None:
    (data,) = main.take("data", f"{_DATA} ALL", DataValue)
    assert isinstance(data, DataValue)
    main.machine.stack.append(BatchValue("all", data))


def _batch(main: Main, _: Span) -> None:
    data, rows = main.take("data n", f"{_DATA} 64 BATCH", DataValue, int)
    assert isinstance(data, DataValue)
    assert isinstance(rows, int)
    main.machine.stack.append(BatchValue("sample", data, _at_least_one(main, rows, "row")))


def _episodes(main: Main, _: Span) -> None:
    (rows,) = main.take("n", "how many: 16 EPISODES", int)
    assert isinstance(rows, int)
    main.machine.stack.append(BatchValue("episodes", None, _at_least_one(main, rows, "episode")))


def _at_least_one(main: Main, count: int, what: str) -> int:
    if not 1 <= count < _MOST_ROWS:
        main.machine.fail("GS603", f"`{main.machine.word}` takes at least one {what}, not {count}")
    return count


def _train(main: Main, span: Span) -> None:
    if not main.objective:
        main.machine.fail(
            "GS605",
            "this stage doesn't know whether to minimise or to maximise",
            help="write OBJECTIVE-LOSS or OBJECTIVE-REWARD before TRAIN",
        )
    _word_over_batch(main, span, "train")
    no_baseline = main.values["shaping"] == "raw" and main.values["sampling"] == "independent"
    if no_baseline and not main.sink.has_errors:
        place = main.places.get("shaping", (main.machine.word, span))[1]
        message = (
            "`SCORE-RAW` under INDEPENDENT takes the scores as weights without a baseline: the steps are mostly noise"
        )
        help_text = "SCORE-ZSCORE subtracts the mean; ANTITHETIC takes differences"
        main.sink.add(Diagnostic("GS614", message, place, help=help_text, severity="warning"))
    main.chosen.clear()


def _evaluate(main: Main, span: Span) -> None:
    _word_over_batch(main, span, "evaluate")


def _word_over_batch(main: Main, span: Span, kind: StageKind) -> None:
    what = f"rows and a word: {_DATA} ALL ['] OBJECTIVE {main.machine.word}"
    batch, token = main.take("batch xt", what, BatchValue, TokenValue)
    assert isinstance(batch, BatchValue)
    assert isinstance(token, TokenValue)
    _add_stage(main, span, Stage(kind, token.word, batch, main.settings(), token.span, None, _places(main)))


def _predict(main: Main, span: Span) -> None:
    top = main.machine.stack[-3] if len(main.machine.stack) >= 3 else None
    rows_type = BatchValue if isinstance(top, BatchValue) else DataValue
    what = f'rows, a word and a path: {_DATA} [\'] FORWARD "out.csv" PREDICT'
    rows, token, path = main.take("data xt s", what, rows_type, TokenValue, str)
    assert isinstance(token, TokenValue)
    assert isinstance(path, str)
    batch = rows if isinstance(rows, BatchValue) else BatchValue("all", rows if isinstance(rows, DataValue) else None)
    if batch.kind == "sample":
        main.machine.fail("GS610", "`PREDICT` goes through a data set in file order: leave BATCH out")
    if not path:
        main.machine.fail("GS603", "`PREDICT` takes a path, not an empty string")
    _add_stage(main, span, Stage("predict", token.word, batch, main.settings(), token.span, path, _places(main)))


def _places(main: Main) -> dict[str, Span]:
    return {name: span for name, (_, span) in main.places.items()}


def _add_stage(main: Main, span: Span, stage: Stage) -> None:
    problem = check_values(stage.settings)
    if problem is not None:
        places = [main.places[name] for name in ("sampling", "population", "shaping") if name in main.places]
        notes = tuple((f"`{word}` stands here", place) for word, place in places if word in problem)
        main.sink.add(Diagnostic("GS603", problem, span, notes=notes, trail=main.machine.trail))
    main.stages.append(stage)
    main.idle.stage(stage, main.places)


STAGE_WORDS: dict[str, Callable[[Main, Span], None]] = {
    "CSV-INPUT": _csv_input,
    "NPY-INPUT": _npy_input,
    "TEXT-INPUT": _text_input,
    "ROWS": _rows,
    "ALL": _all,
    "BATCH": _batch,
    "EPISODES": _episodes,
    "TRAIN": _train,
    "EVALUATE": _evaluate,
    "PREDICT": _predict,
}
