"""The C streams against the NumPy ones, bit for bit, for every compiler, optimisation and vector width here."""

from __future__ import annotations

import hashlib
import subprocess
from pathlib import Path

import numpy as np
import pytest

from geode.reference import streams
from geode.streams import generate, normal_table
from tests.harness.compile_c import BIT_BUILDS, RUNTIME, compile_c

PROBE = Path(__file__).with_name("noise_probe.c")
KEY = 0xA388BE70D4A996F1

pytestmark = pytest.mark.native


@pytest.fixture(params=BIT_BUILDS, ids=str, scope="module")
def probe(request):
    """A function that runs the probe of one build and returns its bytes."""
    if missing := request.param.missing():
        pytest.skip(missing)
    program = compile_c(request.param, PROBE, RUNTIME / "gs_noise.c")

    def run(*arguments: object, stdin: bytes = b"") -> bytes:
        return subprocess.run([program, *map(str, arguments)], input=stdin, capture_output=True, check=True).stdout

    return run


def test_the_digest_is_the_one_in_the_table(probe) -> None:
    """SHA-256 of the first 2^20 normals of key 0."""
    table = normal_table()
    assert hashlib.sha256(probe("normals", 0, 0, table.digest_count)).hexdigest() == table.digest


@pytest.mark.parametrize("first", [0, 1, 2, 3, 5, 127, 2**34 - 50, 2**63 + 1])
def test_parts_of_streams_are_equal(probe, first: int) -> None:
    """Words and normals from any place, of any count, are NumPy's."""
    for count in (1, 2, 3, 4, 31, 32, 33, 200):
        assert probe("words", KEY, first, count) == streams.words(KEY, first, count).astype("<u4").tobytes()
        assert probe("normals", KEY, first, count) == streams.normals(KEY, first, count).astype("<f4").tobytes()


def test_sampled_and_special_words_are_transformed_alike(probe) -> None:
    """Word pairs of every magnitude, and the ends of the range as u1 and u2, signs of zero included."""
    w1, w2 = generate.sampled_words(1 << 16, seed=7)
    ties = np.array([2**k + d for k in range(24, 32) for d in range(-260, 261)] + [2**32 - 1 - d for d in range(600)])
    w1 = np.concatenate([w1, ties.astype(np.uint32), ties[::-1].astype(np.uint32)])
    w2 = np.concatenate([w2, ties.astype(np.uint32) ^ np.uint32(0x20000000), ties.astype(np.uint32)])
    expected = np.concatenate(streams.normals_from_words(w1, w2))
    data = np.concatenate([w1, w2]).astype("<u4").tobytes()
    assert probe("transform", len(w1), stdin=data) == expected.astype("<f4").tobytes()


def test_keys_are_equal(probe) -> None:
    """Keys of names, seeds, epochs and pairs, the extremes included."""
    for parts in [(0, 0, 0, 0), (2**64 - 1,) * 4, (streams.stream_name_hash("W"), 42, 3, 77)]:
        assert int(probe("key", *parts)) == streams.stream_key(*parts)
