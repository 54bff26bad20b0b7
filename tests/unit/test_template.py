"""Templates: where what jinja2 makes of them is kept, and what of it that is damaged does."""

from __future__ import annotations

import sys
from importlib.util import cache_from_source
from pathlib import Path

import pytest

from geode.emit import template
from geode.emit.template import render_template


def test_bytecode_lies_beside_the_module_s_and_may_be_damaged(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Two templates of one name in two folders are two; damaged bytecode is made anew; none is kept where none may be."""
    monkeypatch.setattr(sys, "pycache_prefix", str(tmp_path / "bytecode"))
    monkeypatch.setattr(sys, "dont_write_bytecode", False)
    kept = Path(cache_from_source(template.__file__)).parent
    kept.mkdir(parents=True)
    for folder in ("a", "b"):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "t.j2").write_text(f"{folder} {{{{ value }}}}\n")

    def rendered() -> list[str]:
        template._environment.cache_clear()
        return [render_template(tmp_path / folder / "t.j2", value=1) for folder in ("a", "b")]

    try:
        assert rendered() == ["a 1\n", "b 1\n"]
        files = sorted(kept.iterdir())
        assert len(files) == 2
        for file in files:
            file.write_bytes(file.read_bytes()[:-9])
        assert rendered() == ["a 1\n", "b 1\n"]
        (tmp_path / "a" / "t.j2").write_text("another {{ value }}\n")
        assert rendered() == ["another 1\n", "b 1\n"]
        monkeypatch.setattr(sys, "dont_write_bytecode", True)
        for file in files:
            file.unlink()
        assert rendered() == ["another 1\n", "b 1\n"]
        assert list(kept.iterdir()) == []
    finally:
        template._environment.cache_clear()
