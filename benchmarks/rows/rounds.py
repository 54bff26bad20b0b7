"""Whole training rounds of the quick start's shape, beside the same round written by hand in C."""

from __future__ import annotations

import functools
from pathlib import Path

from benchmarks.paired import in_turn
from benchmarks.row import PROGRAMS, Bench, Result, Row

_QUICK_START = Path(__file__).resolve().parents[2] / "examples" / "sine-ae.gs"
_EPOCHS = 40


def _round(bench: Bench, *, source: Path, kind: str, workers: int) -> Result:
    program, by_hand = bench.program(source), bench.baseline("round")
    seen = in_turn(
        {
            "geode": program.side("--epochs", str(_EPOCHS), "--workers", str(workers)),
            "by hand": by_hand.side(kind, workers, _EPOCHS),
        },
        bench.rounds,
        bench.tick,
    )
    geode, hand = seen["geode"], seen["by hand"]
    return Result(
        hand.best / geode.best,
        hand.median / geode.median,
        {"geode ms": 1e3 * geode.best, "by hand ms": 1e3 * hand.best},
    )


def _row(name: str, source: Path, kind: str, workers: int, what: str) -> Row:
    return Row(
        key=f"{name}-{workers}",
        what=f"{what}, {workers} worker{'s' if workers > 1 else ''}",
        against=f"baselines/round.c {kind}",
        limit=0.85,
        at_most=False,
        unit="",
        ticks=2,
        measure=functools.partial(_round, source=source, kind=kind, workers=workers),
    )


def _scaling(bench: Bench) -> Result:
    program = bench.program(_QUICK_START)
    seen = in_turn(
        {str(n): program.side("--epochs", str(_EPOCHS), "--workers", str(n)) for n in (1, 2)}, bench.rounds, bench.tick
    )
    return Result(
        seen["1"].best / seen["2"].best,
        seen["1"].median / seen["2"].median,
        {"1 worker ms": 1e3 * seen["1"].best, "2 workers ms": 1e3 * seen["2"].best},
    )


ROUNDS = (
    *(_row("round-dense", _QUICK_START, "dense", n, "a round of the quick start") for n in (1, 2)),
    *(
        _row("round-eggroll", PROGRAMS / "round-eggroll.gs", "eggroll", n, "the same shape, rank-1 perturbations")
        for n in (1, 2)
    ),
    Row(
        key="scaling",
        what="a round of the quick start, 2 workers against 1",
        against="the same binary",
        limit=1.8,
        at_most=False,
        unit="",
        ticks=2,
        measure=_scaling,
    ),
)
