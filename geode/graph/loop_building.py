"""A loop on the abstract machine: run on trial until it is known what it carries, then built for good.

In: a body, and what decides whether a row goes on. Out: a loop of the graph, its results in the machine's state.
Invariant: a row that has left keeps its stack and its locals; a row past LOOP-LIMIT leaves as a runaway.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import field

from geode.graph.graph import LoopBegin, LoopEnd, LoopResult, LoopVariable, Node, Setting
from geode.graph.machine import Machine
from geode.graph.state import State, as_tensor, both, choose, is_hidden, leaves, same
from geode.graph.trials import Slot
from geode.graph.types import SCALAR, TensorType
from geode.graph.values import RUNAWAY, Flag, Number, Tensor, Value, type_text
from geode.record import dataclass
from geode.source import Span
from geode.syntax.word import Body

Run = Callable[[Machine, Body], None]

# Names of what a loop carries beside the stack and the locals; no local can be called so.
_INDEX, _ALIVE, _TURNS, _GONE = "\0index", "\0alive", "\0turns", "\0gone"


@dataclass(slots=True)
class Frame:
    """An open loop: the names of its own carried values, the states and masks with which rows have left it, and the stack
    that a turn finds."""

    counted: bool
    depth: int
    left: list[tuple[Tensor | None, State]] = field(default_factory=list)
    found: list[Value] = field(default_factory=list)

    @property
    def index(self) -> str:
        """The local that holds I."""
        return f"{_INDEX}{self.depth}"

    @property
    def alive(self) -> str:
        """The local that holds the rows still in the loop."""
        return f"{_ALIVE}{self.depth}"

    @property
    def turns(self) -> str:
        """The local that counts the turns."""
        return f"{_TURNS}{self.depth}"

    @property
    def gone(self) -> str:
        """The local that holds the rows that a LEAVE in an inner loop has taken out of this one."""
        return f"{_GONE}{self.depth}"

    @property
    def gone_stack(self) -> list[str]:
        """The locals that hold the stack with which those rows have left."""
        return [f"{self.gone}:{place}" for place in range(len(self.found))]


class Loop:
    """One loop being built: run on trial until it is known what it carries and of which types, then for good."""

    def __init__(self, machine: Machine, frame: Frame, closing: Span, run: Run, body: Body) -> None:
        self.machine = machine
        self.frame = frame
        self.closing = closing
        self.run = run
        self.body = body
        calls = tuple(span.start for _, span in machine.trail)
        self.known = machine.environment.trials.meet((machine.definition.name, closing.start, calls))

    def find_step(self, step_of: Callable[[Machine], Tensor | float], index: Tensor) -> Tensor | float:
        """The step as one turn leaves it, without a trace in the unit."""
        machine = self.machine
        undo, before = machine.unit_mark(), State.of(machine)
        mask, dead, frames = machine.mask, machine.dead, list(machine.frames)
        machine.frames.append(self.frame)
        machine.inside_control += 1
        machine.locals[self.frame.index] = Tensor(machine.fresh(index.type), index.type)
        self.frame.found = list(machine.stack)
        with machine.environment.trials.run_of(self.known.inside):
            self.run(machine, self.body)
        step = 1.0 if machine.dead else step_of(machine)
        machine.inside_control -= 1
        machine.frames[:] = frames
        machine.mask, machine.dead = mask, dead
        before.restore(machine)
        machine.unit_rollback(undo)
        self.frame.left.clear()
        return step

    def counted(self, count: int, index: Tensor, goes_on: Callable[[Machine], Tensor]) -> None:
        """A loop of constant bounds; it needs a mask only if rows may LEAVE it."""
        self.machine.locals[self.frame.index] = index
        self.build(count, goes_on)

    def masked(self, starts: Tensor, index: Tensor | None, goes_on: Callable[[Machine], Tensor]) -> None:
        """A loop that every row leaves in its own time: at most LOOP-LIMIT turns, then the row is a runaway."""
        machine = self.machine
        if index is not None:
            machine.locals[self.frame.index] = index
        machine.locals[self.frame.alive] = both(machine, machine.mask, starts)
        machine.locals[self.frame.turns] = machine.known(0.0)
        self.build(None, goes_on)

    def build(self, count: int | None, goes_on: Callable[[Machine], Tensor]) -> None:
        """Builds the loop: of `count` turns, or (None) until no row is alive; `goes_on` ends a turn."""
        machine, frame, known = self.machine, self.frame, self.known
        own = {frame.index, frame.alive, frame.turns}
        before, mask = State.of(machine), machine.mask
        if known.leaves:
            self.mask_from(before, count, mask)
        carried = self.recalled(before, count)
        machine.inside_control += 1
        machine.frames.append(frame)
        while True:
            undo = machine.unit_mark()
            frame.left.clear()
            before.restore(machine)
            machine.mask = mask
            inits = self.inits(before, carried)
            begin = machine.fresh(SCALAR)
            self.enter(before, carried, begin)
            top = State.of(machine)
            frame.found = list(top.stack)
            with machine.environment.trials.run_of(known.inside):
                nexts = self.turn(top, count, goes_on)
            for name in filter(is_hidden, nexts.locals):
                before.locals.setdefault(name, Number(0))
            wider = self.widened(before, top, nexts, carried)
            if wider == carried and (count is None or not frame.left or frame.alive in machine.locals):
                break
            if frame.left:
                known.leaves = True
                self.mask_from(before, count, mask)
            carried = known.carried[count is None] = wider
            machine.unit_rollback(undo)
        places = list(carried)
        alive = places.index(frame.alive) if frame.alive in places else None
        machine.unit.nodes[begin] = Node(
            LoopBegin(tuple(init.node for init in inits), count, alive), SCALAR, machine.span, machine.trail
        )
        ends = [self.cast(nexts.get(slot), carried[slot]).node for slot in places]
        end = machine.add(LoopEnd(begin, tuple(ends)), SCALAR)
        machine.frames.pop()
        machine.inside_control -= 1
        machine.mask, machine.dead = mask, False
        after = State(list(before.stack), dict(before.locals))
        for position, slot in enumerate(places):
            type_ = carried[slot]
            node = machine.add(LoopResult(end, position), type_)
            after.put(slot, Tensor(node, type_, closed_by=machine.word))
        after.restore(machine)
        for name in own:
            machine.locals.pop(name, None)

    def mask_from(self, before: State, count: int | None, mask: Tensor | None) -> None:
        """A loop of so many turns that rows LEAVE begins with all of its rows alive."""
        if count is not None:
            before.locals.setdefault(self.frame.alive, Flag(True) if mask is None else mask)

    def recalled(self, before: State, count: int | None) -> dict[Slot, TensorType]:
        """What an earlier run of the body around has found that this loop carries."""
        found: dict[Slot, TensorType] = {}
        for slot, type_ in self.known.carried.get(count is None, {}).items():
            if isinstance(slot, str) and is_hidden(slot):
                before.locals.setdefault(slot, Number(0))
            there = slot < len(before.stack) if isinstance(slot, int) else slot in before.locals
            value = as_tensor(self.machine, before.get(slot)) if there else None
            if value is not None and value.type.shape == type_.shape:
                found[slot] = type_
        return found

    def inits(self, before: State, carried: dict[Slot, TensorType]) -> list[Tensor]:
        """What is carried into the first turn."""
        return [self.cast(before.get(slot), type_) for slot, type_ in carried.items()]

    def enter(self, before: State, carried: dict[Slot, TensorType], begin: int) -> None:
        """The state of a turn: what is carried comes from the turn before."""
        machine = self.machine
        state = State(list(before.stack), dict(before.locals))
        for position, (slot, type_) in enumerate(carried.items()):
            node = machine.add(LoopVariable(begin, position), type_)
            state.put(slot, Tensor(node, type_, closed_by=machine.word))
        state.restore(machine)
        alive = machine.locals.get(self.frame.alive)
        if isinstance(alive, Tensor):
            machine.mask = alive

    def turn(self, top: State, count: int | None, goes_on: Callable[[Machine], Tensor]) -> State:
        """Runs one turn; what the next one starts from, each row keeping its values from where it left."""
        machine, frame = self.machine, self.frame
        machine.dead = False
        self.run(machine, self.body)
        flag = None if machine.dead else goes_on(machine)
        machine.begin(self.closing.text, self.closing)
        if not machine.dead and len(machine.stack) != len(top.stack):
            change = leaves(top.stack, machine.stack)
            machine.fail(
                "GS408", f"the loop's body leaves {change} than it found", help="a body leaves the types it found"
            )
        after = State.of(machine) if not machine.dead else State(list(top.stack), dict(top.locals))
        staying = machine.mask
        for mask, state in frame.left:
            if len(state.stack) != len(top.stack):
                machine.fail("GS408", f"`LEAVE` leaves {leaves(top.stack, state.stack)} than the loop found")
            after = self.chosen(mask, state, after, top, own=after)
            if mask is not None:
                outside = machine.elementwise("not", (mask,), "f")
                staying = both(machine, staying, outside)
        alive = top.locals.get(frame.alive)
        if alive is None:
            return after
        alive_flag = as_tensor(machine, alive)
        assert alive_flag is not None
        after = self.chosen(alive_flag, after, top, top, own=after)
        unconditional = machine.dead or any(mask is None for mask, _ in frame.left)
        every_row = machine.flag_tensor(Flag(not unconditional))
        goes = every_row if unconditional or staying is None else staying
        goes = machine.elementwise("and", (alive_flag, goes), "f")
        if flag is not None and count is None:
            goes = machine.elementwise("and", (goes, flag), "f")
        if frame.turns in top.locals:
            goes = self.limited(goes, top, after)
        after.locals[frame.alive] = goes
        return after

    def limited(self, goes: Tensor, top: State, after: State) -> Tensor:
        """Counts the turn; rows that would go on past LOOP-LIMIT leave as runaways."""
        machine, frame = self.machine, self.frame
        turns = top.locals[frame.turns]
        assert isinstance(turns, Tensor)
        done = machine.elementwise("add", (turns, machine.known(1.0)))
        limit = Tensor(machine.add(Setting("loop_limit"), SCALAR), SCALAR)
        within = machine.elementwise("is_lt", (done, limit), "f")
        past = machine.elementwise("and", (goes, machine.elementwise("not", (within,), "f")), "f")
        runaway = as_tensor(machine, after.locals[RUNAWAY])
        assert runaway is not None
        after.locals[RUNAWAY] = machine.elementwise("or", (runaway, past), "f")
        after.locals[frame.turns] = done
        return machine.elementwise("and", (goes, within), "f")

    def chosen(self, mask: Tensor | None, state: State, other: State, top: State, own: State) -> State:
        """`state` for the rows of the mask, `other` for the rest; only the slots that the loop found. What the loop
        itself counts with is `own`'s: no row reads it after it has left."""
        skip = {self.frame.alive, self.frame.turns, self.frame.index}
        kept = dict.fromkeys([*top.locals, *filter(is_hidden, state.locals), *filter(is_hidden, other.locals)])
        if mask is None:
            return State(list(state.stack), {name: (own if name in skip else state).get(name) for name in kept})
        machine = self.machine
        stack = [choose(machine, mask, a, b) for a, b in zip(state.stack, other.stack, strict=True)]
        names = {
            name: own.locals[name] if name in skip else choose(machine, mask, state.get(name), other.get(name))
            for name in kept
        }
        return State(stack, names)

    def widened(
        self, before: State, top: State, nexts: State, carried: dict[Slot, TensorType]
    ) -> dict[Slot, TensorType]:
        """What has to be carried: every slot that a turn changes, with a type that holds its first and its next value."""
        machine = self.machine
        result = dict(carried)
        for slot in before.slots():
            old, new = top.get(slot), nexts.get(slot)
            if slot not in carried and same(old, new):
                continue
            first, following = before.get(slot), new
            a, b = as_tensor(machine, first), as_tensor(machine, following)
            if a is None or b is None:
                machine.fail("GS408", f"the loop changes {type_text(first)} to {type_text(following)}")
            if a.type.shape != b.type.shape:
                machine.fail(
                    "GS408",
                    f"the loop's body makes {type_text(following)} of {type_text(first)}",
                    help="a body leaves the types it found",
                )
            dtype = a.type.dtype if a.type.dtype == b.type.dtype else "r"
            result[slot] = TensorType(dtype, a.type.shape, a.type.batched or b.type.batched)
        return result

    def cast(self, value: Value, type_: TensorType) -> Tensor:
        """A value as the type that is carried: a flag may have to be a number."""
        tensor = as_tensor(self.machine, value)
        assert tensor is not None
        return self.machine.as_number(tensor) if type_.dtype == "r" else tensor
