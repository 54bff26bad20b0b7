"""pycma with a diagonal covariance on W1; the fitness is numpy_peer's, so that its own part is ask and tell."""

from __future__ import annotations

import warnings
from concurrent.futures import ThreadPoolExecutor

import cma
import numpy as np
import numpy_peer
import timing
import workloads as w
from threadpoolctl import threadpool_limits


def main() -> None:
    """Time the workload."""
    asked = timing.asked(("W1",))
    warnings.simplefilter("ignore")
    population = w.POPULATION["W1"]
    start = np.concatenate([np.concatenate([m.ravel(), b]) for m, b in w.weights("W1")]).astype(np.float64)
    options = {"popsize": population, "verbose": -9, "seed": 1, "CMA_diagonal": True}
    strategy = cma.CMAEvolutionStrategy(start, w.SIGMA["W1"], options)
    seen: list[float] = []
    with threadpool_limits(1, user_api="blas"), ThreadPoolExecutor(asked.threads) as pool:
        losses = numpy_peer.dense_losses()

        def run(epochs: int) -> None:
            for _ in range(epochs):
                members = strategy.ask()
                table = np.asarray(members, np.float32)
                parts = [table[p] for p in numpy_peer.pieces(population, asked.chunk or 32)]
                loss = np.concatenate(list(pool.map(losses, parts))).astype(np.float64)
                strategy.tell(members, list(loss))
                seen.append(float(loss.mean()))

        seconds = timing.measure(run, asked)
    about = f"cma {cma.__version__}, diagonal covariance, fitness by numpy {np.__version__}"
    timing.report("pycma", asked, seconds, about, seen)


if __name__ == "__main__":
    main()
