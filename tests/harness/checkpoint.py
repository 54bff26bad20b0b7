"""Safetensors files written from Python, whole or wrong on purpose, without any code of Geode.

In: arrays and notes. Out: the bytes of a file. Invariant: equal contents give the bytes that the runtime writes.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray


def checkpoint_bytes(tensors: Mapping[str, NDArray[Any]], notes: Mapping[str, str]) -> bytes:
    """Float32 tensors by name and metadata as a file: keys sorted by their bytes, the header padded to 8 bytes."""
    header: dict[str, Any] = {"__metadata__": dict(sorted(notes.items(), key=_key))}
    body = b""
    for name, tensor in sorted(tensors.items(), key=_key):
        raw = tensor.astype("<f4").tobytes()
        offsets = [len(body), len(body) + len(raw)]
        header[name] = {"data_offsets": offsets, "dtype": "F32", "shape": list(tensor.shape)}
        body += raw
    text = json.dumps(dict(sorted(header.items(), key=_key)), separators=(",", ":"), ensure_ascii=False).encode()
    text += b" " * (-len(text) % 8)
    return len(text).to_bytes(8, "little") + text + body


def with_digest(tensors: Mapping[str, NDArray[Any]], notes: Mapping[str, str]) -> dict[str, str]:
    """The notes of a state that holds these tensors: `data` is the digest of their bytes, in the order of the file, `header`
    that of the other notes and of the tensors' names and shapes.
    """
    body = b"".join(tensor.astype("<f4").tobytes() for _, tensor in sorted(tensors.items(), key=_key))
    found = {**notes, "data": hashlib.sha256(body).hexdigest()}
    texts = [text for item in sorted(found.items(), key=_key) if item[0] != "header" for text in item]
    for name, tensor in sorted(tensors.items(), key=_key):
        texts += [name, ":".join(["r", *map(str, tensor.shape)])]
    return {**found, "header": hashlib.sha256("".join(f"{text}\0" for text in texts).encode()).hexdigest()}


def header_of(path: Path) -> dict[str, Any]:
    """The header as it stands in the file, in its order."""
    data = path.read_bytes()
    found = json.loads(data[8 : 8 + int.from_bytes(data[:8], "little")])
    assert isinstance(found, dict)
    return found


def arrays_of(path: Path) -> dict[str, NDArray[np.float32]]:
    """The tensors, by the format's definition."""
    data = path.read_bytes()
    start = 8 + int.from_bytes(data[:8], "little")
    found = {}
    for name, record in header_of(path).items():
        if name != "__metadata__":
            begin, end = record["data_offsets"]
            found[name] = np.frombuffer(data[start + begin : start + end], "<f4").reshape(record["shape"])
    return found


def _key(item: tuple[str, object]) -> bytes:
    return item[0].encode()
