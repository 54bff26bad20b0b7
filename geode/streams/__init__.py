"""The table `geode-normal-1`: words of a random stream -> constants of the transform to normals.

In: `normal-1.json`, beside this file. Out: a `NormalTable`, from which both the NumPy twin
(`geode/reference/streams.py`) and the C header (`geode/runtime/gs_normal_table.h`) are made.
Invariant: every number in the table is a float32 value, so no reader ever rounds one.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import cache
from pathlib import Path

TABLE_FILE = Path(__file__).with_name("normal-1.json")


@dataclass(frozen=True, slots=True)
class NormalTable:
    """Coefficients of the Box-Muller transform; each tuple ascends in the power of its variable.

    `log`, in x = m - 1 where u = m * 2**-e and sqrt(1/2) <= m < sqrt(2): -2 ln m = x * log(x).
    `log_split`: bits of the float32 at which m begins. `log_step`: 2 ln 2, multiplied by e.
    `sine` and `cosine`, in q = t * t, t in quarter turns in [-1/2, 1/2]:
    sin = t * sine(q), cos = 1 + q * cosine(q).
    `digest`: SHA-256 (hex) of the first `digest_count` normals of key 0, little-endian float32.
    """

    name: str
    log_split: int
    log_step: float
    log: tuple[float, ...]
    sine: tuple[float, ...]
    cosine: tuple[float, ...]
    digest_count: int
    digest: str


@cache
def normal_table() -> NormalTable:
    """Return the table of `normal-1.json`; ValueError if a number there is no float32."""
    return parse_table(TABLE_FILE.read_text(encoding="utf-8"))


def parse_table(text: str) -> NormalTable:
    """Return the table written in `text` (JSON, numbers as C hexadecimal floats in strings)."""
    data = json.loads(text)
    return NormalTable(
        name=str(data["name"]),
        log_split=int(data["log_split"], 16),
        log_step=_float32(data["log_step"]),
        log=tuple(_float32(c) for c in data["log"]),
        sine=tuple(_float32(c) for c in data["sine"]),
        cosine=tuple(_float32(c) for c in data["cosine"]),
        digest_count=int(data["digest_count"]),
        digest=str(data["digest"]),
    )


def _float32(text: str) -> float:
    """Return the number written in hexadecimal; it has at most 24 significant bits."""
    value = float.fromhex(text)
    numerator, _ = value.as_integer_ratio()
    if len(bin(abs(numerator)).rstrip("0")) - 2 > 24:
        raise ValueError(f"{text} is not a float32 value")
    return value
