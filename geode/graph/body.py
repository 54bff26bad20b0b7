"""A word's body on the abstract machine: literals, names, locals and control words.

In: a body and the machine at its start. Out: the machine at its end.
Invariant: a name is looked for among locals, dimensions, CONSTANTs, words and built-ins, in this order.
"""

from __future__ import annotations

from geode.graph.branch import run_if
from geode.graph.check_signatures import SIZE_HELP
from geode.graph.environment import ConstantValue
from geode.graph.loop_words import run_counted, run_until, run_while
from geode.graph.machine import Machine
from geode.graph.token_words import execute
from geode.graph.values import Flag, Instance, Number, ShapeValue, Tensor, Text, Token, Value, type_text
from geode.source import Span
from geode.syntax.read_literal import LONGEST_AXIS
from geode.syntax.word import (
    Body,
    Call,
    CountedLoop,
    If,
    Integer,
    Locals,
    Real,
    ShapeLiteral,
    Store,
    String,
    Tick,
    Until,
    While,
    Word,
)
from geode.vocabulary import WORDS

_UNKNOWN_HELP = "a dimension is known from the values that the word takes"


def run_body(machine: Machine, body: Body) -> None:
    """Runs the words of a body in order, up to a LEAVE that every row reaches."""
    for word in body:
        if machine.dead:
            return
        _run(machine, word)


def _run(machine: Machine, word: Word) -> None:
    match word:
        case Call(name, span):
            machine.begin(name, span)
            _run_name(machine, name, span)
        case Integer(value, span):
            machine.begin(str(value), span)
            machine.push(Number(value))
        case Real(value, text, span):
            machine.begin(text, span)
            machine.push(machine.known(value))
        case String(value, span):
            machine.begin("a string", span)
            machine.push(Text(value))
        case ShapeLiteral(dims, span):
            machine.begin("a shape", span)
            _shape(machine, dims)
        case Tick(name, span):
            machine.begin("[']", span)
            machine.push(_token(machine, name, span))
        case Locals(names, span):
            machine.begin("{", span)
            _locals(machine, names)
        case Store(name, span):
            machine.begin("TO", span)
            _store(machine, name)
        case If():
            run_if(machine, word, run_body)
        case CountedLoop():
            run_counted(machine, word, run_body)
        case Until():
            run_until(machine, word, run_body)
        case While():
            run_while(machine, word, run_body)


def _run_name(machine: Machine, name: str, span: Span) -> None:
    if name in machine.locals:
        value = machine.locals[name]
        if isinstance(value, Instance):
            execute(machine, value.token, span)
        else:
            machine.push(value)
    elif name in machine.dims:
        machine.push(Number(machine.dims[name]))
    elif name in machine.environment.constants:
        constant = machine.environment.constants[name]
        match constant:
            case int():
                machine.push(Number(constant))
            case float():
                machine.push(machine.known(constant))
            case str():
                machine.push(Text(constant))
    elif name in machine.environment.definitions:
        assert machine.call is not None
        machine.call(machine, machine.environment.definitions[name], span, None)
    elif name not in WORDS:
        machine.fail("GS305", f"nothing gives the dimension `{name}` a size", help=_UNKNOWN_HELP)
    else:
        entry = WORDS[name]
        if entry.apply is None:
            machine.fail(
                "GS608",
                f"`{name}` is a {entry.group} word: it stands in MAIN and the words that MAIN calls",
                help=f"a word that computes, like `{machine.definition.name}`, can't change the training program",
            )
        entry.apply(machine)


def _token(machine: Machine, name: str, span: Span) -> Token:
    """`['] NAME`: of a word a mention with its number, of a local that holds an instance the token of that."""
    held = machine.locals.get(name)
    if isinstance(held, Instance):
        return held.token
    if held is not None or (name not in machine.environment.definitions and name not in WORDS):
        machine.fail("GS212", f"`{name}` has no token", help="`[']` takes a word that could be called")
    return Token(name, machine.call_number(name, span.start))


def _shape(machine: Machine, dims: tuple[int | str, ...]) -> None:
    if not dims and "r" in machine.locals:
        machine.push(machine.locals["r"])
        return
    sizes: list[int] = []
    for dim in dims:
        size = dim if isinstance(dim, int) else _size_called(machine, dim)
        if size is None:
            machine.fail("GS305", f"nothing gives the dimension `{dim}` a size", help=_UNKNOWN_HELP)
        if not isinstance(size, int) or not 1 <= size <= LONGEST_AXIS:
            machine.fail("GS305", f"`{dim}` is no size", help=SIZE_HELP)
        sizes.append(size)
    machine.push(ShapeValue(tuple(sizes)))


def _size_called(machine: Machine, name: str) -> ConstantValue | None:
    """What a name in a shape stands for: a local that holds an n, a dimension, a CONSTANT; None for nothing."""
    local = machine.locals.get(name)
    if local is None:
        return machine.dims.get(name, machine.environment.constants.get(name))
    if not isinstance(local, Number):
        message = f"the local `{name}` is {type_text(local)} here, no constant n"
        machine.fail("GS305", message, help=SIZE_HELP)
    return local.value


def _locals(machine: Machine, names: tuple[str, ...]) -> None:
    if len(machine.stack) < len(names):
        wanted = " ".join(names)
        machine.fail("GS302", f"`{{ {wanted} }}` takes more values than the stack holds", wanted=wanted)
    for name in reversed(names):
        machine.locals[name] = machine.closed(machine.stack.pop(), f"the local `{name}`")


def _store(machine: Machine, name: str) -> None:
    if name not in machine.locals:
        machine.fail("GS209", f"`{name}` is no local here", help=f"take it first: {{ {name} }}")
    value = machine.closed(machine.pop(name), f"`TO {name}`")
    held = machine.locals[name]
    numbers = (Number, Tensor, Flag)
    if isinstance(held, numbers) and isinstance(value, numbers):
        kind = "f" if _is_flag(held) and _is_flag(value) else "r"
        held, value = widened(machine, kind, held), widened(machine, kind, value)
        fits = isinstance(held, Tensor) and isinstance(value, Tensor) and held.type.shape == value.type.shape
    else:
        fits = type(held) is type(value) and not isinstance(held, Token)
    if not fits:
        help_text = "a choice of word is made while compiling" if isinstance(held, Token) else None
        machine.fail(
            "GS307",
            f"`TO {name}` stores {type_text(value)} in a local of type {type_text(held)}",
            wanted=type_text(held),
            help=help_text,
        )
    machine.locals[name] = value


def widened(machine: Machine, kind: str, value: Value) -> Value:
    """An `n` or `f` where `r` is wanted, and a flag known while compiling where `f` is, as nodes of the graph."""
    if kind == "f" and isinstance(value, Flag):
        return machine.flag_tensor(value)
    if kind in ("r", "layer"):
        if isinstance(value, Flag):
            return machine.known(float(value.value))
        if isinstance(value, Number):
            return machine.known(float(value.value))
        if isinstance(value, Tensor) and value.type.dtype == "f":
            return machine.flag_to_number(value)
    return value


def _is_flag(value: Value) -> bool:
    return isinstance(value, Flag) or (isinstance(value, Tensor) and value.type.dtype == "f")
