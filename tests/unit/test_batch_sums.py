"""The order of the batch sum's additions, against a loop over scalars that follows the rule word by word."""

from __future__ import annotations

import math

import numpy as np
import pytest

from geode.reference.batch_sums import batch_mean, batch_sum


def by_the_rule(values):
    """One Python float at a time: blocks of 960, eight partials by row mod 8, their fixed combination."""
    total = 0.0
    for start in range(0, len(values), 960):
        p = [0.0] * 8
        for row in range(start, min(start + 960, len(values))):
            p[row % 8] += float(values[row])
        total += ((p[0] + p[4]) + (p[2] + p[6])) + ((p[1] + p[5]) + (p[3] + p[7]))
    return total


@pytest.mark.parametrize("rows", [1, 2, 7, 8, 9, 47, 48, 49, 959, 960, 961, 1000, 1919, 1920, 1921, 2000])
def test_the_sum_is_the_rule_to_the_bit(rows):
    """Every count around the blocks' and partials' edges, for values of very different size."""
    rng = np.random.default_rng(rows)
    values = (rng.standard_normal(rows) * 10.0 ** rng.integers(-6, 7, rows)).astype(np.float32)
    assert float(batch_sum(values)) == by_the_rule(values)
    assert float(batch_mean(values)) == by_the_rule(values) / rows


def test_the_order_shows_in_the_bits():
    """The test values tell this order from a plain sum: else the test above would prove nothing."""
    rng = np.random.default_rng(2000)
    values = (rng.standard_normal(2000) * 10.0 ** rng.integers(-6, 7, 2000)).astype(np.float32)
    assert float(batch_sum(values)) != sum(values.tolist())
    assert float(batch_sum(values)) != float(batch_sum(values[::-1]))


def test_columns_are_summed_separately():
    """`[rows, k]` gives the k sums of its columns, bit for bit."""
    values = np.random.default_rng(1).standard_normal((1500, 3)).astype(np.float32)
    assert batch_sum(values).tolist() == [float(batch_sum(values[:, k])) for k in range(3)]


def test_a_nan_row_makes_the_sum_nan_without_a_warning():
    """A NaN or two opposite infinities propagate; no warning is raised."""
    assert math.isnan(float(batch_sum(np.array([1.0, np.nan], np.float32))))
    assert math.isnan(float(batch_sum(np.array([np.inf] + [0.0] * 7 + [-np.inf], np.float32))))


def test_no_rows_is_an_error():
    """A batch has at least one row."""
    with pytest.raises(ValueError, match="at least one row"):
        batch_sum(np.zeros(0, np.float32))
