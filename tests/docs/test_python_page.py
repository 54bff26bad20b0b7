"""The example of docs/python.md runs as it stands, and its table and lists name what there is."""

from __future__ import annotations

import re
import shutil
import sys
from pathlib import Path

import pytest

import geode
from geode.api.options import known_settings
from tests.harness.native import ROOT, start

PAGE = (ROOT / "docs" / "python.md").read_text(encoding="utf-8")


@pytest.mark.native
def test_the_example_runs(tmp_path: Path) -> None:
    """In a folder with the examples beside it: a line an epoch, then what its comments say."""
    for name in ("examples", "datasets"):
        shutil.copytree(ROOT / name, tmp_path / name)
    (code,) = re.findall(r"```python\n(.*?)```", PAGE, re.DOTALL)
    (tmp_path / "example.py").write_text(code, encoding="utf-8")
    done = start([sys.executable, "example.py"], cwd=tmp_path)
    assert (done.status, done.err) == (0, "")
    lines = done.out.splitlines()
    assert [line.split()[0] for line in lines[:60]] == [f"{number}.0" for number in range(60)]
    share, right = map(float, lines[-1].split())
    assert share == pytest.approx(right, rel=1e-6)
    assert share > 0.8


def test_names_are_those_that_there_are() -> None:
    """Settings, calls and exceptions."""
    settings = set(re.findall(r"`(\w+)(?:=\"\w+\")?`", PAGE.partition("- **Settings**")[2].partition("A name that")[0]))
    assert settings <= set(known_settings())
    assert len(settings) > 10
    for name in re.findall(r"`(\w+Error)`", PAGE):
        assert hasattr(geode.api, name)
    for name in re.findall(r"^\| `\.(\w+)\(", PAGE, re.MULTILINE):
        assert hasattr(geode.BuiltProgram, name) or hasattr(geode.Program, name)
