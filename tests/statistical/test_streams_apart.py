"""Streams of different steps, tensors and members are different and uncorrelated; fixed keys, bounds of five deviations."""

from __future__ import annotations

import itertools
import math

import numpy as np

from geode.reference.streams import normals, stream_key, stream_name_hash

NAMES = [f"NET/LAYER.{number}/{kind}" for number in range(2, 12) for kind in ("weight", "bias")]


def test_all_keys_are_distinct() -> None:
    """20 tensors × 2 seeds × 50 steps × 50 pairs: 100 000 keys, none twice; nor with the initial weights' and the rows'."""
    names = [stream_name_hash(name) for name in NAMES]
    keys = [stream_key(*key) for key in itertools.product(names, (0, 1), range(50), range(50))]
    others = [stream_key(stream_name_hash(f"init:{name}"), seed, 0, 0) for name in NAMES for seed in (0, 1)]
    others += [stream_key(stream_name_hash("shuffle:"), seed, number, 0) for seed in (0, 1) for number in range(50)]
    assert len(set(keys) | set(others)) == len(keys) + len(others) == 100_140


def test_streams_are_uncorrelated() -> None:
    """The noise of 3 tensors × 4 neighbouring steps × 8 neighbouring pairs: every two of the 96 streams, 8 192 normals each."""
    names = [stream_name_hash(name) for name in NAMES[:3]]
    keys = [stream_key(name, 5, epoch, pair) for name in names for epoch in range(4) for pair in range(8)]
    z = np.array([normals(key, 0, 8192) for key in keys], np.float64)
    correlation = np.corrcoef(z) - np.eye(len(z))
    assert np.abs(correlation).max() < 5 / math.sqrt(8192)
    # Together they are no more alike than chance: the mean square is 1/8192 within five standard errors.
    pairs = correlation[np.triu_indices(len(z), 1)] * math.sqrt(8192)
    assert abs(np.mean(pairs**2) - 1) < 5 * math.sqrt(2 / len(pairs))
    shifted = np.corrcoef(z[:, :-1], z[:, 1:])[: len(z), len(z) :]  # one place apart, each with each
    assert np.abs(shifted).max() < 5.5 / math.sqrt(8191)
