"""Layers and parameters: LINEAR, the INIT words and TRAINABLE."""

from __future__ import annotations

import math

from geode.graph.graph import Linear
from geode.graph.machine import Machine
from geode.graph.types import TensorType
from geode.graph.values import Layer, Parameter, Tensor
from geode.vocabulary.entry import Counter, Entry, Example

GROUP = "parameters"


def _linear(machine: Machine) -> None:
    wanted = "x:r:k n"
    outputs = machine.pop_number(wanted, "the number of outputs")
    x = machine.pop_tensor(wanted)
    if not x.type.shape:
        machine.fail("GS303", "`LINEAR` wants a value with at least one axis, not a scalar", wanted=wanted)
    if outputs < 1:
        machine.fail("GS305", f"`LINEAR` wants at least one output, not {outputs}", wanted=wanted)
    number = machine.layer_number()
    name = machine.parameter_name("weight", number)
    place, parameter = machine.make_parameter(name, (outputs, x.type.shape[-1]), "matrix")
    type_ = TensorType("r", (*x.type.shape[:-1], outputs), x.type.batched)
    machine.open_layer(machine.add(Linear(place, x.node), type_), type_, Layer([parameter], number))


def open_layer(machine: Machine) -> tuple[Tensor, Layer]:
    """The top value, which must be an open layer; it stays on the stack."""
    value = machine.pop("<layer>")
    if isinstance(value, Tensor) and value.layer is not None:
        machine.push(value)
        return value, value.layer
    closed_by = value.closed_by if isinstance(value, Tensor) else None
    why = "no parameter word has just made this value"
    if closed_by == "the data":
        why = "the data is no parameter"
    elif closed_by is not None:
        name = closed_by if "`" in closed_by else f"`{closed_by}`"
        why = f"{name} closed it"
    machine.fail(
        "GS501",
        f"`{machine.word}` reaches no parameter: {why}",
        wanted="<layer>",
        help=f"write `{machine.word}` directly after the parameter word (LINEAR …)",
    )


def _init(name: str, summary: str, deviation: str) -> Entry:
    def apply(machine: Machine) -> None:
        _, layer = open_layer(machine)
        parameter = layer.parameters[0] if len(layer.parameters) > 1 and layer.affine else layer.parameters[-1]
        if len(parameter.shape) < 2:
            machine.fail("GS502", f"`{name}` needs a parameter of at least two axes, not {_shape(parameter)}")
        machine.initialise(parameter, "normal", _DEVIATIONS[name](parameter.fan_in, parameter.fan_out))

    example = Example(f"3 LINEAR {name} TRAINABLE", "( r:4 -- r:3 )")
    counter = Counter("GS501", Example(name, "( r:4 -- r:4 )"))
    return Entry(name, GROUP, "( <layer> -- <layer> )", f"{summary}: {deviation}", "init", example, counter, apply)


def _shape(parameter: Parameter) -> str:
    return ":".join(["r", *map(str, parameter.shape)])


_DEVIATIONS = {
    "INIT-HE": lambda fan_in, _: math.sqrt(2.0 / fan_in),
    "INIT-XAVIER": lambda fan_in, fan_out: math.sqrt(2.0 / (fan_in + fan_out)),
    "INIT-LECUN": lambda fan_in, _: math.sqrt(1.0 / fan_in),
}


def _trainable(machine: Machine) -> None:
    _, layer = open_layer(machine)
    for parameter in layer.parameters:
        parameter.trainable = True


ENTRIES: tuple[Entry, ...] = (
    Entry(
        "LINEAR",
        GROUP,
        "( x:r:k n -- <layer> )",
        "W x along the last axis, W a parameter [n, k]; no bias; initialised INIT-XAVIER",
        "Linear",
        Example("3 LINEAR TRAINABLE", "( r:4 -- r:3 )"),
        Counter("GS305", Example("DUP LINEAR", "( r:4 -- r:4 )")),
        _linear,
    ),
    _init("INIT-HE", "normal weights", "standard deviation √(2/fan_in)"),
    _init("INIT-XAVIER", "normal weights", "standard deviation √(2/(fan_in+fan_out))"),
    _init("INIT-LECUN", "normal weights", "standard deviation √(1/fan_in)"),
    Entry(
        "TRAINABLE",
        GROUP,
        "( <layer> -- <layer> )",
        "the parameters of the open layer take part in the evolution",
        "parameter table",
        Example("3 LINEAR TRAINABLE", "( r:4 -- r:3 )"),
        Counter("GS501", Example("3 LINEAR RELU TRAINABLE", "( r:4 -- r:3 )")),
        _trainable,
    ),
)
