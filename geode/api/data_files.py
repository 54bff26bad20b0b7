"""`data=` of a run -> `--data` options: arrays become files of the kind that the program reads.

In: what the caller gave, the program's `--describe` lines. Out: options, and files in the run's own folder. Invariant: an
array whose rows the program can't read is a `GeodeError` before the run is started.
"""

from __future__ import annotations

import math
import os
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from geode.api.errors import GeodeError, path_of, shown
from geode.api.rows import array_of, write_csv, write_npy

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


@dataclass(frozen=True, slots=True)
class DataFile:
    """A file that a program reads: `kind` is csv, npy or text, `shape` that of a row."""

    kind: str
    shape: tuple[int, ...]


def data_files_of(description: Iterable[str]) -> list[DataFile]:
    """The data files in the lines of `--describe`, in their order."""
    found = []
    for line in description:
        if line.startswith("data "):
            kind, row = (line.partition(f" {key}=")[2].partition(" ")[0] for key in ("kind", "row"))
            found.append(DataFile(kind, tuple(map(int, row.split(":")[1:]))))
    return found


def data_options(data: Any, files: Sequence[DataFile], folder: Path) -> list[str]:
    """`--data` for each of the program's `files`; arrays are written to `folder` first. Raises GeodeError."""
    if data is None:
        return []
    items = data if isinstance(data, list | tuple) and _are_files(data) else [data]
    options = []
    for number, item in enumerate(items, start=1):
        if isinstance(item, str | os.PathLike):
            path = Path(path_of("data", item))
        else:
            # One too many is told by the binary.
            file = files[min(number, len(files)) - 1] if files else None
            path = _write(array_of(item), file, folder / f"data-{number}")
        name = "--data" if len(items) == 1 else f"--data-{number}"
        options.append(f"{name}={path}")
    return options


def _are_files(items: Sequence[Any]) -> bool:
    """Several files, rather than the rows of one: paths, or arrays with rows of their own."""
    if not items:
        raise GeodeError("`data` is an empty list")
    return all(isinstance(item, str | os.PathLike) or getattr(item, "ndim", 0) >= 2 for item in items)


def _write(table: NDArray[np.float32], file: DataFile | None, path: Path) -> Path:
    """Writes the rows as the program reads them; an array of other shape will do if its rows lie in a line."""
    import numpy as np

    if file is None:
        write_csv(table, path)
        return path
    numbers, wanted = math.prod(table.shape[1:]), math.prod(file.shape)
    if table.shape[1:] != file.shape and (numbers != wanted or (table.ndim > 2 and len(file.shape) > 1)):
        shape = ":".join(["r", *map(str, file.shape)])
        raise GeodeError(f"`data`: the program reads rows of {shape}, not an array of shape {table.shape}")
    if file.kind == "npy":
        path = path.with_suffix(".npy")
        write_npy(table, file.shape, path)
    elif file.kind == "text":
        if not np.isin(table, np.arange(256)).all():
            raise GeodeError(f"`data`: the program reads a text, whose numbers are bytes 0 to 255, not {shown(table)}")
        path.write_bytes(table.astype(np.uint8).tobytes())
    else:
        write_csv(table, path)
    return path
