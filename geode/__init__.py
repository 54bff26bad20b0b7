"""Geode: a compiler from a compact stack language to native binaries that train by Evolution Strategies.

The pipeline is `geode.pipeline`, the command line `geode.cli`, the Python API `geode.api`, whose names stand here too.
Importing this package imports none of them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from pathlib import Path

    from numpy.typing import NDArray

    from geode.api import BuiltProgram as BuiltProgram
    from geode.api import GeodeError as GeodeError
    from geode.api import Program as Program
    from geode.api import Run as Run

__version__ = "0.1.0"
_FROM_API = ("BuiltProgram", "GeodeError", "Program", "Run")


def __getattr__(name: str) -> Any:
    """The names of `geode.api`, imported when they are asked for."""
    if name in _FROM_API:
        from geode import api

        return getattr(api, name)
    raise AttributeError(f"module `geode` has no attribute `{name}`")


def load(path: str | Path) -> dict[str, NDArray[Any]]:
    """The weights of a file that SAVE-MODEL or SAVE-MODEL-ALL wrote, as NumPy arrays by the names of the parameters.

    A state's file also has the optimizer's arrays (`optimizer/…`) and the best weights (`best/…`). GeodeError if the
    file can't be read (also an OSError) or is no safetensors file (also a ValueError).
    """
    from geode.report.checkpoint import load as read

    return read(path)
