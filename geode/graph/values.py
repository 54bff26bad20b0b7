"""What stands on the stack while a word is interpreted abstractly.

In: made by literals, locals and the vocabulary's entries. Out: read by the machine and by signatures.
Invariant: a `Tensor` is a node of the graph under construction; everything else is known while compiling.
"""

from __future__ import annotations

import math
from dataclasses import field

from geode.graph.graph import ParameterKind
from geode.graph.types import Shape, TensorType
from geode.record import dataclass
from geode.source import Span

DRAWS = "\0draws:"  # starts the local that counts a row's draws at a call site; its stream's name follows
RUNAWAY = "\0runaway"  # the local that holds the flag of rows past LOOP-LIMIT; no local can be called so


@dataclass(slots=True, eq=False)
class Parameter:
    """One set of weights: named by its path of call sites; INIT words and TRAINABLE set the rest as they are met."""

    name: str
    shape: Shape
    kind: ParameterKind
    span: Span
    init: str = "constant"  # constant, normal, uniform, orthogonal
    init_value: float = 0.0
    trainable: bool = False
    init_word: str | None = None

    @property
    def fan_in(self) -> int:
        """N of a matrix [m, n], c·k·k of filters [n, c, k, k]."""
        return math.prod(self.shape[1:])

    @property
    def fan_out(self) -> int:
        """M of a matrix [m, n], n·k·k of filters."""
        return self.shape[0] * math.prod(self.shape[2:])


@dataclass(slots=True, eq=False)
class Layer:
    """The parameters that a value's parameter words made, as long as INIT and TRAINABLE reach them."""

    parameters: list[Parameter] = field(default_factory=list)
    number: int = 1
    norm: str | None = None  # a norm ("layer" or "rms") that has no gain yet: TRAINABLE makes it
    affine: bool = False  # made by AFFINE: INIT words set the weight, not the bias


@dataclass(frozen=True, slots=True)
class Tensor:
    """A value of the graph. `layer` while it is open; `closed_by` names the word that closed it."""

    node: int
    type: TensorType
    layer: Layer | None = None
    closed_by: str | None = None


@dataclass(frozen=True, slots=True)
class Number:
    """A constant `n`."""

    value: int


@dataclass(frozen=True, slots=True)
class Flag:
    """A flag known while compiling."""

    value: bool


NO_RUNAWAY = Flag(False)


@dataclass(frozen=True, slots=True)
class TableFile:
    """A file that TABLE reads, and the shape of what it holds."""

    path: str
    shape: Shape


@dataclass(frozen=True, slots=True)
class ShapeValue:
    """A shape literal, names resolved."""

    shape: Shape


@dataclass(frozen=True, slots=True)
class Text:
    """A string."""

    value: str


@dataclass(frozen=True, slots=True)
class Token:
    """`['] NAME`: a word to be called. `number` is which mention of the word in its definition's text it is; a tied
    instance made by `~` has a `path` of its own, which all of its calls share."""

    word: str
    number: int = 1
    path: tuple[str, ...] | None = None


@dataclass(frozen=True, slots=True)
class Instance:
    """A tied instance: naming the local that holds it calls it."""

    token: Token


Value = Tensor | Number | Flag | ShapeValue | Text | Token | Instance


def type_text(value: Value) -> str:
    """The value's type as `stack:` and messages print it."""
    match value:
        case Tensor(type=tensor_type):
            return str(tensor_type)
        case Number():
            return "n"
        case Flag():
            return "f"
        case ShapeValue(shape):
            return ":".join(["shape", *map(str, shape)])
        case Text():
            return "s"
        case Token():
            return "xt"
        case Instance():
            return "m"


def stack_text(stack: list[Value] | tuple[Value, ...]) -> str:
    """The whole stack, the top last."""
    return " ".join(map(type_text, stack)) if stack else "(empty)"
