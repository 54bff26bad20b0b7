"""Whole epochs of the reference, against a second, naive training loop written from the formulas, and its rules."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest

from geode.reference.initial import Parameter, initial_weight, initial_weights, orthogonal
from geode.reference.shaping import AllNanError, fitness_shaping
from geode.reference.streams import normals, stream_key, stream_name_hash, uniforms
from geode.reference.training import continue_training, initial_state, run_epoch, settings_of, step_sizes, train
from geode.settings import defaults

W = Parameter("F/weight", (3, 4), "matrix", trainable=True, init="normal", init_value=0.5)
BIAS = Parameter("F/bias", (3,), "vector", trainable=True, init="constant", init_value=0.25)
FIXED = Parameter("F/gain", (), "vector", trainable=False, init="constant", init_value=2.0)
PARAMETERS = [W, BIAS, FIXED]
X = np.random.default_rng(1).standard_normal((20, 4))
TARGET = X @ np.random.default_rng(2).standard_normal((4, 3))


def loss(weights):
    """A linear layer's summed squared error, in float64."""
    y = (X @ weights["F/weight"].T.astype(np.float64) + weights["F/bias"]) * weights["F/gain"]
    return float(np.sum((y - TARGET) ** 2))


def settings(**changes):
    """The settings table's defaults with changes."""
    return settings_of(defaults() | {"population": 16, "seed": 7, "sampling": "antithetic"} | changes)


def naive_epoch(theta, epoch, s, alpha):
    """One SGD epoch from the formulas: every member's noise drawn alone, the estimate summed member by member."""
    losses, noises = [], []
    for member in range(s.population):
        pair, sign = (member // 2, (1, -1)[member % 2]) if s.sampling == "antithetic" else (member, 1)
        noise = {}
        for p in (W, BIAS):
            key = stream_key(stream_name_hash(p.name), s.seed, epoch, pair)
            noise[p.name] = sign * normals(key, 0, math.prod(p.shape)).reshape(p.shape).astype(np.float64)
        moved = {name: (theta[name] + s.sigma * e).astype(np.float32) for name, e in noise.items()}
        losses.append(loss(theta | moved))
        noises.append(noise)
    u = fitness_shaping(losses, s.shaping, s.sampling, maximise=False)
    new = dict(theta)
    for p in (W, BIAS):
        g = sum(u[i] * noises[i][p.name] for i in range(s.population)) / (s.population * s.sigma)
        new[p.name] = (theta[p.name] + alpha * g).astype(np.float32)
    return new, losses


@pytest.mark.parametrize("sampling", ["antithetic", "independent"])
@pytest.mark.parametrize("shaping", ["rank-shaped", "zscore", "utility"])
def test_training_is_the_formulas(sampling, shaping):
    """Three epochs agree with the naive loop: weights, metrics, norms."""
    s = settings(sampling=sampling, shaping=shaping, alpha=0.02, sigma=0.05)
    state, records = continue_training(loss, PARAMETERS, initial_state(PARAMETERS, s), s, 3)
    theta = initial_weights(PARAMETERS, s.seed)
    for epoch, record in enumerate(records):
        before = theta
        theta, losses = naive_epoch(theta, epoch, s, 0.02)
        assert record.epoch == epoch
        assert record.best == pytest.approx(min(losses), rel=1e-6)
        assert record.best_member == int(np.argmin(losses))
        assert record.worst == pytest.approx(max(losses), rel=1e-6)
        assert record.mean == pytest.approx(np.mean(losses), rel=1e-6)
        assert record.std == pytest.approx(np.std(losses), rel=1e-5)
        step = math.sqrt(sum(np.sum((theta[n].astype(float) - before[n]) ** 2) for n in theta))
        assert record.update == pytest.approx(step, rel=1e-5)
        assert record.grad == pytest.approx(step / 0.02, rel=1e-5)
    for name, expected in theta.items():
        np.testing.assert_allclose(state.weights[name], expected, rtol=1e-5, atol=1e-7)


@pytest.mark.parametrize("optimizer", ["sgd", "sgdm", "rmsprop", "adam", "muon"])
@pytest.mark.parametrize(("perturbation", "rank"), [("gaussian", 1), ("eggroll", 2), ("omelette-r1", 1)])
def test_every_rule_lowers_the_loss(optimizer, perturbation, rank):
    """40 epochs at least halve the mean loss under each optimizer and each perturbation."""
    alpha = {"sgd": 0.01, "sgdm": 0.002}.get(optimizer, 0.05)
    s = settings(optimizer=optimizer, perturbation=perturbation, rank=rank, alpha=alpha, muon_kappa=1.0, sigma=0.02)
    records = train(loss, PARAMETERS, s, 40)
    assert records[-1].mean < 0.5 * records[0].mean


def test_a_reward_is_climbed():
    """The negated loss as a reward gives the same weights, and metrics with the other sign."""
    down = train(loss, PARAMETERS, settings(), 4)
    up = train(lambda weights: -loss(weights), PARAMETERS, settings(direction="reward"), 4)
    assert [(r.best, r.worst, r.update) for r in up] == [(-r.best, -r.worst, r.update) for r in down]


def test_what_is_not_trainable_stays():
    """An untrained parameter keeps its initial weights, decay or not."""
    s = settings(weight_decay=0.5)
    state, _ = continue_training(loss, PARAMETERS, initial_state(PARAMETERS, s), s, 2)
    assert state.weights["F/gain"] == np.float32(2)


def test_adding_a_parameter_leaves_the_noise_of_the_others():
    """Streams go by name: with an unused further parameter the scores of the first epoch are the same."""
    extra = Parameter("G/weight", (5, 5), "matrix", trainable=True, init="orthogonal", init_value=0.0)
    first = train(loss, PARAMETERS, settings(), 1)[0]
    assert train(loss, [extra, *PARAMETERS], settings(), 1)[0].best == first.best


def test_training_in_two_goes_is_training_in_one():
    """The state carries everything: 2 + 3 epochs are 5, under every optimizer with memory, to the bit."""
    for optimizer in ("sgdm", "rmsprop", "adam", "muon"):
        s = settings(optimizer=optimizer, alpha_schedule="cosine", epochs=5, sigma_schedule="decay", sigma_factor=0.9)
        state, first = continue_training(loss, PARAMETERS, initial_state(PARAMETERS, s), s, 2)
        assert first + continue_training(loss, PARAMETERS, state, s, 3)[1] == train(loss, PARAMETERS, s, 5)


def test_noise_reuse_shares_one_draw():
    """With NOISE-REUSE 2 and no step, epochs 0 and 1 score alike, epoch 2 differs."""
    records = train(loss, PARAMETERS, settings(noise_reuse=2, alpha=0.0), 3)
    assert records[0].best == records[1].best != records[2].best


def test_nan_members_are_counted_and_left_out():
    """A few NaN scores: counted, not in mean, std, best, worst; training goes on."""
    calls = iter(range(1000))

    def sometimes(weights):
        return math.nan if next(calls) % 16 in (3, 8) else loss(weights)

    whole = train(loss, PARAMETERS, settings(alpha=0.0), 1)[0]
    record = train(sometimes, PARAMETERS, settings(alpha=0.0), 1)[0]
    assert (record.nan, whole.nan) == (2, 0)
    assert whole.best <= record.best <= record.mean <= record.worst <= whole.worst
    assert record.update == 0


def test_all_nan_stops_before_the_weights_change():
    """The error is raised, and the state passed in is the state still."""
    s = settings()
    state = initial_state(PARAMETERS, s)
    copies = {name: w.copy() for name, w in state.weights.items()}
    with pytest.raises(AllNanError):
        run_epoch(lambda _: math.inf, PARAMETERS, state, s)
    assert all(np.array_equal(state.weights[name], w) for name, w in copies.items())


def test_ties_for_best_go_to_the_lowest_member():
    """Flat scores: member 0, and no update at all."""
    record = train(lambda _: 3.0, PARAMETERS, settings(), 1)[0]
    assert (record.best_member, record.grad, record.update, record.std) == (0, 0, 0, 0)


def test_the_center_is_scored_when_due():
    """EVALUATE-EVERY 2: epochs 0, 2, 4, the weights before the update."""
    records = train(loss, PARAMETERS, settings(evaluate_every=2), 5)
    assert [r.center is not None for r in records] == [True, False, True, False, True]
    assert records[0].center == loss(initial_weights(PARAMETERS, 7))


def test_clipping_bounds_the_step():
    """The metric `grad` is taken before clipping; an SGD step has norm α·c at most."""
    free = train(loss, PARAMETERS, settings(), 1)[0]
    record = train(loss, PARAMETERS, settings(update_clip=0.5 * free.grad), 1)[0]
    assert record.grad == free.grad
    assert record.update == pytest.approx(0.5 * free.update, rel=1e-4)


def test_decay_comes_first_and_scales_with_the_step():
    """With flat scores an epoch is θ - αλθ."""
    s = settings(weight_decay=0.5, alpha=0.1)
    state, _ = run_epoch(lambda _: 1.0, PARAMETERS, initial_state(PARAMETERS, s), s)
    start = initial_weights(PARAMETERS, 7)["F/weight"]
    np.testing.assert_allclose(state.weights["F/weight"], 0.95 * start, rtol=1e-6)


def test_warm_up_is_muons_alone():
    """α of the first epochs rises under MUON and is whole under the others."""
    assert step_sizes(settings(optimizer="muon", muon_warmup=4), 0)[0] == pytest.approx(0.0025)
    assert step_sizes(settings(optimizer="adam", muon_warmup=4), 0)[0] == 0.01
    assert step_sizes(settings(sigma_schedule="cosine", epochs=10), 10)[1] == pytest.approx(0.001)


def test_a_sigma_that_decays_to_nothing_is_an_error():
    """σ must stay above 0."""
    with pytest.raises(ValueError, match="sigma"):
        step_sizes(settings(sigma_schedule="decay", sigma_factor=1e-200), 2)


def test_under_muon_vectors_go_by_adam():
    """A vector's first step is ADAM's, α in every entry; a table's too."""
    table = replace(W, name="T/weight", kind="table")
    s = settings(optimizer="muon", alpha=0.125)
    state, _ = run_epoch(
        lambda w: float(np.sum(w["T/weight"]) + np.sum(w["F/bias"])), [table, BIAS], initial_state([table, BIAS], s), s
    )
    start = initial_weights([table, BIAS], 7)
    for name in start:
        np.testing.assert_allclose(np.abs(state.weights[name] - start[name]), 0.125, rtol=1e-5)


def test_initial_weights_come_from_the_init_stream():
    """Normal: std times the normals of `init:NAME`, epoch 0, pair 0; uniform within its bound; a constant."""
    key = stream_key(stream_name_hash("init:F/weight"), 9, 0, 0)
    assert initial_weight(W, 9).reshape(-1).tolist() == (np.float32(0.5) * normals(key, 0, 12)).tolist()
    uniform = initial_weight(replace(W, init="uniform"), 9).reshape(-1)
    np.testing.assert_allclose(uniform, 0.5 * (2 * uniforms(key, 0, 12).astype(float) - 1), rtol=1e-7)
    assert initial_weight(BIAS, 9).tolist() == [0.25] * 3
    assert initial_weight(FIXED, 9).shape == ()


@pytest.mark.parametrize("shape", [(4, 9), (9, 4), (6, 6), (1, 3), (3, 2, 2)])
def test_orthogonal_weights_are_orthonormal_on_the_fewer_side(shape):
    """Q of the QR with R's diagonal positive: rows or columns, whichever are fewer; filters as [first, rest]."""
    p = Parameter("F/weight", shape, "matrix", trainable=True, init="orthogonal", init_value=0.0)
    w = initial_weight(p, 3).reshape(p.matrix_shape).astype(np.float64)
    gram = w @ w.T if w.shape[0] <= w.shape[1] else w.T @ w
    np.testing.assert_allclose(gram, np.eye(min(w.shape)), atol=1e-6)
    drawn = normals(stream_key(stream_name_hash("init:F/weight"), 3, 0, 0), 0, w.size).reshape(w.shape).astype(float)
    q, r = np.linalg.qr(drawn if w.shape[0] > w.shape[1] else drawn.T)
    q = q * np.sign(np.diag(r))
    np.testing.assert_allclose(orthogonal(drawn), q if w.shape[0] > w.shape[1] else q.T, atol=1e-12)
