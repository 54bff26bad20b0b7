"""Exact identities of perturbations: they hold at any rank, for any draw, up to float64 rounding or to the bit."""

from __future__ import annotations

import math

import numpy as np
import pytest

from geode.reference.perturb import (
    dense_noise,
    distributed_es_update,
    es_update,
    low_rank_correction,
    low_rank_perturbation,
    member_pair_sign,
    population_forward,
    rademacher_factors,
    reconstruct_factors,
)
from geode.reference.shaping import fitness_shaping
from geode.reference.streams import member_normal, member_seed, words

KEY = (0x0123456789ABCDEF, 0xFEDCBA9876543210)
OUT, IN = 11, 7


def draw(r, **changes):
    """Arguments of an ES update at rank r."""
    return {"sigma": 0.02, "rank": r, "epoch": 3, "sampling": "antithetic", "accum": "fp32"} | changes


@pytest.mark.parametrize(
    ("sampling", "expected"),
    [
        ("antithetic", [(0, 1), (0, -1), (1, 1), (1, -1), (2, 1)]),
        ("independent", [(0, 1), (1, 1), (2, 1), (3, 1), (4, 1)]),
    ],
)
def test_pairs_and_signs(sampling, expected):
    """Members 2k and 2k+1 share pair k; independent members are their own pairs."""
    assert [member_pair_sign(sampling, m) for m in range(5)] == expected


def test_unknown_sampling_and_negative_members_are_refused():
    """A misspelt sampling would silently change every number."""
    with pytest.raises(ValueError, match="sampling"):
        member_pair_sign("mirrored", 0)
    with pytest.raises(ValueError, match="member"):
        member_pair_sign("antithetic", -1)


def test_dense_noise_is_the_stream_row_by_row():
    """Element (i, j) is normal i·n + j."""
    noise = dense_noise(KEY, 2, 5, (3, 4))
    assert noise.dtype == np.float32
    assert noise[2, 1] == member_normal(KEY, 2, 5, 12)[2 * 4 + 1]


@pytest.mark.parametrize("r", [1, 2, 5])
def test_b_is_drawn_first_then_a_row_major(r):
    """One draw of (n+m)·r normals: its first n rows of r are B, the rest A."""
    a, b, sign = reconstruct_factors(KEY, 9, OUT, IN, r, epoch=4, sampling="antithetic")
    stream = member_normal(KEY, 4, 4, (IN + OUT) * r)
    assert sign == -1
    assert b.tolist() == stream[: IN * r].reshape(IN, r).tolist()
    assert a.tolist() == stream[IN * r :].reshape(OUT, r).tolist()


def test_the_two_members_of_a_pair_differ_in_sign_alone():
    """Same factors, opposite perturbation, to the bit."""
    plus = low_rank_perturbation(KEY, 6, OUT, IN, 3, sigma=0.1, epoch=0, sampling="antithetic", dtype="fp32")
    minus = low_rank_perturbation(KEY, 7, OUT, IN, 3, sigma=0.1, epoch=0, sampling="antithetic", dtype="fp32")
    assert plus.tolist() == (-minus).tolist()


def test_epochs_pairs_and_keys_give_different_noise():
    """Changing any part of (key, epoch, pair) changes the draw; nothing else enters it."""
    draws = {
        member_normal(key, epoch, pair, 4).tobytes()
        for key in (KEY, (KEY[0] + 1, KEY[1]), (KEY[0], KEY[1] + 1))
        for epoch in range(3)
        for pair in range(3)
    }
    assert len(draws) == 27


def test_omelette_bits_are_b_first_least_significant_first():
    """Bit k of the words, 0 -> +1: b takes bits 0 … n-1, a the next m."""
    a, b = rademacher_factors(KEY, 1, 2, 40, 30)
    stream = words(member_seed(KEY, 1, 2), 0, 3).tolist()
    bits = [(stream[k // 32] >> (k % 32)) & 1 for k in range(70)]
    assert [*b.tolist(), *a.tolist()] == [1.0 - 2.0 * bit for bit in bits]
    assert np.linalg.norm(np.outer(a, b)) == pytest.approx(math.sqrt(30 * 40), rel=1e-15)


@pytest.mark.parametrize("r", [1, 2, 4])
@pytest.mark.parametrize("sampling", ["antithetic", "independent"])
@pytest.mark.parametrize("middle", [(), (3,), (2, 3)])
def test_population_forward_is_the_dense_perturbation(r, sampling, middle):
    """W x + (sσ/√r)·A(Bᵀx) = (W + perturbation) x, for activations with any axes between."""
    rng = np.random.default_rng(r)
    members = [0, 1, 4, 7, 10]
    x, w = rng.standard_normal((5, *middle, IN)), rng.standard_normal((OUT, IN))
    got = population_forward(x, w, KEY, members, sigma=0.03, rank=r, epoch=2, sampling=sampling)
    assert got.shape == (5, *middle, OUT)
    for place, member in enumerate(members):
        delta = low_rank_perturbation(KEY, member, OUT, IN, r, sigma=0.03, epoch=2, sampling=sampling, dtype="fp64")
        np.testing.assert_allclose(got[place], x[place] @ (w + delta).T, rtol=0, atol=1e-12)


@pytest.mark.parametrize("r", [1, 3])
@pytest.mark.parametrize("sampling", ["antithetic", "independent"])
def test_the_factored_update_is_the_sum_of_outer_products(r, sampling):
    """(1/(Nσ√r)) Σ u s A Bᵀ, one member after the other."""
    members = list(range(12))
    u = np.random.default_rng(2).standard_normal(12)
    naive = np.zeros((OUT, IN))
    for member in members:
        delta = low_rank_perturbation(KEY, member, OUT, IN, r, sigma=0.02, epoch=3, sampling=sampling, dtype="fp64")
        naive += u[member] * delta / 0.02
    got = es_update(KEY, members, u, OUT, IN, **draw(r, sampling=sampling))
    np.testing.assert_allclose(got, naive / (12 * 0.02), rtol=0, atol=1e-11)


def test_the_update_times_sigma_is_the_sum_without_it():
    """Theorem 2's form, (1/N) Σ u s A Bᵀ/√r, has no 1/σ: it is this update times σ, whatever σ is."""
    members = list(range(8))
    u = np.linspace(-1, 1, 8)
    first = 0.02 * es_update(KEY, members, u, OUT, IN, **draw(2))
    second = 0.5 * es_update(KEY, members, u, OUT, IN, **draw(2, sigma=0.5))
    total = np.zeros((OUT, IN))
    for member in members:
        a, b, sign = reconstruct_factors(KEY, member, OUT, IN, 2, epoch=3, sampling="antithetic")
        total += u[member] * sign * (a.astype(np.float64) @ b.astype(np.float64).T) / math.sqrt(2) / 8
    np.testing.assert_allclose(first, total, rtol=0, atol=1e-13)
    np.testing.assert_allclose(second, total, rtol=0, atol=1e-13)


@pytest.mark.parametrize(
    ("size", "r", "sampling", "expected"),
    [
        (2, 1, "antithetic", 1),
        (5, 2, "antithetic", 6),
        (6, 1, "antithetic", 3),
        (40, 1, "antithetic", 12),
        (4, 5, "antithetic", 10),
        (8, 1, "independent", 8),
    ],
)
def test_the_rank_of_the_update_counts_pairs(size, r, sampling, expected):
    """min(⌈N/2⌉·r, m, n) under antithetic sampling, min(N·r, m, n) under independent."""
    u = np.random.default_rng(3).standard_normal(size) + 0.5
    update = es_update(KEY, range(size), u, 20, 12, **draw(r, sampling=sampling))
    assert np.linalg.matrix_rank(update, tol=1e-9 * np.linalg.norm(update, 2)) == expected


@pytest.mark.parametrize("sizes", [(16,), (4, 4, 4, 4), (1, 10, 5), (7, 9)])
@pytest.mark.parametrize("reverse", [False, True])
def test_workers_rebuild_one_identical_update(sizes, reverse):
    """However the members are shared out, in whatever order workers answer, every worker has the same bits."""
    scores = np.random.default_rng(5).standard_normal(16)
    ends = np.cumsum(sizes)
    shards = [np.arange(end - size, end) for end, size in zip(ends, sizes, strict=True)]
    if reverse:
        shards = [shard[::-1] for shard in shards[::-1]]
    whole = es_update(
        KEY, range(16), fitness_shaping(scores, "zscore", "antithetic", maximise=True), OUT, IN, **draw(2)
    )
    gathered = {np.dtype(np.int64): np.concatenate(shards), np.dtype(np.float64): scores[np.concatenate(shards)]}
    for shard in shards:
        update = distributed_es_update(
            lambda own: gathered[own.dtype],
            KEY,
            shard,
            scores[shard],
            out_dim=OUT,
            in_dim=IN,
            shaping="zscore",
            maximise=True,
            **draw(2),
        )
        assert update.tobytes() == whole.tobytes()


def test_a_missing_member_is_noticed():
    """Two workers that both score member 0 are an error, not a wrong update."""
    with pytest.raises(ValueError, match="each once"):
        distributed_es_update(
            lambda own: np.concatenate([own, own]),
            KEY,
            [0, 1],
            [1.0, 2.0],
            out_dim=OUT,
            in_dim=IN,
            shaping="raw",
            maximise=True,
            **draw(1),
        )


def test_a_bfloat16_sum_would_lose_the_update():
    """Why accumulation narrower than fp32 is refused: over 4000 members bfloat16 is off by more than 0.1 %."""

    def bf16(x):
        bits = np.asarray(x, np.float32).view(np.uint32)
        return ((bits + np.uint32(0x8000)) & np.uint32(0xFFFF0000)).view(np.float32)

    u = np.random.default_rng(4).standard_normal(4000)
    exact = es_update(KEY, range(4000), u, 4, 4, **draw(1))
    total = np.zeros((4, 4), np.float32)
    for member in range(4000):
        a, b, sign = reconstruct_factors(KEY, member, 4, 4, 1, epoch=3, sampling="antithetic")
        total = bf16(total + bf16(u[member] * sign / (4000 * 0.02) * (a @ b.T)))
    assert np.linalg.norm(total - exact) > 1e-3 * np.linalg.norm(exact)


@pytest.mark.parametrize(
    ("accum", "error"), [("bf16", ValueError), ("fp16", ValueError), ("f32", ValueError), ("s32", NotImplementedError)]
)
def test_accumulation_is_fp32_only(accum, error):
    """s32 is reserved, anything narrower refused, in the correction as in the update."""
    with pytest.raises(error):
        es_update(KEY, [0, 1], [1.0, -1.0], OUT, IN, **draw(1, accum=accum))
    with pytest.raises(error):
        low_rank_correction(np.zeros((2, IN)), [0, 1], KEY, out_dim=OUT, **draw(1, accum=accum))


@pytest.mark.parametrize(("dtype", "storage"), [("fp16", np.float16), ("fp32", np.float32), ("fp64", np.float64)])
def test_the_storage_type_is_honoured(dtype, storage):
    """A half stays a half: it is rounded, never widened; the correction has its activations' type."""
    exact = low_rank_perturbation(KEY, 0, OUT, IN, 1, sigma=0.1, epoch=0, sampling="independent", dtype="fp64")
    stored = low_rank_perturbation(KEY, 0, OUT, IN, 1, sigma=0.1, epoch=0, sampling="independent", dtype=dtype)
    assert stored.dtype == storage
    assert stored.tolist() == exact.astype(storage).tolist()
    x = np.ones((2, IN), storage)
    assert low_rank_correction(x, [0, 1], KEY, out_dim=OUT, **draw(1)).dtype == storage


def test_unknown_storage_types_are_refused():
    """fp8 and integers have no silent stand-in."""
    with pytest.raises(ValueError, match="storage type"):
        low_rank_perturbation(KEY, 0, OUT, IN, 1, sigma=0.1, epoch=0, sampling="independent", dtype="fp8")
    with pytest.raises(ValueError, match="storage type"):
        low_rank_correction(np.ones((1, IN), np.int32), [0], KEY, out_dim=OUT, **draw(1))


@pytest.mark.parametrize("sigma", [None, 0.0, -0.1, math.nan, math.inf])
def test_sigma_must_be_given_finite_and_positive(sigma):
    """Sigma is meaning: no function has a default for it, and None is an error."""
    common = {"sigma": sigma, "epoch": 0, "sampling": "antithetic"}
    with pytest.raises(ValueError, match="sigma"):
        low_rank_perturbation(KEY, 0, OUT, IN, 1, dtype="fp32", **common)
    with pytest.raises(ValueError, match="sigma"):
        population_forward(np.zeros((1, IN)), np.zeros((OUT, IN)), KEY, [0], rank=1, **common)
    with pytest.raises(ValueError, match="sigma"):
        es_update(KEY, [0, 1], [1.0, -1.0], OUT, IN, rank=1, accum="fp32", **common)
    with pytest.raises(TypeError, match="sigma"):
        es_update(KEY, [0, 1], [1.0, -1.0], OUT, IN, rank=1, accum="fp32", epoch=0, sampling="antithetic")


def test_shapes_that_do_not_fit_are_refused():
    """A rank below 1, activations for another number of members, weights for another."""
    with pytest.raises(ValueError, match="rank"):
        reconstruct_factors(KEY, 0, OUT, IN, 0, epoch=0, sampling="antithetic")
    with pytest.raises(ValueError, match="members"):
        low_rank_correction(np.zeros((3, IN)), [0, 1], KEY, out_dim=OUT, **draw(1))
    with pytest.raises(ValueError, match="members"):
        es_update(KEY, [0, 1], [1.0, 2.0, 3.0], OUT, IN, **draw(1))
