"""Parameter words, the INIT words and TRAINABLE."""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import partial

from geode.graph.graph import Known, Linear, ParameterValue
from geode.graph.machine import Machine
from geode.graph.types import Shape, TensorType, shape_text
from geode.graph.values import Layer, Number, Parameter, Tensor
from geode.vocabulary.entry import Counter, Entry, Example, body_entry
from geode.vocabulary.reductions import repeat_last

GROUP = "parameters"


# --- parameter words


def _linear(machine: Machine) -> None:
    wanted = "x:r:k n"
    outputs = machine.pop_number(wanted, "the number of outputs")
    under = machine.stack[-1] if machine.stack else None
    x = machine.in_memory(machine.pop_tensor(wanted))
    if not x.type.shape:
        message = f"`{machine.word}` wants a value with at least one axis, not a scalar"
        help_text = None
        if isinstance(under, Number):  # inputs and outputs, as other libraries have it
            help_text = f"the inputs are counted by the value below: give the outputs alone, `{outputs} {machine.word}`"
        machine.fail("GS303", message, wanted=wanted, help=help_text)
    if outputs < 1:
        machine.fail("GS305", f"`{machine.word}` wants at least one output, not {outputs}", wanted=wanted)
    number = machine.layer_number()
    name = machine.parameter_name("weight", number)
    place, parameter = machine.make_parameter(name, (outputs, x.type.shape[-1]), "matrix")
    type_ = TensorType("r", (*x.type.shape[:-1], outputs), x.type.batched)
    machine.open_layer(machine.add(Linear(place, x.node), type_), type_, Layer([parameter], number))


def _bias(machine: Machine) -> None:
    value = machine.pop_tensor("<layer>")
    layer = value.layer if value.layer is not None else Layer([], machine.layer_number())
    _add_bias(machine, value, layer)


def _add_bias(machine: Machine, value: Tensor, layer: Layer) -> None:
    """Adds a vector that has an entry per filter after CONV2D, else per entry of the last axis."""
    shape = value.type.shape
    if not shape:
        machine.fail("GS303", f"`{machine.word}` wants a value with at least one axis, not a scalar", wanted="<layer>")
    first = layer.parameters[0] if layer.parameters else None
    per_filter = len(shape) == 3 and first is not None and first.kind == "matrix" and len(first.shape) == 4
    count = shape[0] if per_filter else shape[-1]
    bias, parameter = parameter_value(machine, _free_name(machine, "bias", layer.number), (count,), "vector")
    if per_filter:
        for size in reversed(shape[1:]):
            bias = repeat_last(machine, bias, size)
        bias = machine.view(bias, 0, shape) if bias.type.shape != shape else bias
    total = machine.elementwise("add", (value, bias))
    machine.push(
        Tensor(total.node, total.type, Layer([*layer.parameters, parameter], layer.number, affine=layer.affine))
    )


def _free_name(machine: Machine, last: str, number: int) -> str:
    """The name numbered as its layer; the next free number where this unit has such a parameter already."""
    taken = {parameter.name for parameter in machine.unit.parameters}
    while machine.parameter_name(last, number) in taken:
        number += 1
    return machine.parameter_name(last, number)


def _affine(machine: Machine) -> None:
    _linear(machine)
    value = machine.stack.pop()
    assert isinstance(value, Tensor)
    assert value.layer is not None
    value.layer.affine = True
    _add_bias(machine, value, value.layer)


def _param(machine: Machine) -> None:
    shape = machine.pop_shape("shape")
    if machine.span is None:
        raise AssertionError("PARAM is a word of a program")
    local = machine.environment.parameter_local(machine.definition, machine.span.start)
    number = machine.layer_number()
    name = machine.parameter_name(local, 1) if local is not None else machine.parameter_name("param", number)
    value, parameter = parameter_value(machine, name, shape, "table" if len(shape) >= 2 else "vector")
    machine.open_layer(value.node, value.type, Layer([parameter], number))


def parameter_value(machine: Machine, name: str, shape: Shape, kind: str) -> tuple[Tensor, Parameter]:
    """A parameter read as a value, and the parameter itself."""
    place, parameter = machine.make_parameter(name, shape, "table" if kind == "table" else "vector")
    type_ = TensorType("r", shape, batched=False)
    return Tensor(machine.add(ParameterValue(place), type_), type_), parameter


# --- INIT words and TRAINABLE


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


def _latest(machine: Machine) -> Parameter:
    """The parameter that an INIT word sets: the one made last, after AFFINE the weight."""
    _, layer = open_layer(machine)
    if not layer.parameters:
        machine.fail("GS501", f"`{machine.word}` reaches no parameter: a norm has none before TRAINABLE")
    return layer.parameters[0] if layer.affine and len(layer.parameters) == 2 else layer.parameters[-1]


def _scaled(name: str, summary: str, deviation: str, rule: Callable[[Parameter], float]) -> Entry:
    def apply(machine: Machine) -> None:
        parameter = _latest(machine)
        if len(parameter.shape) < 2:
            machine.fail("GS502", f"`{name}` needs a parameter of at least two axes, not {shape_text(parameter.shape)}")
        kind = "orthogonal" if name == "INIT-ORTHOGONAL" else "normal"
        machine.initialise(parameter, kind, rule(parameter))

    return _init(name, "( <layer> -- <layer> )", f"{summary}: {deviation}", f"3 LINEAR {name} TRAINABLE", apply)


def _valued(name: str, init: str, summary: str) -> Entry:
    def apply(machine: Machine) -> None:
        wanted = "<layer> x"
        value = machine.pop(wanted)
        known = machine.unit.nodes[value.node].operation if isinstance(value, Tensor) else None
        if isinstance(value, Number):
            number = float(value.value)
        elif isinstance(known, Known):
            number = known.value
        else:
            machine.fail("GS305", f"`{name}` wants a number that is known while compiling", wanted=wanted)
        if not math.isfinite(number) or (init != "constant" and number < 0):
            machine.fail("GS305", f"`{name}` wants a finite number{'' if init == 'constant' else ' of at least 0'}")
        machine.initialise(_latest(machine), init, number)

    return _init(name, "( <layer> x -- <layer> )", summary, f"3 LINEAR 0.5 {name} TRAINABLE", apply)


def _init(name: str, effect: str, summary: str, body: str, apply: Callable[[Machine], None]) -> Entry:
    value = "0.5 " if " x " in effect else ""
    counter = Counter("GS501", Example(f"{value}{name}", "( r:4 -- r:4 )"))
    return Entry(name, GROUP, effect, summary, "init", Example(body, "( r:4 -- r:3 )"), counter, apply)


def _init_zero(machine: Machine) -> None:
    machine.initialise(_latest(machine), "constant", 0.0)


def _trainable(machine: Machine) -> None:
    value, layer = open_layer(machine)
    if layer.norm is not None:
        machine.stack.pop()
        _add_gain(machine, value, layer)
    for parameter in layer.parameters:
        parameter.trainable = True


def _add_gain(machine: Machine, value: Tensor, layer: Layer) -> None:
    """The gain, initialised 1, and for LAYERNORM the shift, initialised 0, of a norm that is to be trained."""
    shape = value.type.shape[-1:]
    gain, parameter = parameter_value(machine, machine.parameter_name("gain", layer.number), shape, "vector")
    parameter.init_value = 1.0
    layer.parameters.append(parameter)
    value = machine.elementwise("mul", (value, gain))
    if layer.norm == "layer":
        shift, parameter = parameter_value(machine, machine.parameter_name("shift", layer.number), shape, "vector")
        layer.parameters.append(parameter)
        value = machine.elementwise("add", (value, shift))
    layer.norm = None
    machine.open_layer(value.node, value.type, layer)


_entry = partial(body_entry, GROUP)

ENTRIES: tuple[Entry, ...] = (
    _entry("LINEAR", "( x:r:k n -- <layer> )",
           "W x along the last axis, W a parameter [n, k]; no bias; initialised INIT-XAVIER", "linear",
           "3 LINEAR TRAINABLE", "( r:4 -- r:3 )", Counter("GS305", Example("DUP LINEAR", "( r:4 -- r:4 )")), _linear),
    _entry("BIAS", "( <layer> -- <layer> )",
           "adds a vector, initialised 0; it joins the open layer, on a closed value it opens its own",
           "parameter-value add", "3 LINEAR BIAS TRAINABLE", "( r:4 -- r:3 )",
           Counter("GS303", Example("BIAS", "( r -- r )")), _bias),
    _entry("AFFINE", "( x:r:k n -- <layer> )", "LINEAR BIAS, except that an INIT word after it sets the weight",
           "linear parameter-value add", "3 AFFINE INIT-HE TRAINABLE", "( r:4 -- r:3 )",
           Counter("GS305", Example("DUP AFFINE", "( r:4 -- r:4 )")), _affine),
    _entry("PARAM", "( shape -- <layer> )", "a parameter itself, the same for every row; initialised 0",
           "parameter-value", "r:4 PARAM 0.5 INIT-CONSTANT TRAINABLE *", "( r:4 -- r:4 )",
           Counter("GS303", Example("4 PARAM", "( r:4 -- r:4 )")), _param),
    _scaled("INIT-HE", "normal weights", "standard deviation √(2/fan_in)", lambda p: math.sqrt(2.0 / p.fan_in)),
    _scaled("INIT-XAVIER", "normal weights", "standard deviation √(2/(fan_in+fan_out))",
            lambda p: math.sqrt(2.0 / (p.fan_in + p.fan_out))),
    _scaled("INIT-LECUN", "normal weights", "standard deviation √(1/fan_in)", lambda p: math.sqrt(1.0 / p.fan_in)),
    _scaled("INIT-ORTHOGONAL", "orthonormal rows or columns", "whichever are fewer", lambda _: 1.0),
    _init("INIT-ZERO", "( <layer> -- <layer> )", "zeros", "3 LINEAR INIT-ZERO TRAINABLE", _init_zero),
    _valued("INIT-NORMAL", "normal", "normal weights of standard deviation x"),
    _valued("INIT-UNIFORM", "uniform", "uniform weights between −x and x"),
    _valued("INIT-CONSTANT", "constant", "x in every entry"),
    _entry("TRAINABLE", "( <layer> -- <layer> )", "the parameters of the open layer take part in the evolution",
           "parameter table", "3 LINEAR TRAINABLE", "( r:4 -- r:3 )",
           Counter("GS501", Example("3 LINEAR RELU TRAINABLE", "( r:4 -- r:3 )")), _trainable),
)  # fmt: skip
