"""What a program's target cannot do -> errors, before anything is emitted.

In: the target, the call trees of the stages that train, the parameters. Out: errors at the words concerned.
Invariant: what passes here is compiled whole; nothing that a target cannot do is left out in silence.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence

from geode.diagnostics import Sink
from geode.graph.call_tree import Application
from geode.graph.graph import BatchReduce, Elementwise
from geode.graph.values import Parameter
from geode.syntax.word import Target

CPU = "TARGET-CPU"
_MOST_WEIGHTS = 2**31  # kernels count in 31 bits
_INSTEAD = "write TARGET-CPU, or leave the target out"
# Functions that are computed in float64, which Metal's language does not have; CUDA's text comes from the same bodies.
_WIDE = {"log2", "log10", "sinh", "cosh", "tan", "asin", "acos", "atan", "atan2", "pow"}


def check_target(
    target: Target | None, trained: Iterable[Application], parameters: Sequence[Parameter], sink: Sink, *, bf16: bool
) -> None:
    """Adds an error for everything in the way; `trained` are the roots of the words that run on the device, `bf16` says
    that some stage asks for it.
    """
    if target is None or target.name == CPU:
        return
    if bf16:
        message = f"`{target.name}` has no `BF16`: its layers multiply float32 numbers"
        sink.error("GS612", message, target.span, help="leave `BF16` out, or write TARGET-CPU")
    total = sum(math.prod(parameter.shape) for parameter in parameters)
    if total >= _MOST_WEIGHTS:
        message = f"the program has {total} weights, and `{target.name}` can hold {_MOST_WEIGHTS - 1}"
        sink.error("GS612", message, target.span, help="a smaller model, or TARGET-CPU, which has no such limit")
    for root in trained:
        _check_words(root, target, sink)


def check_passes(target: str, trained: Iterable[tuple[Application, bool]], sink: Sink) -> None:
    """Adds an error for every root whose reductions over the batch need one another; `trained` says which do."""
    for root, several in trained:
        if several:
            place = next(node for node in root.nodes if isinstance(node.operation, BatchReduce))
            message = f"`{target}` cannot go through the batch more than once yet, as this word does"
            sink.error("GS612", message, place.span, help=_INSTEAD)


def _check_words(application: Application, target: Target, sink: Sink) -> None:
    for node in application.nodes:
        if isinstance(node.operation, Elementwise) and node.operation.op in _WIDE:
            word = node.operation.op.upper()
            message = f"`{target.name}` has no `{word}`: it is computed in float64, which kernels do not do"
            sink.error("GS612", message, node.span, help=_INSTEAD)
    for call in application.calls:
        _check_words(call, target, sink)
