"""Which layers of a GPU's kernels are tiles that the threads of a group make together.

In: the units of a program and the places of its trained words. Out: by function the forms that are called: the one in which
each thread goes its own way, and the one in which the threads of a group go all the way together and share pieces of the
weights.
Invariant: threads meet at barriers only where all of them come: never in a loop that rows leave in their own time, nor in
what is called there.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import field

from geode.graph.graph import Level
from geode.loops.loop import FactoredKernel, LayerLoop, LinearKernel, Repeat, Statement, UnitCall, UnitLoops
from geode.record import dataclass

_Key = tuple[str, Level, int]  # a unit, and the level and pass of one of its functions
_LEAST = 16  # outputs, and inputs, of a layer whose threads are worth the barriers
_PIECE = 576  # floats: GS_TILE_FLOATS of gs_layer_tiles.h
_PIECES = 8  # tiles of lanes in a group


def whose(statement: LinearKernel | FactoredKernel | LayerLoop) -> str:
    """Who has the weights in common, in the words of gs_layer_tiles.h."""
    factored = isinstance(statement, FactoredKernel) or (
        isinstance(statement, LayerLoop) and statement.factor is not None
    )
    if factored or (not isinstance(statement, FactoredKernel) and statement.source == "w"):
        return "GS_OF_ALL"
    return "GS_OF_PAIR"


def is_wide(statement: Statement) -> bool:
    """True for a layer that is worth a tile."""
    if not isinstance(statement, LinearKernel | FactoredKernel | LayerLoop):
        return False
    return min(statement.outputs, statement.inputs) >= _LEAST


@dataclass(slots=True)
class Tiles:
    """The forms of functions. `shared` are the floats of shared memory of those that can go together, `plain` and
    `together` are the functions whose one or other form is called."""

    shared: dict[_Key, int] = field(default_factory=dict)
    plain: set[_Key] = field(default_factory=set)
    together: set[_Key] = field(default_factory=set)

    def root(self, symbol: str, levels: Iterable[Level]) -> int:
        """The floats of shared memory that a kernel needs which runs these levels of a root."""
        levels = set(levels)
        return max((floats for key, floats in self.shared.items() if key[0] == symbol and key[1] in levels), default=0)


def find_tiles(units: list[UnitLoops], roots: Iterable[str]) -> Tiles:
    """The forms that the trained words under the symbols `roots` need; `units` stand before those that call them."""
    tiles = Tiles()
    for unit in units:
        for function in unit.functions:
            needed = _shared(tiles, function.statements)
            if needed:
                tiles.shared[unit.interface.symbol, function.level, function.number] = needed
    top = set(roots)
    for unit in reversed(units):
        symbol = unit.interface.symbol
        if unit.finish is not None:
            _call_plain(tiles, unit.finish.statements)
        for function in unit.functions:
            key = (symbol, function.level, function.number)
            if symbol in top:
                (tiles.together if key in tiles.shared else tiles.plain).add(key)
            if key in tiles.plain:
                _call_plain(tiles, function.statements)
            if key in tiles.together:
                _call_together(tiles, function.statements)
    return tiles


def _walk(statements: Iterable[Statement]) -> Iterator[tuple[Statement, bool]]:
    """Every statement, and whether all threads come to it together."""
    for statement in statements:
        if isinstance(statement, Repeat):
            together = statement.alive is None
            yield from ((inner, together and with_all) for inner, with_all in _walk(statement.body))
        else:
            yield statement, True


def _shared(tiles: Tiles, statements: Iterable[Statement]) -> int:
    needed = 0
    for statement, together in _walk(statements):
        if not together:
            continue
        if isinstance(statement, LinearKernel | FactoredKernel | LayerLoop) and is_wide(statement):
            needed = max(needed, _PIECE * (1 if whose(statement) == "GS_OF_ALL" else _PIECES))
        elif isinstance(statement, UnitCall):
            needed = max(needed, tiles.shared.get((statement.symbol, statement.level, 0), 0))
    return needed


def _call_plain(tiles: Tiles, statements: Iterable[Statement]) -> None:
    for statement, _ in _walk(statements):
        if isinstance(statement, UnitCall):
            tiles.plain.add((statement.symbol, statement.level, 0))


def _call_together(tiles: Tiles, statements: Iterable[Statement]) -> None:
    for statement, together in _walk(statements):
        if isinstance(statement, UnitCall):
            key = (statement.symbol, statement.level, 0)
            (tiles.together if together and key in tiles.shared else tiles.plain).add(key)
