"""Sweeps that run: what is shared, what is run again, what happens when trials fail or the sweep is killed."""

from __future__ import annotations

import json
import os
import resource
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from geode.report.metrics import Results
from rules.cache import Cache
from rules.sweep.plan_sweep import plan_sweep
from rules.sweep.store import LOG, METRICS, RESULT, SETTINGS, Made, Record, Store
from tests.harness.native import ROOT, geode
from tests.harness.sweeps import PROGRAM, TWO_FILES, Place, make_place, run_now

pytestmark = pytest.mark.native
AXES = """matrix:
  ALPHA: [0.01, 0.05, 0.1]
  SIZE: [2, 3]
choices:
  updates: [SGD-UPDATES, ADAM-UPDATES]
exclude: [{ALPHA: 0.1, SIZE: 3, updates: ADAM-UPDATES}]
include: [{ALPHA: 0.2, updates: MUON-UPDATES}]
replicates: 2
"""


@pytest.fixture
def place(tmp_path: Path) -> Place:
    """A folder of the test's own; its seed differs from other tests', which share the store."""
    place = make_place(tmp_path / "place")
    seed = int.from_bytes(os.urandom(6), "little")
    (place.root / "p.gs").write_text(PROGRAM.replace("7 SEED", f"{seed} SEED"))
    return place


def metrics(place: Place, trial: str, folder: str = "runs/s") -> list[dict[str, float]]:
    """A trial's epochs without times."""
    lines = (place.root / folder / "trials" / trial / METRICS).read_text().splitlines()[1:]
    return [{k: v for k, v in json.loads(line).items() if k not in ("elapsed", "evals/s")} for line in lines]


def test_trials_share_binaries_and_run_once(place: Place) -> None:
    """Three compiled halves, 24 trials; a second run has nothing to do; without the folder all comes from the store."""
    place.write(AXES)
    assert len(place.dry_run()) == 24
    done = place.sweep("run")
    assert done.status == 0, done.err + done.out
    assert run_now(done)[0] == 24
    programs = list((place.root / "runs" / "s" / "programs").iterdir())
    assert len(programs) == 3  # SIZE 2, SIZE 3, and the program as it is
    binaries = {
        t["trial"]: json.loads((place.root / "runs/s/trials" / t["trial"] / RESULT).read_text()) for t in place.status()
    }
    assert len({record["made"]["binary"] for record in binaries.values()}) == 2  # the program itself has SIZE 2
    assert place.dry_run() == []
    assert run_now(place.sweep("run")) == (0, 0)
    place.write(AXES.replace("matrix:", "matrix:\n  EPOCHS: [3]"))
    assert run_now(place.sweep("run")) == (22, 0)  # a setting of the binary's compiles nothing
    place.write(AXES)
    shutil.rmtree(place.root / "runs")
    assert place.dry_run() == []
    assert not (place.root / "runs").exists()
    assert run_now(place.sweep("run")) == (0, 0)
    assert len(list((place.root / "runs" / "s" / "trials").iterdir())) == 24


@pytest.mark.slow
def test_compilations_are_those_of_the_variants(place: Place, tmp_path: Path) -> None:
    """With a store of its own: each variant compiles its units, program.c and settings.c; run-time settings compile nothing."""
    place.write("matrix: {ALPHA: [0.01, 0.02, 0.03, 0.04], SIZE: [2, 3]}\n")
    cache = {"GEODE_CACHE": str(tmp_path / "cache")}
    ran, compiled = run_now(place.sweep("run", **cache))
    runtime = len(list((ROOT / "geode" / "runtime").glob("*.c")))
    built = [json.loads(path.read_text()) for path in (place.root / "runs/s/programs").glob("*/.actions.json")]
    own = {
        (name, json.dumps(parts, sort_keys=True))
        for build in built
        for name, parts in build.items()
        if "compile c/" in name
    }
    assert (ran, len(built)) == (8, 2)
    assert compiled == runtime + len(own)
    place.write("matrix: {ALPHA: [0.01, 0.02, 0.03, 0.04, 0.05], SIZE: [2, 3], EPOCHS: [4, 5]}\n")
    assert run_now(place.sweep("run", **cache)) == (12, 0)


def test_trial_is_the_run_of_its_options(place: Place) -> None:
    """A trial's metrics are those of `geode run` with the same values, and its goal is the score of the trained weights."""
    place.write(
        'matrix: {SIZE: [3], ALPHA: [0.1]}\nchoices: {perturbation: ["0.2 2 EGGROLL"], updates: [ADAM-UPDATES]}\n'
    )
    assert place.sweep("run").status == 0
    (trial,) = place.status()
    text = (place.root / "p.gs").read_text()
    by_hand = text.replace("2 CONSTANT SIZE", "3 CONSTANT SIZE").replace("0.1 ES-GAUSSIAN", "0.2 2 EGGROLL")
    by_hand = by_hand.replace("SGD-UPDATES", "ADAM-UPDATES").replace("0.05 ALPHA", "0.1 ALPHA 1 EVALUATE-EVERY")
    (place.root / "by-hand.gs").write_text(by_hand)
    done = geode("run", "by-hand.gs", cwd=place.root)
    assert done.status == 0, done.err
    assert metrics(place, trial["trial"]) == done.epochs
    (last,) = [line for line in done.out.splitlines() if line.startswith("result last")]
    assert trial["goal"] == float(last.split("score=")[1].split()[0])


def test_added_value_runs_only_the_new_trials(place: Place) -> None:
    """One more step size: its trials alone; a value taken out and put back: none."""
    place.write("matrix: {ALPHA: [0.01, 0.02], SIZE: [2, 3]}\n")
    assert run_now(place.sweep("run"))[0] == 4
    place.write("matrix: {ALPHA: [0.01, 0.02, 0.03], SIZE: [2, 3]}\n")
    assert run_now(place.sweep("run"))[0] == 2
    place.write("matrix: {ALPHA: [0.02], SIZE: [2, 3]}\n")
    assert place.dry_run() == []
    place.write("matrix: {ALPHA: [0.03, 0.01], SIZE: [3, 2]}\n")
    assert place.dry_run() == []


@pytest.mark.skipif(not (shutil.which("gcc") and shutil.which("clang")), reason="needs gcc and clang")
def test_compiler_reruns_nothing_and_a_data_row_everything(place: Place) -> None:
    """Numbers don't depend on the compiler, workers or profile; they do on every row."""
    place.write("matrix: {ALPHA: [0.01, 0.02], EPOCHS: [3, 4]}\n")
    assert run_now(place.sweep("run", "--toolchain", "gcc"))[0] == 4
    assert run_now(place.sweep("run", "--toolchain", "clang")) == (0, 0)
    assert run_now(place.sweep("run", "--profile", "debug", "--parallel", "3")) == (0, 0)
    before = {trial["trial"] for trial in place.status()}
    rows = place.root / "rows.csv"
    rows.write_text(rows.read_text().replace("-2,", "-2.5,"))
    missing = place.dry_run()
    assert len(missing) == 4
    assert not before & set(missing)


def test_fresh_gives_the_same_numbers(place: Place) -> None:
    """Every trial once more, with the other number of threads: the same metrics."""
    place.write("matrix: {SEED: [1, 2]}\n")
    place.sweep("run", "--parallel", "1")
    before = {trial["trial"]: metrics(place, trial["trial"]) for trial in place.status()}
    assert run_now(place.sweep("run", "--fresh", "--parallel", "2"))[0] == 2
    assert {trial["trial"]: metrics(place, trial["trial"]) for trial in place.status()} == before


def test_failing_trial_leaves_the_rest_done(place: Place) -> None:
    """Its log's last line is told, the status is the number of failures, and only failures run again."""
    place.write("set: {SAVE-MODEL: sub/w.safetensors, EPOCHS: 30}\nmatrix: {ALPHA: [0.01, 0.02, 1e38]}\n")
    done = place.sweep("run")
    assert done.status == 1, done.out + done.err
    trials = {trial["point"]["ALPHA"]: trial for trial in place.status()}
    assert [trials[alpha]["state"] for alpha in ("0.01", "0.02", "1e+38")] == ["done", "done", "failed"]
    folder = place.root / "runs/s/trials" / trials["1e+38"]["trial"]
    assert (folder / "log.txt").read_text() != ""
    assert f"{trials['1e+38']['why']}: " in done.out
    assert "error" in done.out
    assert str(folder.relative_to(place.root) / "log.txt") in done.out
    assert (place.root / "runs/s/trials" / trials["0.01"]["trial"] / "sub" / "w.safetensors").is_file()
    assert place.dry_run("--failed-only") == [trials["1e+38"]["trial"]]
    again = place.sweep("run", "--failed-only")
    assert again.status == 1
    assert run_now(again)[0] == 1
    shown = place.sweep("status")
    assert "2 done, 1 failed, 0 missing" in shown.out


def test_fail_fast_ends_at_the_first_failure(place: Place) -> None:
    """The trials after it stay missing."""
    place.write("matrix: {ALPHA: [1e38, 0.01, 0.02], EPOCHS: [30]}\n")
    done = place.sweep("run", "--fail-fast", "--parallel", "1")
    assert done.status == 1
    assert [trial["state"] for trial in place.status()] == ["failed", "missing", "missing"]


def test_timeout_and_retries(place: Place) -> None:
    """A trial past its time is ended and tried again as often as the file says; an error is not tried again."""
    place.write("set: {EPOCHS: 100000000}\nmatrix: {ALPHA: [0.01]}\nrun: {timeout: 0.3s, retries: 1}\n")
    done = place.sweep("run")
    assert done.status == 1
    (trial,) = place.status()
    assert (trial["state"], trial["tries"], trial["why"]) == ("failed", 2, "took longer than 0.3 s")
    assert "try 1 took longer than 0.3 s, again: " in done.out
    place.write("set: {EPOCHS: 30}\nmatrix: {ALPHA: [1e38]}\nrun: {retries: 3}\n")
    assert place.sweep("run").status == 1
    (trial,) = place.status()
    assert trial["tries"] == 1


@contextmanager
def started(place: Place, *options: str) -> Iterator[subprocess.Popen[bytes]]:
    """`geode sweep run`, while it runs. Whatever the test comes to, it ends with it, and on Linux its trials do, too."""
    process = subprocess.Popen(
        [sys.executable, "-m", "geode", "sweep", "run", *options, "s.sweep.yaml"],
        cwd=place.root,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    try:
        yield process
    finally:
        process.kill()
        process.wait()


def wait_for(what: str, found: object, seconds: float = 60.0) -> None:
    """Until `found()` is true."""
    assert callable(found)
    end = time.monotonic() + seconds
    while not found():
        assert time.monotonic() < end, what
        time.sleep(0.02)


def running(place: Place) -> list[int]:
    """The processes that run a binary of this sweep."""
    mark = f"{place.root}/runs/s/programs/".encode()
    found = []
    for path in Path("/proc").glob("[0-9]*/cmdline"):
        try:
            if path.read_bytes().startswith(mark):
                found.append(int(path.parent.name))
        except OSError:
            continue
    return found


@pytest.mark.skipif(sys.platform != "linux", reason="reads /proc")
def test_killed_half_way_only_the_missing_run(place: Place) -> None:
    """SIGKILL while trials run: none goes on, what had ended stays as it is, the next run does the rest."""
    place.write("set: {EPOCHS: 20000}\nmatrix: {SEED: [1, 2, 3, 4, 5, 6]}\nrun: {parallel: 2}\n")
    ended = place.root / "runs" / "s" / "trials"
    with started(place, "--parallel", "2"):
        wait_for("two trials", lambda: ended.is_dir() and len(list(ended.iterdir())) >= 2)
        wait_for("a third that runs", lambda: running(place))
    wait_for("the end of its trials", lambda: not running(place), 10)
    kept = {path.name for path in ended.iterdir()}
    missing = place.dry_run()
    assert len(kept) + len(missing) == 6
    assert missing
    before = {name: metrics(place, name) for name in kept}
    times = {name: (ended / name / RESULT).stat().st_mtime_ns for name in kept}
    done = place.sweep("run")
    assert run_now(done)[0] == len(missing)
    assert {name: (ended / name / RESULT).stat().st_mtime_ns for name in kept} == times
    assert {path.name for path in ended.iterdir()} == kept | set(missing)
    assert not any((place.root / "runs" / "s" / ".work").glob("*"))
    assert all(len(metrics(place, name)) == 20000 for name in missing)
    assert {name: metrics(place, name) for name in kept} == before


@pytest.mark.skipif(sys.platform != "linux", reason="reads /proc")
@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT, signal.SIGHUP])
def test_signal_ends_the_sweep_in_order(place: Place, number: signal.Signals) -> None:
    """The trials that run end, are no failures, and the status is 128 + the signal's number."""
    place.write(
        "set: {EPOCHS: 100000000}\nmatrix: {SEED: [1, 2]}\nrun: {timeout: 100s}\n"
    )  # ends also if this test is killed
    with started(place) as process:
        wait_for("a trial that runs", lambda: running(place))
        process.send_signal(number)
        assert process.wait(60) == 128 + number
        assert not running(place)
    assert [trial["state"] for trial in place.status()] == ["missing", "missing"]


def test_damaged_result_is_no_result(place: Place, monkeypatch: pytest.MonkeyPatch) -> None:
    """A result.json that was cut, or is another trial's, with the store gone: missing; the others are not."""
    place.write("matrix: {SEED: [1, 2, 3]}\n")
    assert place.sweep("run").status == 0
    monkeypatch.chdir(place.root)
    cache = Cache(place.root / "empty", lambda _: None)
    sweep = plan_sweep(place.root / "s.sweep.yaml", cache)
    store = Store(place.root / "runs" / "s", cache)
    first, second, third = sweep.trials
    (store.place(first) / RESULT).write_text('{"key": ')
    shutil.copy(store.place(third) / RESULT, store.place(second) / RESULT)
    assert [store.find(trial) is None for trial in sweep.trials] == [True, True, False]


def test_tables_and_several_files_are_read_and_in_the_key(place: Place) -> None:
    """A trial finds all of its files from its own folder; a number changed in any of them reruns it."""
    (place.root / "q.gs").write_text(TWO_FILES)
    (place.root / "bias.csv").write_text("1,2\n")
    place.write("program: q.gs\nmatrix: {SEED: [1, 2]}\ngoal: {metric: CORRECT, direction: min}\n")
    done = place.sweep("run")
    assert done.status == 0, done.out + done.err
    goals = [trial["goal"] for trial in place.status()]
    printed = geode("run", "q.gs", "--seed", "1", cwd=place.root).out
    assert f"evaluate word=CORRECT value={goals[0]:.9g} rows=3" in printed
    assert done.out.index(f"{min(goals):.6g}") < done.out.rindex(f"{max(goals):.6g}")
    for name in ("bias.csv", "rows.csv", "no"):
        assert place.dry_run() == []
        path = place.root / name
        before = path.read_text()
        path.write_text(before.replace("1,", "1.25,", 1))
        assert len(place.dry_run()) == 2, name
        path.write_text(before)


def test_program_that_saves_by_absolute_path(place: Place) -> None:
    """Every trial keeps its own file, whatever path the program names."""
    target = place.root / "w.safetensors"
    text = (place.root / "p.gs").read_text()
    (place.root / "p.gs").write_text(text.replace(".METRICS", f'.METRICS "{target}" SAVE-MODEL'))
    place.write("matrix: {SEED: [1, 2]}\n")
    assert place.sweep("run").status == 0
    assert not target.exists()
    assert len(list((place.root / "runs/s/trials").glob("*/w.safetensors"))) == 2


def test_nothing_to_do_for_500_trials_takes_two_seconds(place: Place, monkeypatch: pytest.MonkeyPatch) -> None:
    """Planning, looking up and ranking 500 trials that are done: two seconds of this machine's work."""
    place.write(f"set: {{EPOCHS: 1}}\nmatrix:\n  SEED: {list(range(250))}\n  ALPHA: [0.01, 0.02]\n")
    monkeypatch.chdir(place.root)
    cache = Cache(place.root / "empty", lambda _: None)
    store = Store(place.root / "runs" / "s", cache)
    made = Made("0" * 64, "gcc", "gcc 12", "fast", 8)
    for number, trial in enumerate(plan_sweep(place.root / "s.sweep.yaml", cache).trials):
        folder = store.work(trial)
        folder.mkdir(parents=True)
        for name in (METRICS, LOG, SETTINGS):
            (folder / name).write_text("")
        results = Results({"last": (float(number), 1)}, {}, None)
        store.keep(trial, Record(trial.key, "done", "", 0, 1, 0.1, 1, results, made, (), {"epoch": 0.0}))
    assert run_now(place.sweep("run")) == (0, 0)  # the front end's result is remembered from here on
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    done = place.sweep("run")
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    assert done.out.startswith("500 of 500 trials done, 0 run now")
    assert after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime < 2.0
