"""docs/reference.md: its example comes near its target, its table is the package's, which needs NumPy alone."""

from __future__ import annotations

import re
import sys

from geode import reference
from tests.harness.native import ROOT, start

PAGE = (ROOT / "docs" / "reference.md").read_text(encoding="utf-8")


def test_the_example_comes_near_its_target() -> None:
    """Of the squared distance less than a hundredth is left."""
    (code,) = re.findall(r"```python\n(.*?)```", PAGE, re.DOTALL)
    done = start([sys.executable, "-c", code])
    assert (done.status, done.err) == (0, "")
    assert 0 < float(done.out) < 0.01


def test_the_table_is_the_package() -> None:
    """Every function of `geode.reference` has its row."""
    rows = [row for row in PAGE.splitlines() if row.startswith("| `")]
    named = {name for row in rows for name in re.findall(r"`(\w+)(?:\(\w+\))?`", row.split("|")[1])}
    assert named == {name for name in reference.__all__ if not name.endswith("Error")}


def test_the_package_stands_alone() -> None:
    """Importing it imports NumPy, the table of normals and itself: nothing of the compiler or the build."""
    code = "import sys, geode.reference; print(*sorted(m for m in sys.modules if m.partition('.')[0] in ('geode', 'rules')))"
    modules = start([sys.executable, "-c", code]).out.split()
    ours = ("geode.reference", "geode.reference.", "geode.streams", "geode.streams.")
    assert [name for name in modules if name != "geode" and not name.startswith(ours)] == []
    assert "geode.reference.perturb" in modules
