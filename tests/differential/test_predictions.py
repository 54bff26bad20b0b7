"""The file of PREDICT: an earlier one stays until the new one is whole; what is no file is written as it is."""

from __future__ import annotations

import os
import resource
import subprocess
import threading
import time
from pathlib import Path

import numpy as np
import pytest

from tests.harness.native import build, start

pytestmark = pytest.mark.native

ROWS = 400_000
TEXT = f"""
: TWO ( -- r:2 ) EPISODE 0.5 2 VEC ;
: MAIN ( -- ) {ROWS} EPISODES ['] TWO "out.csv" PREDICT ;
"""


@pytest.fixture(scope="module")
def program(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Writes the number of each row, and a half."""
    folder = tmp_path_factory.mktemp("predict")
    (folder / "two.gs").write_text(TEXT, encoding="utf-8")
    return build(folder / "two.gs", folder / "out", "--profile", "debug")


def _is_whole(path: Path) -> bool:
    rows = np.loadtxt(path, delimiter=",")
    return rows.shape == (ROWS, 2) and bool((rows[:, 0] == np.arange(ROWS, dtype=np.float32)).all())


def test_rows_are_in_order_for_any_number_of_workers(program: Path, tmp_path: Path) -> None:
    """The same bytes."""
    seen = set()
    for workers in ("1", "2", "7"):
        assert start([program, "--workers", workers], cwd=tmp_path).status == 0
        assert _is_whole(tmp_path / "out.csv")
        seen.add((tmp_path / "out.csv").read_bytes())
    assert len(seen) == 1


def test_a_run_that_is_killed_leaves_what_was_there(program: Path, tmp_path: Path) -> None:
    """And a part under another name, which the next run replaces."""
    (tmp_path / "out.csv").write_text("of yesterday\n")
    part = tmp_path / "out.csv.unfinished"
    with subprocess.Popen([program], cwd=tmp_path, stdout=subprocess.DEVNULL) as child:
        while not (part.exists() and part.stat().st_size > 0):
            assert child.poll() is None
            time.sleep(0.001)
        child.kill()
    assert part.exists()
    assert (tmp_path / "out.csv").read_text() == "of yesterday\n"
    done = start([program], cwd=tmp_path)
    assert (done.status, done.err) == (0, "")
    assert _is_whole(tmp_path / "out.csv")
    assert [path.name for path in tmp_path.iterdir()] == ["out.csv"]


def test_a_full_disk_leaves_what_was_there(program: Path, tmp_path: Path) -> None:
    """The run ends with a message, and without a part."""
    (tmp_path / "out.csv").write_text("of yesterday\n")
    done = subprocess.run(
        [program], cwd=tmp_path, capture_output=True, text=True, check=False,
        restore_signals=False,  # Python ignores the signal that a file beyond the limit would raise, and so does the program
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (100_000, 100_000)),
    )  # fmt: skip
    assert (done.returncode, "out.csv: can't be written: File too large" in done.stderr) == (1, True)
    assert [path.name for path in tmp_path.iterdir()] == ["out.csv"]
    assert (tmp_path / "out.csv").read_text() == "of yesterday\n"


def test_links_are_followed(program: Path, tmp_path: Path) -> None:
    """One to a file: the file is replaced and the link stays; one to nothing: the file comes to be."""
    for there in (True, False):
        folder = tmp_path / str(there)
        (folder / "run").mkdir(parents=True)
        if there:
            (folder / "kept.csv").write_text("of yesterday\n")
        (folder / "run" / "out.csv").symlink_to("../kept.csv")
        done = start([program], cwd=folder / "run")
        assert (done.status, done.err) == (0, "")
        assert (folder / "run" / "out.csv").is_symlink()
        assert _is_whole(folder / "kept.csv")
        assert sorted(path.name for path in folder.rglob("*")) == ["kept.csv", "out.csv", "run"]


def test_a_pipe_is_written_as_it_is(program: Path, tmp_path: Path) -> None:
    """Whoever reads it gets the rows as they are made."""
    os.mkfifo(tmp_path / "out.csv")
    seen: list[int] = []
    reader = threading.Thread(target=lambda: seen.append(len((tmp_path / "out.csv").read_text().splitlines())))
    reader.start()
    done = start([program], cwd=tmp_path)
    reader.join(30)
    assert (done.status, done.err, seen) == (0, "", [ROWS])
    assert [path.name for path in tmp_path.iterdir()] == ["out.csv"]


def test_a_folder_in_the_way_is_told_first(program: Path, tmp_path: Path) -> None:
    """Of the file, and of the name that it has until it is whole."""
    for name in ("out.csv", "out.csv.unfinished"):
        folder = tmp_path / f"of {name}"
        (folder / name).mkdir(parents=True)
        done = start([program], cwd=folder)
        assert (done.status, f"{name}: can't be written: Is a directory" in done.err) == (1, True)
