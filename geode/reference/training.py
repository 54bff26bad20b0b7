"""Whole epochs of evolution: an objective and its parameters -> the metrics of each epoch.

In: `objective(weights) -> score`, the score of one member in the program's own units, and plain settings. Out: one
`EpochRecord` an epoch, and the state that the next epoch starts from. Invariant: an epoch is a function of state
and settings alone; weights are float32, estimates and optimizer states float64.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from geode.reference import updates
from geode.reference.initial import Parameter, initial_weights
from geode.reference.perturb import dense_noise, low_rank_factors, member_pair_sign, rademacher_factors
from geode.reference.shaping import fitness_shaping
from geode.reference.streams import stream_name_hash

F32 = NDArray[np.float32]
F64 = NDArray[np.float64]
Objective = Callable[[dict[str, F32]], float]


@dataclass(frozen=True, slots=True)
class Settings:
    """The settings of one TRAIN stage that enter its numbers, under the names of the settings table; no defaults."""

    direction: str  # loss | reward
    epochs: int  # T of the cosine schedules
    population: int
    seed: int
    alpha: float
    alpha_schedule: str  # constant | cosine (to 0) | decay
    alpha_factor: float
    sigma: float
    sigma_schedule: str  # constant | cosine (to sigma/10) | decay
    sigma_factor: float
    sampling: str  # antithetic | independent
    perturbation: str  # gaussian | eggroll | omelette-r1
    rank: int  # of eggroll, else 1
    shaping: str  # raw | zscore | rank-shaped | sign | utility
    optimizer: str  # sgd | sgdm | rmsprop | adam | muon
    sgdm_beta: float
    rmsprop_beta: float
    rmsprop_epsilon: float
    adam_beta1: float
    adam_beta2: float
    adam_epsilon: float
    muon_beta: float
    muon_warmup: int
    muon_kappa: float
    muon_steps: int
    weight_decay: float
    update_clip: float  # infinity: off
    noise_reuse: int
    evaluate_every: int  # 0: off


FIELDS = tuple(field.name for field in fields(Settings))


@dataclass(frozen=True, slots=True)
class EpochRecord:
    """The metrics of one epoch, on raw scores; mean, std (population) and worst over the finite ones."""

    epoch: int
    best: float
    best_member: int
    mean: float
    worst: float
    std: float
    nan: int
    alpha: float
    sigma: float
    grad: float  # norm of the estimate before clipping
    update: float  # norm of the change of the weights, decay included
    center: float | None  # score of the unperturbed weights, where it was asked for


@dataclass(frozen=True, slots=True)
class TrainingState:
    """Everything an epoch starts from; `memory` holds the optimizer's arrays by parameter, `steps` its count."""

    weights: dict[str, F32]
    memory: dict[str, tuple[F64, ...]]
    steps: int
    epoch: int  # through all stages
    stage_epoch: int


def settings_of(values: Mapping[str, Any]) -> Settings:
    """Return the Settings among the values of a whole settings table."""
    rank = values["rank"] if values["perturbation"] == "eggroll" else 1
    return Settings(rank=rank, **{name: values[name] for name in FIELDS if name != "rank"})


def train(objective: Objective, parameters: Sequence[Parameter], settings: Settings, epochs: int) -> list[EpochRecord]:
    """Return the records of the first `epochs` epochs, from the initial weights on."""
    return continue_training(objective, parameters, initial_state(parameters, settings), settings, epochs)[1]


def initial_state(parameters: Sequence[Parameter], settings: Settings) -> TrainingState:
    """Return the state before the first epoch."""
    return TrainingState(initial_weights(parameters, settings.seed), {}, 0, 0, 0)


def continue_training(
    objective: Objective, parameters: Sequence[Parameter], state: TrainingState, settings: Settings, epochs: int
) -> tuple[TrainingState, list[EpochRecord]]:
    """Return the state after `epochs` more epochs, and their records."""
    records = []
    for _ in range(epochs):
        state, record = run_epoch(objective, parameters, state, settings)
        records.append(record)
    return state, records


def run_epoch(
    objective: Objective, parameters: Sequence[Parameter], state: TrainingState, settings: Settings
) -> tuple[TrainingState, EpochRecord]:
    """Return the state after one epoch and its record: draw, evaluate, shape, estimate, update.

    Raises AllNanError, the state untouched, if no member's score is finite.
    """
    t = state.stage_epoch
    alpha, sigma = step_sizes(settings, t)
    trained = [p for p in parameters if p.trainable]
    noise = pair_noises(trained, settings, state.epoch)
    members = (
        perturbed(trained, state.weights, noise, settings=settings, member=member, sigma=sigma)
        for member in range(settings.population)
    )
    scores = np.array([objective(state.weights | weights) for weights in members], np.float64)
    due = settings.evaluate_every > 0 and t % settings.evaluate_every == 0
    center = float(objective(dict(state.weights))) if due else None
    shaped = fitness_shaping(scores, settings.shaping, settings.sampling, settings.direction == "reward")
    estimates = [estimate(p, shaped, noise[p.name], settings, sigma) for p in trained]
    grad = updates.norm(estimates)
    clipped = updates.clipped(estimates, settings.update_clip)
    weights, memory = dict(state.weights), dict(state.memory)
    for p, g in zip(trained, clipped, strict=True):
        theta = updates.decayed(weights[p.name], alpha, settings.weight_decay)
        weights[p.name], memory[p.name] = _updated(
            p, theta, g, memory.get(p.name), step=state.steps + 1, alpha=alpha, s=settings
        )
    change = updates.norm(weights[p.name].astype(np.float64) - state.weights[p.name] for p in trained)
    after = replace(
        state, weights=weights, memory=memory, steps=state.steps + 1, epoch=state.epoch + 1, stage_epoch=t + 1
    )
    return after, _record(scores, settings, state.epoch, (alpha, sigma, grad, change), center)


def step_sizes(settings: Settings, epoch: int) -> tuple[float, float]:
    """Return (α, σ) of one epoch of the stage, MUON's warm-up included."""
    s = settings
    alpha = updates.scheduled(s.alpha_schedule, s.alpha, end=0.0, factor=s.alpha_factor, epoch=epoch, epochs=s.epochs)
    sigma = updates.scheduled(
        s.sigma_schedule, s.sigma, end=s.sigma / 10, factor=s.sigma_factor, epoch=epoch, epochs=s.epochs
    )
    if s.optimizer == "muon":
        alpha = updates.warmed_up(alpha, epoch, s.muon_warmup)
    if not (math.isfinite(alpha) and math.isfinite(sigma) and sigma > 0):
        raise ValueError(f"epoch {epoch}: alpha {alpha} must be finite, sigma {sigma} finite and above 0")
    return alpha, sigma


def pair_noises(parameters: Sequence[Parameter], settings: Settings, epoch: int) -> dict[str, list[F64]]:
    """Return √r·E of each pair for each parameter, in its own shape (r = 1 but for EGGROLL's matrices)."""
    pairs = range(member_pair_sign(settings.sampling, settings.population - 1)[0] + 1)
    drawn = epoch // settings.noise_reuse
    return {p.name: [_pair_noise(p, settings, drawn, pair) for pair in pairs] for p in parameters}


def perturbed(
    parameters: Sequence[Parameter],
    weights: Mapping[str, F32],
    noise: Mapping[str, Sequence[F64]],
    *,
    settings: Settings,
    member: int,
    sigma: float,
) -> dict[str, F32]:
    """Return one member's θ + s·σ·E of each parameter, rounded once to float32."""
    pair, sign = member_pair_sign(settings.sampling, member)
    result = {}
    for p in parameters:
        scale = float(np.float32(sign * sigma / math.sqrt(_rank(p, settings))))
        result[p.name] = (weights[p.name] + scale * noise[p.name][pair]).astype(np.float32)
    return result


def estimate(parameter: Parameter, shaped: F64, noise: Sequence[F64], settings: Settings, sigma: float) -> F64:
    """Return ĝ = (1/(Nσ)) Σ u s E in the parameter's shape; a pair's u₊ - u₋ is rounded to float32."""
    coefficients = np.zeros(len(noise))
    for member, weight in enumerate(shaped):
        pair, sign = member_pair_sign(settings.sampling, member)
        coefficients[pair] += sign * weight
    scale = np.float32(1 / (settings.population * sigma * math.sqrt(_rank(parameter, settings))))
    total = np.zeros(parameter.shape)
    for d, e in zip(coefficients.astype(np.float32), noise, strict=True):
        total += float(d) * e
    return float(scale) * total


def _rank(parameter: Parameter, settings: Settings) -> int:
    return settings.rank if settings.perturbation == "eggroll" and parameter.kind != "vector" else 1


def _pair_noise(parameter: Parameter, settings: Settings, epoch: int, pair: int) -> F64:
    key = (stream_name_hash(parameter.name), settings.seed)
    m, n = parameter.matrix_shape
    if parameter.kind == "vector" or settings.perturbation == "gaussian":
        return dense_noise(key, epoch, pair, parameter.shape).astype(np.float64)
    if settings.perturbation == "eggroll":
        a, b = low_rank_factors(key, epoch, pair, out_dim=m, in_dim=n, rank=settings.rank)
        product: F64 = a.astype(np.float64) @ b.astype(np.float64).T
        return product.reshape(parameter.shape)
    if settings.perturbation == "omelette-r1":
        a, b = rademacher_factors(key, epoch, pair, m, n)
        return np.outer(a, b).astype(np.float64).reshape(parameter.shape)
    raise ValueError(f"perturbation {settings.perturbation!r} is none of gaussian, eggroll, omelette-r1")


def _updated(
    p: Parameter, theta: F32, g: F64, memory: tuple[F64, ...] | None, *, step: int, alpha: float, s: Settings
) -> tuple[F32, tuple[F64, ...]]:
    """Return one parameter's new weights and optimizer arrays; under MUON what is no matrix goes by ADAM."""
    first, second = (*(memory or ()), np.zeros(p.shape), np.zeros(p.shape))[:2]
    if s.optimizer == "sgd":
        return updates.sgd(theta, g, alpha), ()
    if s.optimizer == "sgdm":
        theta, first = updates.sgdm(theta, g, first, alpha=alpha, beta=s.sgdm_beta)
        return theta, (first,)
    if s.optimizer == "rmsprop":
        theta, first = updates.rmsprop(theta, g, first, alpha=alpha, beta=s.rmsprop_beta, epsilon=s.rmsprop_epsilon)
        return theta, (first,)
    if s.optimizer == "muon" and p.kind == "matrix":
        flat = [array.reshape(p.matrix_shape) for array in (theta, g, first)]
        new, momentum = updates.muon(*flat, alpha=alpha, beta=s.muon_beta, kappa=s.muon_kappa, steps=s.muon_steps)
        return new.reshape(p.shape), (momentum.reshape(p.shape),)
    if s.optimizer in ("adam", "muon"):
        constants = {"beta1": s.adam_beta1, "beta2": s.adam_beta2, "epsilon": s.adam_epsilon}
        theta, first, second = updates.adam(theta, g, first, second, step=step, alpha=alpha, **constants)
        return theta, (first, second)
    raise ValueError(f"optimizer {s.optimizer!r} is none of sgd, sgdm, rmsprop, adam, muon")


def _record(
    scores: F64, settings: Settings, epoch: int, sizes: tuple[float, float, float, float], center: float | None
) -> EpochRecord:
    valid = np.isfinite(scores)
    finite = scores[valid]
    reward = settings.direction == "reward"
    best = float(finite.max() if reward else finite.min())
    alpha, sigma, grad, change = sizes
    return EpochRecord(
        epoch=epoch,
        best=best,
        best_member=int(np.flatnonzero(scores == best)[0]),
        mean=float(finite.mean()),
        worst=float(finite.min() if reward else finite.max()),
        std=float(finite.std()),
        nan=int((~valid).sum()),
        alpha=alpha,
        sigma=sigma,
        grad=grad,
        update=change,
        center=center,
    )
