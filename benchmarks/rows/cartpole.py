"""Cart-pole for 4096 members against the same games by hand: steps of the environment a second.

`measure_cartpole` gives the numbers of one kind of policies; the rows divide them. A step's time is that of a whole epoch,
noise and update included, by the steps of its games. Good policies keep the pole up for all 500 steps: they are those that
the example finds, with little noise. Random ones are its first weights under noise of deviation 1, and lose after some 18.
"""

from __future__ import annotations

import functools
import re

from benchmarks.compiled import ROOT, Compiled
from benchmarks.paired import Samples, in_turn
from benchmarks.row import Bench, Result, Row

_MEMBERS, _GAMES = 4096, 4
_GOOD, _RANDOM = "good", "random"
# Way, members and rounds of the baseline: each round some milliseconds, so that the best of them is undisturbed.
_BY_HAND = {
    "scalar": ("scalar", _GOOD, 32, 20),
    "lanes": ("lanes", _GOOD, 256, 100),
    "refill": ("refill", _RANDOM, _MEMBERS, 50),
}


def measure_cartpole(bench: Bench, policies: str, way: str, workers: int | None) -> dict[str, Samples]:
    """Seconds a step of Geode ("geode") with so many workers (None: one a core) and of one core by hand ("by hand")."""
    program = _program(bench)
    options = ["--population", str(_MEMBERS), "--alpha", "0", "--metrics-every", "1"]
    if policies == _GOOD:
        options += ["--epochs", "4", "--sigma", "0.03", "--resume-model", str(_good_policy(bench, program))]
    else:
        options += ["--epochs", "12", "--sigma", "1"]
    if workers is not None:
        options += ["--workers", str(workers)]
    by_hand = bench.baseline("cartpole")
    sides = {"geode": lambda: _step(program, options), "by hand": by_hand.side(*_BY_HAND[way])}
    return in_turn(sides, bench.rounds, bench.tick)


def _program(bench: Bench) -> Compiled:
    """The example with fewer games a member and an epoch, so that an epoch takes well under a second."""
    text = (ROOT / "examples" / "cartpole.gs").read_text(encoding="utf-8")
    source = bench.folder / "cartpole-games.gs"
    bench.folder.mkdir(parents=True, exist_ok=True)
    source.write_text(re.sub(r"\b16 EPISODES", f"{_GAMES} EPISODES", text), encoding="utf-8")
    return bench.program(source)


def _good_policy(bench: Bench, program: Compiled) -> str:
    """The file of a trained policy's weights."""
    path = bench.folder / "cartpole-good.safetensors"
    program.lines("--save-model", str(path))
    return str(path)


def _step(program: Compiled, options: list[str]) -> float:
    """The seconds of a step in the best epoch of one run: its members by the second, and the steps that they took."""
    found = []
    for line in program.lines(*options):
        if line.startswith("epoch="):
            fields = dict(pair.split("=") for pair in line.split())
            found.append(1.0 / (float(fields["evals/s"]) * float(fields["mean"]) * _GAMES))
    return min(found)


def _measure(bench: Bench, *, policies: str, way: str, workers: int | None) -> Result:
    seen = measure_cartpole(bench, policies, way, workers)
    geode, hand = seen["geode"], seen["by hand"]
    detail = {"geode M steps/s": 1e-6 / geode.best, "by hand M steps/s": 1e-6 / hand.best}
    return Result(hand.best / geode.best, hand.median / geode.median, detail)


def _row(key: str, what: str, limit: float, policies: str, way: str, workers: int | None) -> Row:
    return Row(
        key=f"cartpole-{key}",
        what=f"cart-pole, 4096 members, {what}",
        against=f"baselines/cartpole.c, {way}",
        limit=limit,
        at_most=False,
        unit="",
        ticks=2,
        measure=functools.partial(_measure, policies=policies, way=way, workers=workers),
    )


CARTPOLE = (
    _row("good", "good policies, 1 worker", 0.8, _GOOD, "lanes", 1),
    _row("random", "random policies, 1 worker", 0.7, _RANDOM, "refill", 1),
    _row("plain", "good policies, all cores against one core of plain C", 30.0, _GOOD, "scalar", None),
)
