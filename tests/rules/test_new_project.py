"""`geode init`: a project outside the repository builds, trains and tests itself by label and by doit."""

from __future__ import annotations

import shutil
import sys
from pathlib import Path

import pytest

from rules.analyse import load_workspace
from rules.errors import BuildError
from rules.new_project import FILES, make_project
from tests.harness.native import geode, start


def test_project_has_no_mistakes(tmp_path: Path) -> None:
    """Every template is used, and the BUILD file is right."""
    made = make_project(tmp_path / "circle")
    assert sorted(path.relative_to(tmp_path / "circle").as_posix() for path in made) == sorted(
        file.format(name="circle") for file in FILES.values()
    )
    templates = Path(sys.modules["rules.new_project"].__file__ or "").parent / "project"
    assert sorted(FILES) == sorted(path.name for path in templates.iterdir())
    workspace = load_workspace(tmp_path / "circle")
    assert workspace.mistakes == ()
    assert list(map(str, workspace.targets)) == ["//:points", "//:circle", "//:circle-learns"]


@pytest.mark.native
def test_project_builds_trains_and_passes_its_test(tmp_path: Path) -> None:
    """As its README says, with the working directory anywhere in it."""
    assert geode("init", "here/circle", cwd=tmp_path).status == 0
    root = tmp_path / "here" / "circle"
    built = geode("build", "//:circle", cwd=root)
    assert built.status == 0, built.err
    assert built.out.startswith("build/circle/out/program (")
    tested = geode("test", "//...", cwd=root / "data")
    assert tested.status == 0, tested.out + tested.err
    assert tested.out.endswith("1 test, passed\n")
    again = geode("test", "//:circle-learns", cwd=root)
    assert "epoch=" not in again.out
    assert again.status == 0
    (root / "data" / "points.csv").unlink()
    ran = geode("run", "//:circle", "--epochs", "2", cwd=root / "data")
    assert len(ran.epoch_lines) == 2, ran.err
    assert "geode: made data/points.csv by data/make_points.py" in ran.err.splitlines()
    (root / "data" / "points.csv").rename(root / "points.csv")
    by_file = geode("run", "circle.gs", "--epochs", "2", cwd=root)
    assert by_file.status == 1
    assert by_file.err.splitlines()[0] == (
        "geode: data/points.csv is missing; `doit data://:points` makes it, and so does `geode run` with a label"
    )
    (root / "points.csv").rename(root / "data" / "points.csv")
    again = geode("run", ":circle", "--epochs", "2", cwd=root)
    assert (again.epoch_lines, "geode: made" in again.err) == (ran.epoch_lines, False)
    tasks = start([sys.executable, "-m", "doit"], cwd=root)
    assert tasks.status == 0, tasks.err
    assert "-- test://:circle-learns" in tasks.out


@pytest.mark.native
def test_doit_is_the_first_command(tmp_path: Path) -> None:
    """In a new project, and where its build folder was removed."""
    make_project(tmp_path, "circle")
    for _ in range(2):
        done = start([sys.executable, "-m", "doit", "list", "--all", "--quiet"], cwd=tmp_path)
        assert (done.status, done.err) == (0, "")
        assert "test://:circle-learns" in done.out.split()
        built = start([sys.executable, "-m", "doit", "parse"], cwd=tmp_path)
        assert (built.status, built.err) == (0, "")
        shutil.rmtree(tmp_path / "build", ignore_errors=True)


@pytest.mark.native
def test_failing_test_of_a_project_is_told(tmp_path: Path) -> None:
    """Its line, and status 1; a BUILD file's mistake makes the status 1, too."""
    make_project(tmp_path)
    text = (tmp_path / "BUILD").read_text().replace("CORRECT >= 0.9", "CORRECT >= 1.5")
    (tmp_path / "BUILD").write_text(text)
    done = geode("test", "//...", cwd=tmp_path)
    assert done.status == 1
    assert "learns: expected evaluate.CORRECT >= 1.5, found 0.9" in done.out + done.err
    assert done.out.endswith("1 test, failed\n")
    (tmp_path / "BUILD").write_text(text.replace("geode_test(", "geode_tests("))
    wrong = geode("test", "//...", cwd=tmp_path)
    assert wrong.status == 1
    assert "BUILD:7: variable `geode_tests` not found, did you mean `geode_test`?" in wrong.err
    one_good = (
        text.replace(">= 1.5", ">= 0.9") + 'geode_test(name = "other", program = ":lost", expect = ["best < 1"])\n'
    )
    (tmp_path / "BUILD").write_text(one_good)
    dropped = geode("test", "//...", cwd=tmp_path)
    assert dropped.status == 1
    last = dropped.out.splitlines()[-1]
    assert last == "1 test, passed; 1 mistake in BUILD files (above): tests that depend on them did not run"


@pytest.mark.native
def test_sweep_by_label_makes_the_data_that_is_missing(tmp_path: Path) -> None:
    """A data set that is missing is made before the sweep is planned; one that no script can make is told."""
    make_project(tmp_path, "circle")
    (tmp_path / "alpha.sweep.yaml").write_text("program: circle.gs\nmatrix: {ALPHA: [0.01, 0.02]}\n")
    build = (tmp_path / "BUILD").read_text()
    sweep = 'geode_sweep(name = "alpha", program = ":circle", matrix = "alpha.sweep.yaml")\n'
    (tmp_path / "BUILD").write_text(build + sweep)
    done = geode("sweep", "run", "--dry-run", "//:alpha", cwd=tmp_path)
    assert done.status == 0, done.err
    assert len(done.out.splitlines()) == 2
    assert done.err == "geode: made data/points.csv by data/make_points.py\n"
    (tmp_path / "data" / "points.csv").unlink()
    (tmp_path / "BUILD").write_text(build.replace(', script = "data/make_points.py"', "") + sweep)
    for arguments in (("sweep", "run", "//:alpha"), ("run", "//:circle")):
        lost = geode(*arguments, cwd=tmp_path)
        assert lost.status != 0
        assert "data/points.csv" in lost.err
        assert "missing" in lost.err
        assert "Traceback" not in lost.err


def test_nothing_is_overwritten(tmp_path: Path) -> None:
    """A folder with a file, a name that no target can have, a folder that cannot be made."""
    (tmp_path / "full").mkdir()
    (tmp_path / "full" / "note").write_text("")
    with pytest.raises(BuildError, match="full is not empty"):
        make_project(tmp_path / "full")
    with pytest.raises(BuildError, match=r"`2\.5` cannot name a project"):
        make_project(tmp_path / "2.5")
    make_project(tmp_path / "2.5", "good")
    with pytest.raises(BuildError, match=r"cannot make a project in .*note"):
        make_project(tmp_path / "full" / "note" / "below")


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        (("build", "//:circl"), "unknown label `//:circl`: did you mean `//:circle`?"),
        (("build", "//:points"), "//:points is a dataset, and a geode_program is wanted; known: //:circle"),
        (("run", "//:broken"), "BUILD:14: geode_program needs `src`: the program's text, a .gs file"),
        (("test", "//:circle"), "//:circle is no geode_test"),
        (("test", "//...", "-x"), "-x does not go with labels"),
    ],
)
def test_wrong_label_is_told(tmp_path: Path, arguments: tuple[str, ...], expected: str) -> None:
    """The nearest label, what the target is, or the mistake in its BUILD file."""
    make_project(tmp_path, "circle")
    with (tmp_path / "BUILD").open("a") as file:
        file.write('\n\ngeode_program(name = "broken")\n')
    done = geode(*arguments, cwd=tmp_path)
    assert done.status == 2
    assert expected in done.err
    assert "Traceback" not in done.err
