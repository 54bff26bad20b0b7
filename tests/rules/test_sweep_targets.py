"""The rules `geode_sweep` and `geode_report`: tasks by label, what they run, their mistakes."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import time
from pathlib import Path

import pytest
import yaml

from rules.analyse import load_workspace
from rules.plan import plan
from tests.harness.native import ROOT, geode
from tests.harness.sweep_oracle import enumerate_trials
from tests.harness.sweeps import PROGRAM, Place, make_place

from .test_doit import doit, ran

BUILD = """geode_program(name = "p", src = "p.gs", data = ["rows.csv"])
geode_sweep(name = "alpha", program = ":p", matrix = "s.sweep.yaml")
geode_report(name = "alpha-page", sweep = ":alpha")
"""


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """A workspace with a sweep and its report."""
    place = make_place(tmp_path / "p")
    shutil.copy(ROOT / "dodo.py", tmp_path)
    (tmp_path / "p" / "p.gs").write_text(PROGRAM.replace('"rows.csv" C', '"p/rows.csv" C'))
    (tmp_path / "p" / "BUILD").write_text(BUILD)
    place.write("matrix: {ALPHA: [0.01, 0.02]}\nreplicates: 2\n")
    return tmp_path


@pytest.mark.native
def test_report_runs_the_sweep_once(root: Path) -> None:
    """The page after the sweep after the data; again: the sweep is done; cleaned: both folders are gone."""
    first = doit(root, "report://p:alpha-page")
    assert first.status == 0, first.out + first.err
    assert ran(first) == ["sweep://p:alpha", "report://p:alpha-page"]
    assert "4 of 4 trials done" in first.out
    page = (root / "runs" / "alpha-page" / "report.html").read_text()
    assert "<h1>alpha</h1>" in page
    assert "fast" in page
    assert (root / "runs" / "alpha-page" / "results.csv").read_text().count("\n") == 5
    second = doit(root, "report://p:alpha-page")
    assert ran(second) == ["report://p:alpha-page"]
    by_label = geode("sweep", "status", "//p:alpha", cwd=root)
    assert by_label.out.startswith("alpha: 4 trials: 4 done, 0 failed, 0 missing")
    inside = geode("sweep", "run", ":alpha", cwd=root / "p")
    assert "0 run now" in inside.out, inside.err
    assert doit(root, "clean", "sweep", "report").status == 0
    assert not (root / "runs" / "alpha").exists()
    assert not (root / "runs" / "alpha-page").exists()


@pytest.mark.native
def test_interrupted_sweep_is_told_as_such(root: Path) -> None:
    """The signal's name, not a number of trials, where doit runs the sweep."""
    source = root / "p" / "p.gs"
    source.write_text(re.sub(r"\d+ EPOCHS", "100000000 EPOCHS", source.read_text()))
    command = [sys.executable, "-m", "doit", "sweep://p:alpha"]
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    with subprocess.Popen(
        command, cwd=root, env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
    ) as process:
        end = time.monotonic() + 60
        while not list((root / "runs").glob("alpha/**/metrics.jsonl")):
            assert time.monotonic() < end
            assert process.poll() is None
            time.sleep(0.05)
        process.terminate()
        said, _ = process.communicate()
    assert process.returncode not in (0, None)
    assert "//p:alpha: stopped by SIGTERM; the next run goes on with what is missing" in said
    assert "trials failed" not in said


def test_failed_trials_and_mistakes_fail_the_task(root: Path) -> None:
    """A mistake in the file is told with its line, the report is not written, `list` works."""
    Place(root / "p").write("matrix: {ALPA: [0.01]}\n")
    done = doit(root, "report://p:alpha-page")
    assert done.status != 0
    assert (
        "p/s.sweep.yaml:2: `ALPA` is no setting and no CONSTANT of the program: did you mean `ALPHA`?"
        in done.out + done.err
    )
    assert "Traceback" not in done.out + done.err
    assert not (root / "runs" / "alpha-page").exists()
    listed = doit(root, "list", "--all", "--quiet")
    assert {"sweep", "sweep://p:alpha", "report", "report://p:alpha-page"} <= set(listed.out.split())


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (
            'geode_sweep(name = "x", program = ":alpha", matrix = "s.sweep.yaml")',
            "//p:alpha is a geode_sweep, geode_sweep wants",
        ),
        (
            'geode_sweep(name = "x", program = ":p", matrix = "t.yaml")',
            "//p:t.yaml is missing: no target and no file p/t.yaml",
        ),
        (
            'geode_sweep(name = "x", program = ":p")',
            "geode_sweep needs `matrix`: the file that says what trials there are",
        ),
        ('geode_report(name = "x", sweep = ":p")', "//p:p is a geode_program, geode_report wants a geode_sweep there"),
        ('geode_report(name = "alpha", sweep = ":alpha")', "//p:alpha is defined twice, first at p/BUILD:2"),
    ],
)
def test_mistake_in_a_call_is_told_with_its_place(root: Path, call: str, message: str) -> None:
    """File and line of the BUILD file."""
    with (root / "p" / "BUILD").open("a") as file:
        file.write(call + "\n")
    mistakes = [str(mistake) for mistake in load_workspace(root).mistakes]
    assert any(mistake.startswith(f"p/BUILD:4: {message}") for mistake in mistakes), mistakes


@pytest.mark.native
def test_defines_of_the_program_belong_into_the_file(root: Path) -> None:
    """The message says where to."""
    text = (root / "p" / "BUILD").read_text().replace('src = "p.gs"', 'src = "p.gs", defines = {"SIZE": 3}')
    (root / "p" / "BUILD").write_text(text)
    done = geode("sweep", "run", "//p:alpha", cwd=root)
    assert done.status == 1
    assert "//p:p has `defines` (SIZE); give them under `set` of p/s.sweep.yaml" in done.err


def test_example_is_what_it_says() -> None:
    """3 x 3 x 2 points less one and one more, three seeds each; it is a target with a report."""
    text = (ROOT / "examples" / "sine-ae.sweep.yaml").read_text()
    own = {
        "HIDDEN": "8",
        "EPOCHS": "200",
        "ALPHA": "0.01",
        "updates": "MUON-UPDATES",
        "perturbation": "0.01 ES-GAUSSIAN",
    }
    assert len(enumerate_trials(text, own, 42)) == 54
    done = geode("sweep", "run", "--dry-run", "-o", "/nonexistent", "--fresh", "examples/sine-ae.sweep.yaml")
    assert done.status == 0, done.err
    assert len(done.out.splitlines()) == 54
    names = {step.name for step in plan(load_workspace(ROOT))}
    assert {"sweep://examples:sine-ae-sweep", "report://examples:sine-ae-report"} <= names


def test_sweep_readme_names_every_module() -> None:
    """The table of rules/sweep/README.md is the listing."""
    folder = ROOT / "rules" / "sweep"
    text = (folder / "README.md").read_text(encoding="utf-8")
    modules = sorted(path.name for path in folder.glob("*.py") if path.name != "__init__.py")
    assert sorted(re.findall(r"^\| `(\w+\.py)` \|", text, re.MULTILINE)) == modules


def test_files_shown_in_the_page_are_sweeps(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Both YAML listings of docs/sweeps.md plan without a mistake, with as many trials as another enumerator finds."""
    from rules.cache import Cache
    from rules.sweep.plan_sweep import plan_sweep

    shutil.copytree(ROOT / "examples", tmp_path / "examples")
    shutil.copytree(ROOT / "datasets", tmp_path / "datasets")
    monkeypatch.chdir(tmp_path)
    listings = re.findall(r"```yaml\n(.*?)```", (ROOT / "docs" / "sweeps.md").read_text(), re.DOTALL)
    assert len(listings) == 2
    own = {"HIDDEN": "8", "EPOCHS": "200", "ALPHA": "0.01", "updates": "MUON-UPDATES", "perturbation": "0.01 ES-GAUSSIAN",
           "POPULATION": "256", "NOISE-REUSE": "1", "ADAM-BETA1": "0.9"}  # fmt: skip
    for listing in listings:
        path = tmp_path / "examples" / "doc.sweep.yaml"
        path.write_text(listing)
        sweep = plan_sweep(path, Cache(tmp_path / "cache", lambda _: None))
        if "search" not in yaml.safe_load(listing):
            assert len(sweep.trials) == len(enumerate_trials(listing, own, 42))
