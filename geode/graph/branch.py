"""IF on the abstract machine: both branches run, and their values are chosen by flag.

In: an IF and the machine at it. Out: the machine after THEN.
Invariant: a condition that is known while compiling takes one branch only, and only that one makes parameters.
"""

from __future__ import annotations

from collections.abc import Callable

from geode.graph.machine import Machine
from geode.graph.state import State, both, choose, is_hidden, leaves
from geode.graph.values import Flag, Tensor, Value, type_text
from geode.syntax.word import Body, If

Run = Callable[[Machine, Body], None]


def run_if(machine: Machine, word: If, run: Run) -> None:
    """IF … ELSE … THEN. A condition known while compiling decides now; else both branches run and values are chosen."""
    machine.begin("IF", word.keywords[0])
    condition = machine.pop_flag("f")
    orelse = word.orelse or ()
    outer = dict(machine.locals)
    if isinstance(condition, Flag):
        run(machine, word.then if condition.value else orelse)
        _drop_new_locals(machine, outer)
        return
    if condition.type.shape:
        machine.fail(
            "GS308", f"`IF` wants one flag for a row, not {type_text(condition)}", help="AMAX 0 <> asks for any"
        )
    before, mask = State.of(machine), machine.mask
    machine.inside_control += 1
    machine.mask = both(machine, mask, condition)
    entered_then = machine.mask
    run(machine, word.then)
    after_then, then_mask, then_dead = State.of(machine), machine.mask, machine.dead
    before.restore(machine)
    machine.begin("ELSE" if word.orelse is not None else "THEN", word.keywords[-2 if word.orelse is not None else -1])
    machine.dead = False
    machine.mask = both(machine, mask, machine.elementwise("not", (condition,), "f"))
    entered_else = machine.mask
    run(machine, orelse)
    after_else, else_mask, else_dead = State.of(machine), machine.mask, machine.dead
    machine.inside_control -= 1
    machine.begin("THEN", word.keywords[-1])
    machine.dead = then_dead and else_dead
    if then_dead or else_dead:
        machine.mask = else_mask if then_dead else then_mask
        (after_else if then_dead else after_then).restore(machine)
        _drop_new_locals(machine, outer)
        return
    unchanged = then_mask is entered_then and else_mask is entered_else
    machine.mask = mask if unchanged else _either(machine, then_mask, else_mask)
    _merge(machine, condition, after_then, after_else, before)
    _drop_new_locals(machine, outer)


def _merge(machine: Machine, condition: Tensor, then: State, orelse: State, before: State) -> None:
    if len(then.stack) != len(orelse.stack):
        base = before.stack
        machine.fail(
            "GS406",
            "the two branches leave stacks of different depth",
            wanted=f"{leaves(base, then.stack)} after IF, {leaves(base, orelse.stack)} otherwise",
            help="both branches must leave the same types",
        )
    stack = [choose(machine, condition, a, b) for a, b in zip(then.stack, orelse.stack, strict=True)]
    kept = dict.fromkeys([*before.locals, *filter(is_hidden, then.locals), *filter(is_hidden, orelse.locals)])
    names = {name: choose(machine, condition, then.get(name), orelse.get(name)) for name in kept}
    machine.stack, machine.locals = stack, names


def _either(machine: Machine, a: Tensor | None, b: Tensor | None) -> Tensor | None:
    return None if a is None or b is None else machine.elementwise("or", (a, b), "f")


def _drop_new_locals(machine: Machine, outer: dict[str, Value]) -> None:
    """Locals opened inside a branch or loop live to its end."""
    machine.locals = {name: value for name, value in machine.locals.items() if name in outer or is_hidden(name)}
