"""Data files and tables: the binary and the reference read the same numbers and compute the same with them."""

from __future__ import annotations

import csv
import io
import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays
from numpy.typing import NDArray

from geode.graph.training_program import DataFile
from geode.reference.files import nearest_float32, read_csv, read_rows
from tests.harness.agreement import run_both
from tests.harness.compile_c import SANITIZED
from tests.harness.input_probe import probed_rows, start_probe
from tests.harness.native import start
from tests.harness.trainer import trainer

pytestmark = [
    pytest.mark.native,
    pytest.mark.skipif(SANITIZED.missing() is not None, reason=str(SANITIZED.missing())),
]
quick = settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])

# --- CSV

_NUMBERS = st.one_of(
    st.floats(-3e38, 3e38, allow_nan=False).map(repr),
    st.floats(allow_nan=False, allow_infinity=False, width=32).map(repr),
    st.integers(-(10**25), 10**25).map(str),
    st.decimals(-1000, 1000, places=6).map(str),
    st.from_regex(r"[-+]?[0-9]{1,25}\.?([eE][-+]?[0-9])?", fullmatch=True),
    st.from_regex(r"[-+]?\.[0-9]{1,30}([eE][-+]?[0-9]{1,3})?", fullmatch=True),
)
_ROWS = st.integers(1, 4).flatmap(
    lambda k: st.lists(st.lists(_NUMBERS, min_size=k, max_size=k), min_size=1, max_size=12)
)


@quick
@given(
    rows=_ROWS,
    header=st.booleans(),
    quoting=st.sampled_from([csv.QUOTE_MINIMAL, csv.QUOTE_ALL]),
    newline=st.sampled_from(["\n", "\r\n"]),
    mark=st.booleans(),
    blanks=st.lists(st.sampled_from(["", " ", "\t", "  \t"]), min_size=1, max_size=3),
)
def test_what_the_csv_module_writes_is_read_as_written(
    tmp_path: Path, rows: list[list[str]], header: bool, quoting: int, newline: str, mark: bool, blanks: list[str]
) -> None:
    """Headers, quotes, line ends, marks, blanks and blank lines; each number the nearest float32."""
    out = io.StringIO()
    writer = csv.writer(out, quoting=quoting, lineterminator=newline)
    if header:
        writer.writerow([f'a, "{place}"\nnamed' for place in range(len(rows[0]))])
    for number, row in enumerate(rows):
        pad = blanks[number % len(blanks)]
        writer.writerow(row if quoting == csv.QUOTE_ALL else [f"{pad}{text}{pad}" for text in row])
        out.write(pad + newline if number % 3 == 0 else "")
    path = tmp_path / "a.csv"
    path.write_text(("\ufeff" if mark else "") + out.getvalue(), encoding="utf-8", newline="")
    wanted = nearest_float32([text for row in rows for text in row])
    if not np.isfinite(wanted).all():
        assert "is beyond float32" in start_probe("csv", path, len(rows[0])).stderr
        return
    assert np.array_equal(np.array(probed_rows("csv", path, len(rows[0])), np.float32).ravel(), wanted)
    assert np.array_equal(read_csv(path).ravel(), wanted)


@quick
@given(
    pieces=st.lists(
        st.sampled_from(
            ["1", "-2.5", "3e5", ",", ",", "\n", "\n", " ", "\r\n", '"', "x", ".", "e", "+", "\t", "\r", "1e39"]
        ),
        max_size=30,
    )
)
def test_any_text_is_taken_or_refused_by_both(tmp_path: Path, pieces: list[str]) -> None:
    """The reference takes what the binary takes, with the same numbers. It may take more where a quote does not end."""
    path = tmp_path / "a.csv"
    path.write_text("".join(pieces), encoding="utf-8", newline="")
    done = start_probe("table", path, 2, 2)
    assert done.returncode in (0, 1)
    if done.returncode == 1:
        assert done.stderr.startswith("probe: error: a.csv")
    if '"' in pieces or "\r" in pieces:
        return
    try:
        table = read_csv(path)
    except ValueError:
        assert done.returncode == 1
        return
    assert (done.returncode == 0) == (table.size == 4)
    if done.returncode == 0:
        assert [float.fromhex(x) for x in done.stdout.split()] == table.ravel().tolist()


# --- npy


@quick
@given(
    array=arrays.arrays(
        st.one_of(arrays.integer_dtypes(endianness="?"), arrays.unsigned_integer_dtypes(endianness="?"),
                  arrays.floating_dtypes(endianness="?", sizes=(16, 32, 64)), arrays.boolean_dtypes()),
        arrays.array_shapes(min_dims=1, max_dims=4, max_side=5),
    )
)  # fmt: skip
def test_any_array_is_read_as_numpy_casts_it(tmp_path: Path, array: NDArray[Any]) -> None:
    """Whatever its type, its byte order and its shape; NaN, infinity and what is beyond float32 are refused."""
    path = tmp_path / "a.npy"
    np.save(path, np.ascontiguousarray(array))
    file = DataFile("a.npy", "npy", array.shape[1:])
    try:
        wanted = read_rows(file, tmp_path)
    except ValueError:
        assert re.search(r"number \d+ of row \d+ is", start_probe("npy", path, *array.shape[1:]).stderr)
        return
    rows = np.array(probed_rows("npy", path, *array.shape[1:]), np.float32)
    assert np.array_equal(rows.ravel(), wanted.ravel())


# --- whole programs


_START = "OBJECTIVE-LOSS 3 EPOCHS 6 POPULATION 2 SEED 0.05 ALPHA 0.1 ES-GAUSSIAN .METRICS"


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Files of every kind."""
    path = tmp_path_factory.mktemp("inputs")
    random = np.random.default_rng(3)
    np.save(path / "pictures.npy", random.integers(0, 17, (50, 2, 3), dtype=np.uint8))
    np.save(path / "scalars.npy", random.normal(size=70).astype(np.float32))
    np.save(path / "weights.npy", random.normal(size=(3, 4)))
    np.savetxt(path / "bias.csv", random.normal(size=4), fmt="%.9g")
    (path / "text.txt").write_bytes(b"The quick brown fox jumps over the lazy dog. " * 9)
    return path


def _differences(text: str, folder: Path) -> list[str]:
    pair = run_both(text, folder, dtype="float32")
    return [line for stage in range(len(pair.native)) for line in pair.differences(stage)]


def test_rows_of_every_kind_train_the_same(folder: Path) -> None:
    """Pictures of integers, scalars, bytes; slices and batches of them, evaluated and predicted."""
    text = f""": LOSS ( r:* -- r ) 0.1 * {{ x }} x LAYERNORM TRAINABLE x LOSS-MSE ;
: BYTES ( r:16 -- r ) 100 / 16 LINEAR TRAINABLE SQUARE MEAN ;
: ONE ( r -- r ) r PARAM 0.5 INIT-CONSTANT TRAINABLE * 1 - SQUARE ;
: MAIN ( -- ) {_START}
  "pictures.npy" r:2:3 NPY-INPUT {{ p }} p ALL ['] LOSS TRAIN  p 7 21 ROWS 5 BATCH ['] LOSS TRAIN
  "scalars.npy" r NPY-INPUT ALL ['] ONE TRAIN
  "text.txt" 16 TEXT-INPUT {{ t }} t ALL ['] BYTES TRAIN  t ALL ['] BYTES EVALUATE  p ['] LOSS "out.csv" PREDICT ;"""
    assert _differences(text, folder) == []


def test_tables_are_values_like_others(folder: Path) -> None:
    """In the trained word, in words that it calls and compiles apart, in loops, taken apart, in batch reductions' wake, and
    as a result; the same word with two files reads two files.
    """
    text = f""": BASIS ( -- r:3:4 ) "weights.npy" r:3:4 TABLE ;
: CHOSEN ( s i:r -- r ) {{ path i }} path r:4 TABLE i AT ;
: UNIT ( r:3 -- r:4 ) 3 LINEAR TRAINABLE BASIS MATMUL "bias.csv" r:4 TABLE + TANH ;
: TWICE ( r:3 -- r ) 0 {{ x s }} 3 0 DO x I AT BASIS I AT SUM * s + TO s LOOP s ;
: LOSS ( r:b:2:3 -- r ) 0.1 * {{ x }}
  x 0 AT UNIT SUM x 1 AT UNIT SUM - x 0 AT TWICE + "bias.csv" x SUM SUM 4 MOD CHOSEN + SQUARE MEAN
  "bias.csv" r:2:2 TABLE SUM SUM + BASIS 2 AT 1 AT + ;
: SHOW ( r:2:3 -- r:3:4 ) DROP BASIS ;
: MAIN ( -- ) {_START}
  "pictures.npy" r:2:3 NPY-INPUT {{ p }} p ALL ['] LOSS TRAIN p ALL ['] LOSS EVALUATE p ['] SHOW "out.csv" PREDICT ;"""
    assert _differences(text, folder) == []


def test_episodes_read_tables(folder: Path) -> None:
    """Also where the lanes of a tile belong to several members, before a rollout and in it."""
    text = f""": START ( -- r:4 ) RAND RAND RAND RAND 4 VEC {{ s }}
  3 0 DO s 4 LINEAR TRAINABLE "bias.csv" r:4 TABLE * TANH TO s LOOP s ;
: STEP ( r:4 -- r:4 ) 3 LINEAR 0.3 INIT-NORMAL TRAINABLE "weights.npy" r:3:4 TABLE MATMUL "bias.csv" r:4 TABLE + TANH ;
: OBJECTIVE ( -- r ) START {{ s }} 0 {{ n }}
  BEGIN s STEP TO s n 1+ TO n s SUM "bias.csv" r:4 TABLE n 4 MOD AT + ABS 0.5 < n 12 > OR UNTIL s SQUARE SUM n + ;
: MAIN ( -- ) {_START} 5 EPISODES ['] OBJECTIVE TRAIN 5 EPISODES ['] OBJECTIVE EVALUATE ;"""
    assert _differences(text, folder) == []


def test_a_table_belongs_to_the_run_that_a_state_continues(folder: Path) -> None:
    """Resumed with another table the run is refused, unless it is named as a difference; one only evaluated is not."""
    text = f""": LOSS ( r -- r ) r PARAM TRAINABLE - "bias.csv" r:4 TABLE SUM - SQUARE ; SHARED
: SHOW ( r -- r ) DUP LOSS + "weights.npy" r:3:4 TABLE SUM SUM + ;
: MAIN ( -- ) {_START} "s.safetensors" SAVE-MODEL-ALL
  "scalars.npy" r NPY-INPUT {{ d }} d ALL ['] LOSS TRAIN d ALL ['] SHOW EVALUATE ;"""
    run_both(text, folder, {"epochs": 2})
    (program,) = {
        p for p in folder.glob("*/out/program") if b"SHOW" in p.read_bytes() and b"s.safetensors" in p.read_bytes()
    }
    np.savetxt(folder / "other.csv", np.arange(4), fmt="%d")
    np.save(folder / "other.npy", np.zeros((3, 4)))
    resume = [program, "--resume-model", "s.safetensors", "--epochs", "3"]
    assert start([*resume, "--table-2", "other.npy", "--stop-at-epoch", "2"], cwd=folder).status == 0
    refused = start([*resume, "--table-1", "other.csv"], cwd=folder)
    assert refused.status == 1
    assert "TABLES" in refused.err
    assert "--resume-changed TABLES" in refused.err
    assert start([*resume, "--table-1=other.csv", "--resume-changed", "TABLES"], cwd=folder).status == 0
    missing = start([program, "--table-2", "none.npy"], cwd=folder)
    assert (missing.status, missing.err.splitlines()[0]) == (
        1,
        f"{program_name(program)}: error: none.npy: No such file or directory",
    )
    wrong = start([program, "--table-3", "other.csv"], cwd=folder)
    assert (wrong.status, "the program reads 2 tables, named by --table-1, --table-2" in wrong.err) == (2, True)


def test_stages_that_read_one_file_read_another_one_together(folder: Path) -> None:
    """--data stands for all of them; where they read two files it is refused with the names that there are."""
    text = """: LOSS ( r -- r ) r PARAM TRAINABLE - SQUARE ;
: MAIN ( -- ) OBJECTIVE-LOSS 1 EPOCHS 4 POPULATION
  "scalars.npy" r NPY-INPUT ALL ['] LOSS TRAIN "{}" r NPY-INPUT ALL ['] LOSS EVALUATE ;"""
    np.save(folder / "three.npy", np.arange(3.0))
    done = trainer(text.format("scalars.npy"), folder, "one", "--workers", "1").run("--data", "three.npy")
    assert done.status == 0
    assert any(line.startswith("evaluate ") and line.endswith("rows=3") for line in done.results)
    done = trainer(text.format("three.npy"), folder, "two", "--workers", "1").run("--data", "three.npy")
    assert (done.status, "named by --data-1, --data-2" in done.err) == (2, True)


def program_name(program: Path) -> str:
    """The name that messages begin with: that of the source."""
    return program.parents[1].name
