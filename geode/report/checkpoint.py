"""A safetensors file -> arrays and metadata, and arrays -> a file, with NumPy alone.

In: the path of a file that SAVE-MODEL or SAVE-MODEL-ALL wrote, or of any safetensors file. Out: a `Checkpoint`.
Invariant: what is returned was checked against the file's size and its own header, or a `CheckpointError` says what is wrong.
"""

from __future__ import annotations

import hashlib
import json
import math
import os
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from geode.errors import FileReadError, GeodeError
from geode.record import dataclass

_TYPES = {
    "BOOL": "|b1", "F64": "<f8", "F32": "<f4", "F16": "<f2",
    "I64": "<i8", "I32": "<i4", "I16": "<i2", "I8": "|i1",
    "U64": "<u8", "U32": "<u4", "U16": "<u2", "U8": "|u1",
}  # fmt: skip
_STATE = "geode-state-1"  # the format whose files have digests of their numbers and notes
_LONGEST_HEADER = 100_000_000  # bytes: the limit of the safetensors libraries


class CheckpointError(GeodeError, ValueError):
    """The file is no safetensors file, or one with numbers that NumPy does not have; the message names it."""


@dataclass(frozen=True, slots=True)
class Checkpoint:
    """A file's tensors by name, row-major, and the texts of its `__metadata__`."""

    tensors: dict[str, NDArray[Any]]
    metadata: dict[str, str]


def read_checkpoint(path: str | Path) -> Checkpoint:
    """Reads a whole file. OSError if it can't be read, CheckpointError if it is not as the format wants it.

    The format: 8 bytes of header length, little-endian; a JSON object of name -> dtype, shape, data_offsets, where
    `__metadata__` maps texts to texts; the tensors' bytes, little-endian and row-major.
    """
    data = Path(path).read_bytes()
    length = int.from_bytes(data[:8], "little")
    if len(data) < 8 or length > min(len(data) - 8, _LONGEST_HEADER):
        raise CheckpointError(f"{path}: not a safetensors file: it is shorter than its header says")
    try:
        header = json.loads(data[8 : 8 + length].decode("utf-8"), object_pairs_hook=_unique)
    except (ValueError, RecursionError) as error:
        raise CheckpointError(f"{path}: not a safetensors file: its header is no JSON object ({error})") from None
    if not isinstance(header, dict):
        raise CheckpointError(f"{path}: not a safetensors file: its header is no JSON object")
    metadata = header.pop("__metadata__", {})
    if not isinstance(metadata, dict) or not all(isinstance(value, str) for value in metadata.values()):
        raise CheckpointError(f"{path}: not a safetensors file: its __metadata__ is no table of texts")
    body = data[8 + length :]
    try:
        tensors = {name: _tensor(name, record, body) for name, record in header.items()}
    except CheckpointError as error:
        raise CheckpointError(f"{path}: {error}") from None
    _check_places(path, header.values(), len(body))
    if metadata.get("format") == _STATE:
        if metadata.get("data") != hashlib.sha256(body).hexdigest():
            raise CheckpointError(f"{path}: is damaged: its numbers are not those that were saved")
        if metadata.get("header") != _header_digest(tensors, metadata):
            raise CheckpointError(f"{path}: is damaged: its notes are not those that were saved")
    return Checkpoint(tensors, metadata)


def _check_places(path: str | Path, records: Iterable[Mapping[str, Any]], size: int) -> None:
    """CheckpointError unless every byte of the data belongs to one tensor."""
    at = 0
    for begin, end in sorted(tuple(record["data_offsets"]) for record in records):
        if begin != at:
            what = "its tensors overlap" if begin < at else "there are bytes between its tensors"
            raise CheckpointError(f"{path}: not a safetensors file: {what}")
        at = end
    if at != size:
        raise CheckpointError(f"{path}: not a safetensors file: there are bytes behind its tensors")


def _header_digest(tensors: Mapping[str, NDArray[Any]], notes: Mapping[str, str]) -> str:
    """SHA-256 of all notes but `header` itself, and of the names and shapes of the tensors, as a state has it."""
    texts = [text for key in sorted(notes, key=str.encode) if key != "header" for text in (key, notes[key])]
    for name in sorted(tensors, key=str.encode):
        texts += [name, ":".join(["r", *map(str, tensors[name].shape)])]
    return hashlib.sha256("".join(f"{text}\0" for text in texts).encode()).hexdigest()


def load(path: str | Path) -> dict[str, NDArray[Any]]:
    """The tensors of a file by name: of SAVE-MODEL's file the parameters. FileReadError if it can't be read,
    CheckpointError if it is no safetensors file.
    """
    given: object = path  # callers without types give anything
    if not isinstance(given, str | os.PathLike) or not os.fspath(given):
        raise CheckpointError(f"`path` must be a path, not {path!r}")
    try:
        return read_checkpoint(path).tensors
    except OSError as error:
        raise FileReadError(error.errno, error.strerror, str(path)) from None


def write_checkpoint(path: str | Path, tensors: Mapping[str, NDArray[np.float32]]) -> None:
    """Writes float32 tensors by name, keys sorted and the header padded as the runtime does. OSError if it can't."""
    header: dict[str, Any] = {}
    body = b""
    for name, tensor in sorted(tensors.items(), key=lambda item: item[0].encode("utf-8")):
        raw = tensor.astype("<f4").tobytes()
        header[name] = {"data_offsets": [len(body), len(body) + len(raw)], "dtype": "F32", "shape": list(tensor.shape)}
        body += raw
    text = json.dumps(header, separators=(",", ":"), ensure_ascii=False).encode("utf-8")
    text += b" " * (-len(text) % 8)
    Path(path).write_bytes(len(text).to_bytes(8, "little") + text + body)


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    table = dict(pairs)
    if len(table) < len(pairs):
        raise ValueError("a name occurs twice")
    return table


def _tensor(name: str, record: object, body: bytes) -> NDArray[Any]:
    if not isinstance(record, Mapping) or set(record) != {"dtype", "shape", "data_offsets"}:
        raise CheckpointError(f"{name} must have dtype, shape and data_offsets")
    if not isinstance(record["dtype"], str) or record["dtype"] not in _TYPES:
        raise CheckpointError(f"{name} holds numbers of type {record['dtype']}, which NumPy does not have")
    dtype: np.dtype[Any] = np.dtype(_TYPES[record["dtype"]])
    shape, offsets = record["shape"], record["data_offsets"]
    if not (_sizes(shape) and _sizes(offsets) and len(offsets) == 2 and offsets[0] <= offsets[1] <= len(body)):
        raise CheckpointError(f"{name} lies outside the file")
    if offsets[1] - offsets[0] != math.prod(shape) * dtype.itemsize:
        raise CheckpointError(f"the shape of {name} and its size differ")
    flat: NDArray[Any] = np.frombuffer(body[offsets[0] : offsets[1]], dtype).copy()
    try:
        array: NDArray[Any] = flat.reshape(shape)
    except (ValueError, OverflowError):
        raise CheckpointError(f"{name} has a shape that NumPy can't hold") from None
    return array


def _sizes(value: object) -> bool:
    return isinstance(value, list) and all(type(size) is int and size >= 0 for size in value)
