"""LEAVE: rows that leave the innermost counted loop, also from inside BEGIN loops in it.

In: the machine at a LEAVE, and before and after each BEGIN loop. Out: the states with which rows leave, in the frames
of the loops that they leave.
Invariant: a row that leaves through inner loops leaves each of them at once, its flag and the stack it had at LEAVE in
locals that no program can name; behind the outermost of them it leaves the counted loop with these.
"""

from __future__ import annotations

from collections.abc import Iterator

from geode.graph.loop_building import Frame
from geode.graph.machine import Machine
from geode.graph.state import State, both, leaves
from geode.graph.values import Flag, Tensor
from geode.syntax.word import Body, Call, If, Until, While, Word


def leave(machine: Machine) -> None:
    """LEAVE: the rows that reach it leave the innermost counted loop with what they have."""
    frame = _counted(machine)
    if frame is None:
        machine.fail("GS405", "`LEAVE` stands in no counted loop")
    inner = machine.frames[-1]
    if inner is not frame:
        if len(machine.stack) != len(frame.found):
            machine.fail("GS408", f"`LEAVE` leaves {leaves(frame.found, machine.stack)} than the loop found")
        state = State(list(inner.found), dict(machine.locals))
        state.locals[frame.gone] = Flag(True)
        state.locals.update(zip(frame.gone_stack, machine.stack, strict=True))
        inner.left.append((machine.mask, state))
    else:
        frame.left.append((machine.mask, State.of(machine)))
    machine.dead = True


def open_exit(machine: Machine, *bodies: Body) -> Frame | None:
    """Before a BEGIN loop of these bodies: room for the rows that LEAVE takes out of the counted loop around it, which is
    given back; None if there is none, or no LEAVE."""
    frame = _counted(machine)
    if frame is None or not any(isinstance(word, Call) and word.name == "LEAVE" for b in bodies for word in _own(b)):
        return None
    if frame.gone not in machine.locals:
        machine.locals[frame.gone] = Flag(False)
        machine.locals.update(zip(frame.gone_stack, frame.found, strict=True))
    return frame


def close_exit(machine: Machine, frame: Frame | None) -> None:
    """Behind the BEGIN loop: the rows that are gone leave the loop around it too."""
    if frame is None:
        return
    around, gone = machine.frames[-1], machine.locals[frame.gone]
    state = State(list(around.found), dict(machine.locals))
    if around is frame:
        state.stack = [machine.locals[name] for name in frame.gone_stack]
        for name in (frame.gone, *frame.gone_stack):
            del machine.locals[name], state.locals[name]
    if isinstance(gone, Tensor):
        around.left.append((gone, state))
        machine.mask = both(machine, machine.mask, machine.elementwise("not", (gone,), "f"))


def _counted(machine: Machine) -> Frame | None:
    return next((frame for frame in reversed(machine.frames) if frame.counted), None)


def _own(body: Body) -> Iterator[Word]:
    """The words of a body but for those of counted loops in it, whose LEAVE is their own."""
    for word in body:
        yield word
        match word:
            case If(then, orelse):
                yield from _own(then)
                yield from _own(orelse or ())
            case Until(inner):
                yield from _own(inner)
            case While(condition, inner):
                yield from _own(condition)
                yield from _own(inner)
            case _:
                pass


__all__ = ["close_exit", "leave", "open_exit"]
