"""A peer's command line, its timing and the JSON line it prints.

Out: {"peer", "workload", "about", "seconds": [per epoch, by chunk], "first", "last", "mean"}, the last three the population's
mean score in the first epoch, the last, and all that are timed; W4 adds "steps", those that a game simulates in the mean, and W5
"inference": [seconds, by chunk]. Invariant: compiling and warming up are not in `seconds`.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

CHUNKS = 5


@dataclass(frozen=True)
class Asked:
    """What the command line asks for."""

    workload: str
    epochs: int  # a chunk
    warm_up: int  # epochs before the first chunk
    chunk: int  # members in one piece, 0: all at once
    threads: int
    own_rows: bool  # W5: every member has rows of its own


def asked(workloads: tuple[str, ...]) -> Asked:
    """Read the command line."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--workload", choices=workloads, default=workloads[0])
    parser.add_argument("--epochs", type=int, default=4)
    parser.add_argument("--warm-up", type=int, default=2)
    parser.add_argument("--chunk", type=int, default=0)
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--own-rows", action="store_true")
    return Asked(**vars(parser.parse_args()))


def measure(run: Callable[[int], None], asked: Asked) -> list[float]:
    """Seconds an epoch of each of CHUNKS chunks; `run(n)` returns when n epochs are done."""
    return measure_in_turn([run], asked)[0]


def measure_in_turn(sides: list[Callable[[int], None]], asked: Asked) -> list[list[float]]:
    """The same of several functions, which take turns chunk by chunk."""
    for run in sides:
        run(asked.warm_up)
    seconds: list[list[float]] = [[] for _ in sides]
    for _ in range(CHUNKS):
        for run, mine in zip(sides, seconds, strict=True):
            start = time.perf_counter()
            run(asked.epochs)
            mine.append((time.perf_counter() - start) / asked.epochs)
    return seconds


def report(peer: str, asked: Asked, seconds: list[float], about: str, scores: list[float], **more: Any) -> None:
    """Print the line; `scores` are the population's means of all epochs, warming up included."""
    timed = scores[asked.warm_up :]
    line = {
        "peer": peer,
        "workload": asked.workload,
        "about": about,
        "seconds": seconds,
        "first": scores[0],
        "last": scores[-1],
        "mean": sum(timed) / len(timed),
    }
    sys.stdout.write(json.dumps({**line, **more}) + "\n")
