"""`geode.Program`: numbers are those of the command line, mistakes are exceptions with its messages, no file is left."""

from __future__ import annotations

import importlib.util
import math
import os
import signal
import threading
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

import geode
from geode.api import BuildFailedError, BuiltProgram, GeodeWarning, ProgramError, RunError, SettingError
from tests.harness.native import start

TEXT = """
INCLUDE "words.gs"
WIDTH CONSTANT HIDDEN
: OBJECTIVE ( r:b:4 -- r ) DUP NET LOSS-EUCLIDEAN SUM ;
: LUCKY ( -- r ) RAND 0 AT-HOME * + ;
: MAIN ( -- )
  OBJECTIVE-LOSS 3 EPOCHS 8 POPULATION 3 SEED 0.05 ES-GAUSSIAN 2 EVALUATE-EVERY "rows.csv" 4 CSV-INPUT { rows }
  rows ALL ['] OBJECTIVE TRAIN
  ADAM-UPDATES rows 5 BATCH ['] OBJECTIVE TRAIN
  rows ALL ['] OBJECTIVE EVALUATE ;
"""
WORDS = """
3 CONSTANT WIDTH
: NET ( r:4 -- r:4 ) WIDTH LINEAR TRAINABLE TANH 4 AFFINE TRAINABLE ;
: AT-HOME ( -- r ) r:2 PARAM TRAINABLE SUM ;
"""

pytestmark = pytest.mark.native


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> BuiltProgram:
    """Two TRAIN stages and an EVALUATE; the program's words stand in an included file."""
    folder = tmp_path_factory.mktemp("api")
    (folder / "net.gs").write_text(TEXT, encoding="utf-8")
    (folder / "words.gs").write_text(WORDS, encoding="utf-8")
    rows = np.random.default_rng(1).standard_normal((13, 4))
    np.savetxt(folder / "rows.csv", rows, delimiter=",", fmt="%.4f")
    return geode.Program(folder / "net.gs").build(folder / "out", profile="debug")


@pytest.fixture(autouse=True)
def _in_its_folder(built: BuiltProgram, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(built.program.path.parent)


def test_a_run_is_the_command_lines(built: BuiltProgram) -> None:
    """Metrics, results and weights are those of the binary with the same options."""
    run = built.train(seed=9, stages={2: {"epochs": 2, "optimizer": "sgdm"}})
    options = [
        "--seed=9",
        "--set",
        "2:EPOCHS=2",
        "--set",
        "2:SGDM-UPDATES",
        "--metrics",
        "--save-model",
        "w.safetensors",
    ]
    done = start([built.path, *options], cwd=Path())
    assert [len(run.metrics["best"]), run.metrics["stage"].tolist()] == [5, [1, 1, 1, 2, 2]]
    for name in ("best", "mean", "std", "grad", "update", "alpha"):
        assert run.metrics[name].tolist() == [epoch[name] for epoch in done.epochs]
    assert [math.isnan(x) for x in run.metrics["center"]] == [False, True, False, False, True]
    for kind, weights in (("", run.weights), (".best-weights", run.best_weights), (".best-member", run.best_member)):
        expected = geode.load(f"w{kind}.safetensors")
        assert {name: array.tobytes() for name, array in weights.items()} == {
            n: a.tobytes() for n, a in expected.items()
        }
        Path(f"w{kind}.safetensors").unlink()
    assert run.weights["NET/weight"].dtype == np.float32
    assert run.weights["NET/weight"].shape == (3, 4)
    assert f"result last score={run.score:.9g} at=5" in done.out
    assert f"word=OBJECTIVE value={run.evaluations[0].value:.9g} rows=13" in done.out
    assert (run.results["last"].at, run.results["best-member"].member is None, run.stopped) == (5, False, None)
    assert sorted(path.name for path in Path().iterdir()) == ["net.gs", "out", "rows.csv", "words.gs"]


def test_epochs_are_told_as_they_come(built: BuiltProgram, tmp_path: Path) -> None:
    """`on_epoch` gets every epoch's numbers; what it raises ends the run and is raised."""
    seen: list[float] = []
    built.train(on_epoch=lambda epoch: seen.append(epoch["epoch"]))
    assert seen == [0, 1, 2, 3, 4, 5]

    def stop(_: object) -> None:
        raise LookupError("enough")

    with pytest.raises(LookupError, match="enough"):
        built.train(epochs=10**9, on_epoch=stop, save_model_all=tmp_path / "s.safetensors")
    assert geode.load(tmp_path / "s.safetensors")["NET/weight"].shape == (3, 4)  # the run has ended, in order


def test_words_are_asked_with_any_weights(built: BuiltProgram, tmp_path: Path) -> None:
    """A run's, those of a mapping, those of a file; by array and by its rows' shape; NumPy computes the same."""
    run = built.train()
    x = np.random.default_rng(2).standard_normal((50, 4)).astype(np.float32)
    w = {name: array.astype(np.float64) for name, array in run.weights.items()}
    expected = np.tanh(x @ w["NET/weight"].T) @ w["NET/weight.2"].T + w["NET/bias.2"]
    got = built.predict("NET", x, run.weights)
    assert (got.dtype, got.shape) == (np.float32, (50, 4))
    np.testing.assert_allclose(got, expected, rtol=1e-4, atol=1e-5)
    assert built.predict("NET", x.reshape(50, 2, 2)[:, :, :].reshape(50, 4).tolist(), w).tolist() == got.tolist()
    built.train(save_model=tmp_path / "w.safetensors")
    assert built.predict("NET", x, tmp_path / "w.safetensors").tolist() == got.tolist()
    assert built.evaluate("OBJECTIVE", x, run.weights) == pytest.approx(np.sum((x - expected) ** 2), rel=1e-4)
    rows = np.loadtxt("rows.csv", delimiter=",")
    assert built.evaluate("OBJECTIVE", rows, run.weights) == pytest.approx(run.evaluations[0].value, rel=1e-8)


def test_rows_of_an_array_are_the_files(built: BuiltProgram) -> None:
    """Data given as an array and as a path give one run; another array gives another."""
    rows = np.loadtxt("rows.csv", delimiter=",")
    scores = [built.train(data=data).score for data in (None, "rows.csv", rows, [rows], 2 * rows)]
    assert scores[0] == scores[1] == scores[2] == scores[3] != scores[4]


def test_a_run_goes_on(built: BuiltProgram, tmp_path: Path) -> None:
    """`resume` takes a state and ends with the straight run's weights; `stopped` says why a run ended early."""
    state = tmp_path / "s.safetensors"
    whole = built.train(save_model_all=state)
    first = built.train(save_model_all=state, stop_at_epoch=2)
    assert (first.stopped, first.metrics["best"].tolist()) == ("stop-at-epoch", whole.metrics["best"][:2].tolist())
    resumed = built.train(resume=state)
    assert resumed.metrics["epoch"].tolist() == [2, 3, 4, 5]
    assert resumed.weights["NET/weight"].tolist() == whole.weights["NET/weight"].tolist()
    assert built.train(stop_below=1e9).stopped == "stop-below"


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"epoch": 3}, "unknown setting `epoch`: did you mean `epochs`?"),
        ({"EPOCHS": 3}, "did you mean `epochs`?"),
        ({"qqq": 3}, "unknown setting `qqq`: known are epochs, population, "),
        ({"epochs": 0}, "`epochs`: EPOCHS takes an integer at least 1, not 0"),
        ({"epochs": 2.5}, "`epochs`: EPOCHS takes an integer at least 1, not 2.5"),
        ({"epochs": 2**63}, "at least 1 and at most 9007199254740992, not 9223372036854775808"),
        ({"alpha": "much"}, "`alpha`: ALPHA takes a number at least 0, not 'much'"),
        ({"optimizer": "adamw"}, "`optimizer`: UPDATES takes sgd or sgdm or rmsprop or adam or muon, not 'adamw'"),
        ({"rank": 2}, "`rank` is compiled in, so it is no keyword of a run"),
        ({"metrics": False}, "`metrics` is no keyword: a run returns its metrics"),
        ({"alpha_schedule": "decay"}, "`alpha_schedule` = 'decay' needs `alpha_factor` too"),
        ({"sigma_factor": 0.5}, "`sigma_factor` goes with `sigma_schedule` = 'decay'"),
        ({"stages": {0: {}}}, "stages are numbered from 1, not 0"),
        ({"stages": {1: {"sed": 1}}}, "unknown setting `sed`: did you mean `seed`?"),
        ({"stages": [1, 2]}, "`stages` must be settings by a stage's number, {2: {'epochs': 5}}, not a list"),
        ({"stages": {1: 3}}, "`stages`: those of stage 1 must be settings by name, not 3"),
        ({"stop_at_epoch": -1}, "`stop_at_epoch` must be a number of epochs, not -1"),
        ({"stop_at_epoch": "2"}, "`stop_at_epoch` must be a number of epochs, not '2'"),
        ({"save_model": "a\nb"}, "`save_model`: SAVE-MODEL takes a text without control characters, not 'a\\nb'"),
    ],
)
def test_a_wrong_setting_is_told(built: BuiltProgram, settings: dict[str, object], message: str) -> None:
    """Before anything is started, with near misses; it is a ValueError, too."""
    with pytest.raises(SettingError) as caught:
        built.train(**settings)  # type: ignore[arg-type]
    assert message in str(caught.value)
    assert isinstance(caught.value, ValueError)


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"population": 3, "sampling": "antithetic"}, "stage 1: ANTITHETIC needs an even POPULATION, not 3"),
        ({"data": "none.csv"}, "none.csv: No such file or directory"),
        ({"stages": {7: {"seed": 1}}}, "there is no stage 7, stages are 1 to 3"),
        ({"resume": "none.safetensors"}, "none.safetensors: No such file or directory"),
        ({"optimizer": "sgd", "alpha": 3e38, "shaping": "raw"}, "epoch 0: the update makes weights of "),
    ],
)
def test_a_run_that_fails_is_told(built: BuiltProgram, settings: dict[str, object], message: str) -> None:
    """With the binary's message and status."""
    with pytest.raises(RunError) as caught:
        built.train(**settings)  # type: ignore[arg-type]
    assert message in str(caught.value)
    assert caught.value.status in (1, 2)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"on_epoch": 3}, "`on_epoch` must be a function of an epoch's numbers, not 3"),
        ({"resume": {}}, "`resume` must be a path, not a dict"),
        ({"data": "a\0b"}, "`data` must be a path, not 'a\\x00b'"),
        ({"data": 3}, "rows must be an array [rows, numbers] with something in it, not one of shape ()"),
        ({"data": []}, "`data` is an empty list"),
        ({"data": np.full((2, 4), 1j)}, "rows must be numbers in an array: "),
        ({"data": np.array([[1, 2, 3, 4], [1, 1e39, 1, 1]])}, "float32: number 1 of row 1 is inf"),
    ],
)
def test_arguments_of_another_kind_are_told(built: BuiltProgram, arguments: dict[str, object], message: str) -> None:
    """By the argument's name, before anything is started."""
    with pytest.raises(geode.GeodeError) as caught:
        built.train(**arguments)  # type: ignore[arg-type]
    assert message in str(caught.value)
    assert not isinstance(caught.value, RunError)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda built: built.predict(5, np.ones((2, 4)), {}), "`word` must be the name of a word, not 5"),
        (
            lambda built: built.predict("NET", np.ones((2, 4)), None),
            "`weights` must be arrays by their names, or a path",
        ),
        (
            lambda built: built.evaluate("NET", np.ones((2, 4)), built.train(epochs=1)),
            "not a Run: `run.weights` are its arrays",
        ),
        (lambda built: built.predict("NET", np.ones((2, 4)), {3: np.ones(3)}), "names of parameters, not 3"),
        (lambda built: built.evaluate("NET", np.ones((2, 4)), {"a": "x"}), "`weights`: a must be numbers in an array"),
        (
            lambda built: built.evaluate("NET", np.ones((2, 4)), {"a": np.ones(2, complex)}),
            "`weights`: a must be numbers in an",
        ),
        (lambda built: built.program.build(3), "`folder` must be a path, not 3"),
        (lambda built: built.program.build(profile=3), "`profile` must be a name, not 3"),
        (lambda _: geode.Program(3), "`path` must be a path, not 3"),
        (lambda _: geode.Program("x.gs", [1]), "`defines` must be values by the names of CONSTANTs, not a list"),
    ],
)
def test_calls_with_something_else_are_told(
    built: BuiltProgram, call: Callable[[BuiltProgram], object], message: str
) -> None:
    """Every argument that has a kind says so."""
    with pytest.raises(geode.GeodeError) as caught:
        call(built)
    assert message in str(caught.value)


def test_mistakes_in_programs_and_builds_are_told(built: BuiltProgram, tmp_path: Path) -> None:
    """Diagnostics as data and as text; a profile's near miss; a word that is not there; weights of something else."""
    (tmp_path / "wrong.gs").write_text(": MAIN ( -- ) 3 LINAER ;\n", encoding="utf-8")
    with pytest.raises(ProgramError, match="did you mean `LINEAR`") as caught:
        geode.Program(tmp_path / "wrong.gs").build(tmp_path / "out")
    assert [diagnostic.code for diagnostic in caught.value.diagnostics] == ["GS201"]
    with pytest.raises(ProgramError, match="GS107"):
        geode.Program(tmp_path / "none.gs").build(tmp_path / "out")
    with pytest.raises(BuildFailedError, match="did you mean `fast`"):
        built.program.build(tmp_path / "out", profile="fats")
    weights = {"x": np.zeros(3)}
    with pytest.raises(ProgramError, match="did you mean `NET`"):
        built.predict("NTE", np.zeros((2, 4)), weights)
    with pytest.raises(RunError, match="`weights`: its parameters are not those of this program"):
        built.predict("NET", np.zeros((2, 4)), weights)
    (tmp_path / "all.gs").write_text('INCLUDE "other.gs"\n', encoding="utf-8")
    (tmp_path / "other.gs").write_text(TEXT.replace("words.gs", str(Path("words.gs").resolve())), encoding="utf-8")
    elsewhere = geode.Program(tmp_path / "all.gs").build(tmp_path / "out", profile="debug")
    with pytest.raises(geode.GeodeError, match="has no MAIN of its own"):
        elsewhere.predict("NET", np.zeros((2, 4)), weights)


@pytest.mark.parametrize(
    ("rows", "message"),
    [
        (np.zeros(4), r"rows must be an array \[rows, numbers\]"),
        (np.zeros((0, 4)), "rows must be an array"),
        ([["a"]], "rows must be numbers"),
        (0, "0 episodes are wanted"),
    ],
)
def test_rows_that_are_none_are_told(built: BuiltProgram, rows: object, message: str) -> None:
    """Before anything is built."""
    with pytest.raises(geode.GeodeError, match=message):
        built.predict("NET", rows, {})


def test_episodes_and_defines(built: BuiltProgram) -> None:
    """A word that reads nothing is asked a number of times; `defines` replaces a CONSTANT."""
    draws = [built.predict("LUCKY", 20, {"AT-HOME/param": np.zeros(2)}, seed=seed)[:, 0] for seed in (1, 1, 2)]
    assert draws[0].tolist() == draws[1].tolist() != draws[2].tolist()
    assert built.evaluate("LUCKY", 20, {"AT-HOME/param": np.zeros(2)}, seed=1) == pytest.approx(
        draws[0].mean(), rel=1e-6
    )
    wide = geode.Program(built.program.path, {"WIDTH": 6}).build("out/wide", profile="debug")
    assert wide.train().weights["NET/weight"].shape == (6, 4)


def test_warnings_are_pythons(tmp_path: Path) -> None:
    """What the compiler and the run warn of."""
    source = tmp_path / "still.gs"
    source.write_text(
        ": STILL ( -- r ) r:2 PARAM SUM ;\n: MAIN ( -- ) OBJECTIVE-REWARD SCORE-RAW 0.1 ES-GAUSSIAN 1 EPOCHS 4 POPULATION\n"
        "  1 EPISODES ['] STILL TRAIN ;\n",
        encoding="utf-8",
    )
    with pytest.warns(GeodeWarning) as caught:
        run = geode.Program(source).build(tmp_path / "out", profile="debug").train()
    assert any("nothing that STILL reaches is TRAINABLE" in str(warning.message) for warning in caught)
    assert any("warning GS" in str(warning.message) for warning in caught)
    assert all(Path(warning.filename).name == Path(__file__).name for warning in caught)
    assert run.score == pytest.approx(0.0, abs=10)


def test_an_interrupt_ends_the_run_in_order(built: BuiltProgram, tmp_path: Path) -> None:
    """KeyboardInterrupt is raised after the run has finished its epoch and saved; no process is left."""
    state = tmp_path / "s.safetensors"
    seen = threading.Event()

    def interrupt() -> None:
        seen.wait(20)
        os.kill(os.getpid(), signal.SIGINT)

    thread = threading.Thread(target=interrupt)
    thread.start()
    begin = time.monotonic()
    with pytest.raises(KeyboardInterrupt):
        built.train(epochs=10**9, save_model_all=state, on_epoch=lambda _: seen.set())
    thread.join()
    assert time.monotonic() - begin < 20
    assert geode.load(state)["NET/weight"].shape == (3, 4)


def test_without_numpy_nothing_is_started(built: BuiltProgram, monkeypatch: pytest.MonkeyPatch) -> None:
    """The message says what to install."""
    monkeypatch.setattr(importlib.util, "find_spec", lambda _: None)
    with pytest.raises(geode.GeodeError, match=r"NumPy is not installed: \S*pip install -e '.*\[python\]'"):
        built.train()


def test_names_of_the_package() -> None:
    """`geode.Program` is the API's; what is not there is told."""
    assert geode.Program is geode.api.Program
    with pytest.raises(AttributeError, match="module `geode` has no attribute `Programme`"):
        geode.Programme  # noqa: B018 -- the access is the test
