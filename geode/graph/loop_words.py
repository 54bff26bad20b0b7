"""Loop words on the abstract machine: DO … LOOP, BEGIN … UNTIL, BEGIN … WHILE … REPEAT, I and J.

In: a structured word and the machine at it. Out: the machine after it.
Invariant: bounds and steps that are known while compiling give a loop of so many turns, without a mask unless rows LEAVE.
"""

from __future__ import annotations

import math
from collections.abc import Callable

from geode.graph.graph import Known
from geode.graph.leaving import close_exit, open_exit
from geode.graph.loop_building import Frame, Loop
from geode.graph.machine import Machine
from geode.graph.state import State, as_tensor, both
from geode.graph.values import Flag, Number, Tensor, type_text
from geode.syntax.word import Body, CountedLoop, Until, While

Run = Callable[[Machine, Body], None]


def run_counted(machine: Machine, word: CountedLoop, run: Run) -> None:
    """limit start DO … LOOP, or … step +LOOP."""
    opening = word.keywords[0]
    machine.begin(opening.text, opening)
    start, limit = _bound(machine), _bound(machine)
    frame = Frame(True, len(machine.frames))
    trial = Loop(machine, frame, opening, run, word.body)
    if not word.plus:
        count_through(machine, start, limit, trial)
        return

    def step_of(inner: Machine) -> Tensor | float:
        inner.begin("+LOOP", word.keywords[-1])
        value = _bound(inner)
        known = _known(inner, value)
        if known == 0:
            inner.fail("GS407", "a step of 0 never ends the loop")
        if isinstance(value, Number):
            return float(value.value)
        return value if known is None else known

    index = as_tensor(machine, start)
    assert index is not None
    if trial.known.steps:
        (found,) = trial.known.steps
        step = index if found is None else found
    else:
        step = trial.find_step(step_of, index)
    _build(machine, start, limit, trial, step, step_of)


def count_through(machine: Machine, start: Tensor | Number, limit: Tensor | Number, loop: Loop) -> None:
    """A loop whose index goes from `start` by one while it is below `limit`."""
    _build(machine, start, limit, loop, 1.0, lambda _: 1.0)


def _build(
    machine: Machine,
    start: Tensor | Number,
    limit: Tensor | Number,
    loop: Loop,
    step: Tensor | float,
    step_of: Callable[[Machine], Tensor | float],
) -> None:
    """Builds a counted loop whose step is known to be `step` (a number known while compiling, or not)."""
    index, end = as_tensor(machine, start), as_tensor(machine, limit)
    assert index is not None
    assert end is not None
    frame = loop.frame
    steps: list[Tensor | float] = []  # as each run of the body has left them

    def turn(inner: Machine) -> Tensor:
        """The next index, kept where I looks for it; the flag that says whether the loop goes on."""
        by = step_of(inner)
        steps.append(by)
        amount = inner.known(by) if isinstance(by, float) else by
        old = inner.locals[frame.index]
        assert isinstance(old, Tensor)
        new = inner.elementwise("add", (old, amount))
        inner.locals[frame.index] = new
        if isinstance(by, float) and by < 0:
            return inner.elementwise("is_ge", (new, end), "f")
        return inner.elementwise("is_lt", (new, end), "f")

    first, last = _known(machine, start), _known(machine, limit)
    undo, before = machine.unit_mark(), State.of(machine)
    mask, dead = machine.mask, machine.dead
    counts = first is None or last is None  # the loop has to count for itself
    while True:
        loop.known.steps[:] = [step if isinstance(step, float) else None]
        if first is not None and last is not None and isinstance(step, float) and not counts:
            count = _turns(first, last, step)
            if count == 0:
                return
            loop.counted(count, index, turn)
        else:
            backwards = isinstance(step, float) and step < 0
            starts = machine.elementwise("is_ge" if backwards else "is_lt", (index, end), "f")
            loop.masked(starts, index, turn)
        found = steps[-1] if steps else step
        if (isinstance(found, Tensor) and isinstance(step, Tensor)) or found == step:
            return
        # The turns change the step that a first run has found.
        machine.unit_rollback(undo)
        before.restore(machine)
        machine.mask, machine.dead, step, counts = mask, dead, found, True
        steps.clear()


def run_until(machine: Machine, word: Until, run: Run) -> None:
    """BEGIN … f UNTIL: at least one turn, until the flag is set."""
    machine.begin("BEGIN", word.keywords[0])
    frame = Frame(False, len(machine.frames))
    loop = Loop(machine, frame, word.keywords[-1], run, word.body)
    around = open_exit(machine, word.body)

    def goes_on(inner: Machine) -> Tensor:
        inner.begin("UNTIL", word.keywords[-1])
        flag = _row_flag(inner)
        return inner.elementwise("not", (flag,), "f")

    loop.masked(machine.flag_tensor(Flag(True)), None, goes_on)
    close_exit(machine, around)


def run_while(machine: Machine, word: While, run: Run) -> None:
    """BEGIN … f WHILE … REPEAT: the body for the rows whose flag is set; the others leave with what the condition left."""
    machine.begin("BEGIN", word.keywords[0])
    frame = Frame(False, len(machine.frames))
    loop = Loop(machine, frame, word.keywords[-1], run, word.condition)
    around = open_exit(machine, word.condition, word.body)

    def goes_on(inner: Machine) -> Tensor:
        inner.begin("WHILE", word.keywords[1])
        flag = _row_flag(inner)
        leaving = inner.elementwise("not", (flag,), "f")
        frame.left.append((both(inner, inner.mask, leaving), State.of(inner)))
        inner.mask = both(inner, inner.mask, flag)
        run(inner, word.body)
        return inner.flag_tensor(Flag(True))

    loop.masked(machine.flag_tensor(Flag(True)), None, goes_on)
    close_exit(machine, around)


def loop_index(machine: Machine, depth: int) -> None:
    """I (depth 1) or J (depth 2): the index of a counted loop around."""
    counted = [frame for frame in machine.frames if frame.counted]
    if len(counted) < depth:
        machine.fail("GS405", f"`{machine.word}` stands outside a counted loop")
    machine.push(machine.locals[counted[-depth].index])


def _row_flag(machine: Machine) -> Tensor:
    flag = machine.flag_tensor(machine.pop_flag("f"))
    if flag.type.shape:
        machine.fail("GS308", f"`{machine.word}` wants one flag for a row, not {type_text(flag)}")
    return flag


def _bound(machine: Machine) -> Tensor | Number:
    """A limit, start or step: a constant n, or a scalar r."""
    top = machine.stack[-1] if machine.stack else None
    if isinstance(top, Number):
        machine.stack.pop()
        return top
    value = machine.pop_tensor("limit start")
    if value.type.shape:
        machine.fail("GS303", f"`{machine.word}` wants one number, not {type_text(value)}", wanted="limit start")
    return value


def _known(machine: Machine, value: Tensor | Number) -> float | None:
    if isinstance(value, Number):
        return float(value.value)
    operation = machine.unit.nodes[value.node].operation
    return operation.value if isinstance(operation, Known) else None


def _turns(start: float, limit: float, step: float) -> int:
    """How often a loop with constant bounds runs: while I < limit, with a step below 0 while I ≥ limit."""
    if not all(map(math.isfinite, (start, limit, step))):
        return 0 if step > 0 and not start < limit else 1
    if step > 0:
        return max(0, math.ceil((limit - start) / step))
    return max(0, math.floor((start - limit) / -step) + 1)
