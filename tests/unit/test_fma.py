"""The NumPy fused multiply-add against exact fractions."""

from __future__ import annotations

from fractions import Fraction

import numpy as np

from tests.harness.fma import fma32


def rounded(exact: Fraction) -> float:
    """The float32 nearest to a fraction, ties to even, by comparing with both neighbours exactly."""
    near = np.float32(float(exact))
    choices = [near, np.nextafter(near, np.float32(np.inf)), np.nextafter(near, np.float32(-np.inf))]
    best = min(abs(Fraction(float(x)) - exact) for x in choices)
    closest = [x for x in choices if abs(Fraction(float(x)) - exact) == best]
    return float(min(closest, key=lambda x: int(np.float32(x).view(np.int32)) & 1))


def test_the_product_and_the_sum_are_rounded_once():
    """Random values of all sizes, and values made so that the float64 sum would be a tie of float32."""
    rng = np.random.default_rng(12)
    a, b, c = (rng.standard_normal((3, 4000)) * 2.0 ** rng.integers(-20, 20, (3, 4000))).astype(np.float32)
    ties = (1 + rng.integers(0, 2**23, 500) * 2.0**-23).astype(np.float32)
    a = np.concatenate([a, np.full(500, 2.0**-24, np.float32), np.full(500, 1 + 2.0**-23, np.float32)])
    b = np.concatenate([b, np.ones(500, np.float32), np.full(500, (1 + 2.0**-22) * 2.0**-24, np.float32)])
    c = np.concatenate([c, ties, ties])
    got = fma32(a, b, c).tolist()
    exact = [Fraction(float(x)) * Fraction(float(y)) + Fraction(float(z)) for x, y, z in zip(a, b, c, strict=True)]
    assert got == [rounded(value) for value in exact]


def test_it_differs_from_two_roundings():
    """(1 + 2^-12)² - (1 + 2^-11) is 2^-24; with the product rounded first nothing is left."""
    a, c = np.float32(1 + 2.0**-12), np.float32(-1 - 2.0**-11)
    assert float(fma32(a, a, c)) == 2.0**-24
    assert float(a * a + c) == 0
