"""doit on a workspace: tasks by label, a mistake as one failing task, nothing twice."""

from __future__ import annotations

import shutil
import sys
from importlib.util import find_spec
from pathlib import Path

import pytest

from tests.harness.native import ROOT, Finished, start

pytestmark = pytest.mark.native
PROGRAM = """TARGET-CPU
: OBJECTIVE ( -- r ) r:3 PARAM 1.0 INIT-CONSTANT TRAINABLE 2.0 - DUP * SUM ;
: MAIN ( -- )
  OBJECTIVE-LOSS 3 EPOCHS 1 WORKERS 1 SEED SGD-UPDATES 4 POPULATION 0.1 ES-GAUSSIAN .METRICS
  1 EPISODES ['] OBJECTIVE TRAIN ;
"""


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """A workspace with this repository's dodo.py, two programs and a data set."""
    shutil.copy(ROOT / "dodo.py", tmp_path)
    (tmp_path / "p").mkdir()
    (tmp_path / "p" / "one.gs").write_text(PROGRAM)
    (tmp_path / "p" / "two.gs").write_text(PROGRAM.replace("r:3", "r:2"))
    (tmp_path / "p" / "d.csv").write_text("31,47\n")
    (tmp_path / "p" / "BUILD").write_text(
        'geode_program(name = "one", src = "one.gs", data = ["d.csv"])\n'
        'geode_program(name = "two", src = "two.gs")\n'
        'dataset(name = "d", src = "d.csv", rows = 1, columns = 2)\n'
    )
    return tmp_path


def doit(root: Path, *arguments: str) -> Finished:
    """Run doit in the workspace."""
    return start([sys.executable, "-m", "doit", *arguments], cwd=root)


def ran(done: Finished) -> list[str]:
    """The tasks that ran, in order."""
    return [line.removeprefix(".  ") for line in done.out.splitlines() if line.startswith(".  ")]


def test_tasks_are_listed_by_label(root: Path) -> None:
    """One task for each step of each target, units included, groups for the kinds."""
    done = doit(root, "list", "--all", "--quiet")
    assert done.status == 0, done.err
    names = [name for name in done.out.split() if name.startswith(("build", "data", "emit", "parse", "train"))]
    units = [name for name in names if name.startswith("emit:")]
    assert {name.rpartition("-")[0] for name in units} == {"emit://p:one#OBJECTIVE", "emit://p:two#OBJECTIVE"}
    assert [name for name in names if name not in units] == [
        "build",
        "build://p:one",
        "build://p:two",
        "data",
        "data://p:d",
        "emit",
        "parse",
        "parse://p:one",
        "parse://p:two",
        "train",
        "train://p:one",
        "train://p:two",
    ]


def test_build_runs_once_and_train_each_time(root: Path) -> None:
    """A build leaves the binary and is done from then on, whatever doit remembers; training checks the data first."""
    assert ran(doit(root, "build://p:one")) == ["build://p:one"]
    assert (root / "build" / "one" / "out" / "program").exists()
    for database in root.glob(".doit.db*"):
        database.unlink()
    assert ran(doit(root, "build://p:one")) == []
    first = doit(root, "train://p:one")
    assert ran(first) == ["data://p:d", "train://p:one"]
    assert len(first.epoch_lines) == 3, first.out
    second = doit(root, "train://p:one")
    assert ran(second) == ["train://p:one"]
    assert second.epoch_lines == first.epoch_lines


def test_build_is_stale_when_program_or_output_changed(root: Path) -> None:
    """An edit of the source or a spoilt object: the build runs; a comment: it does not."""
    source = root / "p" / "one.gs"
    assert ran(doit(root, "build://p:one")) == ["build://p:one"]
    source.write_text(PROGRAM.replace("2.0 -", "3.0 -"))
    assert ran(doit(root, "build://p:one")) == ["build://p:one"]
    source.write_text(PROGRAM.replace("2.0 -", "3.0 -") + "\\ a comment\n")
    assert ran(doit(root, "build://p:one")) == []
    (root / "build" / "one" / "o" / "program.o").write_bytes(b"spoilt")
    assert ran(doit(root, "build://p:one")) == ["build://p:one"]


def test_mistake_that_keeps_a_task_away_is_told(root: Path) -> None:
    """doit says only that it does not know the task; a task that is there is done without a word of it."""
    build = root / "p" / "BUILD"
    build.write_text(build.read_text() + 'geode_run(name = "r", program = ":oen")\n')
    lost = doit(root, "train://p:r")
    assert lost.status != 0
    assert "p/BUILD:4: //p:oen is missing: no target and no file p/oen: did you mean `one`?" in lost.err
    there = doit(root, "data://p:d")
    assert (there.status, there.err) == (0, "")


def test_programs_build_side_by_side(root: Path) -> None:
    """`doit -n 2` builds both, and `doit clean` removes what they built and nothing else."""
    done = doit(root, "-n", "2")
    assert done.status == 0, done.out + done.err
    assert sorted(ran(done)) == ["build://p:one", "build://p:two"]
    assert all((root / "build" / name / "out" / "program").exists() for name in ("one", "two"))
    assert doit(root, "clean").status == 0
    assert not any((root / "build" / name).exists() for name in ("one", "two"))
    assert (root / "p" / "d.csv").exists()


def test_mistake_in_a_program_is_one_failing_task(root: Path) -> None:
    """Its diagnostic with place and caret, no traceback; the other program builds, and `list` and `clean` work."""
    (root / "p" / "one.gs").write_text(PROGRAM.replace("DUP *", "DUPP *"))
    done = doit(root, "--continue")
    assert done.status != 0
    text = done.out + done.err
    assert "p/one.gs:2:" in text
    assert "unknown word `DUPP`" in text
    assert "did you mean `DUP`?" in text
    assert "Traceback" not in text
    assert ran(done)[-1] == "build://p:two"
    assert not (root / "build" / "one" / "out").exists()
    assert doit(root, "list").status == 0
    assert doit(root, "clean").status == 0


def test_mistake_in_a_build_file_is_one_failing_task(root: Path) -> None:
    """The line of the BUILD file, no traceback; the other targets build."""
    text = (root / "p" / "BUILD").read_text()
    (root / "p" / "BUILD").write_text(text + 'geode_program(name = "three", src = "tree.gs")\n')
    done = doit(root, "--continue")
    assert done.status != 0
    assert "p/BUILD:4: //p:tree.gs is missing: no target and no file p/tree.gs" in done.out + done.err
    assert "Traceback" not in done.out + done.err
    assert {"build://p:one", "build://p:two"} <= set(ran(done))
    assert doit(root, "build://p:one").status == 0


def test_wrong_data_stops_training_with_its_line(root: Path) -> None:
    """A ragged file fails its data task, and the program that needs it is not run."""
    (root / "p" / "d.csv").write_text("1,2,3\n")
    done = doit(root, "train://p:one")
    assert done.status != 0
    assert "p/d.csv:1: 3 columns, its BUILD file says 2" in done.out + done.err
    assert done.epoch_lines == []
    assert "Traceback" not in done.out + done.err


def test_check_runs_the_checks_of_this_repository() -> None:
    """`doit check` is lint, format, types and tests; `check_full` the same with the long tests; a failing one fails doit."""
    listed = doit(ROOT, "list", "--all", "check", "check_full")
    assert listed.status == 0, listed.err
    found = dict(line.split(maxsplit=1) for line in listed.out.splitlines() if ":" in line.split()[0])
    assert found["check:tests"] == "pytest -q -n 2"
    assert found["check_full:tests"] == "pytest -q -n 2 --slow"
    assert [name for name in found if name.startswith("check:")] == [
        f"check:{n}" for n in ("format", "lint", "tests", "types")
    ]


@pytest.mark.skipif(find_spec("ruff") is None, reason="the linter comes with geode[dev]")
@pytest.mark.parametrize(("text", "status"), [("x = 1\n", 0), ("import os\n", 1)])
def test_check_fails_where_a_check_does(root: Path, text: str, status: int) -> None:
    """The linter's word is doit's status, and what it found is shown."""
    (root / "p" / "new.py").write_text(text)
    done = doit(root, "check:lint")
    assert min(done.status, 1) == status, done.out + done.err
    assert ("F401" in done.out) == (status == 1)
