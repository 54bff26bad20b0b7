"""What to type to get an optional package of Geode's.

In: the name of an extra in pyproject.toml. Out: a command for the environment that runs. Invariant: a checkout is never told
to install Geode from an index, which would put another version beside it.
"""

from __future__ import annotations

import sys
from pathlib import Path

_ROOT = Path(__file__).resolve().parents[1]


def install_extra(extra: str, root: Path = _ROOT) -> str:
    """The command that adds the packages of `extra`; `root` is the folder that holds the package `rules`."""
    if not (root / "pyproject.toml").is_file():
        return f"pip install 'geode[{extra}]'"
    private = Path(sys.prefix).resolve() == root / ".venv"
    pip = _shown(Path(sys.prefix).resolve() / "bin" / "pip") if private else "pip"
    where = _shown(root)
    return f"{pip} install -e '{where}[{extra}]'"


def _shown(path: Path) -> str:
    """A path from the working directory if it lies below."""
    here = Path.cwd().resolve()
    return str(path.relative_to(here)) if path.is_relative_to(here) else str(path)
