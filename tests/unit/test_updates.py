"""Update rules against their published formulae, written out again here in plain float64, and against closed forms."""

from __future__ import annotations

import math

import numpy as np
import pytest

from geode.reference import updates

RTOL = 2e-6  # constants are rounded to float32, so agreement with exact constants ends at 1e-7 a step


def gradients(shape, count, seed=0):
    """A sequence of estimates whose size wanders."""
    rng = np.random.default_rng(seed)
    return [rng.standard_normal(shape) * 10.0 ** rng.uniform(-2, 2) for _ in range(count)]


def test_sgd_steps_along_the_estimate():
    """θ + αĝ: ascent, one product and one sum."""
    assert updates.sgd(np.array([1.0, -2.0]), np.array([4.0, 8.0]), 0.25).tolist() == [2.0, 0.0]


def test_momentum_is_the_geometric_sum_of_the_estimates():
    """After k steps v is Σ βʲ ĝ_{k-j}, and θ the sum of α·v."""
    gs = gradients(5, 6)
    theta, v = np.zeros(5), np.zeros(5)
    for g in gs:
        theta, v = updates.sgdm(theta, g, v, alpha=0.5, beta=0.75)
    velocities = [sum(0.75 ** (k - j) * gs[j] for j in range(k + 1)) for k in range(6)]
    np.testing.assert_allclose(v, velocities[-1], rtol=1e-12)
    np.testing.assert_allclose(theta, 0.5 * sum(velocities), rtol=1e-12)


def test_rmsprop_is_pytorchs():
    """PyTorch: v ← αv + (1-α)g², θ ← θ - γ·g/(√v + ε), here with g = -ĝ."""
    theta, q = np.ones(4), np.zeros(4)
    expected, average = np.ones(4), np.zeros(4)
    for g in gradients(4, 20):
        theta, q = updates.rmsprop(theta, g, q, alpha=0.01, beta=0.99, epsilon=1e-8)
        descent = -g
        average = 0.99 * average + (1 - 0.99) * descent**2
        expected = expected - 0.01 * descent / (np.sqrt(average) + 1e-8)
    np.testing.assert_allclose(theta, expected, rtol=RTOL)
    np.testing.assert_allclose(q, average, rtol=RTOL)


def test_adam_is_pytorchs():
    """PyTorch: step size γ/(1-β₁ᵏ), denominator √v/√(1-β₂ᵏ) + ε: another way to write the same step."""
    theta, m, v = np.ones(4), np.zeros(4), np.zeros(4)
    expected, mean, square = np.ones(4), np.zeros(4), np.zeros(4)
    for k, g in enumerate(gradients(4, 30), start=1):
        theta, m, v = updates.adam(theta, g, m, v, step=k, alpha=0.01, beta1=0.9, beta2=0.999, epsilon=1e-8)
        descent = -g
        mean = mean + (descent - mean) * (1 - 0.9)
        square = 0.999 * square + (1 - 0.999) * descent * descent
        denominator = np.sqrt(square) / math.sqrt(1 - 0.999**k) + 1e-8
        expected = expected - 0.01 / (1 - 0.9**k) * mean / denominator
    np.testing.assert_allclose(theta, expected, rtol=RTOL)


def test_adams_first_step_is_the_sign():
    """After one step from zero moments both biases cancel: θ + α·ĝ/(|ĝ| + ε)."""
    g = np.array([3.0, -0.5, 1e-3])
    theta, _, _ = updates.adam(
        np.zeros(3), g, np.zeros(3), np.zeros(3), step=1, alpha=0.1, beta1=0.9, beta2=0.999, epsilon=1e-8
    )
    np.testing.assert_allclose(theta, 0.1 * g / (np.abs(g) + 1e-8), rtol=1e-6)


SHAPES = [(8, 100), (100, 8), (24, 24), (1, 9), (9, 1)]


def quintic(s, steps):
    """What the iteration does to a singular value: s ← as + bs³ + cs⁵."""
    for _ in range(steps):
        s = 3.4445 * s - 4.7750 * s**3 + 2.0315 * s**5
    return s


@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("steps", [1, 5])
def test_newton_schulz_maps_the_singular_values(shape, steps):
    """It keeps both sets of singular vectors and sends s/‖M‖ through the quintic: tall, wide, square."""
    matrix = np.random.default_rng(1).standard_normal(shape)
    left, s, right = np.linalg.svd(matrix, full_matrices=False)
    expected = left @ np.diag(quintic(s / np.linalg.norm(matrix), steps)) @ right
    np.testing.assert_allclose(updates.newton_schulz(matrix, steps), expected, rtol=0, atol=3e-6)


@pytest.mark.parametrize("shape", SHAPES)
def test_muon_is_the_printed_formula(shape):
    """M ← βM + ĝ, O by the iteration on the fatter side, θ + α·κ·√max(m,n)·O, over several steps."""
    theta, m = np.full(shape, 0.5), np.zeros(shape)
    expected, momentum = np.full(shape, 0.5), np.zeros(shape)
    for g in gradients(shape, 4):
        theta, m = updates.muon(theta, g, m, alpha=0.01, beta=0.9, kappa=0.1, steps=5)
        momentum = 0.9 * momentum + g
        x = momentum / np.linalg.norm(momentum)
        x = x.T if shape[0] > shape[1] else x
        for _ in range(5):
            a = x @ x.T
            x = 3.4445 * x + (-4.7750 * a + 2.0315 * a @ a) @ x
        expected = expected + 0.01 * 0.1 * math.sqrt(max(shape)) * (x.T if shape[0] > shape[1] else x)
    np.testing.assert_allclose(m, momentum, rtol=0, atol=RTOL * np.abs(momentum).max())
    np.testing.assert_allclose(theta, expected, rtol=0, atol=1e-8)


@pytest.mark.parametrize("shape", [(8, 100), (100, 8), (64, 64)])
def test_a_muon_step_has_root_mean_square_alpha_kappa(shape):
    """At full rank the update's root mean square per entry is α·κ within 15 %."""
    g = np.random.default_rng(6).standard_normal(shape)
    theta, _ = updates.muon(np.zeros(shape), g, np.zeros(shape), alpha=0.01, beta=0.95, kappa=0.2, steps=5)
    assert math.sqrt(np.mean(theta**2)) == pytest.approx(0.01 * 0.2, rel=0.15)


def test_muon_of_a_zero_estimate_does_nothing():
    """‖M‖ = 0 gives O = 0 without a division."""
    theta, m = updates.muon(np.ones((3, 2)), np.zeros((3, 2)), np.zeros((3, 2)), alpha=1, beta=0.9, kappa=1, steps=5)
    assert theta.tolist() == np.ones((3, 2)).tolist()
    assert m.tolist() == np.zeros((3, 2)).tolist()


def test_decay_is_decoupled():
    """θ - (αλ)θ, whatever the estimate."""
    assert updates.decayed(np.array([4.0, -8.0]), 0.5, 0.25).tolist() == [3.5, -7.0]


def test_clipping_bounds_the_common_norm():
    """Estimates of norm 5 together are scaled to norm 2.5; those within the limit stay, to the bit."""
    pair = [np.array([3.0, 0.0]), np.array([[4.0]])]
    assert updates.norm(pair) == 5.0
    assert [g.tolist() for g in updates.clipped(pair, 2.5)] == [[1.5, 0.0], [[2.0]]]
    assert [g.tolist() for g in updates.clipped(pair, 5.0)] == [[3.0, 0.0], [[4.0]]]
    assert [g.tolist() for g in updates.clipped(pair, math.inf)] == [[3.0, 0.0], [[4.0]]]


def test_schedules_meet_their_ends():
    """Constant stays; cosine is the start at 0, the middle at T/2, the end at T; decay is start·dᵗ."""

    def at(kind, epoch):
        return updates.scheduled(kind, 0.4, end=0.04, factor=0.5, epoch=epoch, epochs=10)

    assert [at("constant", t) for t in (0, 7)] == [0.4, 0.4]
    assert at("cosine", 0) == 0.4
    assert at("cosine", 5) == pytest.approx(0.22, rel=1e-15)
    assert at("cosine", 10) == pytest.approx(0.04, rel=1e-15)
    assert [at("decay", t) for t in (0, 1, 3)] == [0.4, 0.2, 0.05]
    with pytest.raises(ValueError, match="schedule"):
        at("linear", 0)


@pytest.mark.parametrize("exponent", [0, 1, 2, 3, 10, 999, 4097])
def test_powers_by_repeated_squaring(exponent):
    """Within a few units of the last place of the exact power."""
    assert updates.power(0.9990234375, exponent) == pytest.approx(0.9990234375**exponent, rel=1e-14)


def test_warm_up_rises_to_the_whole_step():
    """(t+1)/W of it in the first W epochs, all of it from then on; W = 0 is no warm-up."""
    assert [updates.warmed_up(0.8, t, 4) for t in range(6)] == pytest.approx([0.2, 0.4, 0.6, 0.8, 0.8, 0.8])
    assert updates.warmed_up(0.8, 0, 0) == 0.8


def test_weights_keep_their_storage_type():
    """float32 weights stay float32, rounded once; the optimizer's arrays are float64."""
    theta = np.array([1.0], np.float32)
    new, v = updates.sgdm(theta, np.array([1e-9]), np.zeros(1), alpha=1.0, beta=0.9)
    assert new.dtype == np.float32
    assert v.dtype == np.float64
    assert new.tolist() == [1.0]
