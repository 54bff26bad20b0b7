"""evosax: Open_ES with antithetic samples, centred ranks and Adam, an epoch as one compiled function; W1 and W4."""

from __future__ import annotations

import importlib.metadata
from typing import Any

import jax
import jax.numpy as jnp
import jax_peer
import optax
import timing
import workloads as w
from evosax.algorithms import Open_ES


def main() -> None:
    """Time a workload."""
    asked = timing.asked(("W1", "W4"))
    workload = asked.workload
    population = w.POPULATION[workload]
    parameters = jax.tree.map(jnp.asarray, w.weights(workload))
    strategy = Open_ES(
        population_size=population,
        solution=parameters,
        optimizer=optax.adam(w.ALPHA[workload]),
        std_schedule=optax.constant_schedule(w.SIGMA[workload]),
    )
    settings = strategy.default_params
    state: Any = strategy.init(jax.random.key(0), parameters, settings)
    evaluate = (jax_peer.dense if workload == "W1" else jax_peer.cartpole)(asked).args[1]

    def epoch(state: Any, key: Any) -> Any:
        ask, score, tell = jax.random.split(key, 3)
        members, state = strategy.ask(ask, state, settings)
        fitness = evaluate(members, score)
        state, _ = strategy.tell(tell, members, -fitness, state, settings)
        return state, jnp.mean(fitness)

    key = jax.random.key(1)
    compiled = jax.jit(epoch).lower(state, key).compile()
    seen: list[Any] = []

    def run(epochs: int) -> None:
        nonlocal state
        for _ in range(epochs):
            state, score = compiled(state, jax.random.fold_in(key, len(seen)))
            seen.append(score)
        seen[-1].block_until_ready()

    seconds = timing.measure(run, asked)
    about = f"evosax {importlib.metadata.version('evosax')}, jax {jax.__version__}, Open_ES, Adam"
    timing.report("evosax", asked, seconds, about, jax_peer.scores(asked, seen), **jax_peer.steps(asked))


if __name__ == "__main__":
    main()
