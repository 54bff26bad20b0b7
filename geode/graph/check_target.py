"""What a program's target cannot do -> errors, before anything is emitted.

In: the target, the call trees of the stages that train, the parameters. Out: errors at the words concerned.
Invariant: what passes here is compiled whole; nothing that a target cannot do is left out in silence.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence

from geode.diagnostics import Sink
from geode.graph.training_program import Stage
from geode.graph.values import Parameter
from geode.syntax.word import Target

CPU = "TARGET-CPU"
_MOST_WEIGHTS = 2**31  # kernels count in 31 bits


def check_target(target: Target | None, stages: Iterable[Stage], parameters: Sequence[Parameter], sink: Sink) -> None:
    """Adds an error for everything in the way. EVALUATE and PREDICT run on the processor and are left alone."""
    if target is None or target.name == CPU:
        return
    for stage in stages:
        if stage.kind == "train" and stage.bf16:
            message = f"`BF16` holds for a TRAIN, and `{target.name}` trains with float32 numbers alone"
            place = stage.places.get("bf16", stage.span)
            sink.error("GS612", message, place, help="leave it out or write FLOAT32 before TRAIN, or write TARGET-CPU")
    total = sum(math.prod(parameter.shape) for parameter in parameters)
    if total >= _MOST_WEIGHTS:
        message = f"the program has {total} weights, and `{target.name}` can hold {_MOST_WEIGHTS - 1}"
        sink.error("GS612", message, target.span, help="a smaller model, or TARGET-CPU, which has no such limit")
