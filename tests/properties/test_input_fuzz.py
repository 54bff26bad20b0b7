"""Broken CSV, npy and safetensors files: taken or refused with a message, never a crash, and taken as the reference does.

Run by hand for longer: `GEODE_FUZZ=100000 python -m pytest --slow -s tests/properties/test_input_fuzz.py -k many`.
"""

from __future__ import annotations

import io
from collections import Counter
from collections.abc import Mapping
from pathlib import Path

import numpy as np
import pytest

from geode.graph.training_program import DataFile
from geode.graph.values import TableFile
from geode.reference.files import read_rows, read_table
from tests.harness.compile_c import SANITIZED
from tests.harness.fuzz import Broken, crc_of, fuzz, wanted_files
from tests.harness.runtime_program import runtime_program
from tests.harness.saved_runs import Saver
from tests.properties.test_checkpoint_fuzz import SOURCE

pytestmark = [pytest.mark.native, pytest.mark.skipif(SANITIZED.missing() is not None, reason=str(SANITIZED.missing()))]


def good_files(folder: Path) -> Mapping[str, list[bytes]]:
    """Files of every kind, by the driver's letters."""
    random = np.random.default_rng(11)
    numbers = random.normal(scale=100, size=(12, 3))
    lines = [
        ",".join(f"{x:{form}}" for x in row)
        for row, form in zip(numbers, (".3f", ".9g", ".17e", ".0f") * 3, strict=True)
    ]
    csv = [
        "\n".join(lines) + "\n",
        "a,b,c\n" + "\r\n".join(lines),
        '"x","y ""z""","t"\n\n' + lines[0].replace(",", " , "),
    ]
    arrays = [
        (random.normal(size=(3, 2, 3)) * 50).astype(kind)
        for kind in ("<f4", "<f8", ">f8", "<f2", "u1", "<i4", ">i8", "?")
    ]
    (folder / "train.csv").write_text("1,2\n" * 10, encoding="utf-8")
    saver = Saver(runtime_program(SANITIZED, SOURCE, 1, 1), folder, ("--epochs", "2", "--population", "2"))
    saver.good("--save-model-all", "s.safetensors", "--save-model", "m.safetensors", "--stop-at-epoch", "3")
    return {
        "c": [text.encode() for text in csv],
        "n": [_saved(array, version) for array in arrays for version in ((1, 0), (2, 0))],
        "t": [b"1,2\n3,4\n", b"1,2,3,4\n", _saved(np.eye(2), (1, 0)), _saved(np.eye(2, dtype=np.uint8), (3, 0))],
        "s": [saver.read("s.safetensors"), saver.read("m.safetensors")],
    }


def _saved(array: np.ndarray[tuple[int, ...], np.dtype[np.generic]], version: tuple[int, int]) -> bytes:
    file = io.BytesIO()
    np.lib.format.write_array(file, array, version)
    return file.getvalue()


def _wrong(broken: Broken, folder: Path) -> str | None:
    """What is not as it should be about a file: no message about it, or other numbers than the reference reads."""
    if not broken.taken:
        return None if broken.said.startswith(str(folder / "broken")) else "the message does not name the file"
    if broken.kind == "s":
        return None
    (folder / "again").write_bytes(broken.data)
    try:
        if broken.kind == "t":
            numbers = read_table(TableFile("again", (2, 2)), folder)
        else:
            npy = broken.kind == "n"
            file = DataFile("again", "npy", (2, 3)) if npy else DataFile("again", "csv", (3,))
            numbers = read_rows(file, folder)
    except ValueError as error:
        loose = broken.kind in "ct" and (b'"' in broken.data or b"\r" in broken.data)  # the csv module's own rules
        return None if loose else f"the reference refuses it: {error}"
    return None if crc_of(numbers) == broken.said else f"the reference reads {numbers.tolist()}"


def _check(folder: Path, seed: int, count: int) -> Counter[tuple[str, bool]]:
    found = fuzz(good_files(folder), folder, seed, count)
    wrong = [(broken, what) for broken in found if (what := _wrong(broken, folder)) is not None]
    assert not wrong, "\n".join(f"{broken}: {what}" for broken, what in wrong[:5])
    counts = Counter((broken.kind, broken.taken) for broken in found)
    print(sorted(counts.items()))
    return counts


def test_a_few_broken_files(tmp_path: Path) -> None:
    """Of each kind some are taken and more are refused."""
    counts = _check(tmp_path, 1, 800)
    assert all(counts[kind, taken] > 5 for kind in "cnts" for taken in (True, False))


@pytest.mark.slow
def test_many_broken_files(tmp_path: Path) -> None:
    """The same for longer."""
    _check(tmp_path, 2, wanted_files(10000))
