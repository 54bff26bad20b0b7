"""Arrays -> files that a binary reads: rows as CSV or npy, weights as safetensors.

Invariant: every float32 comes back to the bit.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from geode.api.errors import GeodeError, shown

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

_MOST_EPISODES = 2**31


def need_numpy() -> None:
    """GeodeError if NumPy is not there, before anything has cost time."""
    import importlib.util

    if importlib.util.find_spec("numpy") is None:
        from rules.install import install_extra

        raise GeodeError(f"results are NumPy arrays, and NumPy is not installed: {install_extra('python')}")


def array_of(rows: Any) -> NDArray[np.float32]:
    """Rows as float32, in their own shape `[rows, ...]`. Raises GeodeError."""
    import numpy as np

    try:
        given = np.asarray(rows)
        with np.errstate(over="ignore"):  # what float32 does not hold is told below
            table = given.astype(np.float32, casting="unsafe" if given.dtype.kind in "OSU" else "same_kind")
    except (TypeError, ValueError) as error:
        raise GeodeError(f"rows must be numbers in an array: {error}") from None
    if table.ndim < 2 or table.size == 0:
        raise GeodeError(f"rows must be an array [rows, numbers] with something in it, not one of shape {table.shape}")
    flat = table.reshape(len(table), -1)
    if not np.isfinite(flat).all():
        row, column = np.argwhere(~np.isfinite(flat))[0]
        raise GeodeError(f"rows must be finite numbers of float32: number {column} of row {row} is {flat[row, column]}")
    return table


def write_csv(table: NDArray[np.float32], path: Path) -> None:
    """Writes a line for each row, its numbers in C order."""
    import numpy as np

    np.savetxt(path, table.reshape(len(table), -1), delimiter=",", fmt="%.9g")


def write_npy(table: NDArray[np.float32], shape: Sequence[int], path: Path) -> None:
    """Writes an npy file of rows of `shape`, which have as many numbers as those of `table`."""
    import numpy as np

    np.save(path, np.ascontiguousarray(table.reshape(len(table), *shape)))


def save_weights(path: Path, weights: Mapping[str, Any]) -> Path:
    """Writes a mapping of names to arrays as a safetensors file of float32; returns its path. Raises GeodeError."""
    import numpy as np

    from geode.report.checkpoint import write_checkpoint

    arrays = {}
    for name, array in weights.items():
        if not isinstance(name, str):
            raise GeodeError(f"`weights` must have names of parameters, not {shown(name)}")
        if np.iscomplexobj(array):
            raise GeodeError(f"`weights`: {name} must be numbers in an array: these are complex")
        try:
            with np.errstate(over="ignore"):
                arrays[name] = np.asarray(array, np.float32)
        except (TypeError, ValueError) as error:
            raise GeodeError(f"`weights`: {name} must be numbers in an array: {error}") from None
    write_checkpoint(path, arrays)
    return path


def is_count(rows: Any) -> bool:
    """True for a number of episodes. GeodeError if there can't be so many."""
    import numpy as np

    if isinstance(rows, bool) or not isinstance(rows, int | np.integer):
        return False
    if not 1 <= rows <= _MOST_EPISODES:
        raise GeodeError(f"{rows} episodes are wanted; there can be 1 to {_MOST_EPISODES}")
    return True
