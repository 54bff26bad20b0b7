"""Moments of the normals. Statements about chance: bounds are five standard errors, seeds are fixed."""

from __future__ import annotations

import math

import numpy as np
import pytest

from geode.reference import streams

COUNT = 1 << 20
# E z^k, and E z^2k for the standard error of the k-th moment's mean.
MOMENTS = {1: 0, 2: 1, 3: 0, 4: 3, 5: 0, 6: 15, 8: 105, 10: 945, 12: 10395}


@pytest.mark.parametrize("key", [0, 1, 0xA388BE70D4A996F1])
@pytest.mark.parametrize("power", [1, 2, 3, 4, 5, 6])
def test_moments_are_those_of_the_normal(key: int, power: int) -> None:
    """Each of the first six moments of 2^20 normals is within five standard errors."""
    z = streams.normals(key, 0, COUNT).astype(np.float64)
    error = math.sqrt((MOMENTS[2 * power] - MOMENTS[power] ** 2) / COUNT)
    assert abs((z**power).mean() - MOMENTS[power]) < 5 * error


def test_the_four_normals_of_a_block_are_uncorrelated() -> None:
    """Correlations between the places of a block, and with the next block, are those of chance."""
    z = streams.normals(8, 0, COUNT).reshape(-1, 4).astype(np.float64)
    both = np.concatenate([z[:-1], z[1:]], axis=1)
    correlation = np.corrcoef(both.T) - np.eye(8)
    assert np.abs(correlation).max() < 5 / math.sqrt(len(both))


def test_streams_of_neighbouring_pairs_are_uncorrelated() -> None:
    """Keys that differ by one pair, epoch or name bit give unrelated normals."""
    keys = [streams.stream_key(hi, 42, e, p) for hi in (6, 7) for e in (0, 1) for p in (0, 1)]
    z = np.array([streams.normals(key, 0, 1 << 16) for key in keys], np.float64)
    correlation = np.corrcoef(z) - np.eye(len(keys))
    assert np.abs(correlation).max() < 5 / math.sqrt(1 << 16)


def test_the_distribution_is_the_normal_one() -> None:
    """The largest distance between the empirical and the exact distribution function is that of chance."""
    z = np.sort(streams.normals(9, 0, 1 << 17).astype(np.float64))
    exact = np.array([0.5 * math.erfc(-x / math.sqrt(2)) for x in z])
    empirical = np.arange(1, len(z) + 1) / len(z)
    assert np.abs(empirical - exact).max() * math.sqrt(len(z)) < 2.2  # Kolmogorov: exceeded once in 8 000


def test_uniforms_fill_the_unit_interval_evenly() -> None:
    """Chi-square of 256 bins stays within five standard deviations of its mean."""
    counts = np.histogram(streams.uniforms(10, 0, COUNT), bins=256, range=(0, 1))[0]
    chi2 = ((counts - COUNT / 256) ** 2 / (COUNT / 256)).sum()
    assert abs(chi2 - 255) < 5 * math.sqrt(2 * 255)
