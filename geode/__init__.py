"""Geode: a compiler from a compact stack language to native binaries that train by Evolution Strategies.

The pipeline is `geode.pipeline`; the command line is `geode.cli`. Importing this package imports neither.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from pathlib import Path

    from numpy.typing import NDArray

__version__ = "0.1.0"


def load(path: str | Path) -> dict[str, NDArray[Any]]:
    """The weights of a file that SAVE-MODEL or SAVE-MODEL-ALL wrote, as NumPy arrays by the names of the parameters.

    A state's file also has the optimizer's arrays (`optimizer/…`) and the best weights (`best/…`). OSError if the file
    can't be read; `geode.report.checkpoint.CheckpointError`, a ValueError, if it is no safetensors file.
    """
    from geode.report.checkpoint import load as read

    return read(path)
