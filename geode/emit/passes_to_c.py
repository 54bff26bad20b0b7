"""Several passes over the batch -> their tables in program.c.

In: a root that takes several passes, and how an adapter of one of its functions is called. Out: C text: the passes of
each level, how each reduction is made, and the record that names them.
Invariant: the reductions of one pass stand side by side, in the order in which the root's functions write them.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from geode.emit.literals import size_literal
from geode.graph.graph import BatchOp, Level
from geode.loops.loop import Reduction, UnitLoops

BATCH_OP: Mapping[BatchOp, str] = {
    "sum": "GS_BATCH_SUM",
    "mean": "GS_BATCH_MEAN",
    "product": "GS_BATCH_PRODUCT",
    "amax": "GS_BATCH_MAX",
    "amin": "GS_BATCH_MIN",
}


def passes_to_c(entry: str, unit: UnitLoops, adapters: Mapping[tuple[Level, int], str]) -> str:
    """The tables of `entry`; `adapters` name the functions by level and pass. Defines `<entry>_passes`."""
    lines: list[str] = []
    levels: list[str] = []
    for level in (Level.RUN, Level.EPOCH, Level.MEMBER):
        rows = _passes(level, unit.reductions, adapters)
        name = f"{entry}_{level.name.lower()}_passes"
        if rows:
            lines += [f"static const struct gs_pass {name}[] = {{", *(f"    {row}," for row in rows), "};"]
        levels.append(f".{level.name.lower()} = {{{name if rows else 'NULL'}, {len(rows)}}}")
    kept = f"{size_literal(unit.interface.kept)} * GS_LANES" if unit.interface.kept else "0"
    lines.append(
        f"static const struct gs_passes {entry}_passes = {{{', '.join(levels)}, "
        f".reductions = {len(unit.reductions)}, .kept_floats = {kept}}};"
    )
    return "\n".join([*lines, ""])


def _passes(level: Level, reductions: Sequence[Reduction], adapters: Mapping[tuple[Level, int], str]) -> list[str]:
    """A row per pass of a level: its function, and which reductions it ends in."""
    ended = [reduction.number for reduction in reductions if reduction.level == level]
    count = max([*ended, *(number for at, number in adapters if at == level)], default=-1) + 1
    first = sum(reduction.level < level for reduction in reductions)
    rows = []
    for number in range(count):
        here = ended.count(number)
        rows.append(f"{{{adapters.get((level, number), 'NULL')}, {first}, {here}}}")
        first += here
    return rows


__all__ = ["BATCH_OP", "passes_to_c"]
