"""What the benchmarks do with measurements; nothing here is timed."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from benchmarks.paired import Samples, in_turn
from benchmarks.results import (
    PAGE,
    Outcome,
    committed_file,
    comparable,
    losses,
    read_all,
    read_committed,
    to_page,
    to_record,
    to_table,
    write,
)
from benchmarks.row import Result
from benchmarks.rows import ROWS
from benchmarks.run import chosen
from rules.errors import BuildError
from tests.harness.compile_c import X86
from tests.harness.native import ROOT, geode

MACHINE: dict[str, str | int | float] = {
    "date": "2000-01-01",
    "processor": "a processor",
    "system": "Linux x86_64",
    "compiler": "cc 1",
    "cores": 2,
    "lanes": 48,
    "load": 0.0,
}


def outcomes(value: float) -> list[Outcome]:
    """Every row with the same value."""
    return [Outcome(row, Result(value, None, {"geode ms": 1.0})) for row in ROWS]


def test_the_sides_take_turns_in_a_changing_order() -> None:
    """Neither side always follows the other."""
    order: list[str] = []

    def side(name: str) -> float:
        order.append(name)
        return float(len(order))

    seen = in_turn({"a": lambda: side("a"), "b": lambda: side("b")}, 3)
    assert order == ["a", "b", "b", "a", "a", "b"]
    assert seen["a"] == Samples((1.0, 4.0, 5.0))
    assert (seen["a"].best, seen["a"].median) == (1.0, 4.0)


def test_rows_have_names_of_their_own() -> None:
    """A row is told from the others by its key."""
    assert len({row.key for row in ROWS}) == len(ROWS)
    assert [row.key for row in chosen(["build-cold"])] == ["build-cold"]
    assert {row.key for row in chosen(["round-dense"])} == {"round-dense-1", "round-dense-2"}
    with pytest.raises(BuildError, match=r"round-dens-1.*round-dense-1"):
        chosen(["round-dens-1"])


def test_a_limit_is_kept_from_its_own_side() -> None:
    """A ratio must reach its limit, a time or a size must stay below it."""
    for outcome in outcomes(1e9):
        assert outcome.holds is not outcome.row.at_most
    for outcome in outcomes(1e-9):
        assert outcome.holds is outcome.row.at_most


def test_a_loss_is_told_in_either_direction() -> None:
    """15 % less of a ratio, or 15 % more where less is better; times by themselves don't count."""
    committed = to_record(MACHINE, outcomes(1.0))
    assert losses(committed, committed) == []
    ratios = {row.key for row in ROWS if not row.unit}
    lower = {row.key for row in ROWS if not row.unit and row.at_most}
    assert {line.split(":")[0] for line in losses(to_record(MACHINE, outcomes(0.8)), committed)} == ratios - lower
    assert {line.split(":")[0] for line in losses(to_record(MACHINE, outcomes(1.2)), committed)} == lower
    assert losses(to_record(MACHINE, outcomes(0.9)), committed) == []


def test_the_table_has_a_line_a_row() -> None:
    """And the page says which machine it was."""
    record = to_record(MACHINE, outcomes(1.0))
    assert to_table(record).count("\n") == len(ROWS) + 2
    assert "## a processor\n" in to_page([record])


def test_a_limit_that_wants_what_the_processor_lacks_says_so() -> None:
    """A row for AMX on a processor with it and on one without."""
    for processor, verdict in (("A (1/2; avx2 amx_bf16)", "no"), ("B (3/4; avx2)", "no: without amx_bf16")):
        record = to_record(MACHINE | {"processor": processor}, [o for o in outcomes(1e-9) if o.row.key == "bf16"])
        assert f"| {verdict} |" in to_table(record)


def test_each_processor_has_results_of_its_own(tmp_path: Path) -> None:
    """What is compared is this processor's, else that of one with as many lanes, else any."""
    assert comparable(MACHINE, tmp_path) is None
    machines = [MACHINE | {"processor": name, "lanes": lanes} for name, lanes in (("A (1/2)", 48), ("B (3/4)", 24))]
    for machine in machines:
        write(to_record(machine, outcomes(1.0)), committed_file(machine, tmp_path))
    assert [path.name for path in sorted(tmp_path.iterdir())] == ["a-1-2.json", "b-3-4.json"]
    assert read_committed(MACHINE, tmp_path) is None

    def found(processor: str, lanes: int) -> object:
        record = comparable(MACHINE | {"processor": processor, "lanes": lanes}, tmp_path)
        return record and record["machine"]["processor"]

    assert [found("B (3/4)", 48), found("C", 24), found("C", 16)] == ["B (3/4)", "B (3/4)", "A (1/2)"]
    page = to_page(read_all(tmp_path))
    assert page.index("## A (1/2)") < page.index("## B (3/4)")


def test_the_page_is_that_of_the_committed_results() -> None:
    """Nobody edited it by hand."""
    assert PAGE.read_text(encoding="utf-8") == to_page(read_all())


def test_the_command_lists_rows_and_names_a_near_miss(tmp_path: Path) -> None:
    """`--list` measures nothing."""
    listed = geode("bench", "--list", cwd=tmp_path)
    assert listed.status == 0
    assert [line.split()[0] for line in listed.out.splitlines()] == [row.key for row in ROWS]
    wrong = geode("bench", "scalling", cwd=tmp_path)
    assert wrong.status == 1
    assert "scaling" in wrong.err


@pytest.mark.native
@pytest.mark.parametrize(
    ("arguments", "status", "message"),
    [
        (["--list"], 0, r""),
        (["--rounds=1", "csv-nine"], 1, r"geode: .*NumPy: \S*pip install -e '.*\[python\]'"),
        (["--rounds=1", "forward-eggroll"], 1, r"geode: .*NumPy: \S*pip install -e '.*\[python\]'"),
    ],
)
def test_without_numpy_only_rows_with_data_are_refused(
    arguments: list[str], status: int, message: str, tmp_path: Path
) -> None:
    """NumPy is no dependency of the command: a row that wants it says in one line what to install."""
    script = "import sys; sys.modules['numpy'] = None; from geode.cli import run_command_line as r; sys.exit(r(sys.argv[1:]))"
    command = [sys.executable, "-c", script, "bench", *arguments]
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    done = subprocess.run(command, cwd=tmp_path, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == status, done.stderr
    assert re.search(message, done.stderr)
    assert "Traceback" not in done.stderr


@pytest.mark.parametrize(
    ("option", "name", "said"),
    [
        ("--out", ".", "Is a directory"),
        ("--out", "file/x.json", "File exists"),
        ("--plot", "x.xyz", "must end in .svg or .png"),
    ],
)
def test_what_cannot_be_written_is_told_before_anything_is_measured(
    option: str, name: str, said: str, tmp_path: Path
) -> None:
    """One line, status 2, and no measurement."""
    (tmp_path / "file").write_text("", encoding="utf-8")
    done = geode("bench", option, str(tmp_path / name), "start")
    assert (done.status, done.out) == (2, "")
    assert said in done.err
    assert "Traceback" not in done.err


@pytest.mark.native
@pytest.mark.parametrize("compiler", ["gcc", "clang"])
@pytest.mark.parametrize(("features", "chains"), [(("-mavx2", "-mfma"), 10), (("-mavx512f", "-mfma"), 20)])
def test_every_chain_that_the_peak_counts_is_computed(
    compiler: str, features: tuple[str, ...], chains: int, tmp_path: Path
) -> None:
    """No chain is worked out by the compiler beforehand: that peak would be one that no processor reaches."""
    if not X86 or shutil.which(compiler) is None:
        pytest.skip(f"no {compiler} for x86-64 on this machine")
    text = tmp_path / "peak.s"
    wide = ("-mprefer-vector-width=512",) if compiler == "clang" else ()
    source = ROOT / "benchmarks" / "baselines" / "peak.c"
    subprocess.run([compiler, "-O3", *features, *wide, "-Wno-psabi", "-S", source, "-o", text], check=True)
    found = re.findall(r"vfmadd\w+ps\s", text.read_text(encoding="utf-8"))
    assert found
    assert len(found) % chains == 0
