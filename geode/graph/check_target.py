"""What a program's target cannot do -> errors, before anything is emitted.

In: the target, the call trees of the stages that train, the parameters. Out: errors at the words concerned.
Invariant: what passes here is compiled whole; nothing that a target cannot do is left out in silence.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence

from geode.diagnostics import Sink
from geode.graph.call_tree import Application
from geode.graph.training_program import Stage
from geode.graph.values import Parameter, TableFile
from geode.syntax.word import Target

CPU = "TARGET-CPU"
_MOST_NUMBERS = 2**31 - 1  # kernels count in 31 bits


def check_target(
    target: Target | None, stages: Sequence[tuple[Stage, Application]], parameters: Sequence[Parameter], sink: Sink
) -> None:
    """Adds an error for everything in the way. EVALUATE and PREDICT run on the processor and are left alone."""
    if target is None or target.name == CPU:
        return
    tables = dict.fromkeys(table for _, root in stages for table in root.all_tables())
    most = 0
    for stage, root in stages:
        if stage.kind != "train":
            continue
        if stage.bf16:
            message = f"`BF16` holds for a TRAIN, and `{target.name}` trains with float32 numbers alone"
            place = stage.places.get("bf16", stage.span)
            sink.error("GS612", message, place, help="leave it out or write FLOAT32 before TRAIN, or write TARGET-CPU")
        most = max(most, state_numbers(stage, root, parameters, tables))
    if most > _MOST_NUMBERS:
        weights = sum(math.prod(parameter.shape) for parameter in parameters)
        message = (
            f"{weights} weights and what training keeps for them are {most} numbers, and a kernel of `{target.name}` "
            f"counts {_MOST_NUMBERS}"
        )
        muon = any(stage.settings["optimizer"] == "muon" for stage, _ in stages)
        other = "another optimizer than MUON, " if muon else ""
        sink.error(
            "GS612", message, target.span, help=f"a smaller model, {other}or TARGET-CPU, which has no such limit"
        )


def state_numbers(stage: Stage, root: Application, parameters: Iterable[Parameter], tables: Iterable[TableFile]) -> int:
    """The float32 numbers that a GPU keeps for a TRAIN whatever its data: 2 a weight, 5 more if it is trained, two copies of
    each matrix under MUON with two squares, one a pair, the tables. As state_numbers of gs_generation.c counts them.
    """
    population = stage.settings["population"]
    assert isinstance(population, int)
    numbers = _padded(population // 2 if stage.settings["sampling"] == "antithetic" else population)
    reached = {parameter.name for parameter in root.all_parameters()}
    for parameter in parameters:
        weights = _padded(math.prod(parameter.shape))
        numbers += (2 + 5 * parameter.trainable) * weights
        if stage.settings["optimizer"] == "muon" and parameter.kind == "matrix" and parameter.trainable:
            side = min(parameter.shape[0], parameter.fan_in)
            numbers += 2 * (weights + _padded(side * side)) * (parameter.name in reached)
    return numbers + sum(_padded(math.prod(table.shape)) for table in tables)


def _padded(numbers: int) -> int:
    """As the runtime lays numbers out."""
    return (numbers + 15) // 16 * 16
