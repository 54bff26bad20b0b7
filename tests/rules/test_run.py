"""The rules `geode_run` and `geode_test`: runs are made once, their files come back, expectations fail by name."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from rules.analyse import load_workspace
from rules.errors import BuildError
from rules.expectation import metrics_of, parse_expectation, unfulfilled
from rules.plan import plan
from rules.providers import RunInfo
from rules.run_settings import settings_to_options
from rules.step import Step

from .test_doit import PROGRAM

BUILD = """geode_program(name = "one", src = "one.gs")
geode_program(name = "rows", src = "rows.gs", data = ["d.csv"])
geode_run(name = "long", program = ":one", settings = {"EPOCHS": 5, "ADAM-UPDATES": ""}, model = "m.safetensors")
geode_run(name = "on-rows", program = ":rows")
geode_test(name = "learns", program = ":one", settings = {"EPOCHS": 40}, expect = ["mean < 2", "last.score <= 2"])
geode_test(name = "wrong", program = ":one", expect = ["mean < -1", "senter < 1"])
"""
ROWS = PROGRAM.replace("( -- r ) r:3 PARAM", "( r:2 -- r ) r:2 PARAM").replace("2.0 -", "-").replace(
    "1 EPISODES", '"p/d.csv" 2 CSV-INPUT ALL'
)  # fmt: skip


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """A workspace with runs and tests of two programs."""
    (tmp_path / "p").mkdir()
    (tmp_path / "p" / "one.gs").write_text(PROGRAM)
    (tmp_path / "p" / "rows.gs").write_text(ROWS)
    (tmp_path / "p" / "d.csv").write_text("1,2\n3,4\n")
    (tmp_path / "p" / "BUILD").write_text(BUILD)
    return tmp_path


def step(root: Path, name: str) -> Step:
    """The step of that name, after the build of its program."""
    workspace = load_workspace(root)
    assert [str(mistake) for mistake in workspace.mistakes] == []
    steps = {step.name: step for step in plan(workspace)}
    for needed in steps[name].needs:
        if needed.startswith("build:"):
            steps[needed].do(steps[needed], root)
    return steps[name]


@pytest.mark.native
def test_run_leaves_its_files_and_is_made_once(root: Path) -> None:
    """Lines, metrics and weights; a second time nothing runs, and files that are gone or edited come back as they were."""
    run = step(root, "train://p:long")
    assert not run.known(run, root)
    run.do(run, root)
    folder = root / "runs" / "long"
    before = {path.name: path.read_bytes() for path in folder.iterdir()}
    assert sorted(before) == ["log.txt", "m.safetensors", "metrics.jsonl"]
    lines = [json.loads(line) for line in before["metrics.jsonl"].splitlines()]
    assert lines[0]["settings"]["epochs"] == "5"
    assert lines[0]["settings"]["updates"] == "adam"
    assert b"epoch=4 " in before["log.txt"]
    assert str(root).encode() not in before["log.txt"]
    assert run.known(run, root)
    (folder / "log.txt").write_text("edited")
    (folder / "m.safetensors").unlink()
    (folder / "stray").write_text("")
    assert not run.known(run, root)
    run.do(run, root)
    assert {path.name: path.read_bytes() for path in folder.iterdir()} == before  # its times show that it did not run


@pytest.mark.native
def test_run_depends_on_data_options_and_program(root: Path) -> None:
    """Each edit makes the run again, and going back finds the first one."""
    run = step(root, "train://p:on-rows")
    run.do(run, root)
    first = (root / "runs" / "on-rows" / "log.txt").read_bytes()
    (root / "p" / "d.csv").write_text("1,2\n3,5\n")
    assert not run.known(run, root)
    run.do(run, root)
    assert (root / "runs" / "on-rows" / "log.txt").read_bytes() != first
    (root / "p" / "d.csv").write_text("1,2\n3,4\n")
    run.do(run, root)
    assert (root / "runs" / "on-rows" / "log.txt").read_bytes() == first
    (root / "p" / "BUILD").write_text(BUILD.replace('program = ":rows"', 'program = ":rows", settings = {"SEED": 2}'))
    assert not step(root, "train://p:on-rows").known(step(root, "train://p:on-rows"), root)
    (root / "p" / "BUILD").write_text(BUILD)
    (root / "p" / "rows.gs").write_text(ROWS.replace("1 SEED", "2 SEED"))
    other = step(root, "train://p:on-rows")
    assert not other.known(other, root)


@pytest.mark.native
def test_failed_run_is_not_kept(root: Path) -> None:
    """Its message has the program's last lines; the folder holds its log and nothing else, and it runs again."""
    (root / "p" / "d.csv").write_text("1,2,3\n")
    run = step(root, "train://p:on-rows")
    for _ in range(2):
        with pytest.raises(BuildError, match=r"//p:on-rows: the program ended with status 1\n(.|\n)*p/d\.csv"):
            run.do(run, root)
        assert [path.name for path in (root / "runs" / "on-rows").iterdir()] == ["failed.txt"]
        assert not run.known(run, root)
    assert list((root / "runs").glob(".*")) == []


@pytest.mark.native
def test_undeclared_data_is_refused(root: Path) -> None:
    """A run whose program reads a file that is no input of it could be remembered for other rows."""
    (root / "p" / "BUILD").write_text(BUILD.replace(', data = ["d.csv"]', ""))
    run = step(root, "train://p:on-rows")
    with pytest.raises(BuildError, match=r"//p:rows reads p/d\.csv, which is not in its `data`"):
        run.do(run, root)


@pytest.mark.native
def test_test_passes_once_or_names_what_is_wrong(root: Path) -> None:
    """A test that passed is done; one that fails says what was found, and its run is not made again."""
    good = step(root, "test://p:learns")
    assert not good.known(good, root)
    assert good.do(good, root) == "//p:learns: passed"
    assert good.known(good, root)
    shutil.rmtree(root / "runs")
    assert not good.known(good, root)
    bad = step(root, "test://p:wrong")
    expected = r"//p:wrong: expected mean < -1, found [\d.]+\n//p:wrong: expected senter < 1, but the run printed no"
    for _ in range(2):
        with pytest.raises(BuildError, match=expected):
            bad.do(bad, root)
        assert not bad.known(bad, root)


@pytest.mark.native
@pytest.mark.parametrize("own", ["", "2 EVALUATE-EVERY "])
def test_center_is_there_for_a_test_that_expects_it(root: Path, own: str) -> None:
    """EVALUATE-EVERY is switched on, where neither the program nor the test says how often."""
    (root / "p" / "one.gs").write_text(PROGRAM.replace("SGD-UPDATES", f"{own}SGD-UPDATES"))
    (root / "p" / "BUILD").write_text(
        'geode_program(name = "one", src = "one.gs")\n'
        'geode_test(name = "plain", program = ":one", expect = ["mean < 9"])\n'
        'geode_test(name = "learns", program = ":one", expect = ["mean < 9", "center < 9"])\n'
        'geode_test(name = "often", program = ":one", settings = {"EVALUATE-EVERY": 3}, expect = ["center < 9"])\n'
    )
    for name, centers in (("plain", (0, 2)), ("learns", (3, 2)), ("often", (1, 1))):
        test = step(root, f"test://p:{name}")
        assert test.do(test, root) == f"//p:{name}: passed"
        text = (root / "runs" / name / "log.txt").read_text()
        assert text.count(" center=") == centers[bool(own)]


LINES = """program xor
settings stage=1 epochs=200
epoch=0 best=0.3 mean=0.5 nan=0 center=0.4
epoch=1 best=0.2 mean=nan nan=0
result last score=8.2e-05 at=200
result best-member score=0.0001 at=164 member=55
evaluate word=LOSS value=0.25 rows=4
evaluate word=CORRECT value=-inf rows=4
"""


def test_metrics_are_those_of_the_last_lines() -> None:
    """Of the last epoch that has the field; results by their kind; evaluations by word, and the last one."""
    found = metrics_of(LINES.splitlines())
    assert str(found.pop("mean")) == "nan"
    assert found == {
        "epoch": 1.0,
        "best": 0.2,
        "nan": 0.0,
        "center": 0.4,
        "last.score": 8.2e-05,
        "last.at": 200.0,
        "best-member.score": 0.0001,
        "best-member.at": 164.0,
        "best-member.member": 55.0,
        "evaluate": float("-inf"),
        "evaluate.LOSS": 0.25,
        "evaluate.CORRECT": float("-inf"),
    }


@pytest.mark.parametrize(
    ("text", "holds"),
    [
        ("best < 0.2", False),
        ("best <= 0.2", True),
        ("best == 0.2", True),
        ("best > 0.2", False),
        ("best >= 2e-1", True),
        ("mean < 1", False),
        ("mean > 1", False),
        ("evaluate < -1e30", True),
    ],
)
def test_relation_holds_or_not(text: str, holds: bool) -> None:
    """A value that is not a number fulfils nothing."""
    assert (unfulfilled([parse_expectation(text)], metrics_of(LINES.splitlines())) == []) == holds


@pytest.mark.parametrize(
    ("call", "expected"),
    [
        ('geode_run(name = "r", program = "one.gs")', "//p:one.gs is a file, geode_run wants a geode_program there"),
        ('geode_run(name = "r", program = ":s")', "//p:s is a geode_run, geode_run wants a geode_program there"),
        ("settings = {'ALPA': 1}", "unknown setting `ALPA`: did you mean `ALPHA`?"),
        ("settings = {'ALPHA': 'x'}", "ALPHA takes a number at least 0, not 'x'"),
        ("settings = {'EPOCHS': 0.5}", "EPOCHS takes an integer at least 1, not '0.5'"),
        (
            "settings = {'x:EPOCHS': 5}",
            "`x:EPOCHS` is no setting: before the colon stands the number of a stage, `2:ALPHA`",
        ),
        ("settings = {'EGGROLL-R1': 5}", "`EGGROLL-R1` is compiled in: it stands in the program's text"),
        ("settings = {'ADAM-UPDATES': 1}", '`ADAM-UPDATES` takes no value: write "ADAM-UPDATES": ""'),
        ("settings = {'METRICS-FILE': 'x'}", "`METRICS-FILE` cannot be set here: metrics.jsonl is written anyway"),
        ("model = 'a/b'", "`model` cannot be `a/b`: wanted a file name of its own, such as model.safetensors"),
        ("expect = []", "`expect` of geode_test is empty: a test without an expectation cannot fail"),
        ("expect = ['mean<3']", "`mean<3` is no expectation: wanted NAME RELATION NUMBER, such as `center < 0.05`"),
        ("expect = ['mean =< 3']", "`mean =< 3`: unknown relation `=<`; known: <, <=, >, >=, =="),
        ("expect = ['mean < low']", "`mean < low`: `low` is not a number"),
    ],
)
def test_mistake_in_a_call_is_told_at_its_line(root: Path, call: str, expected: str) -> None:
    """Settings, the model's name and expectations are checked before anything is built."""
    if not call.startswith("geode_run"):
        rule = "geode_test" if call.startswith("expect") else "geode_run"
        call = f'{rule}(name = "r", program = ":one", {call})'
    (root / "p" / "BUILD").write_text(BUILD + '\ngeode_run(name = "s", program = ":one")\n' + call + "\n")
    assert [str(mistake) for mistake in load_workspace(root).mistakes] == [f"p/BUILD:9: {expected}"]


def test_settings_become_options() -> None:
    """Spelt as words or as options, for one stage or for all."""
    table = {"2:sigma": "0.1", "ALPHA": "1e-3", "MUON-BETA!": "0.5", "SGD-UPDATES": "", "STOP-BELOW": "off"}
    options = settings_to_options(table)
    assert options == (
        *("--set", "2:sigma=0.1", "--set", "ALPHA=1e-3", "--set", "MUON-BETA!=0.5"),
        *("--set", "SGD-UPDATES", "--set", "STOP-BELOW=off"),
    )


def test_run_knows_its_program(root: Path) -> None:
    """What other rules are told of a run."""
    target = next(t for t in load_workspace(root).targets.values() if str(t.label) == "//p:on-rows")
    info = target.provider
    assert isinstance(info, RunInfo)
    assert (info.folder, info.options, info.model, info.program.data_files) == ("runs/on-rows", (), None, ("p/d.csv",))
