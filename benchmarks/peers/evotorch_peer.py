"""EvoTorch: PGPE with symmetric samples, centred ranks and Adam on the centre, batched fitness; W1."""

from __future__ import annotations

import importlib.metadata
import logging
from typing import Any

import numpy as np
import timing
import torch
import workloads as w
from evotorch import Problem
from evotorch.algorithms import PGPE


def main() -> None:
    """Time the workload."""
    asked = timing.asked(("W1",))
    logging.disable(logging.WARNING)
    torch.set_num_threads(asked.threads)
    torch.manual_seed(0)
    inputs, targets = map(torch.from_numpy, w.rows("W1"))
    centre = torch.from_numpy(np.concatenate([np.concatenate([m.ravel(), b]) for m, b in w.weights("W1")]))

    def piece(members: Any) -> Any:
        n = len(members)
        first, bias1 = members[:, :800].reshape(n * 8, 100), members[:, 800:808]
        second, bias2 = members[:, 808:1608].reshape(n, 100, 8), members[:, 1608:]
        hidden = (inputs @ first.T).reshape(-1, n, 8).transpose(0, 1) + bias1[:, None]
        out = torch.baddbmm(bias2[:, None], torch.relu(hidden), second.transpose(1, 2))
        return ((out - targets) ** 2).sum(dim=(1, 2))

    def fitness(members: Any) -> Any:
        return torch.cat([piece(part) for part in members.split(asked.chunk or 8)])

    problem = Problem(
        "min", fitness, solution_length=centre.numel(), initial_bounds=(-0.1, 0.1), dtype=torch.float32, vectorized=True
    )
    search = PGPE(
        problem,
        popsize=w.POPULATION["W1"],
        center_learning_rate=w.ALPHA["W1"],
        stdev_learning_rate=0.0,
        stdev_init=w.SIGMA["W1"],
        optimizer="adam",
        ranking_method="centered",
        center_init=centre,
        symmetric=True,
    )
    seen: list[float] = []

    def run(epochs: int) -> None:
        for _ in range(epochs):
            search.step()
            seen.append(float(search.status["mean_eval"]))

    with torch.no_grad():
        seconds = timing.measure(run, asked)
    about = f"evotorch {importlib.metadata.version('evotorch')}, torch {torch.__version__}, PGPE, Adam"
    timing.report("evotorch", asked, seconds, about, seen)


if __name__ == "__main__":
    main()
