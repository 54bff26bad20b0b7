"""Sweeps on disks that are full or cannot be written to, and where files stand in the place of folders."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

import pytest

from geode.report.metrics import Results
from rules.cache import Cache
from rules.sweep.plan_sweep import plan_sweep
from rules.sweep.store import LOG, METRICS, SETTINGS, Made, Record, Store
from tests.harness.native import Finished
from tests.harness.sweeps import PROGRAM, Place, make_place

from .test_bad_disk import Disk, disk

__all__ = ["disk"]  # the fixture
SWEEP = "set: {SAVE-MODEL: w.safetensors}\nmatrix: {ALPHA: [0.01, 0.02]}\n"
QUERIES = (("status",), ("run", "--dry-run"))


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Place:
    """A sweep whose two trials are done: they lie in a store of the test's own and in no folder."""
    place = make_place(tmp_path / "place")
    seed = int.from_bytes(os.urandom(6), "little")
    (place.root / "p.gs").write_text(PROGRAM.replace("7 SEED", f"{seed} SEED"))
    place.write(SWEEP)
    monkeypatch.setenv("GEODE_CACHE", str(tmp_path / "store"))
    monkeypatch.chdir(place.root)
    cache = Cache(tmp_path / "store", lambda _: None)
    store = Store(tmp_path / "elsewhere", cache)
    made = Made("0" * 64, "gcc", "gcc 12", "fast", 8)
    for number, trial in enumerate(plan_sweep(place.root / "s.sweep.yaml", cache).trials):
        folder = store.work(trial)
        folder.mkdir(parents=True)
        for name, text in ((METRICS, '{"epoch": 0}\n'), (LOG, ""), (SETTINGS, ""), ("w.safetensors", "x" * 50_000)):
            (folder / name).write_text(text)
        results = Results({"last": (float(number), 1)}, {}, None)
        record = Record(trial.key, "done", "", 0, 1, 0.1, 1, results, made, ("w.safetensors",), {"epoch": 0.0})
        store.keep(trial, record)
    return place


def is_refused(done: Finished, why: str) -> bool:
    """Whether one line says `why`, with status 1."""
    assert (done.status, done.err.count("\n"), "Traceback" in done.err) == (1, 1, False), done.err
    return why in done.err


def knows_both(place: Place, *options: str) -> bool:
    """Whether the questions about the sweep are answered."""
    answers = [place.sweep(*command, *options) for command in QUERIES]
    assert [answer.status for answer in answers] == [0, 0], [answer.err for answer in answers]
    return answers[0].out.startswith("s: 2 trials: 2 done") and answers[1].out == ""


def test_full_disk(place: Place, disk: Disk) -> None:
    """Restoring ends with one line and leaves no trial half there; questions need no room."""
    folder = disk("small", "size=64k") / "o"
    assert is_refused(place.sweep("run", "-o", str(folder)), f"cannot keep the sweep in {folder}: No space left")
    assert len(list(folder.glob("trials/*"))) <= 1
    assert not list(folder.glob(".work/*"))
    assert knows_both(place, "-o", str(folder))
    (folder / "filler").write_bytes(b"x" * (os.statvfs(folder).f_bavail * os.statvfs(folder).f_frsize))
    assert is_refused(place.sweep("report", "-o", str(folder)), "No space left on device")
    done = place.sweep("run", "--fresh", "-o", str(folder))
    assert (done.status, "Traceback" in done.err) == (1, False), done.err
    assert "No space left on device\n" in done.err


def test_disk_that_cannot_be_written(place: Place, disk: Disk) -> None:
    """Without a folder and with one: a run and a report are refused, questions are answered."""
    root = disk("fixed", "size=10m")
    for path in place.root.iterdir():
        shutil.copy(path, root)
    there = Place(root)
    folder = root / "runs" / "s"
    for command in ("none", "run"):
        if command == "run":
            assert there.sweep("run").status == 0
        os.system(f"mount -o remount,ro {root}")  # noqa: S605 -- a path of this test
        assert is_refused(there.sweep("run"), f"cannot keep the sweep in {folder}: Read-only file system")
        assert is_refused(there.sweep("report"), f"cannot write the report in {folder}: Read-only file system")
        assert knows_both(there)
        os.system(f"mount -o remount,rw {root}")  # noqa: S605 -- as above


@pytest.mark.parametrize("options", [(), ("-o", "afile"), ("-o", "afile/below")])
def test_file_in_the_place_of_the_folder(place: Place, options: tuple[str, ...]) -> None:
    """Every command names it."""
    name = "afile" if options else "runs"
    (place.root / name).write_text("")
    for command in (*QUERIES, ("report",), ("run",)):
        assert is_refused(place.sweep(*command, *options), f"{name} is a file"), command


@pytest.mark.parametrize("kind", ["file", "link"])
def test_file_in_the_place_of_a_trial(place: Place, kind: str) -> None:
    """It makes way for the trial, which questions find in the store."""
    assert place.sweep("run").status == 0
    first = next((place.root / "runs/s/trials").iterdir())
    shutil.rmtree(first)
    if kind == "file":
        first.write_text("")
    else:
        first.symlink_to("nowhere")
    assert knows_both(place)
    assert not first.is_dir()
    assert place.sweep("run").status == 0
    assert (first / METRICS).is_file()


def test_questions_and_reports_restore_nothing(place: Place) -> None:
    """A report's curves come from the store."""
    assert knows_both(place)
    assert not (place.root / "runs").exists()
    assert place.sweep("report").status == 0
    assert {path.name for path in (place.root / "runs" / "s").iterdir()} >= {"report.html", "results.csv"}
    assert not (place.root / "runs" / "s" / "trials").exists()
