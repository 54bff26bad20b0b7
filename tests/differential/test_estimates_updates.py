"""The runtime's estimate (to the bit) and its optimizers (to 1e-6, MUON's chains to the bit) against NumPy."""

from __future__ import annotations

import math
import subprocess
from functools import cache
from pathlib import Path

import numpy as np
import pytest

from geode.reference import updates
from geode.reference.initial import Parameter
from geode.reference.perturb import low_rank_factors, rademacher_factors
from geode.reference.streams import normals, stream_key
from geode.reference.training import Settings, estimate, settings_of
from geode.settings import FIELDS, defaults
from tests.harness.compile_c import RUNTIME, Build, compile_c
from tests.harness.fma import fma32

PROBE = Path(__file__).with_name("update_probe.c")
MODULES = ("update", "muon", "estimate", "outer", "bf16", "model", "factors", "init", "noise", "pool", "cpu")
MODULES = (*MODULES, "series", "arena", "fail")
BUILDS = [Build("gcc", "-O3", "native"), Build("clang", "-O3", "portable"), Build("gcc", "-O0", "portable")]
OPTIMIZERS = FIELDS["optimizer"].values
SEED = 11  # of the probe's initial weights

# The parameters of update_probe.c: shape, kind, trained; the k-th has the streams k + 1 and k + 101.
SHAPES = (((12, 30), "matrix"), ((30, 12), "matrix"), ((67, 131), "table"), ((4,), "fixed"), ((9001,), "vector"))
SHAPES = (*SHAPES, ((20, 20), "matrix"))
TRAINED = [k for k, (_, kind) in enumerate(SHAPES) if kind != "fixed"]

pytestmark = pytest.mark.native


@pytest.fixture(params=BUILDS, ids=str, scope="module")
def probe(request):
    """A function that runs the probe of one build and returns its bytes."""
    if missing := request.param.missing():
        pytest.skip(missing)
    program = compile_c(request.param, PROBE, *(RUNTIME / f"gs_{name}.c" for name in MODULES))

    def run(*arguments: object, data: np.ndarray) -> bytes:
        command = [program, *map(str, arguments)]
        return subprocess.run(command, input=data.tobytes(), capture_output=True, check=True, timeout=60).stdout

    return run


def split(flat, which):
    """Cut a flat array into the shapes of the parameters `which`."""
    ends = np.cumsum([math.prod(SHAPES[k][0]) for k in which])
    assert ends[-1] == len(flat)
    return [part.reshape(SHAPES[k][0]) for k, part in zip(which, np.split(flat, ends[:-1]), strict=True)]


def start():
    """The probe's initial weights, float32."""
    keys = [stream_key(k + 101, SEED, 0, 0) for k in range(len(SHAPES))]
    sizes = [math.prod(shape) for shape, _ in SHAPES]
    return split(
        np.float32(0.5) * np.concatenate([normals(key, 0, n) for key, n in zip(keys, sizes, strict=True)]),
        range(len(SHAPES)),
    )


def estimates(steps):
    """A sequence of float32 estimates whose sizes wander, one flat array a step."""
    rng = np.random.default_rng(steps)
    count = sum(math.prod(SHAPES[k][0]) for k in TRAINED)
    return [(rng.standard_normal(count) * 10.0 ** rng.uniform(-2, 1)).astype(np.float32) for _ in range(steps)]


def results(raw, steps):
    """The norms `[steps, 2]` and the weights by parameter from the probe's bytes."""
    norms = np.frombuffer(raw[: 16 * steps], "<f8").reshape(steps, 2)
    return norms, split(np.frombuffer(raw[16 * steps :], "<f4"), range(len(SHAPES)))


def reference_update(kind, theta, g, memory, step):
    """One parameter's step by the reference's rule under update_probe.c's settings; returns (θ, memory)."""
    optimizer, of_matrix = kind
    alpha = 0.01 * step
    zeros = np.zeros(theta.shape)
    theta = updates.decayed(theta, alpha, 0.05)
    if optimizer == "sgd":
        return updates.sgd(theta, g, alpha), ()
    if optimizer == "sgdm":
        theta, v = updates.sgdm(theta, g, memory[0] if memory else zeros, alpha=alpha, beta=0.9)
        return theta, (v,)
    if optimizer == "rmsprop":
        theta, q = updates.rmsprop(theta, g, memory[0] if memory else zeros, alpha=alpha, beta=0.99, epsilon=1e-3)
        return theta, (q,)
    if optimizer == "muon" and of_matrix:
        theta, m = updates.muon(theta, g, memory[0] if memory else zeros, alpha=alpha, beta=0.95, kappa=0.2, steps=5)
        return theta, (m,)
    m, v = memory or (zeros, zeros)
    theta, m, v = updates.adam(theta, g, m, v, step=step, alpha=alpha, beta1=0.9, beta2=0.999, epsilon=1e-8)
    return theta, (m, v)


@pytest.mark.parametrize("clip", [math.inf, 3.0])
@pytest.mark.parametrize("optimizer", OPTIMIZERS)
def test_updates_agree_with_the_reference(probe, optimizer, clip) -> None:
    """Seven steps with decay and clipping: weights within 1e-6 of each parameter's largest, norms too."""
    sequence = estimates(7)
    raw = probe("update", OPTIMIZERS.index(optimizer), 2, 7, clip, data=np.concatenate(sequence))
    norms, weights = results(raw, 7)
    theta = start()
    memory = dict.fromkeys(TRAINED, ())
    for step, flat in enumerate(sequence, start=1):
        gs = split(flat, TRAINED)
        assert norms[step - 1, 0] == pytest.approx(updates.norm(gs), rel=1e-12)
        before = [array.astype(np.float64) for array in theta]
        for k, g in zip(TRAINED, updates.clipped(gs, clip), strict=True):
            kind = (optimizer, SHAPES[k][1] == "matrix")
            theta[k], memory[k] = reference_update(kind, theta[k], g, memory[k], step)
        change = updates.norm(new - old for new, old in zip(theta, before, strict=True))
        assert norms[step - 1, 1] == pytest.approx(change, rel=1e-5)
    for k, (got, expected) in enumerate(zip(weights, theta, strict=True)):
        np.testing.assert_allclose(got, expected, rtol=0, atol=1e-6 * np.abs(expected).max(), err_msg=str(SHAPES[k]))
    assert weights[3].tobytes() == start()[3].tobytes()


def first_two_steps(optimizer, sequence, clip):
    """θ after two steps in float32, every product, quotient and sum rounded as engine.md writes it, by parameter."""
    f32 = np.float32
    theta = [array.reshape(-1) for array in start()]
    memory = {k: (np.zeros(theta[k].shape, f32), np.zeros(theta[k].shape, f32)) for k in TRAINED}
    for step, flat in enumerate(sequence, start=1):
        gs = split(flat, TRAINED)
        size = block_norm(gs)
        for k, estimate_of in zip(TRAINED, gs, strict=True):
            alpha, g = 0.01 * step, estimate_of.reshape(-1)
            w, (m, v) = theta[k] - f32(alpha * 0.05) * theta[k], memory[k]
            g = f32(clip / size) * g if size > clip else g
            a = f32(alpha)
            if optimizer == "sgd":
                w = fma32(a, g, w)
            elif optimizer == "sgdm":
                m = fma32(f32(0.9), m, g)
                w = fma32(a, m, w)
            elif optimizer == "rmsprop":
                v = f32(0.99) * v + f32(1 - 0.99) * g * g
                w = w + a * g / (np.sqrt(v) + f32(1e-3))
            else:
                m = f32(0.9) * m + f32(1 - 0.9) * g
                v = f32(0.999) * v + f32(1 - 0.999) * g * g
                kept1, kept2 = (f32(1 - updates.power(beta, step)) for beta in (0.9, 0.999))
                w = w + a * (m / kept1) / (np.sqrt(v / kept2) + f32(1e-8))
            theta[k], memory[k] = w, (m, v)
    return theta


def block_norm(gs):
    """The norm in float64 by blocks of 4 096 entries of each parameter, in order."""
    total = 0.0
    for g in gs:
        flat = g.reshape(-1).astype(np.float64)
        for first in range(0, flat.size, 4096):
            total += sum_in_order(flat[first : first + 4096] ** 2)
    return math.sqrt(total)


def sum_in_order(values):
    """The float64 sum from left to right."""
    return float(np.add.accumulate(values)[-1])


@pytest.mark.parametrize("clip", [math.inf, 3.0])
@pytest.mark.parametrize("optimizer", ["sgd", "sgdm", "rmsprop", "adam"])
def test_updates_are_equal_to_the_bit(probe, optimizer, clip) -> None:
    """Two steps with decay, clipped or not, against float32 NumPy with the roundings of engine.md."""
    sequence = estimates(2)
    raw = probe("update", OPTIMIZERS.index(optimizer), 2, 2, clip, data=np.concatenate(sequence))
    _, weights = results(raw, 2)
    expected = first_two_steps(optimizer, sequence, clip)
    for k in TRAINED:
        assert weights[k].tobytes() == expected[k].tobytes(), SHAPES[k]


@pytest.mark.parametrize("optimizer", OPTIMIZERS)
def test_the_workers_change_no_bit(probe, optimizer) -> None:
    """One, two, three and eight workers write the same bytes."""
    data = np.concatenate(estimates(3))
    outputs = {probe("update", OPTIMIZERS.index(optimizer), workers, 3, 2.0, data=data) for workers in (1, 2, 3, 8)}
    assert len(outputs) == 1


def chain_product(left, right):
    """The matrix product in which every entry is one float32 FMA chain over the inner index from +0."""
    total = np.zeros((left.shape[0], right.shape[1]), np.float32)
    for k in range(left.shape[1]):
        total = fma32(left[:, k : k + 1], right[k : k + 1], total)
    return total


def muon_by_chains(theta, g, alpha):
    """MUON's first step in float32, every product and sum rounded as engine.md says: κ = 0.2, five steps."""
    a, b, c = np.float32(3.4445), np.float32(-4.7750), np.float32(2.0315)
    size = 0.0
    for first in range(0, g.size, 4096):
        block = 0.0
        for value in g.reshape(-1)[first : first + 4096].tolist():
            block += value * value
        size += block
    x = g / np.float32(math.sqrt(size))
    x = x.T if g.shape[0] > g.shape[1] else x
    for _ in range(5):
        gram = chain_product(x, x.T)
        y = fma32(c, chain_product(gram, gram), b * gram)
        x = fma32(a, x, chain_product(y, x))
    x = x.T if g.shape[0] > g.shape[1] else x
    theta = theta - np.float32(alpha * 0.05) * theta
    return fma32(np.float32(alpha * 0.2 * math.sqrt(max(g.shape))), x, theta)


def test_muons_chains_are_equal_to_the_bit(probe) -> None:
    """The first step of the wide, the tall and the square matrix, decay included."""
    flat = estimates(1)[0]
    _, weights = results(probe("update", OPTIMIZERS.index("muon"), 2, 1, math.inf, data=flat), 1)
    gs = dict(zip(TRAINED, split(flat, TRAINED), strict=True))
    for k in (0, 1, 5):
        assert weights[k].tobytes() == muon_by_chains(start()[k], gs[k], 0.01).tobytes()


def links(k, key, epoch, pair, family):
    """The links of one pair in the chains of the k-th parameter's entries: (what multiplies d, what d·it multiplies)."""
    shape, kind = SHAPES[k]
    if family[0] == "gaussian" or kind == "vector":
        return [(None, normals(stream_key(*key, epoch, pair), 0, math.prod(shape)).reshape(shape))]
    m, n = shape
    if family[0] == "omelette-r1":
        a, b = rademacher_factors(key, epoch, pair, m, n)
        return [(a[:, None], b[None])]
    a, b = low_rank_factors(key, epoch, pair, out_dim=m, in_dim=n, rank=family[1])
    return [(a[:, q : q + 1], b[None, :, q]) for q in range(family[1])]


def estimate_by_chains(coefficients, seed, epoch, family=("gaussian", 1)):
    """ĝ for σ = 0.02 and N members: one FMA chain a 1024 pairs, chunks added in order, then one product."""
    members, d = coefficients
    found = []
    for k in TRAINED:
        shape, kind = SHAPES[k]
        rank = 1 if kind == "vector" else family[1]
        total = None
        for first in range(0, len(d), 1024):
            chunk = np.zeros(shape, np.float32)
            for pair in range(first, min(first + 1024, len(d))):
                for a, b in links(k, (k + 1, seed), epoch, pair, family):
                    chunk = fma32(d[pair] if a is None else d[pair] * a, b, chunk)
            total = chunk if total is None else total + chunk
        found.append((total * np.float32(1 / (members * 0.02 * math.sqrt(rank)))).reshape(-1))
    return np.concatenate(found)


FAMILIES = [("gaussian", 1), ("eggroll", 1), ("eggroll", 3), ("omelette-r1", 1)]
ESTIMATES = [(*size, family) for size in ((True, 1), (True, 6), (False, 30)) for family in FAMILIES]
ESTIMATES += [(True, 1030, FAMILIES[0]), (True, 1030, FAMILIES[2])]


def run_estimate(probe, weights, antithetic, workers, pairs, family):
    """The probe's estimate for seed 9 and epoch 5."""
    which = (FIELDS["perturbation"].values.index(family[0]), family[1])
    got = probe("estimate", int(antithetic), workers, pairs, 9, 5, *which, data=weights)
    return np.frombuffer(got, "<f4")


@pytest.mark.parametrize(("antithetic", "pairs", "family"), ESTIMATES)
def test_estimates_are_equal_to_the_bit(probe, antithetic, pairs, family) -> None:
    """From kept and redrawn noise, past a chunk's end, with zero coefficients, for any number of workers."""
    rng = np.random.default_rng(pairs)
    weights = rng.standard_normal(2 * pairs if antithetic else pairs)
    if pairs > 4:
        weights[4:6] = 0
    d = (weights[0::2] - weights[1::2] if antithetic else weights).astype(np.float32)
    expected = cached_chains(len(weights), d.tobytes(), family)
    for workers in (1, 3):
        assert run_estimate(probe, weights, antithetic, workers, pairs, family).tolist() == expected.tolist()


@cache
def cached_chains(members, d, family):
    """The chains of one test, made once for all builds."""
    return estimate_by_chains((members, np.frombuffer(d, np.float32)), 9, 5, family)


def test_the_reference_estimate_is_the_chain_in_float64() -> None:
    """The tier's float64 sum and the float32 chain, 300 pairs: within 1e-6 of the largest entry."""
    weights = np.random.default_rng(1).standard_normal(600)
    d = (weights[0::2] - weights[1::2]).astype(np.float32)
    chains = split(estimate_by_chains((600, d), 9, 5), TRAINED)
    values = defaults() | {"population": 600, "sampling": "antithetic", "sigma": 0.02}
    settings: Settings = settings_of(values)
    for k, expected in zip(TRAINED, chains, strict=True):
        p = Parameter(str(k), SHAPES[k][0], "vector", trainable=True, init="constant", init_value=0.0)
        noise = [normals(stream_key(k + 1, 9, 5, pair), 0, expected.size).reshape(p.shape) for pair in range(300)]
        got = estimate(p, weights, noise, settings, 0.02)
        np.testing.assert_allclose(got, expected, rtol=0, atol=1e-6 * np.abs(got).max())
