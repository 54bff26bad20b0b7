"""Graph -> text: one line per node, without positions, so that equal graphs have equal text.

In: a graph, and its levels where they are known. Out: the `.graph` form.
Invariant: the text holds everything that the code of the unit depends on, and nothing else.
"""

from __future__ import annotations

from collections.abc import Sequence

from geode.graph.graph import (
    Arrange,
    BatchReduce,
    CallResult,
    CallUnit,
    Elementwise,
    Graph,
    Input,
    Iota,
    Kernel,
    Known,
    Level,
    Linear,
    LinearCorrect,
    LinearFactor,
    LinearFactored,
    LinearJoin,
    LinearMean,
    LinearNoise,
    LinearPerturbed,
    LoopBegin,
    LoopEnd,
    LoopResult,
    LoopVariable,
    Operation,
    ParameterValue,
    Piece,
    Random,
    Reduce,
    Setting,
    Table,
    View,
)
from geode.graph.types import shape_text


def graph_to_text(graph: Graph, levels: Sequence[Level] = (), callees: Sequence[str] = ()) -> str:
    """The graph, a line a node; `callees` are the names of the units that it calls, by call."""
    lines = [f"graph {graph.word}"]
    for place, parameter in enumerate(graph.parameters):
        trained = "trainable" if parameter.trainable else "fixed"
        by_lane = " by lane" if parameter.by_lane else ""
        lines.append(f"  parameter p{place} {parameter.kind} {shape_text(parameter.shape)} {trained}{by_lane}")
    for place, node in enumerate(graph.nodes):
        level = f"  {levels[place].name.lower()}" if levels else ""
        lines.append(f"  %{place} = {operation_text(node.operation, callees)} : {node.type}{level}")
    lines.append("  leave " + " ".join(f"%{node}" for node in graph.outputs))
    return "\n".join(lines) + "\n"


def operation_text(operation: Operation, callees: Sequence[str] = ()) -> str:  # noqa: C901 -- one case a kind of node
    """One operation with its operands, as %node and pN."""
    match operation:
        case Input(position):
            return f"input {position}"
        case Known(value):
            return f"known {value.hex()}"
        case Elementwise(op, args):
            return f"{op} {_args(args)}"
        case Reduce(op, args):
            return f"reduce-{op} {_args(args)}"
        case View(x, offset):
            return f"view %{x} from {offset}"
        case Arrange(pieces):
            return "arrange " + " ".join(f"[{p.target} <- %{p.source} {p.start} {_dims(p)}]" for p in pieces)
        case Random(kind, site, count):
            return f"{kind} {site} %{count}"
        case Setting(name):
            return f"setting {name}"
        case Iota():
            return "iota"
        case Kernel(op, args, sizes):
            return f"{op} {_args(args)} {' '.join(map(str, sizes))}".rstrip()
        case LoopBegin(inits, count, alive):
            turns = f"{count} turns" if count is not None else f"while {alive}"
            return f"loop {turns} carrying {_args(inits)}".rstrip()
        case LoopVariable(loop, position):
            return f"carried {position} of %{loop}"
        case LoopEnd(loop, nexts):
            return f"end of %{loop} {_args(nexts)}".rstrip()
        case LoopResult(end, position):
            return f"result {position} of %{end}"
        case Linear(parameter, x):
            return f"linear p{parameter} %{x}"
        case LinearMean(parameter, x):
            return f"linear-mean p{parameter} %{x}"
        case LinearNoise(parameter, x):
            return f"linear-noise p{parameter} %{x}"
        case LinearJoin(parameter, noise, mean):
            return f"linear-join p{parameter} %{noise} %{mean}"
        case LinearPerturbed(parameter, x):
            return f"linear-perturbed p{parameter} %{x}"
        case LinearFactor(parameter, x):
            return f"linear-factor p{parameter} %{x}"
        case LinearCorrect(parameter, factor, mean):
            return f"linear-correct p{parameter} %{factor} %{mean}"
        case LinearFactored(parameter, factor, x, bf16):
            return f"linear-factored{'-bf16' if bf16 else ''} p{parameter} %{factor} %{x}"
        case ParameterValue(parameter):
            return f"parameter-value p{parameter}"
        case Table(table):
            return f"table t{table}"
        case BatchReduce(op, x):
            return f"batch-{op} %{x}"
        case CallUnit(call, args):
            callee = callees[call] if callees else f"call-{call}"
            return f"call {callee} {_args(args)}".rstrip()
        case CallResult(call, position):
            return f"result {position} %{call}"


def _dims(piece: Piece) -> str:
    return "x".join(f"{count}({source},{target})" for count, source, target in piece.dims) or "1"


def _args(args: tuple[int, ...]) -> str:
    return " ".join(f"%{arg}" for arg in args)
