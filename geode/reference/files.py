"""Data files as arrays: CSV, npy and text.

In: a file as MAIN names it, or a table, and the folder that paths are relative to. Out: float32 arrays. Invariant: a
number is the float32 nearest to the one in the file, ties to even; ValueError where a file is not what is wanted.
"""

from __future__ import annotations

import csv
import math
import re
from fractions import Fraction
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from geode.graph.training_program import DataFile
from geode.graph.types import Shape
from geode.graph.values import TableFile

F32 = NDArray[np.float32]
_DECIMAL = re.compile(r"[-+]?([0-9]+(\.[0-9]*)?|\.[0-9]+)([eE][-+]?[0-9]+)?")


def read_rows(file: DataFile, directory: Path) -> F32:
    """Return a data file's rows, `[rows, …]`."""
    path = directory / file.path
    if file.kind == "npy":
        return read_npy(path, file.shape, rows=True)
    if file.kind == "text":
        return read_windows(path, file.row_floats)
    table = read_csv(path)
    if table.shape[1] != file.row_floats:
        raise ValueError(f"{path}: rows of {file.row_floats} numbers are wanted")
    return table


def read_table(table: TableFile, directory: Path) -> F32:
    """Return what TABLE reads, in its shape."""
    path = directory / table.path
    if path.read_bytes().startswith(b"\x93NUMPY"):
        return read_npy(path, table.shape, rows=False)
    numbers = read_csv(path)
    widths = {math.prod(table.shape[axis:]) for axis in range(len(table.shape) + 1)}
    if numbers.size != math.prod(table.shape) or numbers.shape[1] not in widths:
        raise ValueError(f"{path}: a table of shape {table.shape} is wanted, not {numbers.shape}")
    return numbers.reshape(table.shape)


def read_windows(path: Path, width: int) -> F32:
    """Return a file's bytes `[rows, width]`; a short last window is dropped."""
    data = np.frombuffer(path.read_bytes(), np.uint8)
    if len(data) < width:
        raise ValueError(f"{path}: {len(data)} bytes are no window of {width}")
    count = len(data) // width
    return data[: count * width].reshape(count, width).astype(np.float32)


def read_npy(path: Path, shape: Shape, *, rows: bool) -> F32:
    """Return an npy file's array, whose shape is `shape`, or of `rows` so many behind a first axis of any size."""
    array = np.load(path, allow_pickle=False)
    if array.dtype.kind not in "biuf" or array.dtype.itemsize > 8:
        raise ValueError(f"{path}: numbers of type {array.dtype} can't be read")
    found = array.shape[1:] if rows and array.ndim else array.shape
    if found != shape or not array.size or (rows and not array.ndim):
        raise ValueError(f"{path}: shape {shape} is wanted, not {array.shape}")
    with np.errstate(over="ignore"):
        numbers: F32 = array.astype(np.float32)
    if not np.isfinite(numbers).all():
        raise ValueError(f"{path}: a number is NaN, infinite or beyond float32")
    return numbers


def read_csv(path: Path) -> F32:
    """Return a CSV file's rows `[rows, k]`; a first line without a number is skipped, and so are blank lines."""
    text = path.read_bytes().decode("utf-8-sig", errors="surrogateescape")
    lines = [line.removesuffix("\r") for line in text.split("\n")]
    try:
        rows = [[field.strip(" \t") for field in row] for row in csv.reader(lines, skipinitialspace=True) if row]
    except csv.Error as error:
        raise ValueError(f"{path}: {error}") from error
    rows = [row for row in rows if row != [""]]
    if rows and not any(map(_DECIMAL.fullmatch, rows[0])):
        del rows[0]
    if not rows or any(len(row) != len(rows[0]) for row in rows):
        raise ValueError(f"{path}: rows of one length are wanted")
    wrong = [text for row in rows for text in row if not _DECIMAL.fullmatch(text)]
    if wrong:
        raise ValueError(f"{path}: `{wrong[0]}` is not a number")
    numbers = nearest_float32([text for row in rows for text in row]).reshape(len(rows), -1)
    if not np.isfinite(numbers).all():
        raise ValueError(f"{path}: a number is beyond float32")
    return numbers


def nearest_float32(texts: list[str]) -> F32:
    """Return the float32 nearest to each decimal, ties to even.

    float64 is in between: where it lies in the middle of two float32, the exact decimal decides.
    """
    doubles = np.array([float(text) for text in texts], np.float64)
    with np.errstate(over="ignore"):
        singles = doubles.astype(np.float32)
    for place, text in enumerate(texts):
        near = singles[place]
        if not np.isfinite(near) or float(near) == doubles[place]:
            continue
        other = np.nextafter(near, np.float32(math.copysign(math.inf, doubles[place] - float(near))))
        if (float(near) + float(other)) / 2 == doubles[place]:
            exact, middle = Fraction(text), Fraction(float(doubles[place]))
            if exact != middle:
                singles[place] = max(near, other) if exact > middle else min(near, other)
    return singles
