"""A hand-written program of several stages: slices of rows, batches of a shuffle, episodes, EVALUATE and PREDICT."""

from __future__ import annotations

import json
import re
import subprocess
from pathlib import Path

import numpy as np
import pytest

from geode.reference.streams import shuffle_order
from tests.harness.compile_c import SANITIZED, Build
from tests.harness.runtime_program import runtime_program

SOURCE = Path(__file__).parent / "stages.c"
BUILDS = [Build("gcc", "-O2", "native"), SANITIZED]
ROWS = 10

pytestmark = [pytest.mark.native, pytest.mark.skipif(BUILDS[0].missing() is not None, reason=str(BUILDS[0].missing()))]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder with the two data files: ten rows on y = 2 x - 1 with some noise, and three points."""
    write_rows(tmp_path, ROWS)
    (tmp_path / "points.csv").write_text("0\n1\n-0.5\n", encoding="utf-8")
    return tmp_path


def write_rows(folder: Path, count: int) -> None:
    """The first of the data files."""
    x = np.linspace(-1, 1, count)
    y = 2 * x - 1 + 0.1 * np.cos(7 * x)
    lines = [f"{a:.6f},{b:.6f}" for a, b in zip(x, y, strict=True)]
    (folder / "train.csv").write_text("x,y\n" + "\n".join(lines) + "\n", encoding="utf-8")


def run(folder: Path, *options: str, build: Build = BUILDS[0]) -> subprocess.CompletedProcess[str]:
    """One run in the folder."""
    lanes = 8 if build is BUILDS[0] else 1
    program = runtime_program(build, SOURCE, lanes, min(lanes, 4))
    return subprocess.run([program, *options], capture_output=True, text=True, check=False, cwd=folder, timeout=60)


def numbers(text: str, key: str) -> list[float]:
    """All values of a key, in order."""
    return [float(x) for x in re.findall(rf"(?:^|[ \n]){key}=(\S+)", text)]


def data(folder: Path) -> tuple[np.ndarray, np.ndarray]:
    """x and y as float32, as the program reads them."""
    table = np.loadtxt(folder / "train.csv", delimiter=",", skiprows=1).astype(np.float32)
    return table[:, 0], table[:, 1]


def line(folder: Path) -> tuple[np.float32, np.float32]:
    """The fitted a and b, from what PREDICT wrote for x = 0 and x = 1."""
    rows = np.loadtxt(folder / "line.csv", delimiter=",", dtype=np.float32)
    assert np.array_equal(rows[:, 0], -rows[:, 1])
    return rows[1, 0] - rows[0, 0], rows[0, 0]


@pytest.mark.parametrize("build", BUILDS, ids=["lanes", "sanitize"])
def test_all_stages_run_in_order(folder: Path, build: Build) -> None:
    """Epochs count on through the stages; the fixed parameter is listed and costs its 0.5; the line is found."""
    done = run(folder, build=build)
    assert (done.returncode, done.stderr) == (0, "")
    assert "\nfixed c\n" in done.stdout
    assert numbers(done.stdout, "epoch") == list(range(90))
    assert re.findall(r"^settings stage=(\d) kind=(\w+) word=(\S+) ", done.stdout, re.MULTILINE) == [
        ("1", "train", "LOSS"),
        ("2", "train", "LOSS"),
        ("5", "train", "EPISODE-LOSS"),
    ]
    a, b = line(folder)
    x, y = data(folder)
    (value,) = numbers(done.stdout, "value")
    assert "evaluate word=LOSS " in done.stdout
    assert "rows=10" in done.stdout
    assert value == pytest.approx(np.mean((a * x + b - y) ** 2) + 0.5, rel=1e-5)
    assert abs(a - 2) < 0.2
    assert abs(b + 1) < 0.2


def test_a_slice_uses_its_rows_alone(folder: Path) -> None:
    """With weights at 0 the center's score is the mean of y^2 over rows 2 to 8, plus the fixed parameter."""
    done = run(folder, "--set", "1:EPOCHS=1")
    y = data(folder)[1][2:9].astype(float)
    assert numbers(done.stdout, "center")[0] == pytest.approx(np.mean(y**2) + 0.5, rel=1e-6)


@pytest.mark.parametrize("rows", [ROWS, 12])
def test_batches_walk_the_reference_shuffle(folder: Path, rows: int) -> None:
    """Batches of 4 out of 10 rows, two a pass, and of 12, three a pass, as geode.reference.streams orders them."""
    write_rows(folder, rows)
    done = run(folder, "--alpha", "0", "--set", "2:EPOCHS=7")
    y = data(folder)[1].astype(float)
    expected = []
    for number in range(4):
        order = shuffle_order(3, number, rows)
        expected += [np.mean(y[order[start : start + 4]] ** 2) + 0.5 for start in range(0, rows - 3, 4)]
    assert numbers(done.stdout, "center")[30:37] == pytest.approx(expected[:7], rel=1e-6)


def test_episodes_differ_by_their_place(folder: Path) -> None:
    """Five episodes without data: the mean of 0 to 4 is added to the score."""
    done = run(folder, "--alpha", "0")
    assert numbers(done.stdout, "center")[-1] == pytest.approx(3.0, rel=1e-6)


def test_nothing_depends_on_workers_or_hoisting(folder: Path) -> None:
    """The run level of a batch is recomputed each epoch, kept or not; all numbers stay."""
    texts = []
    for options in (["--workers", "1"], ["--workers", "3"], ["--workers", "2", "--hoist-limit", "0"]):
        done = run(folder, *options)
        lines = [s for s in done.stdout.splitlines() if s.startswith(("epoch=", "result", "evaluate"))]
        texts.append(re.sub(r" evals/s=\S+ elapsed=\S+", "", "\n".join(lines)))
    assert texts[0] == texts[1] == texts[2]


def test_metrics_file_collects_all_training_stages(folder: Path) -> None:
    """One header a stage; a file from before is replaced, not continued."""
    (folder / "m.jsonl").write_text("old\n", encoding="utf-8")
    run(folder, "--metrics-file", "m.jsonl", "--epochs", "2")
    lines = [json.loads(text) for text in (folder / "m.jsonl").read_text(encoding="utf-8").splitlines()]
    assert [entry.get("stage") for entry in lines] == [1, None, None, 2, None, None, 5, None, None]


def test_files_are_named_by_number(folder: Path) -> None:
    """--data-2 replaces the second file; --data alone is refused with the names there are."""
    (folder / "other.csv").write_text("0\n", encoding="utf-8")
    assert run(folder, "--epochs", "1", "--data-2", "other.csv").returncode == 0
    assert len((folder / "line.csv").read_text(encoding="utf-8").splitlines()) == 1
    done = run(folder, "--data", "other.csv")
    assert done.returncode == 2
    assert "reads 2 data files, named by --data-1, --data-2, ..." in done.stderr


def test_rows_that_are_not_there(folder: Path) -> None:
    """A slice past the end and a batch above the number of rows end the run, naming both numbers."""
    (folder / "train.csv").write_text("1,2\n" * 5, encoding="utf-8")
    done = run(folder)
    assert (done.returncode, "ROWS 2 to 8 are wanted, the file has 5 rows, counted from 0" in done.stderr) == (1, True)
    (folder / "points.csv").unlink()
    (folder / "train.csv").write_text("1,2\n" * 9, encoding="utf-8")
    done = run(folder, "--epochs", "1")
    assert (done.returncode, "points.csv: No such file" in done.stderr) == (1, True)


def test_a_signal_skips_later_stages(folder: Path) -> None:
    """--stop-at-epoch ends the run, and what comes after in the program does not run."""
    done = run(folder, "--stop-at-epoch", "31")
    assert done.returncode == 0
    assert numbers(done.stdout, "epoch")[-1] == 30
    assert "evaluate" not in done.stdout.replace("evaluate-every", "")
