"""Perturbations: a stream key, an epoch and a member -> noise, perturbed products, ES updates.

In: `key` = (hi, lo), the hash of the parameter's name and SEED. Out: float32 noise (bit-equal to the
runtime) and float64 products and sums. Invariant: noise depends on (key, epoch, pair) alone; the
sign is the only thing in which the two members of a pair differ.

Layout: weight `[out, in]`, activation `[P, …, in]`, A `[out, r]`, B `[in, r]`, E = A Bᵀ/√r (EGGROLL,
arXiv:2511.16652). No argument has a default: sigma is meaning, not configuration.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from geode.reference.shaping import fitness_shaping
from geode.reference.streams import member_normal, member_seed, words

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

F32 = NDArray[np.float32]
F64 = NDArray[np.float64]
Key = tuple[int, int]

STORAGE: dict[str, np.dtype[Any]] = {
    "fp16": np.dtype(np.float16),
    "fp32": np.dtype(np.float32),
    "fp64": np.dtype(np.float64),
}


def member_pair_sign(sampling: str, member: int) -> tuple[int, int]:
    """Return (pair, sign): members 2k and 2k+1 are +1 and -1 of pair k, or each its own pair, +1."""
    if member < 0:
        raise ValueError(f"member must be at least 0, got {member}")
    if sampling == "antithetic":
        return member // 2, 1 - 2 * (member % 2)
    if sampling == "independent":
        return member, 1
    raise ValueError(f"sampling must be 'antithetic' or 'independent', got {sampling!r}")


def dense_noise(key: Key, epoch: int, pair: int, shape: Sequence[int]) -> F32:
    """Return ES-GAUSSIAN's E of one pair: N(0, 1) entries, element (i, j) is normal i·n + j."""
    return member_normal(key, epoch, pair, math.prod(shape)).reshape(tuple(shape))


def low_rank_factors(key: Key, epoch: int, pair: int, *, out_dim: int, in_dim: int, rank: int) -> tuple[F32, F32]:
    """Return EGGROLL's A `[out, r]` and B `[in, r]` of one pair: B is drawn first, both row-major."""
    if rank < 1:
        raise ValueError(f"rank must be at least 1, got {rank}")
    draw = member_normal(key, epoch, pair, (in_dim + out_dim) * rank).reshape(-1, rank)
    return draw[in_dim:], draw[:in_dim]


def rademacher_factors(key: Key, epoch: int, pair: int, out_dim: int, in_dim: int) -> tuple[F32, F32]:
    """Return OMELETTE-R1's a `[out]` and b `[in]`, entries ±1, E = a bᵀ.

    Bit k of the stream's words, least significant first, 0 -> +1: b takes the first `in` bits.
    """
    count = in_dim + out_dim
    drawn = words(member_seed(key, epoch, pair), 0, (count + 31) // 32).astype("<u4")
    bits = np.unpackbits(drawn.view(np.uint8), bitorder="little")[:count]
    signs = np.float32(1) - np.float32(2) * bits.astype(np.float32)
    return signs[in_dim:], signs[:in_dim]


def reconstruct_factors(
    key: Key, member: int, out_dim: int, in_dim: int, rank: int, *, epoch: int, sampling: str
) -> tuple[F32, F32, int]:
    """Return (A, B, sign) of one member, the same wherever they are rebuilt."""
    pair, sign = member_pair_sign(sampling, member)
    return *low_rank_factors(key, epoch, pair, out_dim=out_dim, in_dim=in_dim, rank=rank), sign


def low_rank_perturbation(
    key: Key,
    member: int,
    out_dim: int,
    in_dim: int,
    rank: int,
    *,
    sigma: float | None,
    epoch: int,
    sampling: str,
    dtype: str,
) -> NDArray[Any]:
    """Return one member's s·σ·A Bᵀ/√r as a matrix `[out, in]`, stored as `dtype` (a key of STORAGE)."""
    scale = _sigma(sigma) / math.sqrt(rank)
    storage = _storage(dtype)
    a, b, sign = reconstruct_factors(key, member, out_dim, in_dim, rank, epoch=epoch, sampling=sampling)
    product = a.astype(np.float64) @ b.astype(np.float64).T
    scaled: NDArray[Any] = (sign * scale * product).astype(storage)
    return scaled


def low_rank_correction(
    x: NDArray[Any],
    members: Sequence[int],
    key: Key,
    *,
    out_dim: int,
    rank: int,
    sigma: float | None,
    epoch: int,
    sampling: str,
    accum: str,
) -> NDArray[Any]:
    """Return (sσ/√r)·A(Bᵀx) for each member, `[P, …, out]` in the storage type of `x` `[P, …, in]`."""
    scale = _sigma(sigma) / math.sqrt(rank)
    _accumulation(accum)
    if x.dtype not in STORAGE.values():
        raise ValueError(f"storage type {x.dtype} is none of {', '.join(STORAGE)}")
    if x.ndim < 2 or x.shape[0] != len(members):
        raise ValueError(f"x must be [P, …, in] with P = {len(members)} members, got {list(x.shape)}")
    values = x.astype(np.float64)
    out = np.empty((*x.shape[:-1], out_dim))
    for place, member in enumerate(members):
        a, b, sign = reconstruct_factors(key, member, out_dim, x.shape[-1], rank, epoch=epoch, sampling=sampling)
        inner = values[place] @ b.astype(np.float64)
        out[place] = sign * scale * (inner @ a.astype(np.float64).T)
    return out.astype(x.dtype)


def population_forward(
    x: NDArray[Any],
    weight: NDArray[Any],
    key: Key,
    members: Sequence[int],
    *,
    sigma: float | None,
    rank: int,
    epoch: int,
    sampling: str,
) -> F64:
    """Return W x + (sσ/√r)·A(Bᵀx) of each member, float64 `[P, …, out]`; nothing `[out, in]` is built."""
    values = np.asarray(x, np.float64)
    base = np.asarray(weight, np.float64)
    correction = low_rank_correction(
        values,
        members,
        key,
        out_dim=base.shape[0],
        rank=rank,
        sigma=sigma,
        epoch=epoch,
        sampling=sampling,
        accum="fp32",
    )
    outputs: F64 = values @ base.T + correction
    return outputs


def es_update(
    key: Key,
    members: Sequence[int],
    weights: Sequence[float] | F64,
    out_dim: int,
    in_dim: int,
    *,
    sigma: float | None,
    rank: int,
    epoch: int,
    sampling: str,
    accum: str,
) -> F64:
    """Return the estimate (1/(Nσ√r)) Σ u s A Bᵀ, float64 `[out, in]`, N the number of members given.

    `weights` are the shaped scores u, one a member, in the members' order. One product of
    the pairs' stacked factors: no member's matrix is built.
    """
    scale = 1 / (len(members) * _sigma(sigma) * math.sqrt(rank))
    _accumulation(accum)
    shaped = np.asarray(weights, np.float64)
    if shaped.shape != (len(members),):
        raise ValueError(f"{len(members)} members, but weights {list(shaped.shape)}")
    coefficients: dict[int, float] = {}
    for member, weight in zip(members, shaped.tolist(), strict=True):
        pair, sign = member_pair_sign(sampling, member)
        coefficients[pair] = coefficients.get(pair, 0.0) + sign * weight
    left, right = [], []
    for pair, coefficient in coefficients.items():
        a, b = low_rank_factors(key, epoch, pair, out_dim=out_dim, in_dim=in_dim, rank=rank)
        left.append(coefficient * a.astype(np.float64))
        right.append(b.astype(np.float64))
    update: F64 = scale * (np.concatenate(left, axis=1) @ np.concatenate(right, axis=1).T)
    return update


def distributed_es_update(
    all_gather: Callable[[NDArray[Any]], NDArray[Any]],
    key: Key,
    local_members: Sequence[int],
    local_scores: Sequence[float],
    *,
    out_dim: int,
    in_dim: int,
    sigma: float | None,
    rank: int,
    epoch: int,
    sampling: str,
    shaping: str,
    maximise: bool,
    accum: str,
) -> F64:
    """Return `es_update` of the whole population, the same on every worker.

    `all_gather` joins every worker's one-axis array along that axis. Members and scores are all
    that travels; they are put in the order of the members, so the workers' order and their
    shares don't matter. The members of all workers together must be 0 … N-1, each once.
    """
    own_members = np.asarray(local_members, np.int64)
    own_scores = np.asarray(local_scores, np.float64)
    if own_members.ndim != 1 or own_members.shape != own_scores.shape:
        raise ValueError(f"{own_members.shape} members, but {own_scores.shape} scores")
    members = all_gather(own_members)
    scores = all_gather(own_scores)
    order = np.argsort(members, kind="stable")
    if not np.array_equal(members[order], np.arange(len(members))):
        raise ValueError("the workers' members together must be 0 … N-1, each once")
    weights = fitness_shaping(scores[order], shaping, sampling, maximise)
    return es_update(
        key,
        range(len(members)),
        weights,
        out_dim,
        in_dim,
        sigma=sigma,
        rank=rank,
        epoch=epoch,
        sampling=sampling,
        accum=accum,
    )


def _sigma(sigma: float | None) -> float:
    if sigma is None:
        raise ValueError("sigma must be given: it has no default here")
    if not (math.isfinite(sigma) and sigma > 0):
        raise ValueError(f"sigma must be finite and above 0, got {sigma}")
    return sigma


def _accumulation(accum: str) -> None:
    """Refuse every accumulation but fp32 (computed here in float64): a narrower sum loses the signal."""
    if accum == "s32":
        raise NotImplementedError("integer accumulation (s32) is not part of this tier")
    if accum != "fp32":
        raise ValueError(f"accumulation must be 'fp32', got {accum!r}")


def _storage(dtype: str) -> np.dtype[Any]:
    if dtype not in STORAGE:
        raise ValueError(f"storage type {dtype!r} is none of {', '.join(STORAGE)}")
    return STORAGE[dtype]
