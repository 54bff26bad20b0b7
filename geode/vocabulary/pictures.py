"""Tables, pictures and norms: EMBED, CONV2D, pooling, LAYERNORM and RMSNORM."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from geode.graph.graph import Linear
from geode.graph.machine import Machine
from geode.graph.types import TensorType
from geode.graph.values import Layer, Tensor
from geode.vocabulary.entry import Counter, Entry, Example, body_entry
from geode.vocabulary.parameters import parameter_value
from geode.vocabulary.reductions import centred, divided, reduce_last, repeat_last, variance, vector

GROUP = "layers"
_EPSILON = 1e-5


def _embed(machine: Machine) -> None:
    wanted = "i:r:… vocab dim"
    width = machine.pop_number(wanted, "the width of a row")
    height = machine.pop_number(wanted, "the number of rows")
    index = machine.in_memory(machine.pop_tensor(wanted))
    if width < 1 or height < 1:
        machine.fail("GS305", f"`EMBED` wants a table of at least one row and column, not {height} x {width}")
    number = machine.layer_number()
    table, parameter = parameter_value(machine, machine.parameter_name("weight", number), (height, width), "table")
    shape = (*index.type.shape, width)
    value = machine.kernel("embed", (table, index), (index.type.size, height, width), shape)
    machine.open_layer(value.node, value.type, Layer([parameter], number))


def _conv2d(machine: Machine) -> None:
    wanted = "x:r:c:h:w n k"
    size, filters = machine.pop_number(wanted, "the filter's size"), machine.pop_number(wanted, "the number of filters")
    x = machine.in_memory(machine.pop_tensor(wanted))
    if len(x.type.shape) != 3:
        machine.fail("GS303", f"`CONV2D` wants a picture r:c:h:w, not {x.type}", wanted=wanted)
    if size < 1 or size % 2 == 0 or filters < 1:
        machine.fail(
            "GS305", f"`CONV2D` wants filters of odd size, at least one, not {filters} of {size}", wanted=wanted
        )
    channels, height, width = x.type.shape
    if size // 2 >= min(height, width):
        machine.fail(
            "GS305", f"`CONV2D` wants filters smaller than twice the picture, not {size} on {height} x {width}"
        )
    number = machine.layer_number()
    name = machine.parameter_name("weight", number)
    place, parameter = machine.make_parameter(name, (filters, channels, size, size), "matrix")
    type_ = TensorType("r", (filters, height, width), x.type.batched)
    machine.open_layer(machine.add(Linear(place, x.node), type_), type_, Layer([parameter], number))


def _pool(op: str) -> Callable[[Machine], None]:
    def apply(machine: Machine) -> None:
        wanted = "r:c:h:w k"
        size = machine.pop_number(wanted, "the window's size")
        x = machine.pop_tensor(wanted)
        if len(x.type.shape) != 3:
            machine.fail("GS303", f"`{machine.word}` wants a picture r:c:h:w, not {x.type}", wanted=wanted)
        channels, height, width = x.type.shape
        if size < 1 or height % size or width % size:
            machine.fail("GS305", f"`{machine.word}` wants a size that divides {height} and {width}, not {size}")
        shape = (channels, height // size, width // size)
        machine.push(machine.kernel(op, (x,), (channels, height, width, size), shape))

    return apply


def _layernorm(machine: Machine) -> None:
    x = machine.pop_tensor("x")
    count = vector(machine, x, "r:…:k")[-1]
    middle = centred(machine, x)
    spread = machine.elementwise("add", (variance(machine, middle), machine.known(_EPSILON)))
    _normed(machine, middle, spread, count, "layer")


def _rmsnorm(machine: Machine) -> None:
    x = machine.pop_tensor("x")
    count = vector(machine, x, "r:…:k")[-1]
    square = divided(machine, reduce_last(machine, "dot", (x, x)), count)
    _normed(machine, x, machine.elementwise("add", (square, machine.known(_EPSILON))), count, "rms")


def _normed(machine: Machine, x: Tensor, spread: Tensor, count: int, norm: str) -> None:
    """x / √spread, an open layer that makes its gain (and shift) when TRAINABLE follows."""
    root = machine.elementwise("sqrt", (spread,))
    value = machine.elementwise("div", (x, repeat_last(machine, root, count)))
    machine.open_layer(value.node, value.type, Layer([], machine.layer_number(), norm=norm))


_entry = partial(body_entry, GROUP)

_PICTURE = "r:1:2:2 RESHAPE"

ENTRIES: tuple[Entry, ...] = (
    _entry("EMBED", "( i:r:… vocab dim -- <layer> )", "row floor(i) of a table of parameters for every number; NaN outside",
           "parameter-value embed", "ABS 3 MIN 4 2 EMBED 0.5 INIT-NORMAL TRAINABLE", "( r:4 -- r:4:2 )",
           Counter("GS305", Example("0 2 EMBED", "( r:4 -- r:4:2 )")), _embed),
    _entry("CONV2D", "( x:r:c:h:w n k -- <layer> )", "n filters k×k, k odd, stride 1, zeros around, no bias", "linear",
           f"{_PICTURE} 2 3 CONV2D BIAS TRAINABLE", "( r:4 -- r:2:2:2 )",
           Counter("GS303", Example("2 3 CONV2D", "( r:4 -- r:4 )")), _conv2d),
    _entry("MAXPOOL", "( r:c:h:w k -- r:c:h/k:w/k )", "the largest of each k×k window", "maxpool",
           f"{_PICTURE} 2 MAXPOOL", "( r:4 -- r:1:1:1 )",
           Counter("GS303", Example("2 MAXPOOL", "( r:4 -- r:4 )")), _pool("maxpool")),
    _entry("AVGPOOL", "( r:c:h:w k -- r:c:h/k:w/k )", "the mean of each k×k window", "avgpool",
           f"{_PICTURE} 2 AVGPOOL", "( r:4 -- r:1:1:1 )",
           Counter("GS305", Example(f"{_PICTURE} 3 AVGPOOL", "( r:4 -- r:1:1:1 )")), _pool("avgpool")),
    _entry("LAYERNORM", "( x -- <layer> )",
           "mean 0 and variance 1 along the last axis (ε = 1e-5); TRAINABLE gives it a gain and a shift",
           "sum dot sqrt div", "LAYERNORM TRAINABLE", "( r:4 -- r:4 )",
           Counter("GS303", Example("LAYERNORM", "( r -- r )")), _layernorm),
    _entry("RMSNORM", "( x -- <layer> )", "root mean square 1 along the last axis (ε = 1e-5); TRAINABLE gives it a gain",
           "dot sqrt div", "RMSNORM TRAINABLE", "( r:4 -- r:4 )",
           Counter("GS303", Example("RMSNORM", "( r -- r )")), _rmsnorm),
)  # fmt: skip
