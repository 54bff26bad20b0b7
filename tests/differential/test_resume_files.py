"""Signals, kills, full disks, links, two runs at once: what is on the disk is a whole file, and a message says the rest."""

from __future__ import annotations

import os
import random
import resource
import signal
import subprocess
import sys
import time
from contextlib import suppress

import pytest

from geode.report.checkpoint import read_checkpoint
from tests.harness.checkpoint import header_of
from tests.harness.saved_runs import BUILD, Saver

pytestmark = [pytest.mark.native, pytest.mark.skipif(BUILD.missing() is not None, reason=str(BUILD.missing()))]


@pytest.mark.parametrize(("number", "status"), [(signal.SIGINT, 130), (signal.SIGTERM, 143)])
def test_a_signal_saves_first(sine: Saver, number: signal.Signals, status: int) -> None:
    """The state is that of the last epoch that was printed, and going on from it loses nothing."""
    options = [*sine.options, "--epochs", "3000", "--population", "4", "--save-model-all", "s.safetensors"]
    with subprocess.Popen([sine.program, *options], stdout=subprocess.PIPE, text=True, cwd=sine.folder) as child:
        assert child.stdout is not None
        while not child.stdout.readline().startswith("epoch=3 "):
            pass
        os.kill(child.pid, number)
        last = [line for line in child.stdout if line.startswith("epoch=")][-1]
        assert child.wait(20) == status
    at = int(last.split()[0].removeprefix("epoch=")) + 1
    assert header_of(sine.folder / "s.safetensors")["__metadata__"]["epochs"] == str(at)
    more = ("--population", "4", "--epochs", "3000", "--stop-at-epoch", str(at + 5), "--save-model-all")
    sine.good(*more, "s.safetensors", "--resume-model", "s.safetensors")
    sine.good(*more, "straight.safetensors")
    assert sine.read("s.safetensors") == sine.read("straight.safetensors")


def test_paths_are_tried_before_training(stages: Saver) -> None:
    """A path that can't be written, in any stage, a missing file and contradictions end the run before its first epoch."""
    (stages.folder / "folder").mkdir()
    (stages.folder / "link").symlink_to("nowhere")
    os.mkfifo(stages.folder / "pipe")
    for options, status, message in [
        (("--save-model", "pipe"), 1, "pipe: is no ordinary file, and saving would take its place"),
        (("--save-model", "link"), 1, "link: is a link to a file that does not exist"),
        (("--save-model", "train.csv"), 2, "train.csv is a data file of this run: SAVE-MODEL would overwrite it"),
        (
            ("--metrics-file", "./train.csv"),
            2,
            "./train.csv is a data file of this run: METRICS-FILE would overwrite it",
        ),
        (("--data-2", "line.csv"), 2, "line.csv is a data file of this run: PREDICT would overwrite it"),
        (
            ("--data-1", "x.best-member.s", "--save-model", "x.s"),
            2,
            "x.best-member.s is a data file of this run: SAVE-",
        ),
        (
            ("--metrics-file", "m", "--resume-model", "m"),
            2,
            "m is what RESUME-MODEL names: METRICS-FILE would overwrite it",
        ),
        (("--save-model", "x", "--metrics-file", "x"), 2, "SAVE-MODEL and METRICS-FILE would both write x"),
        (("--save-model-all", "x", "--set", "5:METRICS-FILE=folder/../x"), 2, "would both write folder/../x"),
        (
            ("--save-model", "x.s", "--save-model-all", "./x.best-weights.s"),
            2,
            "SAVE-MODEL and SAVE-MODEL-ALL would both",
        ),
        (("--save-model-all", "line.csv"), 2, "SAVE-MODEL-ALL and PREDICT would both write line.csv"),
        (("--save-model-all", "x", "--metrics-file", "x.unfinished"), 2, "would both write x.unfinished"),
        (("--set", "5:METRICS-FILE=none/x"), 1, "none/x: can't be written: No such file or directory"),
        (("--metrics-file", "folder"), 1, "folder: can't be written: Is a directory"),
        (("--save-model", "none/m.safetensors"), 1, "none/m.safetensors: can't be written: No such file or directory"),
        (("--save-model-all", "folder"), 1, "folder: is a directory, no file to save to"),
        (("--set", "5:SAVE-MODEL=none/m"), 1, "none/m: can't be written: No such file or directory"),
        (("--resume-model", "none.safetensors"), 1, "none.safetensors: No such file or directory"),
        (("--resume-model", "folder"), 1, "folder: is no file"),
        (("--save-every", "2"), 2, "SAVE-EVERY is how often SAVE-MODEL-ALL writes its file, which is not named"),
        (("--save-model", "x", "--save-model-all", "x"), 2, "SAVE-MODEL and SAVE-MODEL-ALL would both write x"),
        (
            ("--set", "2:RESUME-MODEL=x"),
            2,
            "RESUME-MODEL holds for the whole run: it must stand before the first stage",
        ),
    ]:
        done = stages.run(*options)
        assert (done.status, done.epochs, message in done.err) == (status, [], True), done.err
    assert sorted(path.name for path in stages.folder.iterdir()) == [
        "folder",
        "link",
        "pipe",
        "points.csv",
        "train.csv",
    ]


def test_predictions_that_can_not_be_written_are_told_first(stages: Saver) -> None:
    """PREDICT comes after training; its file is tried before."""
    (stages.folder / "line.csv").mkdir()
    done = stages.run()
    assert (done.status, done.epochs, "line.csv: can't be written: Is a directory" in done.err) == (1, [], True)


def test_runs_that_save_to_one_file(sine: Saver) -> None:
    """Three at once, each after every epoch: all end well, and the file is whole at any time, at the end one of theirs."""
    options = ("--population", "2", "--epochs", "60", "--save-every", "1", "--save-model-all")
    whole = []
    for seed in "123":
        sine.good("--seed", seed, *options, "straight.safetensors")
        whole.append(sine.read("straight.safetensors"))
    runs = [
        subprocess.Popen(
            [sine.program, *sine.options, *options, "s.safetensors", "--seed", seed],
            cwd=sine.folder, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True,
        )
        for seed in "123"
    ]  # fmt: skip
    while any(run.poll() is None for run in runs):
        if (sine.folder / "s.safetensors").exists():
            assert len(read_checkpoint(sine.folder / "s.safetensors").tensors) > 2
    assert [(run.returncode, run.communicate()[1]) for run in runs] == [(0, "")] * 3
    assert sine.read("s.safetensors") in whole
    assert sorted(path.name for path in sine.folder.iterdir()) == ["s.safetensors", "straight.safetensors"]


def test_a_link_is_followed(sine: Saver) -> None:
    """What a link leads to is replaced, the link stays."""
    (sine.folder / "real.safetensors").touch()
    (sine.folder / "link.safetensors").symlink_to("real.safetensors")
    sine.good("--save-model-all", "link.safetensors", "--stop-at-epoch", "2")
    sine.good("--save-model-all", "plain.safetensors", "--stop-at-epoch", "2")
    assert (sine.folder / "link.safetensors").is_symlink()
    assert sine.read("real.safetensors") == sine.read("plain.safetensors")


@pytest.mark.skipif(sys.platform != "linux", reason="sets a limit of the operating system on the size of files")
def test_a_full_disk_leaves_the_old_file(sine: Saver) -> None:
    """A save that can't be finished ends the run with a message; the file from before is whole, nothing else is left."""
    sine.good("--save-model-all", "s.safetensors", "--stop-at-epoch", "2")
    before = sine.read("s.safetensors")
    done = subprocess.run(
        [sine.program, *sine.options, "--save-model-all", "s.safetensors", "--save-every", "1"],
        cwd=sine.folder, capture_output=True, text=True, check=False, timeout=60,
        restore_signals=False,  # Python ignores the signal that a file beyond the limit would raise, and so does the program
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (8192, 8192)),
    )  # fmt: skip
    assert done.returncode == 1
    assert "s.safetensors: can't be written: File too large; an earlier save there is as it was" in done.stderr
    assert sine.read("s.safetensors") == before
    assert [path.name for path in sine.folder.iterdir()] == ["s.safetensors"]


@pytest.mark.slow
def test_killed_at_any_moment(sine: Saver) -> None:
    """200 runs that save every epoch, killed at random: every file found loads, and resuming gives the straight bytes."""
    options = ("--population", "4", "--epochs", "60", "--save-every", "1", "--save-model-all")
    begin = time.monotonic()
    sine.good(*options, "straight.safetensors")
    lasted = time.monotonic() - begin
    rng, midway, unfinished = random.Random(7), 0, 0
    for _ in range(200):
        (sine.folder / "s.safetensors").unlink(missing_ok=True)
        command = [sine.program, *sine.options, *options, "s.safetensors"]
        with subprocess.Popen(command, stdout=subprocess.DEVNULL, cwd=sine.folder) as child:
            with suppress(subprocess.TimeoutExpired):
                child.wait(rng.uniform(0, lasted))
            child.kill()
        unfinished += (sine.folder / "s.safetensors.unfinished").exists()
        if (sine.folder / "s.safetensors").exists():
            read_checkpoint(sine.folder / "s.safetensors")
            midway += header_of(sine.folder / "s.safetensors")["__metadata__"]["epochs"] != "60"
            sine.good(*options, "t.safetensors", "--resume-model", "s.safetensors")
            assert sine.read("t.safetensors") == sine.read("straight.safetensors")
    print(f"{midway} killed between the first save and the last, {unfinished} while they saved")
    assert midway > 40
    assert unfinished > 2
    sine.good(*options, "s.safetensors")
    assert not (sine.folder / "s.safetensors.unfinished").exists()
