"""Broken checkpoints: whatever the bytes are, the program takes the file or says what is wrong, and never crashes.

Run by hand for longer: `GEODE_FUZZ=100000 pytest --slow tests/properties/test_checkpoint_fuzz.py -k many`.
"""

from __future__ import annotations

import random
from contextlib import suppress
from pathlib import Path

import pytest

from geode.report.checkpoint import CheckpointError, read_checkpoint
from tests.harness.compile_c import ROOT, SANITIZED
from tests.harness.fuzz import wanted_files
from tests.harness.runtime_program import runtime_program
from tests.harness.saved_runs import Saver

SOURCE = ROOT / "tests" / "runtime" / "stages.c"

pytestmark = [pytest.mark.native, pytest.mark.skipif(SANITIZED.missing() is not None, reason=str(SANITIZED.missing()))]


def mutated(data: bytes, rng: random.Random) -> bytes:
    """The file with a few bytes changed, removed, doubled or cut off, mostly in its header."""
    changed = bytearray(data)
    header = 8 + int.from_bytes(data[:8], "little")
    for _ in range(rng.choice((1, 1, 1, 2, 5))):
        place = rng.randrange(min(len(changed), header if rng.random() < 0.9 else len(changed)) or 1)
        match rng.randrange(6):
            case 0:
                changed[place : place + 1] = bytes([rng.randrange(256)])
            case 1:
                del changed[place : place + rng.choice((1, 2, 30))]
            case 2:
                changed[place:place] = changed[place : place + rng.choice((1, 2, 30))]
            case 3:
                changed[place:place] = rng.choice((b'"', b"{", b"}", b"[", b"]", b",", b":", b"\\", b"9", b"\\ud800"))
            case 4:
                changed[place : place + 1] = rng.choice((b"0", b"9", b"-", b"1e5", b"99999999999999999999", b"\0"))
            case _:
                changed = changed[:place] if rng.random() < 0.3 else changed
    return bytes(changed)


def fuzz(folder: Path, seed: int, count: int) -> int:
    """Tries `count` broken files on the binary, with sanitizers, and on the Python reader; how many the binary took."""
    (folder / "train.csv").write_text("1,2\n" * 10, encoding="utf-8")
    saver = Saver(runtime_program(SANITIZED, SOURCE, 1, 1), folder, ("--epochs", "2", "--population", "2"))
    stop = ("--stop-at-epoch", "3")
    saver.good("--save-model-all", "s.safetensors", "--save-model", "m.safetensors", *stop)
    files = [saver.read("s.safetensors"), saver.read("m.safetensors")]
    taken = 0
    for number in range(count):
        rng = random.Random(seed * 1_000_003 + number)
        data = mutated(rng.choice(files), rng)
        saver.write("x.safetensors", data)
        done = saver.run("--resume-model", "x.safetensors", *stop)
        refused = done.status == 1 and done.err.startswith("stages: error: ")
        assert (done.status == 0 and not done.err) or refused, (seed, number, data, done.err)
        taken += done.status == 0
        with suppress(CheckpointError):
            read_checkpoint(folder / "x.safetensors")
    return taken


def test_a_few_broken_files(tmp_path: Path) -> None:
    """Most are refused; some, like those with a changed weight, are files as good as any."""
    assert 0 < fuzz(tmp_path, 1, 150) < 75


@pytest.mark.slow
def test_many_broken_files(tmp_path: Path) -> None:
    """The same for longer."""
    count = wanted_files(2000)
    assert 0 < fuzz(tmp_path, 2, count) < count / 2
