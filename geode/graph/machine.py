"""The abstract machine: a stack of typed, shaped values on which one word's body is run while compiling.

In: the values that reach a word. Out: nodes in the unit under construction, parameters named by call sites.
Invariant: every failure is a CompileError with the span of the word that failed, the stack as it stood before that word
and the chain of calls.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import field
from typing import TYPE_CHECKING, NoReturn

from geode.diagnostics import CompileError, Diagnostic
from geode.graph.call_tree import Application
from geode.graph.environment import Environment
from geode.graph.fold_constants import fold, outside_domain, to_float32
from geode.graph.graph import (
    Arrange,
    Elementwise,
    Input,
    Kernel,
    Known,
    Node,
    Operation,
    ParameterKind,
    Piece,
    Trail,
    View,
)
from geode.graph.types import MOST_AXES, SCALAR, Shape, TensorType, combine_shapes, shape_text
from geode.graph.values import (
    Flag,
    Layer,
    Number,
    Parameter,
    ShapeValue,
    Tensor,
    Text,
    Token,
    Value,
    stack_text,
    type_text,
)
from geode.record import dataclass
from geode.source import Span
from geode.syntax.read_literal import INTEGER_LIMIT, LONGEST_AXIS
from geode.syntax.word import Definition

MOST_WORDS = 250_000  # of one stage
MOST_VALUES = 10_000
_EXHAUSTED_HELP = "every call is compiled at its own place, and a loop within loops several times"
BEYOND_HELP = "an n lies between -2^63 and 2^63 - 1; write a real, 1e19, for what is larger"

if TYPE_CHECKING:
    from geode.graph.loop_building import Frame

# Which call site a call is: told by its place in the text (None), by its number, or by the path of a tied instance.
Site = int | tuple[str, ...] | None
CallWord = Callable[["Machine", Definition, Span, Site], None]


@dataclass(frozen=True, slots=True)
class UnitMark:
    """A place to go back to when a loop's body was only run on trial."""

    nodes: int
    calls: int
    parameters: int
    shown: int
    doubts: int
    registry: dict[str, Parameter]


class ExhaustedError(CompileError):
    """Nothing goes on behind this error."""


@dataclass(slots=True)
class Machine:
    """The state of one word being interpreted.

    `unit` is the unit that nodes go to (the caller's for an inlined word), `path` the call sites from the trained word
    down to this one, `lifted` whether the word works on one row of a batched value.
    """

    environment: Environment
    registry: dict[str, Parameter]
    unit: Application
    definition: Definition
    path: tuple[str, ...]
    lifted: bool
    trail: Trail
    stack: list[Value] = field(default_factory=list)
    locals: dict[str, Value] = field(default_factory=dict)
    dims: dict[str, int] = field(default_factory=dict)
    word: str = ""
    span: Span | None = None
    before: tuple[Value, ...] = ()
    inside_control: int = 0  # how many loops and run-time branches are open
    mask: Tensor | None = None  # the rows that run this path; None: all
    dead: bool = False  # every row has left the loop: what follows in this path is not run
    frames: list[Frame] = field(default_factory=list)
    layered: dict[tuple[str, int], int] = field(default_factory=dict)  # further call sites that a LAYERS made, by place
    call: CallWord | None = None  # runs a user's word; set by whoever runs the machine

    # --- failing

    def fail(
        self,
        code: str,
        message: str,
        *,
        wanted: str | None = None,
        help: str | None = None,  # noqa: A002 -- the field's name
    ) -> NoReturn:
        """Raises the error of the word that is being interpreted."""
        raise CompileError(
            Diagnostic(
                code,
                message,
                self.span,
                stack=stack_text(self.before),
                wanted=wanted,
                help=help,
                trail=self.trail,
            )
        )

    def exhaust(self, message: str) -> NoReturn:
        """Gives up on a program that compiling would not come to an end with."""
        raise ExhaustedError(Diagnostic("GS312", message, self.span, help=_EXHAUSTED_HELP, trail=self.trail))

    # --- the stack

    def begin(self, word: str, span: Span) -> None:
        """Marks the word that runs next, for messages."""
        self.word, self.span, self.before = word, span, tuple(self.stack)
        self.environment.words_run += 1
        if self.environment.words_run > MOST_WORDS:
            self.exhaust(
                f"more than {MOST_WORDS} words of one stage are run while compiling, `{word}` the last of them"
            )

    def push_number(self, value: int) -> None:
        """Puts a constant `n` on top; one beyond 64 bits fails."""
        if not -INTEGER_LIMIT <= value < INTEGER_LIMIT:
            self.fail("GS310", f"`{self.word}` gives an integer that does not fit in 64 bits", help=BEYOND_HELP)
        self.push(Number(value))

    def push(self, value: Value) -> None:
        """Puts a value on top."""
        if len(self.stack) >= MOST_VALUES:
            self.exhaust(f"`{self.word}` leaves more than {MOST_VALUES} values on the stack")
        self.stack.append(value)

    def pop(self, wanted: str) -> Value:
        """Takes the top value; `wanted` describes the word's inputs in the message for an empty stack."""
        if not self.stack:
            self.fail(
                "GS302",
                f"`{self.word}` takes more values than the stack holds",
                wanted=wanted,
            )
        return self.stack.pop()

    def pop_tensor(self, wanted: str) -> Tensor:
        """Takes an `r`: a tensor, or an `n` as a scalar. An `r` that is still an open layer is closed by this."""
        value = self.pop(wanted)
        match value:
            case Tensor(type=TensorType(dtype="r")):
                return value
            case Tensor():
                return self.flag_to_number(value)
            case Number(number):
                return self.known(float(number))
            case Flag(flag):
                return self.known(float(flag))
            case _:
                self.fail("GS303", f"`{self.word}` wants an r, not {_article(type_text(value))}", wanted=wanted)

    def pop_any(self, wanted: str) -> Tensor:
        """Takes an `r` or an `f` as a value of the graph."""
        value = self.stack[-1] if self.stack else None
        if isinstance(value, Tensor) and value.type.dtype == "f":
            self.stack.pop()
            return value
        if isinstance(value, Flag):
            self.stack.pop()
            return self.flag_tensor(value)
        return self.pop_tensor(wanted)

    def as_number(self, value: Tensor) -> Tensor:
        """The value as an `r`: a flag counts as 1 or 0."""
        return self.flag_to_number(value) if value.type.dtype == "f" else value

    def pop_flag(self, wanted: str) -> Tensor | Flag:
        """Takes an `f`: a tensor of flags, or one known while compiling."""
        value = self.pop(wanted)
        if isinstance(value, Flag) or (isinstance(value, Tensor) and value.type.dtype == "f"):
            return value
        help_text = "compare it first: 0 <> gives a flag" if isinstance(value, Tensor | Number) else None
        self.fail(
            "GS308", f"`{self.word}` wants a flag f, not {_article(type_text(value))}", wanted=wanted, help=help_text
        )

    def pop_number(self, wanted: str, what: str) -> int:
        """Takes a constant `n`, called `what` in the message."""
        value = self.pop(wanted)
        if isinstance(value, Number):
            return value.value
        self.fail(
            "GS305",
            f"`{self.word}` wants {what} as a constant n, not {_article(type_text(value))}",
            wanted=wanted,
            help="an integer literal, a CONSTANT, a dimension of the signature, or arithmetic on them",
        )

    def pop_shape(self, wanted: str) -> Shape:
        """Takes a shape literal."""
        value = self.pop(wanted)
        if isinstance(value, ShapeValue):
            return value.shape
        self.fail("GS303", f"`{self.word}` wants a shape like r:3, not {_article(type_text(value))}", wanted=wanted)

    def closed(self, value: Value, word: str) -> Value:
        """The value as it is after `word` has touched it: an open layer is closed."""
        if isinstance(value, Tensor) and value.layer is not None:
            return Tensor(value.node, value.type, None, word)
        return value

    # --- nodes

    def add(self, operation: Operation, type_: TensorType) -> int:
        """Appends a node and gives its index; a value too large to address fails."""
        if type_.size > LONGEST_AXIS:
            self.fail("GS311", f"`{self.word}` makes {type_}, more than {LONGEST_AXIS} numbers")
        return self.unit.add(Node(operation, type_, self.span, self.trail))

    def fresh(self, type_: TensorType) -> int:
        """A node whose operation is filled in later."""
        return self.add(Input(-1), type_)

    def unit_mark(self) -> UnitMark:
        """How far the unit has been built."""
        return UnitMark(
            len(self.unit.nodes),
            len(self.unit.calls),
            len(self.unit.parameters),
            len(self.environment.shown),
            len(self.environment.doubts),
            dict(self.registry),
        )

    def unit_rollback(self, mark: UnitMark) -> None:
        """Takes back all that was built since."""
        del self.unit.nodes[mark.nodes :]
        del self.unit.calls[mark.calls :]
        del self.unit.parameters[mark.parameters :]
        del self.environment.shown[mark.shown :]
        del self.environment.doubts[mark.doubts :]
        self.registry.clear()
        self.registry.update(mark.registry)

    def known(self, value: float) -> Tensor:
        """A scalar literal."""
        return Tensor(self.add(Known(to_float32(value)), SCALAR), SCALAR)

    def elementwise(self, op: str, args: tuple[Tensor, ...], dtype: str = "r") -> Tensor:
        """`op` element by element; fails with both shapes where they do not combine. Known scalars are folded."""
        shape: Shape = ()
        for arg in args:
            combined = combine_shapes(shape, arg.type.shape)
            if combined is None:
                shapes = " and ".join(str(a.type) for a in args)
                self.fail(
                    "GS304",
                    f"`{self.word}` can't combine {shapes}",
                    wanted="equal row shapes, a scalar, or one shape that ends the other",
                )
            shape = combined
        values = [self.unit.nodes[a.node].operation for a in args]
        numbers = [v.value for v in values if isinstance(v, Known)]
        if len(numbers) == len(args):
            folded = fold(op, tuple(numbers))
            if numbers:
                self.doubt(numbers, (folded if folded is not None else outside_domain(op, *numbers)) or 0.0)
            if folded is not None and numbers:
                return self.filled(folded, shape)
        type_ = TensorType("f" if dtype == "f" else "r", shape, any(a.type.batched for a in args))
        return Tensor(self.add(Elementwise(op, tuple(a.node for a in args)), type_), type_, closed_by=self.word)

    def doubt(self, args: Sequence[float], result: float) -> None:
        """A warning if the word that runs makes of finite constants a result that is not finite."""
        self.environment.doubt(self.word, args, result, self.span, self.trail)

    def flag_to_number(self, flag: Tensor) -> Tensor:
        """A flag where an `r` is wanted: 1 or 0."""
        return self.elementwise("number", (flag,))

    def flag_tensor(self, flag: Tensor | Flag) -> Tensor:
        """A flag as a value of the graph."""
        return flag if isinstance(flag, Tensor) else self.elementwise("true" if flag.value else "false", (), "f")

    def filled(self, value: float, shape: Shape) -> Tensor:
        """A value of one number known while compiling."""
        type_ = TensorType("r", shape, batched=False)
        return Tensor(self.add(Known(to_float32(value)), type_), type_, closed_by=self.word)

    def spread(self, value: Tensor, shape: Shape) -> Tensor:
        """The value repeated along new first axes, so that it has row shape `shape`, which it ends."""
        type_ = TensorType(value.type.dtype, shape, value.type.batched)
        return Tensor(self.add(Elementwise("spread", (value.node,)), type_), type_, closed_by=self.word)

    def in_memory(self, value: Tensor) -> Tensor:
        """The value as something that a kernel can read: what is known while compiling is written out."""
        if isinstance(self.unit.nodes[value.node].operation, Known):
            return self.spread(value, value.type.shape)
        return value

    def kernel(self, op: str, args: tuple[Tensor, ...], sizes: tuple[int, ...], shape: Shape) -> Tensor:
        """A kernel over whole values; its result has row shape `shape`."""
        stored = tuple(self.in_memory(arg) for arg in args)
        type_ = TensorType(args[0].type.dtype, shape, any(arg.type.batched for arg in args))
        return Tensor(self.add(Kernel(op, tuple(a.node for a in stored), sizes), type_), type_, closed_by=self.word)

    def view(self, value: Tensor, offset: int, shape: Shape) -> Tensor:
        """`shape` of the value's numbers from number `offset` on."""
        type_ = TensorType(value.type.dtype, shape, value.type.batched)
        operation = self.unit.nodes[value.node].operation
        if isinstance(operation, Known):
            return Tensor(self.add(operation, type_), type_, closed_by=self.word)
        return Tensor(self.add(View(value.node, offset), type_), type_, closed_by=self.word)

    def arrange(self, pieces: tuple[Piece, ...], type_: TensorType) -> Tensor:
        """A value put together from blocks."""
        return Tensor(self.add(Arrange(pieces), type_), type_, closed_by=self.word)

    # --- parameters

    def parameter_name(self, last: str, number: int) -> str:
        """The full name of a parameter made here: the path of call sites, `last`, numbered from the second on."""
        return "/".join((*self.path, numbered(last, number)))

    def make_parameter(self, name: str, shape: Shape, kind: ParameterKind) -> tuple[int, Parameter]:
        """The parameter called `name` and its place in this unit; a shared word meets the one it made before."""
        if self.span is None:
            raise AssertionError("a parameter is made by a word")
        if math.prod(shape) > LONGEST_AXIS:
            self.fail("GS311", f"`{self.word}` makes a parameter {shape_text(shape)}, more than {LONGEST_AXIS} numbers")
        if len(shape) > MOST_AXES:
            self.fail("GS311", f"`{self.word}` makes a parameter {shape_text(shape)}, of more than {MOST_AXES} axes")
        known = self.registry.get(name)
        if known is None:
            known = Parameter(name, shape, kind, self.span)
            if kind == "matrix":
                known.init, known.init_value = "normal", (2.0 / (known.fan_in + known.fan_out)) ** 0.5
            self.registry[name] = known
        elif known.shape != shape:
            first, second = shape_text(known.shape), shape_text(shape)
            raise CompileError(
                Diagnostic(
                    "GS503",
                    f"`{name}` is shared, but has shape {first} in one call and {second} in this one",
                    self.span,
                    help="all calls of a SHARED word need the same row shapes and constants",
                    trail=self.trail,
                    notes=(("made first here", known.span),),
                )
            )
        return self.unit.own(known), known

    def call_number(self, word: str, offset: int) -> int:
        """Which call site of `word` stands at `offset` of the definition's text; a LAYERS before it counts for all its
        layers."""
        further = sum(more for (name, place), more in self.layered.items() if name == word and place < offset)
        return self.environment.call_number(self.definition, offset) + further

    def layer_number(self) -> int:
        """Which of its definition's layers the word that runs now opens, from 1."""
        return 1 if self.span is None else self.environment.call_number(self.definition, self.span.start)

    def initialise(self, parameter: Parameter, init: str, value: float) -> None:
        """What an INIT word does: the last one wins."""
        parameter.init, parameter.init_value, parameter.init_word = init, value, self.word

    def flatten(self, value: Tensor) -> Tensor:
        """The value's numbers along one axis, in row-major order."""
        return value if len(value.type.shape) == 1 else self.view(value, 0, (value.type.size,))

    def open_layer(self, node: int, type_: TensorType, layer: Layer) -> None:
        """Pushes a value whose parameters INIT and TRAINABLE still reach."""
        self.push(Tensor(node, type_, layer))


def numbered(name: str, number: int) -> str:
    """`NEURON`, `NEURON.2`, ..."""
    return name if number == 1 else f"{name}.{number}"


def _article(type_name: str) -> str:
    return f"an {type_name}" if type_name[:1] in "rnfsx" else f"a {type_name}"


__all__ = ["Machine", "Text", "Token", "numbered"]
