"""Branches and loops in MAIN: run while compiling, on what is known there.

In: MAIN being run, at a control word. Out: MAIN behind it.
Invariant: only the branch taken is run; locals opened inside live to its end.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import field

from geode.graph.concrete import ConcreteMachine, ConcreteValue, concrete_type
from geode.graph.values import Flag
from geode.record import dataclass
from geode.syntax.word import Body, Call, CountedLoop, Definition, If, Integer, Real, Until, While

MOST_TURNS = 100_000


@dataclass(slots=True)
class Scope:
    """Where in MAIN's words control stands: the definition, its locals, and the indices of the loops around."""

    definition: Definition
    local: dict[str, ConcreteValue] = field(default_factory=dict)
    indices: list[int | float] = field(default_factory=list)

    def close(self, outer: dict[str, ConcreteValue]) -> None:
        """Drops the locals that were not there before."""
        for name in set(self.local) - set(outer):
            del self.local[name]


class Leave(Exception):  # noqa: N818 -- what the word does
    """LEAVE was run: the innermost counted loop ends."""


Run = Callable[[Body, Scope], None]


def run_control(machine: ConcreteMachine, word: If | CountedLoop | Until | While, scope: Scope, run: Run) -> None:
    """Any of the control words; `run` runs what stands inside."""
    match word:
        case If():
            _run_if(machine, word, scope, run)
        case CountedLoop():
            _run_counted(machine, word, scope, run)
        case Until():
            _run_until(machine, word, scope, run)
        case While():
            _run_while(machine, word, scope, run)


def _run_if(machine: ConcreteMachine, word: If, scope: Scope, run: Run) -> None:
    """IF … ELSE … THEN."""
    machine.begin("IF", word.keywords[0])
    _inside(word.then if _flag(machine) else word.orelse or (), scope, run)


def _run_counted(machine: ConcreteMachine, word: CountedLoop, scope: Scope, run: Run) -> None:
    """limit start DO … LOOP, or … step +LOOP."""
    opening, closing = word.keywords
    machine.begin(opening.text, opening)
    start, limit = _number(machine, "limit start"), _number(machine, "limit start")
    scope.indices.append(start)
    goes_on = start >= limit if word.plus and _steps_down(machine, word.body) else start < limit
    turns = 0
    while goes_on:
        turns = _turn(machine, turns)
        try:
            _inside(word.body, scope, run)
        except Leave:
            break
        machine.begin(closing.text, closing)
        step = _number(machine, "step") if word.plus else 1
        if step == 0:
            machine.fail("GS407", "a step of 0 never ends the loop")
        scope.indices[-1] += step
        goes_on = scope.indices[-1] >= limit if step < 0 else scope.indices[-1] < limit
    scope.indices.pop()


def _run_until(machine: ConcreteMachine, word: Until, scope: Scope, run: Run) -> None:
    """BEGIN … f UNTIL."""
    turns = 0
    done = False
    while not done:
        machine.begin("BEGIN", word.keywords[0])
        turns = _turn(machine, turns)
        _inside(word.body, scope, run)
        machine.begin("UNTIL", word.keywords[1])
        done = _flag(machine)


def _run_while(machine: ConcreteMachine, word: While, scope: Scope, run: Run) -> None:
    """BEGIN … f WHILE … REPEAT; what the condition opens is in scope in the body too."""
    turns = 0
    outer = dict(scope.local)
    while True:
        machine.begin("BEGIN", word.keywords[0])
        turns = _turn(machine, turns)
        run(word.condition, scope)
        machine.begin("WHILE", word.keywords[1])
        if not _flag(machine):
            break
        run(word.body, scope)
        scope.close(outer)
    scope.close(outer)


def loop_word(machine: ConcreteMachine, name: str, scope: Scope) -> None:
    """I, J or LEAVE, in as many loops as they need."""
    if name == "LEAVE":
        raise Leave
    machine.stack.append(scope.indices[-1 if name == "I" else -2])


def _inside(body: Body, scope: Scope, run: Run) -> None:
    outer = dict(scope.local)
    try:
        run(body, scope)
    finally:
        scope.close(outer)


def _turn(machine: ConcreteMachine, turns: int) -> int:
    if turns >= MOST_TURNS:
        machine.fail("GS409", f"this loop runs more than {MOST_TURNS} times while compiling")
    return turns + 1


def _steps_down(machine: ConcreteMachine, body: Body) -> bool:
    """True if the last word before +LOOP is a constant below 0."""
    match body[-1:]:
        case (Integer(value),) | (Real(value),):
            return value < 0
        case (Call(name),):
            constant = machine.environment.constants.get(name)
            return isinstance(constant, int | float) and constant < 0
        case _:
            return False


def _flag(machine: ConcreteMachine) -> bool:
    machine.need(1, "f")
    value = machine.stack.pop()
    if isinstance(value, Flag):
        return value.value
    machine.fail(
        "GS308",
        f"`{machine.word}` wants a flag f, not {concrete_type(value)}",
        wanted="f",
        help="compare it first: 0 <> gives a flag",
    )


def _number(machine: ConcreteMachine, wanted: str) -> int | float:
    machine.need(1, wanted)
    value = machine.stack.pop()
    if not isinstance(value, int | float):
        machine.fail("GS303", f"`{machine.word}` wants a number, not {concrete_type(value)}", wanted=wanted)
    return value
