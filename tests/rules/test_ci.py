"""The recipe of docs/ci.md: what one job uploaded to a web server, a second fresh clone takes from it, with no compiler."""

from __future__ import annotations

import os
import re
import shlex
import shutil
from pathlib import Path

import pytest

from tests.harness.native import ROOT, Finished, geode

from .test_doit import PROGRAM
from .test_remote import server

pytest.importorskip("fsspec")
pytest.importorskip("aiohttp")

BUILD = """geode_program(name = "one", src = "one.gs", toolchain = "%s")
geode_program(name = "two", src = "two.gs", toolchain = "%s")
geode_test(name = "one-learns", program = ":one", expect = ["last.score < 100"])
"""


def recipe() -> list[list[str]]:
    """The commands of the first listing of docs/ci.md, without `geode`."""
    listing = (
        (ROOT / "docs" / "ci.md").read_text(encoding="utf-8").partition("## The recipe")[2].partition("The same as")[0]
    )
    lines = [line.partition("#")[0].strip() for line in listing.splitlines()]
    assert "export GEODE_REMOTE_UPLOAD=1" in lines
    return [shlex.split(line)[1:] for line in lines if line.startswith("geode ")]


def clone(root: Path, toolchain: str) -> Path:
    """A fresh clone of a project with two programs and a test."""
    root.mkdir(parents=True)
    shutil.copy(ROOT / "dodo.py", root)
    (root / "one.gs").write_text(PROGRAM)
    (root / "two.gs").write_text(PROGRAM.replace("r:3", "r:2"))
    (root / "BUILD").write_text(BUILD % (toolchain, toolchain))
    return root


def follow(root: Path, **environment: str) -> list[Finished]:
    """What a job of the recipe does in a clone."""
    done = [geode(*command, cwd=root, **environment) for command in recipe()]
    assert [one.status for one in done] == [0] * len(done), "".join(one.out + one.err for one in done)
    return done


def actions(done: list[Finished]) -> list[int]:
    """How many actions each build ran."""
    return [int(count) for one in done for count in re.findall(r"(\d+) actions run", one.out)]


@pytest.mark.native
def test_second_clone_runs_no_compiler(tmp_path: Path) -> None:
    """Neither compiler nor ninja on PATH, an empty store, another folder: the same bytes, and known runs are not made."""
    toolchain = next(name for name in ("gcc", "clang") if shutil.which(name))
    assert recipe() == [["build", "//..."], ["test", "//..."]]
    (tmp_path / "bin").mkdir()
    with server(tmp_path / "far", takes_put=True) as url:
        first = clone(tmp_path / "first", toolchain)
        filled = follow(first, GEODE_REMOTE_CACHE=url, GEODE_REMOTE_UPLOAD="1")
        assert "epoch=" in filled[1].out or (first / "runs" / "one-learns" / "log.txt").exists()
        second = clone(tmp_path / "elsewhere" / "second", toolchain)
        bare = {"GEODE_CACHE": str(tmp_path / "empty"), "PATH": str(tmp_path / "bin")}
        found = follow(second, GEODE_REMOTE_CACHE=url, **bare)
    assert actions(found) == [0, 0]
    assert "epoch=" not in found[1].out
    assert "left out" not in "".join(one.err for one in found)
    for name in ("build/one/out/program", "build/two/out/program", "runs/one-learns/log.txt"):
        assert (second / name).read_bytes() == (first / name).read_bytes(), name
    assert os.access(second / "build" / "one" / "out" / "program", os.X_OK)
