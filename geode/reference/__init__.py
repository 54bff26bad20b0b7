"""The oracle: what a run computes, in NumPy, without the compiler; it reads like the formulas.

In: keys, arrays, typed graphs. Out: the numbers every native result is tested against. The formulas' functions stand here
(docs/reference.md), the interpreter of programs is `geode.reference.program`.
Invariant: nothing here imports lowering code or constants of the compiler's back end; the
table of normals (`geode/streams`) is the one thing both sides read.
"""

from __future__ import annotations

from geode.reference.perturb import (
    dense_noise,
    distributed_es_update,
    es_update,
    low_rank_correction,
    low_rank_factors,
    low_rank_perturbation,
    member_pair_sign,
    population_forward,
    rademacher_factors,
    reconstruct_factors,
)
from geode.reference.shaping import AllNanError, antithetic_sign, centered_rank, fitness_shaping, utilities
from geode.reference.streams import member_normal, member_seed, normals, shuffle_order, stream_key, stream_name_hash
from geode.reference.updates import (
    adam,
    clipped,
    decayed,
    muon,
    newton_schulz,
    rmsprop,
    scheduled,
    sgd,
    sgdm,
    warmed_up,
)

__all__ = [
    "AllNanError",
    "adam",
    "antithetic_sign",
    "centered_rank",
    "clipped",
    "decayed",
    "dense_noise",
    "distributed_es_update",
    "es_update",
    "fitness_shaping",
    "low_rank_correction",
    "low_rank_factors",
    "low_rank_perturbation",
    "member_normal",
    "member_pair_sign",
    "member_seed",
    "muon",
    "newton_schulz",
    "normals",
    "population_forward",
    "rademacher_factors",
    "reconstruct_factors",
    "rmsprop",
    "scheduled",
    "sgd",
    "sgdm",
    "shuffle_order",
    "stream_key",
    "stream_name_hash",
    "utilities",
    "warmed_up",
]
