"""What a message says to install: for a checkout another command than for an installed Geode."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from rules.install import install_extra


def test_command_is_that_of_the_environment(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """From an index; into the private environment of a clone, seen from its root and from elsewhere; into another one."""
    root = tmp_path.resolve() / "clone"
    (root / ".venv").mkdir(parents=True)
    monkeypatch.chdir(root)
    assert install_extra("sweep", root) == "pip install 'geode[sweep]'"
    (root / "pyproject.toml").touch()
    assert install_extra("sweep", root) == "pip install -e '.[sweep]'"
    monkeypatch.setattr(sys, "prefix", str(root / ".venv"))
    assert install_extra("sweep", root) == ".venv/bin/pip install -e '.[sweep]'"
    monkeypatch.chdir(tmp_path)
    assert install_extra("sweep", root) == "clone/.venv/bin/pip install -e 'clone[sweep]'"
    (tmp_path / "elsewhere").mkdir()
    monkeypatch.chdir(tmp_path / "elsewhere")
    assert install_extra("sweep", root) == f"{root}/.venv/bin/pip install -e '{root}[sweep]'"
