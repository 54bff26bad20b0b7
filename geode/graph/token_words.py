"""Words that call a word by its token: EXECUTE, TIMES, LAYERS, MAP, FOLD and `~`.

In: a token on the stack and the machine at the word. Out: the machine after it.
Invariant: EXECUTE, TIMES, MAP and FOLD are one call site of the word, with one set of weights; LAYERS is one for each
time; all calls of an instance share its weights.
"""

from __future__ import annotations

import math

from geode.graph.graph import Piece
from geode.graph.loop_building import Frame, Loop
from geode.graph.loop_words import count_through
from geode.graph.machine import Machine
from geode.graph.types import Shape, TensorType
from geode.graph.values import Instance, Number, Tensor, Token, Value, type_text
from geode.source import Span
from geode.syntax.word import Body

_UNROLLED = 8  # up to so many elements MAP and FOLD are written out, so that each is computed at its own level


def execute(machine: Machine, token: Token, span: Span, number: int | None = None) -> None:
    """Calls the word of a token, as call site `number` or as the token says."""
    definition = machine.environment.definitions.get(token.word)
    if definition is None:
        from geode.vocabulary import WORDS

        apply = WORDS[token.word].apply
        if apply is None:
            machine.fail("GS608", f"`{token.word}` can't be called in a word that computes")
        machine.begin(token.word, span)
        apply(machine)
        return
    assert machine.call is not None
    site = token.path if token.path is not None else token.number if number is None else number
    machine.call(machine, definition, span, site)


def pop_token(machine: Machine, wanted: str) -> Token:
    """Takes an xt."""
    value = machine.pop(wanted)
    if isinstance(value, Token):
        return value
    machine.fail(
        "GS303", f"`{machine.word}` wants an xt, not {type_text(value)}", wanted=wanted, help="['] NAME gives a token"
    )


def run_execute(machine: Machine) -> None:
    """`… xt EXECUTE`."""
    execute(machine, pop_token(machine, "… xt"), _span(machine))


def run_times(machine: Machine) -> None:
    """`… n xt TIMES`: the word again and again; it leaves the types that it finds."""
    token = pop_token(machine, "… n xt")
    span = _span(machine)
    count: Tensor | Number
    if machine.stack and isinstance(machine.stack[-1], Number):
        count = Number(machine.pop_number("… n xt", "how often"))
    else:
        count = machine.pop_tensor("… n xt")
        if count.type.shape:
            machine.fail("GS303", f"`TIMES` wants one number, not {type_text(count)}", wanted="… n xt")

    def turn(inner: Machine, _: Body) -> None:
        execute(inner, token, span)

    count_through(machine, Number(0), count, Loop(machine, Frame(False, len(machine.frames)), span, turn, ()))


def run_layers(machine: Machine) -> None:
    """`… n xt LAYERS`: the word n times, each time at a call site of its own: BLOCK, BLOCK.2, …"""
    token = pop_token(machine, "… n xt")
    count = machine.pop_number("… n xt", "how many layers")
    span = _span(machine)
    machine.layered[token.word, span.start] = count - 1
    for layer in range(count):
        execute(machine, token, span, token.number + layer)


def run_map(machine: Machine) -> None:
    """`r:n:… xt MAP`: the word on each element of the first axis, its results put together along a new first axis."""
    token = pop_token(machine, "r:n:… xt")
    x = machine.in_memory(machine.pop_tensor("r:n:… xt"))
    count, block = _first_axis(machine, x)
    span = _span(machine)
    if count <= _UNROLLED:
        parts = [_mapped(machine, token, element, span) for element in _elements(machine, x, count, block)]
        machine.push(_stacked(machine, parts))
        return
    shape: Shape = ()

    def turn(inner: Machine, _: Body) -> None:
        result = inner.pop_tensor("r:n:… xt")
        index = _index(inner)
        element = inner.kernel("at", (x, index), (count, math.prod(block)), block)
        value = _mapped(inner, token, element, span)
        inner.push(inner.kernel("put", (result, value, index), (count, math.prod(shape)), (count, *shape)))

    loop = Loop(machine, Frame(False, len(machine.frames)), span, turn, ())
    if not loop.known.shapes:
        mark, stack, local = machine.unit_mark(), list(machine.stack), dict(machine.locals)
        with machine.environment.trials.run_of(loop.known.inside):
            loop.known.shapes.append(_mapped(machine, token, machine.view(x, 0, block), span).type.shape)
        machine.unit_rollback(mark)
        machine.stack, machine.locals = stack, local  # counts of draws are locals
    (shape,) = loop.known.shapes
    machine.push(machine.in_memory(machine.filled(0.0, (count, *shape))))
    count_through(machine, Number(0), Number(count), loop)


def run_fold(machine: Machine) -> None:
    """`acc r:n:… xt FOLD`: ( acc element -- acc ) on each element of the first axis in turn."""
    token = pop_token(machine, "acc r:n:… xt")
    x = machine.in_memory(machine.pop_tensor("acc r:n:… xt"))
    count, block = _first_axis(machine, x)
    span = _span(machine)
    if count <= _UNROLLED:
        for element in _elements(machine, x, count, block):
            machine.push(element)
            execute(machine, token, span)
        return

    def turn(inner: Machine, _: Body) -> None:
        inner.push(inner.kernel("at", (x, _index(inner)), (count, math.prod(block)), block))
        execute(inner, token, span)

    loop = Loop(machine, Frame(False, len(machine.frames)), span, turn, ())
    count_through(machine, Number(0), Number(count), loop)


def make_instance(machine: Machine) -> None:
    """`['] WORD ~`: a fresh instance, named by the local that takes it, else by its word."""
    token = pop_token(machine, "xt")
    span = _span(machine)
    if token.word in machine.environment.shared:
        machine.fail(
            "GS507",
            f"`{token.word}` is SHARED: it has one set of weights, and no instances",
            help="call it by its name",
        )
    if token.word not in machine.environment.definitions:
        machine.fail("GS507", f"`{token.word}` is a built-in word and has no weights to tie")
    if token.path is not None:
        machine.push(Instance(token))
        return
    local = machine.environment.parameter_local(machine.definition, span.start)
    number = machine.environment.call_number(machine.definition, span.start)
    name = f"={local}" if local is not None else f"={token.word}" + ("" if number == 1 else f".{number}")
    machine.push(Instance(Token(token.word, token.number, (*machine.path, name))))


# --- parts


def _span(machine: Machine) -> Span:
    assert machine.span is not None
    return machine.span


def _first_axis(machine: Machine, x: Tensor) -> tuple[int, Shape]:
    if not x.type.shape:
        machine.fail("GS303", f"`{machine.word}` wants a value with an axis, not {type_text(x)}")
    return x.type.shape[0], x.type.shape[1:]


def _elements(machine: Machine, x: Tensor, count: int, block: Shape) -> list[Tensor]:
    return [machine.view(x, place * math.prod(block), block) for place in range(count)]


def _mapped(machine: Machine, token: Token, element: Tensor, span: Span) -> Tensor:
    """The one result of the word on one element."""
    depth = len(machine.stack)
    machine.push(element)
    execute(machine, token, span)
    machine.begin("MAP", span)
    if len(machine.stack) != depth + 1:
        machine.fail("GS408", f"`MAP` wants a word that leaves one value for an element, `{token.word}` does not")
    return machine.pop_tensor("element -- y")


def _stacked(machine: Machine, parts: list[Tensor]) -> Tensor:
    size = parts[0].type.size
    pieces = tuple(Piece(part.node, 0, place * size, ((size, 1, 1),)) for place, part in enumerate(parts))
    shape = (len(parts), *parts[0].type.shape)
    return machine.arrange(pieces, TensorType("r", shape, any(part.type.batched for part in parts)))


def _index(machine: Machine) -> Tensor:
    value: Value = machine.locals[machine.frames[-1].index]
    assert isinstance(value, Tensor)
    return value
