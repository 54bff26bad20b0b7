"""Which values differ by member: those that a perturbed parameter reaches, by dataflow.

In: a call tree and which of its root's inputs differ. Out: a flag per node of every unit of the tree.
Invariant: what a loop carries takes the fixed point over its turns; flags only ever turn from invariant to variant.
"""

from __future__ import annotations

from geode.graph.call_tree import Application
from geode.graph.graph import (
    CallResult,
    CallUnit,
    Input,
    Linear,
    LoopBegin,
    LoopEnd,
    LoopResult,
    LoopVariable,
    Operation,
    ParameterValue,
    Random,
    operands,
)
from geode.record import dataclass


@dataclass(frozen=True, slots=True)
class Variants:
    """`nodes[i]`: node i of the unit differs by member. `calls` the same for what it calls."""

    nodes: tuple[bool, ...]
    calls: tuple[Variants, ...]


def find_variants(application: Application, inputs: tuple[bool, ...]) -> Variants:
    """The variants of one unit and of all that it calls."""
    return _find(application, inputs, {})


_Known = dict[tuple[int, tuple[bool, ...]], Variants]  # by unit and inputs: a unit is asked for again and again


def _find(application: Application, inputs: tuple[bool, ...], known: _Known) -> Variants:
    key = (id(application), inputs)
    if key not in known:
        known[key] = _Search(application, inputs, known).run()
    return known[key]


class _Search:
    def __init__(self, application: Application, inputs: tuple[bool, ...], known: _Known) -> None:
        self.application = application
        self.known = known
        self.inputs = inputs
        self.flags = [False] * len(application.nodes)
        self.calls: dict[int, Variants] = {}
        self.ends = {
            node.operation.loop: node.operation for node in application.nodes if isinstance(node.operation, LoopEnd)
        }

    def run(self) -> Variants:
        changed = True
        while changed:
            changed = False
            for place, node in enumerate(self.application.nodes):
                if not self.flags[place] and self.differs(node.operation):
                    self.flags[place] = changed = True
            changed = changed and bool(self.ends)  # without loops one pass is enough
        for node in self.application.nodes:
            if isinstance(node.operation, CallUnit):
                self.callee(node.operation)
        return Variants(tuple(self.flags), tuple(self.calls[c] for c in range(len(self.application.calls))))

    def differs(self, operation: Operation) -> bool:
        flags = self.flags
        match operation:
            case Input(position):
                return 0 <= position < len(self.inputs) and self.inputs[position]
            case Linear(parameter, x):
                return flags[x] or self.application.parameters[parameter].trainable
            case ParameterValue(parameter):
                return self.application.parameters[parameter].trainable
            case CallUnit():
                callee = self.callee(operation)
                return callee.nodes[self.application.calls[operation.call].outputs[0]]
            case CallResult(call, position):
                made_by = self.application.nodes[call].operation
                assert isinstance(made_by, CallUnit)
                callee = self.callee(made_by)
                return callee.nodes[self.application.calls[made_by.call].outputs[position]]
            case Random("member_randn"):
                return True
            case LoopBegin() | LoopEnd():
                return False
            case LoopVariable(loop, position):
                begin = self.application.nodes[loop].operation
                assert isinstance(begin, LoopBegin)
                return flags[begin.inits[position]] or flags[self.ends[loop].nexts[position]]
            case LoopResult(end, position):
                made = self.application.nodes[end].operation
                assert isinstance(made, LoopEnd)
                begin = self.application.nodes[made.loop].operation
                assert isinstance(begin, LoopBegin)
                return flags[begin.inits[position]] or flags[made.nexts[position]]
            case _:
                return any(flags[argument] for argument in operands(operation))

    def callee(self, operation: CallUnit) -> Variants:
        """The callee's flags for the arguments as they are known now."""
        given = tuple(self.flags[a] for a in operation.args)
        self.calls[operation.call] = _find(self.application.calls[operation.call], given, self.known)
        return self.calls[operation.call]
