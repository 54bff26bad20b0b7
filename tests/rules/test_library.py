"""The rule `geode_library`: files to include are checked on their own, declared, and edits reach who includes them."""

from __future__ import annotations

from pathlib import Path

import pytest

from rules.analyse import load_workspace
from rules.errors import BuildError
from rules.plan import plan
from rules.providers import LibraryInfo
from rules.query import query
from rules.step import Step
from tests.harness.native import geode, geode_here

from .test_doit import PROGRAM

SQUARE = ": SQUARED ( r:* -- r:* ) DUP * ;\n"
BUILD = """geode_program(name = "one", src = "one.gs", deps = [":loss"])
geode_library(name = "loss", src = "lib/loss.gs", deps = [":square"])
geode_library(name = "square", src = "lib/square.gs")
"""


@pytest.fixture
def root(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A workspace: a program that includes a library that includes another."""
    monkeypatch.setenv("GEODE_CACHE", str(tmp_path / "store"))
    (tmp_path / "p" / "lib").mkdir(parents=True)
    (tmp_path / "p" / "lib" / "square.gs").write_text(SQUARE)
    (tmp_path / "p" / "lib" / "loss.gs").write_text('INCLUDE "square.gs"\n: LOSS ( r:* -- r ) SQUARED SUM ;\n')
    (tmp_path / "p" / "one.gs").write_text('INCLUDE "lib/loss.gs"\n' + PROGRAM.replace("2.0 - DUP * SUM", "2.0 - LOSS"))
    (tmp_path / "p" / "BUILD").write_text(BUILD)
    return tmp_path


def steps(root: Path) -> dict[str, Step]:
    """The steps of the workspace by name, emissions left out."""
    workspace = load_workspace(root)
    assert [str(mistake) for mistake in workspace.mistakes] == []
    return {step.name: step for step in plan(workspace) if step.kind != "emit"}


def test_library_tells_what_including_it_brings(root: Path) -> None:
    """Its own file first, then those of its deps; `geode query` says whom an edit reaches."""
    workspace = load_workspace(root)
    found = {target.provider for target in workspace.targets.values() if isinstance(target.provider, LibraryInfo)}
    assert found == {
        LibraryInfo("//p:loss", "p/lib/loss.gs", ("p/lib/loss.gs", "p/lib/square.gs")),
        LibraryInfo("//p:square", "p/lib/square.gs", ("p/lib/square.gs",)),
    }
    assert list(map(str, query(workspace, "rdeps(//p:square)").kinds)) == ["//p:loss", "//p:one", "//p:square"]


def test_library_is_checked_on_its_own_once(root: Path) -> None:
    """Its bodies against their signatures, without a program; a check that was good is known."""
    step = steps(root)["parse://p:square"]
    assert not step.known(step, root)
    assert step.do(step, root) == ""
    assert step.known(step, root)
    (root / "p" / "lib" / "square.gs").write_text(": SQUARED ( r -- r ) DUP ;\n")
    assert not step.known(step, root)
    with pytest.raises(BuildError, match=r"square\.gs:1:\d+: error GS301: the body does not leave"):
        step.do(step, root)
    assert not step.known(step, root)


def test_edit_of_an_included_file_reaches_its_programs(root: Path) -> None:
    """The program is known until a file that its library includes changes."""
    assert steps(root)["parse://p:one"].said == ""
    first = geode_here("build", "--explain", "--profile", "debug", "p/one.gs", cwd=root)
    assert first.status == 0, first.err
    assert "hit  emit one\n" in first.out
    (root / "p" / "lib" / "square.gs").write_text(SQUARE.replace("DUP *", "DUP * 2.0 *"))
    second = geode_here("build", "--explain", "--profile", "debug", "p/one.gs", cwd=root)
    assert "run  emit one: input lib/square.gs changed\n" in second.out
    assert "run  compile c/gs_u_OBJECTIVE" in second.out


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        (', deps = [":loss"]', "", r"p/one\.gs includes p/lib/loss\.gs, which no library in the `deps` of //p:one"),
        (', deps = [":square"]', "", r"p/one\.gs includes p/lib/square\.gs, which no library in the `deps` of //p:one"),
    ],
)
def test_undeclared_include_is_refused(root: Path, old: str, new: str, expected: str) -> None:
    """What no library brings stops the program, by name, with the repair."""
    (root / "p" / "BUILD").write_text(BUILD.replace(old, new))
    step = steps(root)["parse://p:one"]
    repair = old.partition('"')[2].partition('"')[0]
    with pytest.raises(BuildError, match=expected) as caught:
        step.do(step, root)
    assert caught.value.message.endswith(f'help: add "//p{repair}" there')
    by_label = geode_here("build", "//p:one", cwd=root)
    assert by_label.status == 1
    assert by_label.err == f"geode: {caught.value.message}\n"
    (root / "p" / "s.yaml").write_text("program: one.gs\nmatrix: {ALPHA: [0.1]}\n")
    with (root / "p" / "BUILD").open("a") as build:
        build.write('geode_sweep(name = "s", program = ":one", matrix = "s.yaml")\n')
    swept = geode("sweep", "run", "--dry-run", "//p:s", cwd=root)
    assert (swept.status, swept.err) == (1, by_label.err)


@pytest.mark.parametrize(
    ("deps", "expected"),
    [
        ('["lib/loss.gs"]', "p/BUILD:1: //p:lib/loss.gs is a file, geode_program wants a geode_library there"),
        ('[":one"]', "p/BUILD:1: //p:one is a geode_program, geode_program wants a geode_library there"),
        ('[":los"]', "p/BUILD:1: //p:los is missing: no target and no file p/los: did you mean `loss`?"),
    ],
)
def test_deps_are_libraries(root: Path, deps: str, expected: str) -> None:
    """A file or another rule's target in `deps` is a mistake."""
    (root / "p" / "BUILD").write_text(BUILD.replace('[":loss"]', deps, 1))
    assert [str(mistake) for mistake in load_workspace(root).mistakes] == [expected]
