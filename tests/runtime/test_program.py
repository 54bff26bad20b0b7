"""A program written by hand (program.c) drives the whole runtime: training, options, errors, signals."""

from __future__ import annotations

import json
import math
import os
import re
import signal
import subprocess
import time
from dataclasses import dataclass
from pathlib import Path

import pytest

from tests.harness.checkpoint import header_of
from tests.harness.compile_c import ROOT, SANITIZED, X86, Build
from tests.harness.runtime_program import runtime_program

SOURCE = Path(__file__).parent / "program.c"
TIMES = re.compile(r" evals/s=\S+ elapsed=\S+")
WIDE = 8 if X86 else 4


@dataclass(frozen=True, slots=True)
class Variant:
    """A way to compile program.c, with the width of its tiles and vectors."""

    build: Build
    lanes: int
    vector: int


MAIN = Variant(Build("gcc", "-O2", "native"), 48, WIDE)
CLANG = Variant(Build("clang", "-O3", "native"), 24, WIDE)
CAREFUL = Variant(SANITIZED, 1, 1)

pytestmark = [
    pytest.mark.native,
    pytest.mark.skipif(MAIN.build.missing() is not None, reason=str(MAIN.build.missing())),
]


def program(variant: Variant = MAIN) -> Path:
    """The executable of program.c and the whole runtime."""
    return runtime_program(variant.build, SOURCE, variant.lanes, variant.vector)


def run(*options: str, variant: Variant = MAIN, cwd: Path = ROOT) -> subprocess.CompletedProcess[str]:
    """One run of the program in the checkout's root, where its data is."""
    return subprocess.run(
        [program(variant), *options], capture_output=True, text=True, check=False, cwd=cwd, timeout=60
    )


def results(*options: str, variant: Variant = MAIN, cwd: Path = ROOT) -> str:
    """The epoch and result lines of a run that ends well, without times."""
    done = run(*options, variant=variant, cwd=cwd)
    assert (done.returncode, done.stderr) == (0, "")
    lines = [line for line in done.stdout.splitlines() if line.startswith(("epoch=", "result ", "stop "))]
    return "\n".join(TIMES.sub("", line) for line in lines)


def value(text: str, key: str) -> float:
    """The last `key=` in a text."""
    return float(re.findall(rf"(?:^|[ \n]){key}=(\S+)", text)[-1])


def error(*options: str) -> str:
    """What a run that is refused says on stderr, with status 2."""
    done = run(*options)
    assert (done.returncode, done.stdout) == (2, "")
    return done.stderr


@pytest.mark.parametrize(
    ("epochs", "least", "most"), [(40, 40_000, 50_000), pytest.param(200, 25_000, 40_000, marks=pytest.mark.slow)]
)
def test_the_quick_start_learns(epochs: int, least: float, most: float) -> None:
    """The best loss falls from near 57 000 to below 40 000 in its 200 epochs, as engine.md says it must."""
    text = results("--workers", "2", "--stop-at-epoch", str(epochs))
    lines = [line for line in text.splitlines() if line.startswith("epoch=")]
    assert len(lines) == epochs
    assert 50_000 < value(lines[0], "best") < 60_000
    assert least < value(lines[-1], "best") < most
    keys = re.findall(r"(\S+)=", lines[0])
    assert keys == ["epoch", "best", "mean", "worst", "std", "nan", "alpha", "sigma", "grad", "update"]


@pytest.mark.parametrize(
    "options",
    [
        ("--epochs", "3", "--population", "32"),
        ("--epochs", "3", "--population", "6", "--evaluate-every", "2"),
        ("--epochs", "3", "--population", "5", "--independent", "--adam-updates", "--score-utility"),
        ("--epochs", "2", "--population", "2100", "--independent", "--sgd-updates", "--data", "few.csv"),
    ],
    ids=["pairs", "few-pairs", "members", "recomputed-noise"],
)
def test_nothing_changes_a_bit(options: tuple[str, ...], tmp_path: Path) -> None:
    """Workers, hoist limit, compiler, optimisation, lanes and vector width leave all metrics as they are."""
    data = (ROOT / "datasets" / "sine-1000.csv").read_text(encoding="utf-8").splitlines(keepends=True)
    (tmp_path / "datasets").mkdir()
    (tmp_path / "datasets" / "sine-1000.csv").write_text("".join(data * 2), encoding="utf-8")
    (tmp_path / "few.csv").write_text("".join(data[:49]), encoding="utf-8")
    expected = results(*options, "--workers", "1", cwd=tmp_path)
    assert results(*options, "--workers", "2", cwd=tmp_path) == expected
    assert results(*options, "--workers", "3", "--hoist-limit", "0", cwd=tmp_path) == expected
    for variant in (CLANG, CAREFUL):
        if variant.build.missing() is None:
            assert results(*options, "--workers", "2", variant=variant, cwd=tmp_path) == expected, str(variant)


def test_rows_of_every_awkward_number(tmp_path: Path) -> None:
    """1, 47, 48, 49, 959, 960, 961 rows: the tiles' width makes no difference to a member's score."""
    data = (ROOT / "datasets" / "sine-1000.csv").read_text(encoding="utf-8").splitlines(keepends=True)
    for rows in (1, 2, 47, 48, 49, 959, 960, 961):
        (tmp_path / "rows.csv").write_text("".join(data[:rows]), encoding="utf-8")
        options = ("--epochs", "2", "--population", "4", "--data", str(tmp_path / "rows.csv"))
        assert results(*options, "--workers", "2") == results(*options, "--workers", "1", variant=CAREFUL), rows


def test_header_comes_before_the_epochs() -> None:
    """Program, parameters, memory, work and settings stand first, one line each."""
    lines = run("--epochs", "1", "--workers", "1").stdout.splitlines()
    assert lines[:2] == ["program sine-ae", "parameters total=1600 trainable=1600"]
    assert re.fullmatch(r"memory bytes=\d+", lines[2])
    assert lines[3] == "work flops=896000000"
    assert lines[4].startswith("settings stage=1 kind=train word=OBJECTIVE objective=loss epochs=1 population=256 ")
    assert lines[5].startswith("epoch=0 best=")


def test_memory_grows_by_the_scores_alone() -> None:
    """Sixteen times the members take the kept noise's 1 MB and some 40 bytes a member more, not their weights."""
    few, many = (value(run("--epochs", "1", "--population", n).stdout, "bytes") for n in ("256", "4096"))
    assert many - few < 40 * 4096 + 2**20


def test_later_options_win_and_every_spelling_sets() -> None:
    """--x V, --x=V, --set NAME=V and --set 1:NAME=V are the same, and the last one counts."""
    expected = results("--epochs", "2", "--seed", "7")
    assert results("--epochs=9", "--set", "EPOCHS=2", "--seed=7") == expected
    assert results("--set=1:SEED=7", "--set", "epochs=2") == expected
    assert results("--epochs", "2", "--adam-updates", "--set", "SEED=7", "--set", "MUON-UPDATES") == expected
    assert results("--epochs", "2", "--seed", "8") != expected


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--epochz", "3"], "unknown option --epochz: did you mean --epochs?"),
        (
            ["--optimizer", "muon"],
            "unknown option --optimizer: --sgd-updates, --sgdm-updates, --rmsprop-updates, --adam-up",
        ),
        (["--lr=3"], "unknown option --lr: the step size is --alpha"),
        (["--populaton=3"], "unknown option --populaton: did you mean --population?"),
        (
            ["--population", "1"],
            "--population: `1` is not allowed, wanted an integer at least 2 and at most 1073",
        ),
        (["--population", "3"], "ANTITHETIC needs an even POPULATION, not 3"),
        (["--population", "ten"], "--population: `ten` is not allowed"),
        (["--population", "-4"], "--population: `-4` is not allowed"),
        (
            ["--seed", "18446744073709551616"],
            "--seed: `18446744073709551616` is not allowed, wanted an integer at least 0 and at most 18446744073709551615",
        ),
        (
            ["--epochs", "9007199254740993"],
            "--epochs: `9007199254740993` is not allowed, wanted an integer at least 1 and at most 9007199254740992",
        ),
        (["--workers", "1025"], "--workers: `1025` is not allowed, wanted an integer at least 0 and at most 1024"),
        (["--sigma", "0"], "--sigma: `0` is not allowed"),
        (["--alpha", "inf"], "--alpha: `inf` is not allowed"),
        (["--alpha", "1e39"], "--alpha: `1e39` is not allowed, wanted a number at least 0 and at most 3.40282347e+38"),
        (["--adam-beta1", "1"], "--adam-beta1: `1` is not allowed, wanted a number at least 0 and below 1"),
        (["--epochs"], "option --epochs wants a value: an integer at least 1"),
        (["--adam-updates=2"], "--adam-updates takes no value, but 2 was given"),
        (["--set", "1:=4"], "--set 1:=4 names no setting, wanted NAME=V or STAGE:NAME=V"),
        (["--set", ""], "--set  names no setting"),
        (["--save-every", "0"], "--save-every: `0` is not allowed, wanted an integer at least 1, or off"),
        (["--set", "EPOCS=3"], "unknown setting EPOCS: did you mean EPOCHS?"),
        (["--set", "2:EPOCHS=3"], "--set 2:EPOCHS=3: there is no stage 2, stages are 1 to 1"),
        (["--set", "EPOCHS"], "--set EPOCHS wants a value: EPOCHS=V, an integer at least 1"),
        (["--independent", "--score-sign"], "SCORE-SIGN compares the two members of a pair: it needs ANTITHETIC"),
        (["--data-2", "x"], "option --data-2: the program reads 1 data file, named by --data"),
        (["3"], "`3` is no option: options begin with --"),
        (["--hoist-limit", "much"], "--hoist-limit: `much` is not allowed, wanted a number of bytes"),
    ],
)
def test_a_wrong_command_line_names_itself(options: list[str], message: str) -> None:
    """Status 2, nothing on stdout, one message that names the option and what is allowed."""
    first, second = error(*options).splitlines()
    assert first.startswith(f"sine-ae: error: {message}")
    assert second == "  help: --help lists all options with their values"


def test_help_lists_settings_with_values_and_units() -> None:
    """Every run-time option stands there once, with the compiled-in value and its unit."""
    done = run("--help")
    assert (done.returncode, done.stderr) == (0, "")
    names = re.findall(r"^  (--[a-z0-9-]+)", done.stdout, re.MULTILINE)
    assert len(names) == len(set(names))
    assert {"--epochs", "--population", "--sigma", "--muon-beta", "--data", "--set", "--metrics"} <= set(names)
    assert re.search(r"--epochs N +200 .*epochs]", done.stdout)
    assert re.search(r"--muon-updates +in use", done.stdout)


def test_describe_gives_abi_lanes_and_parameters() -> None:
    """Enough to see what a binary found somewhere is."""
    text = run("--describe").stdout
    assert text.startswith("program name=sine-ae abi=1 lanes=48\n")
    assert "parameter name=FORWARD/NEURON/weight shape=8:100 trainable=1" in text
    assert "data kind=csv row=r:100 file=datasets/sine-1000.csv\n" in text


@pytest.mark.parametrize(
    ("options", "reason", "at"),
    [
        (["--stop-below", "57000"], "stop-below", 1),
        (["--stop-above", "1"], "stop-above", 1),
        (["--patience", "1", "--sgd-updates", "--alpha", "0", "--noise-reuse", "9"], "patience", 2),
        (["--time-limit", "1e-9"], "time-limit", 1),
        (["--stop-at-epoch", "3"], "stop-at-epoch", 3),
    ],
)
def test_stop_rules_say_why_and_when(options: list[str], reason: str, at: int) -> None:
    """A stopped run prints what a run of that many epochs prints, and the reason."""
    lines = results(*options).splitlines()
    others = [o for o in options if o not in ("--stop-below", "57000", "--stop-above", "--time-limit", "1e-9")]
    assert f"stop reason={reason} at={at}" in lines
    lines.remove(f"stop reason={reason} at={at}")
    if reason != "patience":
        whole = results("--epochs", str(at), *(o for o in others if reason not in ("stop-above", "stop-at-epoch")))
        assert "\n".join(lines) == whole


def test_stop_rules_let_the_score_of_the_limit_itself_go_on(tmp_path: Path) -> None:
    """Below and above mean what they say: a score that is the limit ends nothing, the next float64 does."""
    still = ("--sgd-updates", "--alpha", "0", "--noise-reuse", "9", "--epochs", "3", "--population", "8")  # one score
    state = tmp_path / "s.safetensors"
    results(*still, "--save-model-all", str(state))
    score = float(header_of(state)["__metadata__"]["score"])
    for option, beyond in (("--stop-below", math.inf), ("--stop-above", -math.inf)):
        assert "stop reason" not in results(*still, option, repr(score))
        stopped = results(*still, option, repr(math.nextafter(score, beyond)))
        assert f"stop reason={option[2:]} at=1" in stopped


@pytest.mark.parametrize("center", [False, True], ids=["members", "center"])
def test_patience_counts_from_the_last_new_best(center: bool) -> None:
    """The run stops once PATIENCE epochs have followed the best one, whether that came early or after some waiting."""
    options = ("--sgd-updates", "--population", "8", "--seed", "6", *CHANCE[center])
    scores = [
        value(line, "center" if center else "best") for line in results("--epochs", "60", *options).splitlines()[:60]
    ]
    ends = {}
    for patience in range(1, 9):
        best, at = math.inf, 0
        for epoch, score in enumerate(scores):
            best, at = (score, epoch) if score < best else (best, at)
            if epoch - at == patience:
                ends[patience] = epoch + 1
                break
    late = [patience for patience, end in ends.items() if end > patience + 2]
    assert len(late) >= 2, ends
    for patience, end in ends.items():
        text = results("--epochs", "60", "--patience", str(patience), *options)
        assert f"stop reason=patience at={end}" in text.splitlines(), patience


# Scores that come and go: no step, so that the best member is chance; steps that are almost too large for the center.
CHANCE = {False: ("--alpha", "0"), True: ("--alpha", "0.001", "--evaluate-every", "1")}


def test_stopping_at_once_evaluates_the_initial_weights() -> None:
    """--stop-at-epoch 0 runs no epoch; the results are those of the weights as they begin."""
    lines = results("--stop-at-epoch", "0").splitlines()
    assert lines[0] == "stop reason=stop-at-epoch at=0"
    assert lines[1].startswith("result last score=56956.")
    assert len(lines) == 2


def test_schedules_are_printed_as_used() -> None:
    """Cosine and decay give engine.md's alpha and sigma; MUON's warm-up scales alpha."""
    text = results("--epochs", "4", "--alpha-cosine", "--sigma-decay", "0.5", "--muon-warmup", "2").splitlines()
    assert [value(line, "alpha") for line in text[:4]] == pytest.approx([0.005, 0.00853553391, 0.005, 0.00146446609])
    assert [value(line, "sigma") for line in text[:4]] == pytest.approx([0.01, 0.005, 0.0025, 0.00125])
    text = results("--epochs", "3", "--adam-updates", "--muon-warmup", "3", "--alpha-decay", "0.5").splitlines()
    assert [value(line, "alpha") for line in text[:3]] == pytest.approx([0.01, 0.005, 0.0025])  # the warm-up is MUON's
    cosine = results("--epochs", "2", "--sigma-cosine").splitlines()
    assert [value(line, "sigma") for line in cosine[:2]] == pytest.approx([0.01, 0.0055])


def test_sigma_that_vanishes_is_an_error() -> None:
    """The run stops with the epoch's number, status 1."""
    done = run("--sigma-decay", "1e-30", "--epochs", "5")
    assert done.returncode == 1
    assert "epoch 2: sigma has become 1e-62; it must stay above 0 and finite" in done.stderr


def test_scores_that_are_all_nan_stop_the_run() -> None:
    """No update is made from them; the message names the epoch."""
    done = run("--sgd-updates", "--score-raw", "--alpha", "1e30", "--epochs", "5")
    assert done.returncode == 1
    assert "epoch 1: the scores of all 256 members are NaN or infinite" in done.stderr


def test_metrics_lines_can_be_thinned_and_switched_off() -> None:
    """METRICS-EVERY keeps epochs that it divides and the last; without .METRICS there are results only."""
    lines = results("--epochs", "9", "--metrics-every", "4").splitlines()
    assert [line.split()[0] for line in lines[:3]] == ["epoch=0", "epoch=4", "epoch=8"]
    for off in (("--metrics=0",), ("--metrics", "0"), ("--metrics", "--metrics", "0"), ("--set", ".METRICS=0")):
        assert [line.split()[0] for line in results("--epochs", "2", *off).splitlines()] == ["result"] * 2
    for on in (("--metrics=0", "--metrics"), ("--metrics", "1"), ("--metrics", "--seed", "1")):
        assert len(results("--epochs", "2", *on).splitlines()) == 4
    assert "--metrics: `no` is not allowed" in run("--metrics", "no").stderr


def test_metrics_file_has_the_same_numbers(tmp_path: Path) -> None:
    """JSON lines: a header with program and settings, then every epoch."""
    path = tmp_path / "run.jsonl"
    text = results("--epochs", "3", "--evaluate-every", "2", "--metrics-file", str(path)).splitlines()
    header, *epochs = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    assert (header["program"], header["settings"]["epochs"]) == ("sine-ae", "3")
    assert [epoch["best"] for epoch in epochs] == [value(line, "best") for line in text[:3]]
    assert ["center" in epoch for epoch in epochs] == [True, False, True]
    done = run("--metrics-file", str(tmp_path / "none" / "x"))
    assert (done.returncode, "No such file" in done.stderr) == (1, True)


def test_data_that_is_missing_or_ragged_is_named(tmp_path: Path) -> None:
    """Status 1 and the place, before any epoch."""
    (tmp_path / "ragged.csv").write_text(",".join(["1"] * 100) + "\n" + ",".join(["1"] * 99) + "\n", encoding="utf-8")
    done = run("--data", str(tmp_path / "ragged.csv"))
    assert (done.returncode, "epoch=" in done.stdout) == (1, False)
    assert f"{tmp_path}/ragged.csv:2:198: row 2 has 99 numbers, 100 wanted" in done.stderr
    assert "--data FILE" in run("--data", "none.csv").stderr


@pytest.mark.parametrize(("number", "status"), [(signal.SIGINT, 130), (signal.SIGTERM, 143), (signal.SIGHUP, 129)])
def test_a_signal_ends_a_run_that_reads(tmp_path: Path, number: signal.Signals, status: int) -> None:
    """No epoch runs yet, so one signal is enough; whoever writes the data needs not come to an end."""
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    with subprocess.Popen(
        [program(), "--data", str(pipe)], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, cwd=ROOT
    ) as child:
        writer = os.open(pipe, os.O_WRONLY)  # waits until the program reads
        os.write(writer, b"1,2,3\n")
        os.kill(child.pid, number)
        out, err = child.communicate(timeout=20)
        os.close(writer)
    assert (child.returncode, "epoch=" in out) == (status, False)
    assert "stopping at once: no epoch is running" in err


@pytest.mark.parametrize("device", ["/dev/zero", "/dev/urandom"])
def test_a_device_without_an_end_is_refused(device: str) -> None:
    """Before anything of it is read; pipes and standard input stay what they are."""
    done = run("--data", device)
    assert (done.returncode, f"{device}: is a device, which may have no end" in done.stderr) == (1, True)
    with (ROOT / "datasets" / "sine-1000.csv").open("rb") as data:
        command = [program(), "--data", "/dev/stdin", "--epochs", "1", "--population", "4"]
        assert subprocess.run(command, stdin=data, cwd=ROOT, capture_output=True, check=False).returncode == 0


def test_more_memory_than_is_free_is_told(tmp_path: Path) -> None:
    """Before the first epoch, with what is wanted and what there is; the usual run says nothing."""
    del tmp_path
    assert "memory" not in run("--epochs", "1", "--population", "4").stderr
    with Path("/proc/meminfo").open(encoding="utf-8") as file:
        free = next(1024 * int(line.split()[1]) for line in file if line.startswith("MemAvailable:"))
    members = str(free // 24 // 2 * 2 + 2)  # three numbers of 8 bytes each, at least
    if int(members) > 2**30:
        pytest.skip("more memory is free than the largest population takes")
    with subprocess.Popen(
        [program(), "--population", members], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True, cwd=ROOT
    ) as child:
        assert child.stderr is not None
        message = child.stderr.readline() + child.stderr.readline()
        child.kill()
    assert re.search(r"warning: the run takes about \S+ GB, and \S+ GB of memory are free", message), message
    assert "a smaller POPULATION" in message


def test_runs_that_share_a_metrics_file(tmp_path: Path) -> None:
    """The second is refused before it trains, and the first one's lines stay whole; later ones may have the file."""
    path = tmp_path / "m.jsonl"
    options = ["--population", "2", "--epochs", "100000", "--metrics-file", str(path)]
    with subprocess.Popen([program(), *options], stdout=subprocess.PIPE, text=True, cwd=ROOT) as child:
        assert child.stdout is not None
        while not child.stdout.readline().startswith("epoch=3 "):
            pass
        done = run(*options)
        assert (done.returncode, "epoch=" in done.stdout) == (1, False)
        assert f"{path}: another run writes it\n  help: --metrics-file FILE names another" in done.stderr
        os.kill(child.pid, signal.SIGINT)
        epochs = 4 + sum(line.startswith("epoch=") for line in child.stdout)
        assert child.wait(20) == 130
    lines = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    assert [line["epoch"] for line in lines if "epoch" in line] == list(range(epochs))
    assert run("--population", "2", "--epochs", "3", "--metrics-file", str(path)).returncode == 0
    assert len(path.read_text(encoding="utf-8").splitlines()) == 4


@pytest.mark.parametrize(("number", "status"), [(signal.SIGINT, 130), (signal.SIGTERM, 143), (signal.SIGHUP, 129)])
def test_signals_end_the_run_after_the_epoch(number: signal.Signals, status: int) -> None:
    """The epoch is finished, the results are printed, and the status says which signal it was."""
    with subprocess.Popen(
        [program(), "--epochs", "1000000", "--workers", "2"], stdout=subprocess.PIPE, text=True, cwd=ROOT
    ) as child:
        assert child.stdout is not None
        while not child.stdout.readline().startswith("epoch=3 "):
            pass
        os.kill(child.pid, number)
        rest = child.stdout.read()
        assert child.wait(20) == status
    assert "stop reason=signal" in rest
    assert re.search(r"^result last score=", rest, re.MULTILINE)


def test_training_starts_at_once() -> None:
    """From the start of the process to the end of its first epoch it takes well under a second."""
    start = time.monotonic()
    results("--epochs", "1")
    assert time.monotonic() - start < 2.0
