"""NumPy, as a careful user writes it: pieces of the population on two threads, each with one BLAS thread."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np
import timing
import workloads as w
from threadpoolctl import threadpool_limits

Pool = ThreadPoolExecutor


class Adam:
    """Ascent on a list of arrays, in place."""

    def __init__(self, arrays: list[Any], rate: float) -> None:
        self.arrays, self.rate, self.step = arrays, rate, 0
        self.first = [np.zeros_like(a) for a in arrays]
        self.second = [np.zeros_like(a) for a in arrays]

    def ascend(self, gradients: list[Any]) -> None:
        """One step."""
        self.step += 1
        rate = self.rate * np.sqrt(1 - 0.999**self.step) / (1 - 0.9**self.step)
        for array, gradient, first, second in zip(self.arrays, gradients, self.first, self.second, strict=True):
            np.add(first, 0.1 * (gradient - first), out=first)
            np.add(second, 0.001 * (gradient * gradient - second), out=second)
            np.add(array, (rate * first / (np.sqrt(second) + 1e-8)).astype(np.float32), out=array)


def centred_ranks(fitness: Any) -> Any:
    """-1/2 … 1/2, the best highest."""
    ranks = np.empty(fitness.size, np.float32)
    ranks[np.argsort(fitness)] = np.arange(fitness.size, dtype=np.float32)
    return ranks / np.float32(fitness.size - 1) - np.float32(0.5)


def pieces(count: int, size: int) -> list[slice]:
    """Slices of `size`."""
    return [slice(i, i + size) for i in range(0, count, size)]


def dense_losses() -> Callable[[Any], Any]:
    """W1's losses of flat members [n, 1708]; the first layer of all of them is one product."""
    inputs, targets = w.rows("W1")

    def losses(members: Any) -> Any:
        n = len(members)
        first, bias1 = members[:, :800].reshape(n * 8, 100), members[:, 800:808]
        second, bias2 = members[:, 808:1608].reshape(n, 100, 8), members[:, 1608:]
        hidden = inputs @ first.T
        hidden += bias1.reshape(1, -1)
        np.maximum(hidden, 0, out=hidden)
        out = np.matmul(np.ascontiguousarray(hidden.reshape(-1, n, 8).transpose(1, 0, 2)), second.transpose(0, 2, 1))
        out += bias2[:, None]
        out -= targets
        out = out.reshape(n, -1)
        return np.einsum("ij,ij->i", out, out)

    return losses


def dense(asked: timing.Asked, pool: Pool) -> Callable[[], float]:
    """W1: one flat vector a member."""
    losses = dense_losses()
    flat = np.concatenate([np.concatenate([m.ravel(), b]) for m, b in w.weights("W1")])
    population, sigma = w.POPULATION["W1"], np.float32(w.SIGMA["W1"])
    adam, draw = Adam([flat], w.ALPHA["W1"]), np.random.default_rng(7)
    half = population // 2

    def epoch() -> float:
        noise = draw.standard_normal((half, flat.size), dtype=np.float32)
        members = np.concatenate([flat + sigma * noise, flat - sigma * noise])
        loss = np.concatenate(list(pool.map(losses, [members[p] for p in pieces(population, asked.chunk or 32)])))
        shaped = centred_ranks(-loss)
        adam.ascend([(shaped[:half] - shaped[half:]) @ noise / (population * sigma)])
        return float(loss.mean())

    return epoch


def eggroll(asked: timing.Asked, pool: Pool) -> Callable[[], float]:
    """W2, W3: rank-1 noise is kept as two vectors, the first layer's product with the mean weights is shared."""
    workload = asked.workload
    inputs, targets = w.rows(workload)
    layers = w.weights(workload)
    population, sigma = w.POPULATION[workload], np.float32(w.SIGMA[workload])
    adam = Adam([array for layer in layers for array in layer], w.ALPHA[workload])
    draw = np.random.default_rng(7)
    half = population // 2
    share = np.float32(targets.size if workload == "W3" else 1)
    sign = np.tile(np.array([1, -1], np.float32) * sigma, half)

    def losses(job: tuple[slice, Any, Any]) -> Any:
        part, noise, base = job
        pairs, scale = np.arange(population)[part] // 2, sign[part][:, None]
        hidden: Any = None
        for k, (matrix, bias) in enumerate(layers):
            column, row, shift = (vectors[pairs] for vectors in noise[k])
            if k == 0:
                out = (inputs @ row.T).T[:, :, None] * (column * scale)[:, None, :]
                out += base
            else:
                n, count, width = hidden.shape
                out = (hidden.reshape(n * count, width) @ matrix.T).reshape(n, count, -1)
                out += np.matmul(hidden, row[:, :, None]) * (column * scale)[:, None, :]
            out += (bias + scale * shift)[:, None, :]
            if k < len(layers) - 1:
                np.maximum(out, 0, out=out)
            hidden = out
        hidden -= targets
        flat = hidden.reshape(len(pairs), -1)
        return np.einsum("ij,ij->i", flat, flat) / share

    def epoch() -> float:
        noise = [
            tuple(draw.standard_normal((half, n), dtype=np.float32) for n in (m.shape[0], m.shape[1], b.size))
            for m, b in layers
        ]
        base = inputs @ layers[0][0].T
        jobs = [(p, noise, base) for p in pieces(population, asked.chunk or (1 if workload == "W3" else 8))]
        loss = np.concatenate(list(pool.map(losses, jobs)))
        shaped = centred_ranks(-loss)
        weight = (shaped[0::2] - shaped[1::2]) / np.float32(population * sigma)
        gradients = []
        for column, row, shift in noise:
            gradients += [(column * weight[:, None]).T @ row, weight @ shift]
        adam.ascend(gradients)
        return float(loss.mean())

    return epoch


def cartpole(asked: timing.Asked, pool: Pool) -> Callable[[], float]:
    """W4: members last in every array; members whose pole fell are dropped every 25 steps."""
    flat = np.concatenate([np.concatenate([m.ravel(), b]) for m, b in w.weights("W4")])
    population, sigma = w.POPULATION["W4"], np.float32(w.SIGMA["W4"])
    adam, draw = Adam([flat], w.ALPHA["W4"]), np.random.default_rng(7)
    half = population // 2

    def rollout(job: tuple[Any, Any]) -> Any:
        members, start = job
        n = members.shape[1]
        first, bias1 = members[:64].reshape(16, 4, n), members[64:80]
        second, bias2 = members[80:112].reshape(2, 16, n), members[112:]
        state, alive, who = tuple(start), np.ones(n, bool), np.arange(n)
        steps = np.zeros(n, np.int32)
        for t in range(w.STEPS):
            hidden = np.tanh(np.einsum("oin,in->on", first, np.stack(state)) + bias1)
            scores = np.einsum("oin,in->on", second, hidden) + bias2
            state = w.cartpole_step(np, state, scores[1] > scores[0])
            steps[who] += alive
            alive &= w.is_up(np, state)
            if t % 25 == 24 and alive.sum() < 0.8 * alive.size:
                left = np.flatnonzero(alive)
                if left.size == 0:
                    break
                state, who, alive = tuple(s[left] for s in state), who[left], alive[left]
                first, bias1, second, bias2 = first[..., left], bias1[:, left], second[..., left], bias2[:, left]
        return steps

    def epoch() -> float:
        noise = draw.standard_normal((half, flat.size), dtype=np.float32)
        members = np.ascontiguousarray(np.concatenate([flat + sigma * noise, flat - sigma * noise]).T)
        start = np.tile(draw.uniform(-0.05, 0.05, (4, half)).astype(np.float32), (1, 2))
        parts = pieces(population, asked.chunk or 1024)
        steps = np.concatenate(
            list(pool.map(rollout, [(np.ascontiguousarray(members[:, p]), start[:, p]) for p in parts]))
        )
        shaped = centred_ranks(steps + draw.uniform(0, 0.5, steps.size))
        adam.ascend([(shaped[:half] - shaped[half:]) @ noise / (population * sigma)])
        return float(steps.mean())

    return epoch


def main() -> None:
    """Time a workload."""
    asked = timing.asked(("W1", "W2", "W3", "W4"))
    with threadpool_limits(1, user_api="blas"), ThreadPoolExecutor(asked.threads) as pool:
        epoch = {"W1": dense, "W2": eggroll, "W3": eggroll, "W4": cartpole}[asked.workload](asked, pool)
        seen: list[float] = []

        def run(epochs: int) -> None:
            seen.extend(epoch() for _ in range(epochs))

        seconds = timing.measure(run, asked)
    timing.report("numpy", asked, seconds, f"numpy {np.__version__}", seen)


if __name__ == "__main__":
    main()
