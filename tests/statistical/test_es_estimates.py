"""Statistical truths of perturbations and estimates: fixed seeds, bounds several standard errors wide."""

from __future__ import annotations

import math
from functools import cache

import numpy as np
import pytest

from geode.reference.perturb import dense_noise, es_update, low_rank_perturbation, rademacher_factors
from geode.reference.streams import member_normal

DRAWS = 40_000
OUT, IN = 12, 10
COMMON = {"sigma": 0.05, "epoch": 0, "sampling": "antithetic"}


def low_rank_draws(m, n, r, count):
    """`count` matrices E = A Bᵀ/√r of the stream's normals, `[count, m, n]`."""
    flat = member_normal((11, 22), 0, 0, count * (m + n) * r).astype(np.float64).reshape(count, m + n, r)
    return np.einsum("kir,kjr->kij", flat[:, n:], flat[:, :n]) / math.sqrt(r)


@pytest.mark.parametrize("r", [1, 4])
def test_low_rank_entries_have_mean_zero_variance_one_and_are_uncorrelated(r):
    """Moments of E at rank 1 and 4: mean 0, variance 1, no correlation between any two entries."""
    e = low_rank_draws(4, 3, r, DRAWS).reshape(DRAWS, -1)
    assert np.abs(e.mean(axis=0)).max() < 5 / math.sqrt(DRAWS)
    covariance = np.cov(e.T)
    assert np.abs(covariance - np.eye(12)).max() < 0.1
    assert abs(np.trace(covariance) / 12 - 1) < 0.02


@pytest.mark.parametrize(("r", "tolerance"), [(1, 0.5), (2, 0.3), (6, 0.15)])
def test_an_entrys_kurtosis_is_three_plus_six_over_r(r, tolerance):
    """A sum of r products of normals: 9 at rank 1, towards the normal's 3 as r grows."""
    e = low_rank_draws(8, 8, r, DRAWS)
    kurtosis = np.mean(e**4) / np.mean(e**2) ** 2
    assert kurtosis == pytest.approx(3 + 6 / r, abs=tolerance)


def test_dense_noise_is_standard_normal():
    """Mean 0, variance 1, kurtosis 3 over one large draw."""
    e = dense_noise((3, 4), 1, 2, (200, 500)).astype(np.float64)
    assert abs(e.mean()) < 0.016
    assert abs(e.var() - 1) < 0.023
    assert abs(np.mean(e**4) / e.var() ** 2 - 3) < 0.08


def test_omelette_entries_are_uncorrelated_signs():
    """E = a bᵀ of Rademacher vectors: entries ±1 with mean 0 and no correlation."""
    draws = [rademacher_factors((5, 6), epoch, 0, 4, 3) for epoch in range(6000)]
    e = np.array([np.outer(a, b).reshape(-1) for a, b in draws], np.float64)
    assert np.abs(e).min() == 1
    assert np.abs(e.mean(axis=0)).max() < 5 / math.sqrt(6000)
    assert np.abs(np.cov(e.T) - np.eye(12)).max() < 0.08


@cache
def perturbations(seed, population):
    """One round's perturbations `[population, m, n]`; an odd member's is minus that of the one before."""
    plus = [low_rank_perturbation((99, seed), m, OUT, IN, 1, dtype="fp64", **COMMON) for m in range(0, population, 2)]
    return np.stack([plus, np.negative(plus)], axis=1).reshape(population, OUT, IN)


def averaged_estimate(objective, rounds, population):
    """The mean of `rounds` rank-1 antithetic estimates with raw scores as weights, each from its own seed."""
    total = np.zeros((OUT, IN))
    for seed in range(rounds):
        scores = objective(perturbations(seed, population))
        total += es_update((99, seed), range(population), scores, OUT, IN, rank=1, accum="fp32", **COMMON)
    return total / rounds


def cosine(a, b):
    """The cosine of the angle between two arrays."""
    return float(np.sum(a * b) / (np.linalg.norm(a) * np.linalg.norm(b)))


# Rounds of 1500 members, how near the estimate's direction then is to the gradient's (as a cosine), and its size.
ROUNDS = [(5, 0.95, 0.1), pytest.param(20, 0.98, 0.05, marks=pytest.mark.slow)]


@pytest.mark.parametrize(("rounds", "near", "size"), ROUNDS)
def test_the_estimate_is_unbiased_on_a_linear_objective(rounds, near, size):
    """At rank 1: the cosine to the gradient, and its size."""
    gradient = np.random.default_rng(5).standard_normal((OUT, IN))
    found = averaged_estimate(lambda delta: np.sum(gradient * delta, axis=(1, 2)), rounds, 1500)
    assert cosine(found, gradient) > near
    assert np.sum(found * gradient) / np.sum(gradient**2) == pytest.approx(1, abs=size)


@pytest.mark.parametrize(("rounds", "near", "size"), ROUNDS)
def test_the_estimate_is_unbiased_on_a_quadratic_objective(rounds, near, size):
    """A quadratic has no third derivative, so rank 1 leaves no bias: the gradient is Q·M."""
    rng = np.random.default_rng(6)
    mean, q = 0.3 * rng.standard_normal((OUT, IN)), rng.standard_normal((OUT, IN))
    found = averaged_estimate(lambda delta: np.sum(0.5 * q * (mean + delta) ** 2, axis=(1, 2)), rounds, 1500)
    assert cosine(found, q * mean) > near
    assert np.sum(found * q * mean) / np.sum((q * mean) ** 2) == pytest.approx(1, abs=size)
