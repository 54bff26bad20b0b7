"""Broken files in great numbers: mutated from good ones, read by the runtime under the sanitizers, many in one process.

In: good files by kind, a seed, a count. Out: what became of each. Invariant: the file of a number and a seed is always
the same one.
"""

from __future__ import annotations

import os
import random
import subprocess
import zlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from tests.harness.compile_c import ROOT, SANITIZED
from tests.harness.runtime_program import runtime_program

DRIVER = ROOT / "tests" / "runtime" / "fuzz_driver.c"
PACK = 1000  # files a process, which keeps the memory of those that it refuses
_TOKENS = {
    "c": [
        b",",
        b"\n",
        b"\r",
        b'"',
        b" ",
        b"\xef\xbb\xbf",
        b"-",
        b".",
        b"e",
        b"E+9",
        b"e-50",
        b"1e39",
        b"nan",
        b"0" * 40,
    ],
    "n": [b"'", b"(", b")", b",", b"{", b"}", b"True", b"<f8", b">i2", b"|b1", b"-1", b"L", b"9" * 20, b"\xff\xff"],
    "s": [b'"', b"{", b"}", b"[", b"]", b",", b":", b"\\", b"9", b"\\ud800", b"1e5", b"9" * 20],
}
_TOKENS["t"] = _TOKENS["c"] + _TOKENS["n"]


def wanted_files(usual: int) -> int:
    """How many files GEODE_FUZZ asks for, `usual` where it is not set; ends the test with a message if it is no count."""
    text = os.environ.get("GEODE_FUZZ", str(usual))
    if not (text.isascii() and text.isdecimal() and int(text) > 0):
        pytest.fail(f"GEODE_FUZZ must be an integer at least 1, not {text!r}", pytrace=False)
    return int(text)


@dataclass(frozen=True, slots=True)
class Broken:
    """A file, its kind as the driver's letter, and the driver's line about it."""

    kind: str
    data: bytes
    said: str

    @property
    def taken(self) -> bool:
        """True for a file that was read as a good one."""
        return self.said.startswith("ok ")


def mutated(kind: str, data: bytes, head: int, rng: random.Random) -> bytes:
    """The file with a few bytes changed, removed, doubled, put in or cut off, mostly among the first `head`."""
    changed = bytearray(data)
    for _ in range(rng.choice((1, 1, 1, 2, 5))):
        place = rng.randrange(min(len(changed), head if rng.random() < 0.9 else len(changed)) or 1)
        match rng.randrange(7):
            case 0:
                changed[place : place + 1] = bytes([rng.randrange(256)])
            case 1:
                changed[place : place + 1] = bytes([(changed[place : place + 1] or b"\0")[0] ^ 1 << rng.randrange(8)])
            case 2:
                del changed[place : place + rng.choice((1, 2, 30))]
            case 3:
                changed[place:place] = changed[place : place + rng.choice((1, 2, 30))]
            case 4:
                changed[place:place] = rng.choice(_TOKENS[kind])
            case 5:
                changed[place : place + 1] = rng.choice((b"0", b"9", b"-", b"\0", b"1e5", b"\n"))
            case _:
                changed = changed[:place] if rng.random() < 0.3 else changed
    return bytes(changed)


def heads(kind: str, data: bytes) -> int:
    """Where most of what is to be broken lies."""
    if kind == "s":
        return 8 + int.from_bytes(data[:8], "little")
    return 128 if data.startswith(b"\x93NUMPY") else len(data)


def fuzz(files: Mapping[str, Sequence[bytes]], folder: Path, seed: int, count: int) -> list[Broken]:
    """Break `count` files and have them read; AssertionError with the first at which the driver crashed or hung."""
    driver = runtime_program(SANITIZED, DRIVER, 1, 1, leave_out=("gs_main", "gs_fail"))
    found: list[Broken] = []
    kinds = sorted(files)
    for first in range(0, count, PACK):
        pack = []
        for number in range(first, min(first + PACK, count)):
            rng = random.Random(seed * 1_000_003 + number)
            kind = kinds[number % len(kinds)]
            good = rng.choice(files[kind])
            pack.append((kind, mutated(kind, good, heads(kind, good), rng)))
        lines = _read(driver, folder, pack)
        found += [Broken(kind, data, said) for (kind, data), said in zip(pack, lines, strict=True)]
        if count > PACK:
            print(f"{len(found)} of {count} files, {sum(broken.taken for broken in found)} taken", flush=True)
    return found


def _read(driver: Path, folder: Path, pack: Sequence[tuple[str, bytes]]) -> list[str]:
    given = b"".join(kind.encode() + len(data).to_bytes(4, "little") + data for kind, data in pack)
    command = [driver, folder / "broken"]
    environment = {"ASAN_OPTIONS": "detect_leaks=0:allocator_may_return_null=1"}
    done = subprocess.run(command, input=given, capture_output=True, check=False, timeout=300, env=environment)
    lines = done.stdout.decode("utf-8", errors="replace").split("\n")[:-1]
    assert done.returncode == 0, f"{pack[min(len(lines), len(pack) - 1)]!r}\n{done.stderr.decode(errors='replace')}"
    assert len(lines) == len(pack)
    return lines


def crc_of(numbers: NDArray[Any]) -> str:
    """What the driver says of a file with these numbers."""
    single = np.where(np.isnan(numbers), np.float32(np.nan), numbers).astype("<f4")
    return f"ok {zlib.crc32(single.tobytes()):08x}"
