"""The verifier of graphs: what every pass may assume and must leave.

In: a graph. Out: nothing; an InternalError names the first node that breaks a rule.
Invariant: operands stand before their use, parameters and calls exist, and types follow from the operands' types.
"""

from __future__ import annotations

from geode.diagnostics import InternalError
from geode.graph.graph import (
    BatchReduce,
    CallResult,
    CallUnit,
    Elementwise,
    Graph,
    Linear,
    LinearCorrect,
    LinearMean,
    LinearNoise,
    LinearPerturbed,
    LoopBegin,
    LoopEnd,
    LoopResult,
    LoopVariable,
    Node,
    Random,
    Reduce,
    View,
    operands,
)
from geode.graph.types import Shape, combine_shapes

_UNCHECKED = (BatchReduce, Random, CallUnit, CallResult, LoopBegin, LoopVariable, LoopEnd, LoopResult)


def check_graph(graph: Graph, calls: int) -> None:
    """Checks a graph that makes `calls` calls."""
    made = 0
    for place, node in enumerate(graph.nodes):
        if any(not 0 <= argument < place for argument in operands(node.operation)):
            raise InternalError(f"%{place} of {graph.word} reads a value that is not there yet")
        if isinstance(node.operation, CallUnit):
            if node.operation.call != made:
                raise InternalError(f"%{place} of {graph.word} is call {node.operation.call}, expected {made}")
            made += 1
        problem = _problem(graph, node)
        if problem is not None:
            raise InternalError(f"%{place} of {graph.word}: {problem}")
    if made != calls:
        raise InternalError(f"{graph.word} makes {made} calls, its tree has {calls}")
    if any(not 0 <= output < len(graph.nodes) for output in graph.outputs):
        raise InternalError(f"{graph.word} leaves a value that is not there")


def _filters_problem(filters: Shape, x: Shape, y: Shape) -> str | None:
    fits = len(x) == 3 and x[0] == filters[1] and y == (filters[0], *x[1:])
    return None if fits else f"filters {filters} over {x} are not {y}"


def _problem(graph: Graph, node: Node) -> str | None:
    types = [graph.nodes[argument].type for argument in operands(node.operation)]
    checked = types and not isinstance(node.operation, _UNCHECKED)
    if checked and node.type.batched != any(t.batched for t in types):
        return "batched if and only if an operand is"
    match node.operation:
        case Elementwise("spread"):
            ends = node.type.shape[len(node.type.shape) - len(types[0].shape) :]
            return None if ends == types[0].shape else f"{types[0]} does not end {node.type}"
        case Elementwise():
            shape: Shape | None = ()
            for type_ in types:
                shape = combine_shapes(shape, type_.shape) if shape is not None else None
            return None if shape == node.type.shape else f"shapes combine to {shape}, not {node.type}"
        case Reduce():
            shapes = {type_.shape for type_ in types}
            return None if shapes and all(s[:-1] == node.type.shape for s in shapes) else "reduces the last axis"
        case View(_, offset):
            return None if 0 <= offset <= types[0].size - node.type.size else "stays within its value"
        case (
            Linear(parameter, _) | LinearMean(parameter, _) | LinearNoise(parameter, _) | LinearPerturbed(parameter, _)
        ):
            if not 0 <= parameter < len(graph.parameters):
                return f"no parameter p{parameter}"
            if len(graph.parameters[parameter].shape) == 4:
                return _filters_problem(graph.parameters[parameter].shape, types[0].shape, node.type.shape)
            outputs, inputs = graph.parameters[parameter].shape
            fits = types[0].shape[-1:] == (inputs,) and node.type.shape == (*types[0].shape[:-1], outputs)
            return None if fits else f"{types[0]} through {outputs} x {inputs} is not {node.type}"
        case LinearCorrect():
            return None if types[1] == node.type else f"corrects {types[1]} to {node.type}"
        case BatchReduce():
            return None if types[0].batched and types[0].shape == () else "reduces one number of every row"
        case _:
            return None
