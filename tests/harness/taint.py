"""Taint tracking on the words of a program: what a value depends on, found without the compiler's graph.

In: a parsed program and the word that is trained. Out: a `Traced`: for every computing word of the text the levels of what
it leaves, and for every layer whether a perturbation reaches its input.
Invariant: only the words form is read (language.md and engine.md, "Form"): values are objects, a branch chooses between
two of them where they are not one, a loop repeats until nothing changes. No module of `geode.graph` is used.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field

from geode.source import Span
from geode.syntax.word import (
    Body,
    Call,
    CountedLoop,
    Definition,
    If,
    Integer,
    Locals,
    Program,
    Real,
    ShapeLiteral,
    Store,
    Tick,
    Until,
    While,
    Word,
)
from geode.vocabulary import WORDS
from tests.harness.taint_values import EPOCH, MEMBER, RUN, Frame, Path, Slot, Taint, Token, Value, join, some

_LEVEL_NAMES = {RUN: "run", EPOCH: "epoch", MEMBER: "member"}
_LAYERS = {"LINEAR", "AFFINE", "PARAM"}
_PAST_LIMIT = (-1,)  # the count that stands for the rows past LOOP-LIMIT, which every loop with a mask adds to
_SHUFFLES = {
    "DUP": "aa",
    "SWAP": "ba",
    "OVER": "aba",
    "DROP": "",
    "NIP": "b",
    "ROT": "bca",
    "TUCK": "bab",
    "2DUP": "abab",
}


Turn = Callable[[Path, Taint | None], Taint | None]


@dataclass(frozen=True, slots=True)
class Traced:
    """By place in the text (offset): the names of the levels of what the word there leaves; of a trained layer whether
    its input differs by member. A place that runs several times has all that occur.
    """

    levels: dict[int, set[str]]
    inputs: dict[int, set[bool]]


def trace(program: Program, root: str) -> Traced:
    """Tracks the word that is trained on rows of data."""
    tracer = _Tracer({item.name: item for item in program.items if isinstance(item, Definition)})
    path = Path([Taint()], {}, {})
    tracer.body(tracer.definitions[root].body, path, None, ())
    return Traced(tracer.levels, tracer.inputs)


@dataclass(slots=True)
class _Tracer:
    definitions: dict[str, Definition]
    levels: dict[int, set[str]] = field(default_factory=dict)
    inputs: dict[int, set[bool]] = field(default_factory=dict)
    frames: list[Frame] = field(default_factory=list)
    index: list[Taint] = field(default_factory=list)
    loop: int | None = None  # the level of the outermost loop that is being run, as far as it is known
    seen_in_loop: list[Span] = field(default_factory=list)
    dead: bool = False
    known_values: dict[int, Taint] = field(default_factory=dict)  # what words, branches and loops have made, by id

    # --- words

    def body(self, body: Body, path: Path, mask: Taint | None, chain: tuple[int, ...]) -> Taint | None:
        """Runs a body on a path; the mask after it."""
        for place, word in enumerate(body):
            if self.dead:
                break
            mask = self.word(word, body[place + 1 :], path, mask, chain)
        return mask

    def word(self, word: Word, rest: Body, path: Path, mask: Taint | None, chain: tuple[int, ...]) -> Taint | None:
        stack = path.stack
        match word:
            case Integer() | Real() | ShapeLiteral():
                stack.append(Taint())
            case Tick(name):
                stack.append(Token(name))
            case Locals(names):
                path.locals.update(zip(names, stack[-len(names) :], strict=True))
                del stack[-len(names) :]
            case Store(name):
                path.locals[name] = stack.pop()
            case If():
                return self.branch(word, path, mask, chain)
            case CountedLoop():
                self.counted(word, path, mask, chain)
            case Until(inner):
                self.masked_loop(inner, None, path, mask, chain)
            case While(condition, inner):
                self.masked_loop(condition, inner, path, mask, chain)
            case Call("LEAVE"):
                self.frames[-1].left.append((mask, path.copy()))
                self.dead = True
            case Call(name, span):
                self.call(name, span, rest, path, mask, chain)
        return mask

    def call(self, name: str, span: Span, rest: Body, path: Path, mask: Taint | None, chain: tuple[int, ...]) -> None:
        stack = path.stack
        if name in path.locals:
            value = path.locals[name]
            if isinstance(value, Token):
                self.user_word(value.name, span, path, mask, chain)
            else:
                stack.append(value)
        elif name in self.definitions:
            self.user_word(name, span, path, mask, chain)
        elif name in _SHUFFLES:
            self.shuffle(name, stack)
        elif name == "I":
            stack.append(self.index[-1])
        elif name in _LAYERS:
            self.layer(name, span, rest, stack)
        elif name == "TRAINABLE":
            pass
        elif name.startswith("INIT-"):
            del stack[len(stack) - WORDS[name].arity + 1 :]
        elif name in ("RAND", "RANDN", "MEMBER-RANDN"):
            self.random(name, span, path, chain)
        elif name in ("TIMES", "LAYERS", "MAP", "EXECUTE", "~"):
            self.token_word(name, span, path, mask, chain)
        else:
            taken = self.taken(stack, WORDS[name].arity)
            stack.append(self.made(span, join(taken)))  # every other word that the generator writes leaves one value

    def shuffle(self, name: str, stack: list[Value]) -> None:
        count = len(set(_SHUFFLES[name])) or 1
        count = 2 if name == "NIP" else count
        values = dict(zip("abc", stack[-count:], strict=False))
        del stack[-count:]
        stack.extend(values[letter] for letter in _SHUFFLES[name])

    def layer(self, name: str, span: Span, rest: Body, stack: list[Value]) -> None:
        taken = self.taken(stack, WORDS[name].arity)
        x = join(taken)
        if _is_trained(rest):
            if name != "PARAM":
                self.note(self.inputs, span.start, x.variant)
            x = Taint(MEMBER, variant=True)
        stack.append(self.made(span, x))

    def random(self, name: str, span: Span, path: Path, chain: tuple[int, ...]) -> None:
        site = (*chain, span.start)
        count = path.counts.get(site, Taint())
        assert isinstance(count, Taint)
        own = Taint(MEMBER, variant=True) if name == "MEMBER-RANDN" else Taint(EPOCH)
        path.stack.append(self.made(span, join([count, own])))
        path.counts[site] = Taint(count.level, count.variant)

    def user_word(self, name: str, span: Span, path: Path, mask: Taint | None, chain: tuple[int, ...]) -> None:
        definition = self.definitions[name]
        count = len(definition.signature.inputs)
        arguments = path.stack[len(path.stack) - count :]
        del path.stack[len(path.stack) - count :]
        called = [word.name for word in definition.body if isinstance(word, Call)]
        if not _LAYERS.isdisjoint(called):  # compiled on its own: it is given all of its arguments
            self.used([value for value in arguments if isinstance(value, Taint)])
        inner = Path(list(arguments), {}, path.counts)
        frames, index, self.frames, self.index = self.frames, self.index, [], []
        self.body(definition.body, inner, mask, (*chain, span.start))
        self.frames, self.index = frames, index
        path.stack.extend(inner.stack)
        path.counts = inner.counts

    def token_word(self, name: str, span: Span, path: Path, mask: Taint | None, chain: tuple[int, ...]) -> None:
        stack = path.stack
        token = stack.pop()
        assert isinstance(token, Token)
        if name == "~":
            stack.append(token)
        elif name == "EXECUTE":
            self.user_word(token.name, span, path, mask, chain)
        elif name == "LAYERS":
            stack.pop()
            for number in range(2):  # the generator writes `2 ['] W LAYERS`
                self.user_word(token.name, span, path, mask, (*chain, number))
        elif name == "TIMES":
            stack.pop()

            def turn(inner: Path, at: Taint | None) -> Taint | None:
                self.user_word(token.name, span, inner, at, chain)
                return at

            self.run_loop(turn, path, mask, masked=False)
        else:
            self.taken([stack[-1]], 1)
            self.user_word(token.name, span, path, mask, chain)
            stack.append(self.made(span, join(self.taken(stack, 1))))

    # --- branches and loops

    def branch(self, word: If, path: Path, mask: Taint | None, chain: tuple[int, ...]) -> Taint | None:
        (flag,) = self.taken(path.stack, 1)
        inner = join([flag, *([mask] if mask is not None else [])])
        self.used([inner])
        then, orelse = path.copy(), path.copy()
        sides = []
        for side, body in ((then, word.then), (orelse, word.orelse or ())):
            self.dead = False
            left = self.body(body, side, Taint(inner.level, inner.variant), chain)
            sides.append((side, left, self.dead))
        (then, then_mask, then_dead), (orelse, else_mask, else_dead) = sides
        self.dead = then_dead and else_dead
        if then_dead or else_dead:
            chosen = orelse if then_dead else then
            result = else_mask if then_dead else then_mask
        else:
            chosen, result = self.chosen(flag, then, orelse), mask
        names = set(path.locals)
        path.stack, path.counts = chosen.stack, chosen.counts
        path.locals = {name: value for name, value in chosen.locals.items() if name in names}
        return result

    def chosen(self, flag: Taint, a: Path, b: Path) -> Path:
        """One path from two: a value of its own wherever the two differ."""
        result = a.copy()
        others = b.slots()
        for slot, value in a.slots().items():
            other = others.get(slot, Taint() if slot[0] == "count" else value)
            if other is not value:
                result.put(slot, self.joined([flag, value, other]))
        for slot, value in others.items():
            if slot[0] == "count" and slot not in a.slots():
                result.put(slot, self.joined([flag, value]))
        return result

    def counted(self, word: CountedLoop, path: Path, mask: Taint | None, chain: tuple[int, ...]) -> None:
        start, limit = self.taken(path.stack, 1)[0], self.taken(path.stack, 1)[0]
        constant = start.level == limit.level == RUN and not self.computed(start) and not self.computed(limit)

        def turn(inner: Path, at: Taint | None) -> Taint | None:
            return self.body(word.body, inner, at, chain)

        self.run_loop(turn, path, mask, masked=not constant, bounds=(start, limit), counts=True)

    def computed(self, value: Taint) -> bool:
        """True of a value that a word has made; a literal is known while compiling."""
        return id(value) in self.known_values

    def masked_loop(
        self, first: Body, second: Body | None, path: Path, mask: Taint | None, chain: tuple[int, ...]
    ) -> None:
        """BEGIN … UNTIL, or with a second body BEGIN … WHILE … REPEAT."""

        def turn(inner: Path, at: Taint | None) -> Taint | None:
            at = self.body(first, inner, at, chain)
            (flag,) = self.taken(inner.stack, 1)
            assert at is not None
            if second is None:
                return self.joined([at, flag])
            self.frames[-1].left.append((self.joined([at, flag]), inner.copy()))
            return self.body(second, inner, self.joined([at, flag]), chain)

        self.run_loop(turn, path, mask, masked=True)

    def run_loop(
        self,
        turn: Turn,
        path: Path,
        mask: Taint | None,
        *,
        masked: bool,
        bounds: tuple[Taint, ...] = (),
        counts: bool = False,
    ) -> None:
        """Repeats a turn until what it carries does not change, then gives what it carried the loop's level."""
        outermost = self.loop is None
        if outermost:
            self.loop, self.seen_in_loop = RUN, []
        results = _LoopRun(self, turn, path.copy(), mask, masked, bounds, counts).run(path)
        if outermost:
            assert self.loop is not None
            for span in self.seen_in_loop:
                self.levels.setdefault(span.start, set()).add(_LEVEL_NAMES[self.loop])
            for result in results:
                result.level = self.loop
            self.loop = None

    # --- values

    def taken(self, stack: list[Value], count: int) -> list[Taint]:
        """Takes values that a word computes with."""
        values = [value for value in stack[len(stack) - count :] if isinstance(value, Taint)]
        del stack[len(stack) - count :]
        self.used(values)
        return values

    def used(self, values: Iterable[Taint]) -> None:
        """Notes what an open loop depends on."""
        if self.loop is not None:
            self.loop = max([self.loop, *(value.level for value in values)])

    def made(self, span: Span, value: Taint) -> Taint:
        """A word's result: a new value, its level noted, at the end of the outermost loop if one is open."""
        result = Taint(value.level, value.variant)
        self.remember(result)
        if self.loop is None:
            self.levels.setdefault(span.start, set()).add(_LEVEL_NAMES[result.level])
        else:
            self.seen_in_loop.append(span)
            self.used([result])
        return result

    def joined(self, values: Iterable[Value]) -> Taint:
        """A new value that depends on all of these."""
        result = join([value for value in values if isinstance(value, Taint)])
        self.used([result])
        return self.remember(result)

    def remember(self, value: Taint) -> Taint:
        """Keeps a value that is not known while compiling."""
        self.known_values[id(value)] = value
        return value

    def note(self, table: dict[int, set[bool]], place: int, variant: bool) -> None:
        table.setdefault(place, set()).add(variant)


@dataclass(slots=True)
class _LoopRun:
    """One loop: `carried` is what its turns change, `alive` what decides which rows go on (None: all do)."""

    tracer: _Tracer
    turn: Turn
    before: Path
    mask: Taint | None
    masked: bool
    bounds: tuple[Taint, ...]
    counts: bool
    alive: Taint | None = None
    carried: dict[Slot, Taint] = field(default_factory=dict)

    def run(self, path: Path) -> list[Taint]:
        """Runs the loop to its fixed point and puts what it has carried into the path."""
        known = [*self.bounds, *some([self.mask])] if self.masked else []
        self.tracer.used(known)
        self.alive = join(known) if self.masked else None
        while True:
            noted = {place: set(found) for place, found in self.tracer.inputs.items()}
            if self.one_turn():
                break
            self.tracer.inputs = noted  # what an unfinished turn has noted does not count
        path.stack, path.locals, path.counts = self.before.stack, self.before.locals, self.before.counts
        results = []
        for slot, value in self.carried.items():
            result = self.tracer.remember(Taint(value.level, value.variant))
            results.append(result)
            path.put(slot, result)
        return results

    def one_turn(self) -> bool:
        """Runs the body once; True if that has changed nothing."""
        tracer, top = self.tracer, self.before.copy()
        for slot, value in self.carried.items():
            top.put(slot, Taint(value.level, value.variant))
        entered, inner, frame = top.slots(), top.copy(), Frame()
        tracer.dead = False
        tracer.frames.append(frame)
        if self.counts:
            tracer.index.append(tracer.joined(self.bounds[:1]))
        alive = self.alive
        at = self.mask if alive is None else Taint(alive.level, alive.variant)
        after = self.turn(inner, at)
        if tracer.dead:
            inner, after = top.copy(), None
        tracer.dead = False
        if self.masked:
            inner.counts[_PAST_LIMIT] = tracer.joined([inner.counts.get(_PAST_LIMIT, Taint()), *some([after])])
        tracer.frames.pop()
        if self.counts:
            tracer.index.pop()
        if self.masked or frame.left:
            self.alive = join(some([after, *(mask for mask, _ in frame.left), self.alive, self.mask]))
        return self.carry([inner, *(left for _, left in frame.left)], entered)

    def carry(self, ends: list[Path], entered: dict[Slot, Value]) -> bool:
        """Takes in what the turn has left in its slots; True if all of it was known before."""
        first, stable = self.before.slots(), True
        slots = [end.slots() for end in ends]
        for slot in {slot for end in slots for slot in end}:
            if slot not in entered and slot[0] != "count":
                continue
            nexts = [end.get(slot, entered.get(slot, Taint())) for end in slots]
            if slot not in self.carried and all(value is entered.get(slot) for value in nexts):
                continue
            parts = [value for value in (first.get(slot, Taint()), *nexts) if isinstance(value, Taint)]
            self.tracer.used(parts)
            new, old = join([*parts, *some([self.alive])]), self.carried.get(slot)
            if old is None or (new.level, new.variant) != (old.level, old.variant):
                self.carried[slot], stable = new, False
        self.tracer.used(some([self.alive]))
        return stable


def _is_trained(rest: Body) -> bool:
    """True if TRAINABLE follows, with nothing but INIT words and their numbers between."""
    for word in rest:
        match word:
            case Call("TRAINABLE"):
                return True
            case Call(name) if name.startswith("INIT-"):
                pass
            case Integer() | Real():
                pass
            case _:
                return False
    return False
