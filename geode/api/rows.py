"""Arrays -> files that a binary reads: rows as CSV, weights as safetensors.

Invariant: every float32 comes back to the bit.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from geode.api.errors import GeodeError

_MOST_EPISODES = 2**31


def need_numpy() -> None:
    """GeodeError if NumPy is not there, before anything has cost time."""
    import importlib.util

    if importlib.util.find_spec("numpy") is None:
        raise GeodeError("results are NumPy arrays, and NumPy is not installed: pip install 'geode[python]'")


def columns_of(rows: Any) -> int:
    """The numbers of a row; 0 for episodes, which are a count."""
    import numpy as np

    if _is_count(rows):
        return 0
    shape = np.shape(rows)
    return int(np.prod(shape[1:], dtype=np.int64))


def write_rows(rows: Any, path: Path) -> int:
    """Writes an array, a line for its first axis, float32; returns how many rows. Of episodes nothing is written."""
    import numpy as np

    if _is_count(rows):
        return int(rows)
    try:
        table = np.asarray(rows, np.float32)
    except (TypeError, ValueError) as error:
        raise GeodeError(f"rows must be numbers in an array: {error}") from None
    if table.ndim < 2 or table.size == 0:
        raise GeodeError(f"rows must be an array [rows, numbers] with something in it, not one of shape {table.shape}")
    np.savetxt(path, table.reshape(len(table), -1), delimiter=",", fmt="%.9g")
    return len(table)


def stage_words(count: int, columns: int, *, whole: bool) -> str:
    """The words that put the rows of `rows.csv`, or `count` episodes, on MAIN's stack; `whole`: as one batch."""
    if columns == 0:
        return f"{count} EPISODES"
    return f'"rows.csv" {columns} CSV-INPUT{" ALL" if whole else ""}'


def save_weights(path: Path, weights: Mapping[str, Any]) -> None:
    """Writes a mapping of names to arrays as a safetensors file of float32."""
    import numpy as np

    from geode.report.checkpoint import write_checkpoint

    write_checkpoint(path, {name: np.asarray(array, np.float32) for name, array in weights.items()})


def _is_count(rows: Any) -> bool:
    """True for a number of episodes. GeodeError if there can't be so many."""
    import numpy as np

    if isinstance(rows, bool) or not isinstance(rows, int | np.integer):
        return False
    if not 1 <= rows <= _MOST_EPISODES:
        raise GeodeError(f"{rows} episodes are wanted; there can be 1 to {_MOST_EPISODES}")
    return True
