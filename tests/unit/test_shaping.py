"""Scores to weights: every mode, ties, NaN and flat rules, against the definitions worked by hand or in fractions."""

from __future__ import annotations

import math
from fractions import Fraction

import numpy as np
import pytest

from geode.reference.shaping import (
    SHAPINGS,
    AllNanError,
    antithetic_sign,
    centered_rank,
    fitness_shaping,
    utilities,
)

NAN = math.nan
INF = math.inf


def exact_ranks(scores):
    """Mean ascending ranks as fractions, by counting; a score that is not finite lies below all."""
    keys = [(1, s) if math.isfinite(s) else (0, 0.0) for s in scores]
    return [Fraction(2 * sum(b < a for b in keys) + sum(b == a for b in keys) - 1, 2) for a in keys]


def test_centered_ranks_run_from_minus_half_to_half():
    """The worst has -1/2, the best +1/2, the others evenly between."""
    assert centered_rank([3.0, 1.0, 2.0, 0.0, 9.0]).tolist() == [0.25, -0.25, 0.0, -0.5, 0.5]


def test_tied_scores_share_their_mean_rank():
    """Two at ranks 1 and 2 both count as 1.5; +0 and -0 tie."""
    assert centered_rank([0.0, -0.0, -1.0, 5.0]).tolist() == [0.0, 0.0, -0.5, 0.5]


@pytest.mark.parametrize("size", [2, 3, 8, 101])
def test_ranks_equal_counting_in_fractions(size):
    """Each weight is the counted mean rank over N-1, minus 1/2, for scores with many ties and NaNs."""
    rng = np.random.default_rng(size)
    scores = rng.integers(0, max(2, size // 2), size).astype(float)
    scores[0] = 7.5
    if size > 3:
        scores[rng.integers(1, size, size // 4)] = rng.choice([NAN, INF, -INF], size // 4)
    expected = [float(r) / (size - 1) - 0.5 for r in exact_ranks(scores)]
    assert fitness_shaping(scores, "rank-shaped", "independent", maximise=True).tolist() == expected


def test_a_loss_is_negated_first():
    """The smallest loss gets the largest weight; a score and its negation as a loss weigh the same."""
    scores = [3.0, 1.0, 2.0, 0.5]
    assert fitness_shaping(scores, "rank-shaped", "independent", maximise=False).argmax() == 3
    for mode in SHAPINGS:
        up = fitness_shaping(scores, mode, "antithetic", maximise=True)
        down = fitness_shaping([-s for s in scores], mode, "antithetic", maximise=False)
        assert up.tolist() == down.tolist()


def test_utilities_are_the_published_ones():
    """N times (the NES utilities, which sum to 0 with the -1/N) for N = 4, by the printed formula."""
    raw = [max(0.0, math.log(4 / 2 + 1) - math.log(k)) for k in (1, 2, 3, 4)]
    expected = [4 * (value / sum(raw) - 1 / 4) for value in raw]
    np.testing.assert_allclose(utilities(4), expected, rtol=1e-15, atol=1e-15)
    assert utilities(4)[2:].tolist() == [-1.0, -1.0]


def test_members_that_tie_share_the_mean_of_their_utilities():
    """Members at ranks 2 and 3 from the best both get the mean of the two."""
    table = utilities(4)
    weights = fitness_shaping([5.0, 5.0, 1.0, 9.0], "utility", "independent", maximise=True)
    shared = (table[1] + table[2]) / 2
    assert weights.tolist() == [shared, shared, table[3], table[0]]


def test_zscore_is_standardised_by_the_population_variance():
    """(x - mean)/std without an epsilon, of [1, 2, 3, 4]: mean 2.5, variance 1.25."""
    weights = fitness_shaping([1.0, 2.0, 3.0, 4.0], "zscore", "independent", maximise=True)
    np.testing.assert_allclose(weights, np.array([-1.5, -0.5, 0.5, 1.5]) / math.sqrt(1.25), rtol=1e-15)


@pytest.mark.parametrize("scale", [1e-320, 1e-200, 1e-9, 1.0, 1e200, 4e307])
def test_zscore_does_not_depend_on_the_size_of_the_scores(scale):
    """No square over- or underflows, from subnormal scores to the largest."""
    weights = fitness_shaping([1 * scale, 2 * scale, 3 * scale, 4 * scale], "zscore", "independent", maximise=True)
    np.testing.assert_allclose(weights, np.array([-1.5, -0.5, 0.5, 1.5]) / math.sqrt(1.25), rtol=1e-14)


def test_sign_is_half_for_the_winner_of_each_pair():
    """+1/2 and -1/2, two zeros for an equal pair."""
    weights = fitness_shaping([2.0, 1.0, 0.0, 3.0, 4.0, 4.0], "sign", "antithetic", maximise=True)
    assert weights.tolist() == [0.5, -0.5, -0.5, 0.5, 0.0, 0.0]


def test_in_a_pair_the_finite_half_wins():
    """A NaN or infinite half loses whichever it is, two of them give 0."""
    assert antithetic_sign([1.0, NAN, INF, 0.0], [NAN, -9.0, NAN, -INF]).tolist() == [1.0, -1.0, 0.0, 1.0]


def test_raw_weights_are_the_scores():
    """RAW has no baseline and no flat rule."""
    assert fitness_shaping([2.0, 2.0], "raw", "independent", maximise=True).tolist() == [2.0, 2.0]
    assert fitness_shaping([2.0, 5.0], "raw", "independent", maximise=False).tolist() == [-2.0, -5.0]


@pytest.mark.parametrize("mode", ["raw", "zscore"])
def test_a_nan_member_has_no_weight_and_under_antithetic_its_partner_neither(mode):
    """In RAW and ZSCORE the partner of a NaN is left out; mean and std still count it."""
    scores = [1.0, NAN, 2.0, 6.0]
    alone = fitness_shaping(scores, mode, "independent", maximise=True)
    paired = fitness_shaping(scores, mode, "antithetic", maximise=True)
    assert alone[1] == 0
    assert alone[0] != 0
    assert paired[:2].tolist() == [0.0, 0.0]
    assert paired[2:].tolist() == alone[2:].tolist()
    if mode == "zscore":
        np.testing.assert_allclose(alone, [-2 / math.sqrt(14 / 3), 0, -1 / math.sqrt(14 / 3), 3 / math.sqrt(14 / 3)])


@pytest.mark.parametrize("bad", [NAN, INF, -INF])
@pytest.mark.parametrize("maximise", [True, False])
def test_a_score_that_is_not_finite_ranks_last_in_either_direction(bad, maximise):
    """NaN, +infinity and -infinity are all the worst."""
    weights = fitness_shaping([1.0, bad, 2.0], "rank-shaped", "independent", maximise=maximise)
    assert weights[1] == -0.5


def test_nan_members_tie_with_one_another():
    """Two NaNs share ranks 0 and 1."""
    assert centered_rank([NAN, 1.0, INF, 2.0, 3.0]).tolist() == [-0.375, 0.0, -0.375, 0.25, 0.5]


@pytest.mark.parametrize("mode", ["zscore", "rank-shaped", "sign", "utility"])
def test_equal_scores_give_exact_zeros(mode):
    """Flat scores weigh exactly nothing: no rounding is left, no division by zero happens."""
    weights = fitness_shaping([0.1] * 6, mode, "antithetic", maximise=False)
    assert weights.tolist() == [0.0] * 6


@pytest.mark.parametrize("mode", ["rank-shaped", "sign", "utility"])
def test_flat_scores_beside_a_nan_still_rank_above_it(mode):
    """With a NaN member the modes that compare go on; ZSCORE is flat."""
    scores = [0.1, NAN, 0.1, 0.1]
    weights = fitness_shaping(scores, mode, "antithetic", maximise=True)
    assert weights[1] < 0 < weights[0]
    assert fitness_shaping(scores, "zscore", "antithetic", maximise=True).tolist() == [0.0] * 4


@pytest.mark.parametrize("mode", SHAPINGS)
def test_all_nan_is_an_error(mode):
    """Nothing can be learnt: the caller stops before touching the weights."""
    with pytest.raises(AllNanError):
        fitness_shaping([NAN, INF, -INF, NAN], mode, "antithetic", maximise=True)


@pytest.mark.parametrize("mode", ["zscore", "rank-shaped", "utility", "raw"])
def test_weights_do_not_depend_on_the_order_of_the_members(mode):
    """Shuffled scores give the same bits, shuffled."""
    rng = np.random.default_rng(3)
    scores = np.round(rng.standard_normal(200), 1) + 1e3
    scores[:5] = NAN
    order = rng.permutation(200)
    straight = fitness_shaping(scores, mode, "independent", maximise=False)
    shuffled = fitness_shaping(scores[order], mode, "independent", maximise=False)
    assert shuffled.tolist() == straight[order].tolist()


@pytest.mark.parametrize("mode", ["zscore", "rank-shaped", "sign", "utility"])
def test_weights_sum_to_zero(mode):
    """Whatever the ties, up to rounding."""
    scores = np.round(np.random.default_rng(4).standard_normal(100), 1)
    assert abs(math.fsum(fitness_shaping(scores, mode, "antithetic", maximise=True))) < 1e-12


@pytest.mark.parametrize(
    ("scores", "mode", "sampling", "says"),
    [
        ([1.0, 2.0], "ranked", "independent", "none of"),
        ([1.0, 2.0], "raw", "mirrored", "sampling"),
        ([1.0, 2.0], "sign", "independent", "antithetic"),
        ([1.0, 2.0, 3.0], "raw", "antithetic", "even"),
        ([1.0], "raw", "independent", "at least 2"),
    ],
)
def test_what_does_not_fit_is_refused(scores, mode, sampling, says):
    """Unknown modes, an odd antithetic population, SIGN without pairs, a single score."""
    with pytest.raises(ValueError, match=says):
        fitness_shaping(scores, mode, sampling, maximise=True)
