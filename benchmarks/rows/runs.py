"""What a run holds in memory, and how long it takes to begin."""

from __future__ import annotations

from pathlib import Path

from benchmarks.row import Bench, Result, Row

_QUICK_START = Path(__file__).resolve().parents[2] / "examples" / "sine-ae.gs"
_MEGABYTE = 1e6


def _memory(bench: Bench) -> Result:
    program = bench.program(_QUICK_START)
    peaks: dict[int, int] = {}
    for population in (256, 65536):
        options = ("--epochs", "1", "--workers", "2", "--population", str(population))
        peaks[population] = min(program.peak_bytes(*options) for _ in range(2))
        bench.tick()
    return Result(
        (peaks[65536] - peaks[256]) / _MEGABYTE,
        None,
        {f"population {population} MB": peak / _MEGABYTE for population, peak in peaks.items()},
    )


def _start(bench: Bench) -> Result:
    program = bench.program(_QUICK_START)
    seen = []
    for _ in range(bench.rounds):
        seen.append(1e3 * program.seconds_to_start("--workers", "2"))
        bench.tick()
    seen.sort()
    return Result(seen[0], seen[len(seen) // 2], {})


RUNS = (
    Row(
        key="memory",
        what="peak memory of the quick start at POPULATION 65536 above that at 256",
        against="the same binary",
        limit=3.0,
        at_most=True,
        unit="MB",
        ticks=1,
        measure=_memory,
    ),
    Row(
        key="start",
        what="from starting the quick start's binary to its first epoch",
        against="",
        limit=50.0,
        at_most=True,
        unit="ms",
        ticks=1,
        measure=_start,
    ),
)
