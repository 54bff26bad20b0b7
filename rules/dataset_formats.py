"""What a data set's file holds: a CSV's rows, an array's, or a text's bytes.

In: what a BUILD file says of it, and its bytes. Out: nothing; BuildError with the first thing that is wrong. Invariant:
a file that is good here has what the program that reads it is told.
"""

from __future__ import annotations

import io
import math

from rules.errors import BuildError
from rules.install import install_extra
from rules.providers import DatasetInfo

FORMATS = ("csv", "npy", "text")


def check_format(info: DatasetInfo, data: bytes) -> None:
    """Compare a file's bytes with what is declared of them."""
    if info.format == "text":
        _check_count(info, len(data), "bytes", info.bytes)
    elif info.format == "npy":
        _check_array(info, data)
    else:
        _check_csv(info, data)


def _check_count(info: DatasetInfo, found: int, what: str, wanted: int) -> None:
    if found != wanted:
        raise BuildError(f"{info.path} has {found} {what}, its BUILD file says {wanted}")


def _check_array(info: DatasetInfo, data: bytes) -> None:
    try:
        import numpy as np  # here alone: building needs none
    except ImportError:
        raise BuildError(f"to check {info.path}, NumPy is needed: {install_extra('python')}") from None
    try:
        array = np.load(io.BytesIO(data), allow_pickle=False)
    except (ValueError, EOFError, OSError) as error:
        raise BuildError(f"{info.path} is no npy file: {error}") from None
    if not isinstance(array, np.ndarray) or array.dtype.kind not in "biuf" or not array.ndim:
        raise BuildError(f"{info.path} is no array of rows of numbers")
    _check_count(info, array.shape[0], "rows", info.rows)
    _check_count(info, math.prod(array.shape[1:]), "columns", info.columns)


def _check_csv(info: DatasetInfo, data: bytes) -> None:
    lines = data.decode("utf-8", errors="replace").splitlines()
    header = bool(lines) and not _is_number(lines[0].partition(",")[0])  # skipped, as by CSV-INPUT
    rows = [(number, line) for number, line in enumerate(lines, 1) if line.strip() and not (header and number == 1)]
    _check_count(info, len(rows), "rows", info.rows)
    for number, line in rows:
        fields = line.split(",")
        if len(fields) != info.columns:
            raise BuildError(f"{info.path}:{number}: {len(fields)} columns, its BUILD file says {info.columns}")
        for column, field in enumerate(fields, 1):
            if not _is_number(field):
                raise BuildError(f"{info.path}:{number}: column {column}: `{field.strip()}` is not a number")


def _is_number(field: str) -> bool:
    try:
        float(field)
    except ValueError:
        return False
    return "_" not in field
