"""A peer's command line, its timing and the JSON line it prints.

Out: {"peer", "workload", "seconds": [per epoch, by chunk], "first", "last", "about"}. Invariant: compiling and warming
up are not in `seconds`.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass

CHUNKS = 5


@dataclass(frozen=True)
class Asked:
    """What the command line asks for."""

    workload: str
    epochs: int  # a chunk
    chunk: int  # members in one piece, 0: all at once
    threads: int


def asked(workloads: tuple[str, ...]) -> Asked:
    """Read the command line."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--workload", choices=workloads, default=workloads[0])
    parser.add_argument("--epochs", type=int, default=4)
    parser.add_argument("--chunk", type=int, default=0)
    parser.add_argument("--threads", type=int, default=2)
    arguments = parser.parse_args()
    return Asked(arguments.workload, arguments.epochs, arguments.chunk, arguments.threads)


def measure(run: Callable[[int], None], epochs: int) -> list[float]:
    """Seconds an epoch of each of CHUNKS chunks; `run(n)` returns when n epochs are done."""
    run(2)
    seconds = []
    for _ in range(CHUNKS):
        start = time.perf_counter()
        run(epochs)
        seconds.append((time.perf_counter() - start) / epochs)
    return seconds


def report(peer: str, asked: Asked, seconds: list[float], about: str, **more: float) -> None:
    """Print the line."""
    sys.stdout.write(
        json.dumps({"peer": peer, "workload": asked.workload, "seconds": seconds, "about": about, **more}) + "\n"
    )
