"""Works -> a record of what every side did and what Geode reaches of the best peer.

In: works, a compiler, the peers' Python. Out: a record with the machine, `rows` like those of `results.py` and `sides`.
Invariant: the sides of a work take turns, each measurement a process of its own; nothing else runs meanwhile.
"""

from __future__ import annotations

import functools
import statistics
import subprocess
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn

from benchmarks.comparison.environment import PEERS
from benchmarks.comparison.side import Timed, on_two_cores, run_alone, run_ours, run_peer, source_of
from benchmarks.comparison.works import Ours, Work
from benchmarks.compiled import build
from benchmarks.paired import take_turns
from benchmarks.row import PROGRAMS
from rules.errors import BuildError
from rules.tool import Tool

ALLOWED_DIFFERENCE = 0.05  # of the scores of sides that do the same work


def write_inputs(python: Path, folder: Path) -> Path:
    """Have the peers' Python write their rows and weights for Geode's programs; their folder."""
    inputs = folder / "inputs"
    command = [str(python), str(PEERS / "write_inputs.py"), str(inputs)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise BuildError(f"write_inputs.py: status {done.returncode}: {(done.stderr.splitlines() or ['nothing'])[-1]}")
    return inputs


def compare(
    works: Sequence[Work], tool: Tool, python: Path, folder: Path, rounds: int, show: Callable[[str], None]
) -> dict[str, Any]:
    """Measure `works`; `rows` and `sides` of the record. Raises BuildError if a side fails."""
    from geode.vocabulary import WORDS

    inputs = write_inputs(python, folder)
    rows: list[dict[str, Any]] = []
    sides: list[dict[str, Any]] = []
    columns = (TextColumn("{task.description:24}"), BarColumn(), TimeElapsedColumn())
    with on_two_cores(), Progress(*columns, console=Console(stderr=True)) as progress:
        for work in works:
            ours = [one for one in work.ours if not one.needs or one.needs in WORDS]
            run = _sides(work, ours, tool, python, folder, inputs)
            task = progress.add_task(work.key, total=len(run) * rounds)
            seen = take_turns(run, rounds, functools.partial(progress.advance, task))
            rows += [to_row(work, one, seen) for one in ours]
            sides += [to_side(work, name, seen) for name in seen]
    for side in sides:
        if side["same work"] is False:
            show(f"{side['work']}, {side['name']}: scores {side['first']:.4g} to {side['last']:.4g} are not Geode's")
    return {"rows": rows, "sides": sides, "rounds": rounds}


def _sides(
    work: Work, ours: Sequence[Ours], tool: Tool, python: Path, folder: Path, inputs: Path
) -> dict[str, Callable[[], Timed]]:
    sides: dict[str, Callable[[], Timed]] = {}
    for one in ours:
        program = build(source_of(one, folder), folder / "programs", tool)
        sides[one.key] = functools.partial(run_ours, program, work, inputs, folder)
        if one.alone:
            fixed = build(PROGRAMS / "peers" / one.alone, folder / "programs", tool)
            sides[one.alone_key] = functools.partial(run_alone, fixed, inputs, folder)
    for peer in work.peers:
        sides[peer.name] = functools.partial(run_peer, python, peer, work)
    return sides


def to_row(work: Work, ours: Ours, seen: Mapping[str, Sequence[Timed]]) -> dict[str, Any]:
    """What `ours` reaches: `value` is the median over the rounds of the ratios of one round, `minima` the ratio of the least
    measurements of both sides, `against` the peer that is best by the median of its rounds."""
    mine = seen[ours.key]
    if work.kind == "inference":
        alone = seen[ours.alone_key]
        ratios = [run.alone / trained.cost(work.kind) for run, trained in zip(alone, mine, strict=True)]
        minima = _least(work, alone) / _least(work, mine)
        same = statistics.median(run.alone / run.cost(work.kind) for run in mine)
        against = f"its own inference ({same:.3g} × EVALUATE of the same binary)"
    else:
        names = [peer.name for peer in work.peers]
        against = min(names, key=lambda name: statistics.median(run.cost(work.kind) for run in seen[name]))
        pairs = zip(seen[against], mine, strict=True)
        ratios = [peer.cost(work.kind) / run.cost(work.kind) for peer, run in pairs]
        minima = min(_least(work, seen[name]) for name in names) / _least(work, mine)
    value = statistics.median(ratios)
    return {
        "key": ours.key,
        "what": work.what + (f", {ours.needs}" if ours.needs else ""),
        "against": against,
        "limit": ours.limit,
        "at_most": False,
        "unit": "",
        "value": round(value, 4),
        "minima": round(minima, 4),
        "holds": value >= ours.limit,
        "hardware": ours.hardware,
    }


def to_side(work: Work, name: str, seen: Mapping[str, Sequence[Timed]]) -> dict[str, Any]:
    """What one side of a work did; `same work` is None where its algorithm is another, and for what the others are held to:
    Geode's first program of the work, or the one that a peer is paired with."""
    runs = seen[name]
    peer = next((peer for peer in work.peers if peer.name == name), None)
    reference = peer.pairs_with if peer is not None and peer.pairs_with else work.ours[0].key
    apart = not peer.same if peer is not None else work.kind == "inference" or name == reference
    alone = name in {one.alone_key for one in work.ours}
    costs = [run.cost(work.kind) for run in runs]
    return {
        "work": work.key,
        "name": f"Geode, {name}" if peer is None else name,
        "version": runs[0].about,
        "differs": "" if peer is None else peer.differs,
        "kind": "alone" if alone else work.kind,
        "median": statistics.median(costs),
        "least": _least(work, runs),
        "inference": statistics.median(run.alone for run in runs) if work.kind == "inference" and not alone else None,
        "first": statistics.median(run.first for run in runs),
        "last": statistics.median(run.last for run in runs),
        "same work": None if apart else _same(work, runs, seen[reference]),
    }


def _least(work: Work, runs: Sequence[Timed]) -> float:
    return min(cost for run in runs for cost in run.costs(work.kind))


def _same(work: Work, runs: Sequence[Timed], ours: Sequence[Timed]) -> bool:
    """True if the scores agree; those of games do when the policies are good, since each library starts its games by itself."""
    for which in ("last",) if work.kind == "steps" else ("first", "last"):
        theirs, mine = (statistics.median(getattr(run, which) for run in side) for side in (runs, ours))
        if abs(theirs - mine) > ALLOWED_DIFFERENCE * abs(mine):
            return False
    return True
