"""Which units a program needs: every place of the call tree lowered, equal ones made one, each under a stable symbol.

In: the leveled call tree of each trained word. Out: the units in call order, and for every place of the tree its unit.
Invariant: a symbol is made of what a caller can see (word, types, constants, levels, interface, parameters), so changing
the inside of a word changes its own text alone; two units that differ inside never share a symbol.
"""

from __future__ import annotations

import hashlib
import json
import math
from collections.abc import Sequence
from dataclasses import field

from geode.diagnostics import InternalError
from geode.emit.names import c_identifier
from geode.graph.batch_passes import find_batch_passes
from geode.graph.find_levels import FACTORED, LeveledUnit
from geode.graph.graph import (
    BatchReduce,
    Elementwise,
    Graph,
    Kernel,
    Level,
    Linear,
    LinearFactored,
    LinearMean,
    LinearPerturbed,
    LoopBegin,
    LoopEnd,
    Node,
    Reduce,
)
from geode.graph.graph_to_text import graph_to_text
from geode.graph.spread_members import spread_members
from geode.graph.values import Parameter, TableFile
from geode.loops.cut_rollout import cut_rollout
from geode.loops.fits_members import fits_members
from geode.loops.graph_to_loops import batch_op, lower_finish, lower_functions
from geode.loops.liveness import find_live
from geode.loops.loop import Finish, Function, Interface, Reduction, Slices, UnitLoops
from geode.loops.unit_values import UnitValues, plan_values
from geode.record import dataclass

_NO_SLICES: Slices = (None, None, None)
_LONGEST = 120  # characters of a word in a symbol, which names a file too


@dataclass(frozen=True, slots=True, eq=False)
class Place:
    """One unit at one place of the tree, as program.c writes it: its parameters and tables, and the places that it calls."""

    unit: UnitLoops
    parameters: tuple[Parameter, ...]
    tables: tuple[TableFile, ...]
    calls: tuple[Place, ...]


@dataclass(slots=True)
class Units:
    """The units found so far, by symbol in call order, with the text of their graphs."""

    loops: dict[str, UnitLoops] = field(default_factory=dict)
    graphs: dict[str, str] = field(default_factory=dict)

    def place(self, unit: LeveledUnit) -> Place:
        """The place of the root of a trained word's tree, its units added."""
        return self._place(unit)

    def place_members(self, unit: LeveledUnit, root: Place) -> Place | None:
        """The same for tiles of many members, where the word fits: only member functions, for the outer levels are those
        of the place that `place` gave."""
        if root.unit.reductions or not fits_members(unit, root.unit.finish):
            return None
        form = spread_members(unit)
        place = self._place(form.unit, members=True, rollout=form.rollout)
        mine, others = place.unit.interface, root.unit.interface
        if (mine.run, mine.epoch) != (others.run, others.epoch):
            raise InternalError(f"the two forms of {unit.graph.word} hand on different values")
        return place

    def _place(self, unit: LeveledUnit, *, members: bool = False, rollout: int | None = None) -> Place:
        calls = tuple(self._place(call, members=members) for call in unit.calls)
        callees = [call.unit.interface for call in calls]
        values, finish, reductions = _planned(unit, callees)
        cut = None if rollout is None else cut_rollout(values, rollout, self.loops)
        functions = lower_functions(values)
        visible = _visible_part(unit, functions, values.sizes, cut=cut is not None)
        text = graph_to_text(unit.graph, unit.levels, [c.symbol for c in callees])
        symbol = self._symbol(unit.graph.word, visible, text)
        interface = Interface(
            symbol,
            tuple((f.level, f.inputs, f.outputs) for f in functions if f.number == 0),
            values.sizes[Level.RUN],
            values.sizes[Level.EPOCH],
            values.sizes[Level.PAIR],
            members,
            tuple((f.level, f.number, f.inputs, f.outputs) for f in functions if f.number > 0),
            values.sizes[Level.MEMBER],
        )
        if members:
            functions = tuple(f for f in functions if f.level == Level.MEMBER and cut is None)
        flops = _flops(unit.graph)
        slices = tuple(values.slices.values())
        callee_slices = tuple(values.callee_slices.get(node, _NO_SLICES) for node in values.call_nodes())
        lowered = UnitLoops(
            unit.graph.word,
            interface,
            functions,
            finish,
            len(unit.graph.parameters),
            flops,
            slices,
            callee_slices,
            cut,
            reductions,
        )
        self.loops.setdefault(symbol, lowered)
        self.graphs.setdefault(symbol, text)
        return Place(self.loops[symbol], tuple(unit.application.parameters), tuple(unit.application.tables), calls)

    def _symbol(self, word: str, visible: str, text: str) -> str:
        """`visible` hashed; a unit that looks the same from outside but is not gets the next number."""
        digest = hashlib.sha256(visible.encode()).hexdigest()[:8]
        number = 1
        while True:
            symbol = f"gs_u_{c_identifier(word)[:_LONGEST]}_{digest}" + ("" if number == 1 else f"_{number}")
            if self.graphs.get(symbol, text) == text:
                return symbol
            number += 1


def _planned(
    unit: LeveledUnit, callees: Sequence[Interface]
) -> tuple[UnitValues, Finish | None, tuple[Reduction, ...]]:
    """The plan of a unit, and of a root that reduces the batch what follows and, if it takes several passes, each
    reduction."""
    outputs = unit.graph.outputs
    if not unit.application.is_root:
        return plan_values(unit, callees, tuple((node, (unit.levels[node], 0)) for node in outputs)), None, ()
    nodes, passes = unit.graph.nodes, find_batch_passes(unit)
    found = _live_reductions(unit, callees)
    found.sort(key=lambda place: (unit.levels[place], passes.numbers[place], place))
    by_row = any(nodes[output].type.batched for output in outputs)
    if not found:
        return plan_values(unit, callees, tuple((node, (Level.MEMBER, 0)) for node in outputs), (), passes), None, ()
    results = tuple(found)
    ends = [(unit.levels[place], passes.numbers[place] - 1) for place in results]
    several = by_row or any(end != (Level.MEMBER, 0) for end in ends)
    rows = tuple((_reduced(nodes[place]), end) for place, end in zip(results, ends, strict=True))
    if by_row:
        last = max((number + 1 for level, number in ends if level == Level.MEMBER), default=0)
        rows = (*rows, *((node, (Level.MEMBER, last)) for node in outputs))
    finish = None
    if not by_row:
        finish = lower_finish(plan_values(unit, callees, ((outputs[0], (Level.MEMBER, 0)),), results, passes))
    ops = [batch_op(nodes[place]) for place in results]
    reductions = tuple(Reduction(op, *end) for op, end in zip(ops, ends, strict=True)) if several else ()
    return plan_values(unit, callees, rows, results, passes), finish, reductions


def _live_reductions(unit: LeveledUnit, callees: Sequence[Interface]) -> list[int]:
    """The batch reductions that what a root leaves depends on."""
    nodes = unit.graph.nodes
    read = {call: {p for _, inputs, _ in callee.functions for p in inputs} for call, callee in enumerate(callees)}
    wanted, found = list(unit.graph.outputs), set[int]()
    while True:
        live, _ = find_live(nodes, wanted, read)
        new = {place for place in live if isinstance(nodes[place].operation, BatchReduce)} - found
        if not new:
            return list(found)
        found |= new
        wanted += [_reduced(nodes[place]) for place in new]


def _reduced(node: Node) -> int:
    """What a BatchReduce node reduces."""
    assert isinstance(node.operation, BatchReduce)
    return node.operation.x


def _visible_part(unit: LeveledUnit, functions: tuple[Function, ...], sizes: dict[Level, int], *, cut: bool) -> str:
    graph = unit.graph
    inputs = [(str(graph.nodes[n].type), unit.levels[n].name) for n in graph.inputs]
    outputs = [(str(graph.nodes[n].type), unit.levels[n].name) for n in graph.outputs]
    seen: dict[str, object] = {
        "word": graph.word,
        "root": unit.application.is_root,
        "inputs": inputs,
        "constants": unit.application.constants,
        "outputs": outputs,
        "functions": [(f.level.name, f.inputs, f.outputs) for f in functions if f.number == 0],
        "slices": [sizes[level] for level in (Level.RUN, Level.EPOCH, Level.PAIR)],
        "parameters": _parameters(unit),
        **({"cut": True} if cut else {}),
    }
    later = [(f.level.name, f.number, f.inputs, f.outputs) for f in functions if f.number > 0]
    if later:
        seen["later"], seen["kept"] = later, sizes[Level.MEMBER]
    return json.dumps(seen, sort_keys=True)


def _parameters(unit: LeveledUnit) -> list[object]:
    """The parameters of a unit and of all that it calls, as far as code depends on them."""
    own: list[object] = [
        (
            p.kind,
            p.shape,
            "by lane" if p.by_lane else p.trainable,
            [f"{form} {unit.rank}" if form == FACTORED else form for form in sorted(forms)],
        )
        for p, forms in zip(unit.graph.parameters, unit.forms, strict=True)
    ]
    own.extend(_parameters(call) for call in unit.calls)
    return own


def _flops(graph: Graph) -> float:
    """Nominal floating-point operations per row and member: two per multiply-add of a layer, one per element else."""
    total, turns = 0.0, [1.0]  # of each loop that is open; one without a known count is taken as one turn
    for node in graph.nodes:
        match node.operation:
            case LoopBegin(count=count):
                turns.append(turns[-1] * (count or 1))
            case LoopEnd():
                turns.pop()
            case Kernel("matmul", _, (left, inner, right)):
                total += turns[-1] * 2.0 * left * inner * right
            case Linear(parameter) | LinearMean(parameter) | LinearPerturbed(parameter) | LinearFactored(parameter):
                total += turns[-1] * 2.0 * math.prod(graph.parameters[parameter].shape[1:]) * node.type.size
            case Elementwise():
                total += turns[-1] * node.type.size
            case Reduce(op, args):
                total += turns[-1] * graph.nodes[args[0]].type.size * (2.0 if op == "dot" else 1.0)
            case _:
                pass
    return total
