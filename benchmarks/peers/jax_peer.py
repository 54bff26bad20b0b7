"""JAX, an epoch as one compiled function: dense ES, EGGROLL in the paper's manner, CartPole, and inference alone."""

from __future__ import annotations

import os

os.environ.setdefault("XLA_FLAGS", "--xla_force_host_platform_device_count=1")

from collections.abc import Callable
from functools import partial
from typing import Any

import jax
import jax.numpy as jnp
import timing
import workloads as w


def adam(state: Any, gradients: Any, rate: float) -> Any:
    """Ascent; state is (parameters, first, second, step from 1)."""
    parameters, first, second, step = state
    scale = rate * jnp.sqrt(1 - 0.999**step) / (1 - 0.9**step)
    first = jax.tree.map(lambda m, g: 0.9 * m + 0.1 * g, first, gradients)
    second = jax.tree.map(lambda v, g: 0.999 * v + 0.001 * g * g, second, gradients)
    moved = jax.tree.map(lambda p, m, v: p + scale * m / (jnp.sqrt(v) + 1e-8), parameters, first, second)
    return moved, first, second, step + 1


def centred_ranks(fitness: Any) -> Any:
    """-1/2 … 1/2, the best highest."""
    order = jnp.argsort(fitness)
    ranks = jnp.zeros(fitness.size, jnp.float32).at[order].set(jnp.arange(fitness.size, dtype=jnp.float32))
    return ranks / (fitness.size - 1) - 0.5


def network(parameters: Any, x: Any) -> Any:
    """The forward pass."""
    for k, (matrix, bias) in enumerate(parameters):
        x = x @ matrix.T + bias
        x = jax.nn.relu(x) if k < len(parameters) - 1 else x
    return x


def loss_of(out: Any, targets: Any, workload: str) -> Any:
    """Summed, or mean, squared error."""
    total = jnp.sum((out - targets) ** 2)
    return total / targets.size if workload in ("W3", "W5") else total


def in_pieces(function: Any, tree: Any, count: int, size: int) -> Any:
    """A batched function over the first axis of a tree, `size` at a time (0: all)."""
    if size == 0 or size >= count:
        return function(tree)
    cut = jax.tree.map(lambda a: a.reshape(count // size, size, *a.shape[1:]), tree)
    return jax.lax.map(function, cut).reshape(count)


def normals(key: Any, tree: Any, half: int) -> Any:
    """Noise for every leaf, a leading axis of pairs."""
    leaves, structure = jax.tree.flatten(tree)
    keys = jax.random.split(key, len(leaves))
    drawn = [jax.random.normal(k, (half, *leaf.shape), jnp.float32) for k, leaf in zip(keys, leaves, strict=True)]
    return jax.tree.unflatten(structure, drawn)


def dense_step(workload: str, evaluate: Any, state: Any, key: Any) -> Any:
    """One epoch with dense noise; `evaluate(members, key)` gives the fitness."""
    population, sigma = w.POPULATION[workload], w.SIGMA[workload]
    half = population // 2
    noise_key, other = jax.random.split(key)
    noise = normals(noise_key, state[0], half)
    members = jax.tree.map(lambda p, e: jnp.concatenate([p + sigma * e, p - sigma * e]), state[0], noise)
    fitness = evaluate(members, other)
    shaped = centred_ranks(fitness)
    weight = (shaped[:half] - shaped[half:]) / (population * sigma)
    gradients = jax.tree.map(lambda e: jnp.tensordot(weight, e, 1), noise)
    return adam(state, gradients, w.ALPHA[workload]), jnp.mean(fitness)


def dense(asked: timing.Asked) -> Any:
    """W1."""
    inputs, targets = map(jnp.asarray, w.rows("W1"))

    def evaluate(members: Any, _: Any) -> Any:
        one = jax.vmap(lambda p: -loss_of(network(p, inputs), targets, "W1"))
        return in_pieces(one, members, w.POPULATION["W1"], asked.chunk)

    return partial(dense_step, "W1", evaluate)


def cartpole(_: timing.Asked) -> Any:
    """W4."""
    population = w.POPULATION["W4"]

    def evaluate(members: Any, key: Any) -> Any:
        start_key, tie_key = jax.random.split(key)
        start = jnp.tile(jax.random.uniform(start_key, (4, population // 2), jnp.float32, -0.05, 0.05), (1, 2))
        if len(jax.devices()) > 1:  # one device a core: each takes a part of the members
            mesh = jax.make_mesh((len(jax.devices()),), ("members",), axis_types=(jax.sharding.AxisType.Auto,))
            by_first, by_last = (jax.NamedSharding(mesh, jax.P(*axes)) for axes in (("members",), (None, "members")))
            members = jax.tree.map(lambda leaf: jax.lax.with_sharding_constraint(leaf, by_first), members)
            start = jax.lax.with_sharding_constraint(start, by_last)
        (first, bias1), (second, bias2) = members

        def step(carry: Any, _: Any) -> Any:
            state, alive, steps = carry
            hidden = jnp.tanh(jnp.einsum("noi,ni->no", first, state.T) + bias1)
            scores = jnp.einsum("noi,ni->no", second, hidden) + bias2
            moved = w.cartpole_step(jnp, state, scores[:, 1] > scores[:, 0])
            return (jnp.stack(moved), alive & w.is_up(jnp, moved), steps + alive), None

        begin = (start, jnp.ones(population, bool), jnp.zeros(population, jnp.int32))
        (_, _, steps), _ = jax.lax.scan(step, begin, None, length=w.STEPS)
        return steps + jax.random.uniform(tie_key, (population,), maxval=0.5)

    return partial(dense_step, "W4", evaluate)


def eggroll(asked: timing.Asked) -> Any:
    """W2, W3 and W5: member 2p + (0 or 1) is W +- sigma a_p b_p' and bias +- sigma c_p."""
    workload = asked.workload
    population, sigma = w.POPULATION[workload], w.SIGMA[workload]
    half = population // 2
    inputs, targets = map(jnp.asarray, w.rows(workload))

    def loss(parameters: Any, argument: Any) -> Any:
        noise, scale, own = argument
        hidden = inputs if own is None else own
        for k, ((matrix, bias), (column, row, shift)) in enumerate(zip(parameters, noise, strict=True)):
            out = hidden @ matrix.T + (hidden @ row)[:, None] * (scale * column) + bias + scale * shift
            hidden = jax.nn.relu(out) if k < len(parameters) - 1 else out
        return loss_of(hidden, targets, workload)

    def epoch(state: Any, key: Any, own: Any = None) -> Any:
        shapes = [(m[:, 0], m[0], b) for m, b in state[0]]
        noise = normals(key, shapes, half)
        both = jax.tree.map(lambda e: jnp.repeat(e, 2, axis=0), noise)
        scale = jnp.tile(jnp.array([sigma, -sigma], jnp.float32), half)
        losses = in_pieces(jax.vmap(partial(loss, state[0])), (both, scale, own), population, asked.chunk)
        shaped = centred_ranks(-losses)
        weight = (shaped[0::2] - shaped[1::2]) / (population * sigma)
        gradients = [((c * weight[:, None]).T @ r, weight @ s) for c, r, s in noise]
        return adam(state, gradients, w.ALPHA[workload]), -jnp.mean(losses)

    return epoch


def inference(asked: timing.Asked, parameters: Any, rows: Any) -> Callable[[int], None]:
    """W5: the unperturbed network over 256 x 1000 rows, in pieces of the same size as in training."""
    population = w.POPULATION["W5"]

    def forward(parameters: Any, rows: Any) -> Any:
        def piece(part: Any) -> Any:
            return jnp.sum(network(parameters, part.reshape(-1, 64)) ** 2)[None].repeat(part.shape[0])

        return in_pieces(piece, rows, population, asked.chunk or 8)

    compiled = jax.jit(forward).lower(parameters, rows).compile()

    def run(times: int) -> None:
        for _ in range(times):
            compiled(parameters, rows).block_until_ready()

    return run


def scores(asked: timing.Asked, seen: list[Any]) -> list[float]:
    """The mean fitness of each epoch as the workload's own score: a loss, or in W4 steps."""
    return [float(score) if asked.workload == "W4" else -float(score) for score in seen]


def steps(asked: timing.Asked) -> dict[str, int]:
    """What a game simulates: the scan goes on after the pole has fallen."""
    return {"steps": w.STEPS} if asked.workload == "W4" else {}


def main() -> None:
    """Time a workload."""
    asked = timing.asked(("W1", "W2", "W3", "W4", "W5"))
    step = {"W1": dense, "W4": cartpole}.get(asked.workload, eggroll)(asked)
    parameters = jax.tree.map(jnp.asarray, w.weights(asked.workload))
    zeros = jax.tree.map(jnp.zeros_like, parameters)
    state: Any = (parameters, zeros, zeros, jnp.float32(1))
    key = jax.random.key(0)
    rows = jnp.asarray(w.many_rows()) if asked.workload == "W5" else None
    more = (rows,) if asked.own_rows else ()
    compiled = jax.jit(step).lower(state, key, *more).compile()
    seen: list[Any] = []

    def run(epochs: int) -> None:
        nonlocal state
        for _ in range(epochs):
            state, score = compiled(state, jax.random.fold_in(key, len(seen)), *more)
            seen.append(score)
        seen[-1].block_until_ready()

    extra: dict[str, Any] = steps(asked)
    if asked.workload == "W5":
        alone = inference(asked, parameters, rows)
        seconds, extra["inference"] = timing.measure_in_turn([run, alone], asked)
    else:
        seconds = timing.measure(run, asked)
    about = f"jax {jax.__version__}"
    timing.report("jax", asked, seconds, about, scores(asked, seen), **extra)


if __name__ == "__main__":
    main()
