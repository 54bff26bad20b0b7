"""Habits that hold for every file of the repository."""

from __future__ import annotations

import ast
import re
import subprocess
from pathlib import Path

import pytest

import geode

ROOT = Path(__file__).resolve().parents[2]


def tracked() -> list[Path]:
    """The files of the repository; where there is no git, the files that are there."""
    done = subprocess.run(
        ["git", "ls-files", "-co", "--exclude-standard"], cwd=ROOT, capture_output=True, text=True, check=False
    )
    names = done.stdout.splitlines()
    if done.returncode == 0 and names:
        return [path for name in names if (path := ROOT / name).is_file()]
    skipped = {".venv", "build", "__pycache__"}
    return [path for path in ROOT.rglob("*") if path.is_file() and not skipped & set(path.relative_to(ROOT).parts)]


FILES = tracked()
CASES = ROOT / "tests" / "cases"  # data, with every mistake that a text can have
SUFFIXES = {".py", ".c", ".h", ".sh", ".md", ".yaml", ".toml", ".in", ".j2", ".gs"}
SOURCES = [path for path in FILES if path.suffix in SUFFIXES and not path.is_relative_to(CASES)]
PYTHON = [path for path in FILES if path.suffix == ".py"]


def name(path: Path) -> str:
    """The path from the root."""
    return path.relative_to(ROOT).as_posix()


def test_no_file_is_longer_than_500_lines() -> None:
    """One file, one concern."""
    lengths = {name(path): path.read_text(encoding="utf-8").count("\n") for path in SOURCES}
    assert {file: lines for file, lines in lengths.items() if lines > 500} == {}
    assert len(lengths) > 100


def test_every_module_says_what_it_is_for() -> None:
    """A docstring first, with a capital and a full stop or a colon's worth of sense."""
    assert [name(path) for path in PYTHON if not ast.get_docstring(ast.parse(path.read_text(encoding="utf-8")))] == []


def test_every_c_file_says_what_it_computes() -> None:
    """Its first line starts with its own name."""
    files = [path for path in FILES if path.suffix in {".c", ".h"}]
    assert [
        name(path)
        for path in files
        if not path.read_text(encoding="utf-8").startswith((f"/* {path.name} -- ", f"// {path.name} -- "))
    ] == []


def test_c_text_is_written_in_one_place() -> None:
    """No Python module of the compiler or the build outside geode/emit/ holds C's includes."""
    modules = [p for p in PYTHON if name(p).startswith(("geode/", "rules/")) and not name(p).startswith("geode/emit/")]
    assert [name(path) for path in modules if re.search(r"#include [<\"]", path.read_text(encoding="utf-8"))] == []


def test_nothing_is_left_for_later() -> None:
    """No note to do something, and no path of one machine."""
    words = ["TO" + "DO", "FIX" + "ME", "X" + "XX", "/" + "work/", "/" + "root/"]
    found = [(name(path), word) for path in SOURCES for word in words if word in path.read_text(encoding="utf-8")]
    assert found == []


def test_text_files_end_with_one_line_feed_and_have_no_trailing_blanks() -> None:
    """As .editorconfig says, so that a diff shows what changed."""
    texts = {name(path): path.read_text(encoding="utf-8") for path in SOURCES}
    assert [file for file, text in texts.items() if text and not text.endswith("\n")] == []
    assert [file for file, text in texts.items() if re.search(r"[ \t]$", text, re.MULTILINE)] == []


@pytest.mark.parametrize("script", ["geode.sh", "compile.sh", "assembly.sh", ".ci/run"])
def test_launchers_can_be_started(script: str) -> None:
    """Executable, with a shell that accepts them."""
    path = ROOT / script
    assert path.stat().st_mode & 0o111
    shell = "bash" if "bash" in path.read_text(encoding="utf-8").splitlines()[0] else "sh"
    assert subprocess.run([shell, "-n", path], check=False).returncode == 0


def test_every_ruff_exception_has_its_reason() -> None:
    """In pyproject.toml and on the line; the type checker's name at least what they are about."""
    ignored = re.search(
        r"^ignore = \[\n(.*?)^\]", (ROOT / "pyproject.toml").read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL
    )
    assert ignored is not None
    assert [line for line in ignored.group(1).splitlines() if "#" not in line] == []
    bare = re.compile(r"# noqa(?!: [A-Z0-9, ]+ -- )|# type: ignore(?!\[)")
    assert [name(path) for path in PYTHON if path.name != "test_repository.py" and bare.search(path.read_text())] == []


def test_the_slow_run_installs_what_its_games_want() -> None:
    """Gymnasium, without which tests/learning/test_gymnasium.py is skipped, is an extra, and `.ci/run --slow` names it."""
    project = (ROOT / "pyproject.toml").read_text(encoding="utf-8")
    assert re.search(r'^gymnasium = \[\n    "gymnasium', project, re.MULTILINE)
    run = (ROOT / ".ci" / "run").read_text(encoding="utf-8")
    extras = re.search(r"--slow\) .*extras=(\S+)", run)
    assert extras is not None
    assert {"dev", "gymnasium"} <= set(extras[1].split(","))
    assert '".[$extras]"' in run


def test_the_package_and_the_project_have_one_version() -> None:
    """`geode --version` prints the package's, also where nothing is installed; pip knows the project's."""
    project = (ROOT / "pyproject.toml").read_text(encoding="utf-8")
    assert re.findall(r'^version = "(.+)"$', project, re.MULTILINE) == [geode.__version__]
