"""Random well-typed words, for comparing the compiler with the interpreter.

In: a seed. Out: the text of a word `( r:4 r:4 -- … )`, of a trained word that calls it and of one that gives its values
row by row. Invariant: the text depends on the seed and on which words the vocabulary has. The values of a tame word
stay finite and of moderate size, so that scores compare; a wild one may make NaN and infinities.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from random import Random

from geode.vocabulary import WORDS

Shape = tuple[int, ...]
# What half of the words take their inputs from, the same for all members; and words that are called by token, tied, shared.
FIXED = """
: FIXED ( r:4 -- r:4 ) 4 LINEAR ;
: WAVE ( r -- r ) SIN 0.9 * ;
: SPREAD ( r:* -- r:* ) DUP TANH + 2/ ;
: GATHER ( r r -- r ) 0.6 * SWAP 0.5 * + ;
: LAYER ( r:4 -- r:4 ) 4 LINEAR TRAINABLE TANH ;
: NORMED ( r:* -- r:* ) RMSNORM TRAINABLE ;
: ONE ( r:4 -- r:4 ) 4 AFFINE TRAINABLE SIN ; SHARED
: LUCK ( r:* -- r:* ) RAND 0.5 - 0.2 * + ;
: OWN-LUCK ( r:* -- r:* ) MEMBER-RANDN 0.1 * + ;
: STEEP ( r -- r ) DUP 0< IF 2* -3 MAX ELSE 0 BEGIN 1+ 2DUP < UNTIL NIP 4 MIN THEN ;
"""

# What is done with one value of any shape; those that grow are held in by a CLAMP.
_UNARY = (
    "NEGATE", "ABS", "SIGN", "1+", "1-", "2/", "RELU", "ABS SQRT", "2* -9 9 CLAMP", "SQUARE 9 MIN", "ABS 1+ RECIP",
    "ABS 1+ LN", "SIN", "COS", "TANH", "ATAN", "3 MIN EXP", "3 * FLOOR", "3 * ROUND", "CEIL", "TRUNC", "0.5 1.5 CLAMP",
    "1 1 ATAN2 *", "ABS 1+ 0.3 POW", "SIGMOID", "SOFTPLUS", "GELU", "SILU", "ELU", "LEAKY-RELU",
)  # fmt: skip
_WILD = ("SQRT", "LN", "RECIP", "LOG2", "ASIN", "ACOS", "0.7 POW", "0 /", "EXP EXP EXP", "TAN", "NAN MAX", "SIGN INF *")
_WILD_PAIRS = ("/", "MOD", "POW", "ATAN2", "NAN SWAP MIN +", "OVER LN OVER 0> SELECT +")
# What is done with one number; each row goes its own way through a branch or a loop.
_SCALAR = (
    "DUP 0> IF NEGATE ELSE 1+ THEN", "DUP ABS 1 < IF DUP * THEN", "BEGIN DUP ABS 0.1 > WHILE 2 / REPEAT",
    "BEGIN 2 / DUP ABS 0.3 < UNTIL", "3 0 DO I + SIN LOOP", "1 3 DO I 0.1 * + -1 +LOOP", "DUP ABS 3 MIN 0 DO 0.5 + LOOP",
    "4 0 DO DUP 1 > IF LEAVE THEN 0.4 + LOOP", "2 0 DO 2 0 DO I J - 0.1 * + LOOP LOOP",
    "3 0 DO BEGIN DUP 1 > IF LEAVE THEN 0.4 + DUP 0.7 > UNTIL 0.6 - LOOP",
)  # fmt: skip
_BINARY = (
    "+", "-", "MIN", "MAX", "* -9 9 CLAMP", "ABS 1+ /", "ABS 1+ MOD", "2DUP < SELECT", "2DUP 2/ >= NOT SELECT",
    "OVER 0> OVER 0> XOR SELECT", "OVER -1 1 WITHIN SELECT", "2DUP <> -ROT = OR 2 *",
)  # fmt: skip
_LAST_AXIS = ("SUM", "MEAN", "AMAX", "AMIN", "PRODUCT -9 9 CLAMP", "NORM", "VARIANCE", "LOGSUMEXP", "ARGMAX", "ARGMIN")
_ALONG = ("REVERSE", "CUMSUM 0.3 *", "SOFTMAX", "LOG-SOFTMAX", "SORT", "ARGSORT")
_PAIRS = ("LOSS-EUCLIDEAN 9 MIN", "LOSS-MSE", "LOSS-L1", "LOSS-HUBER")
# What keeps a shape, for the insides of branches and loops; those of the second line want a vector of four.
_KEEPS = (
    "SIN",
    "0.5 *",
    "ABS 1+ LN",
    "NEGATE",
    "SPREAD",
    "2 ['] SPREAD TIMES",
    "['] SPREAD EXECUTE",
    "LUCK",
    "OWN-LUCK",
)
_KEEPS_FOUR = (
    "LAYER",
    "ONE",
    "tied",
    "2 ['] LAYER LAYERS",
    "3 ['] LAYER TIMES",
    "['] ONE EXECUTE",
    "NORMED",
    "SOFTMAX",
)
_LITERALS = ("0.5", "-1.25", "2", "0.001", "3")


def known(words: str) -> bool:
    """True if the vocabulary has every word of a phrase."""
    return all(word in WORDS or _is_number(word) for word in words.split())


def _is_number(text: str) -> bool:
    try:
        float(text)
    except ValueError:
        return False
    return True


@dataclass(slots=True)
class _Writer:
    """The words so far, the row shapes that they leave on the stack, the locals in scope."""

    random: Random
    stack: list[Shape]
    wild: bool = False
    words: list[str] = field(default_factory=list)
    locals: dict[str, Shape] = field(default_factory=dict)

    def say(self, words: str, takes: int, *gives: Shape) -> None:
        """Adds a phrase that takes `takes` values and gives values of these shapes."""
        if takes:
            del self.stack[-takes:]
        self.stack.extend(gives)
        self.words.append(words)

    def choose(self, phrases: Sequence[str]) -> str | None:
        """One of the phrases that the vocabulary can say."""
        usable = [phrase for phrase in phrases if known(phrase)]
        return self.random.choice(usable) if usable else None


@dataclass(frozen=True, slots=True)
class RandomWord:
    """Definitions: `word` is W-name (and what makes its inputs), `objective` trains it as OBJECTIVE-name, `rows` gives its
    values as ROWS-name."""

    word: str
    objective: str
    rows: str


def random_word(seed: int, name: str, *, wild: bool = False, steps: int = 12) -> RandomWord:
    """The words of one seed; those of odd seeds call `FIXED`, the others a trained layer of their own."""
    random = Random(seed)
    writer = _Writer(random, [(4,), (4,)], wild)
    for _ in range(random.randint(3, steps)):
        while len(writer.stack) > 6:
            writer.say("DROP", 1)
        if not writer.stack:
            _literal(writer)
        random.choice(_MOVES)(writer)
    if not writer.stack:
        _literal(writer)
    types = " ".join(map(_shape_text, writer.stack))
    left = [f"o{place}" for place in range(len(writer.stack))]
    net = "FIXED" if seed % 2 else f"NET-{name}"
    made = "" if seed % 2 else f": {net} ( r:4 -- r:4 ) 4 LINEAR TRAINABLE ;\n"
    call = f"{net} {{ x }} x DUP 0.5 * W-{name} {{ {' '.join(left)} }}"
    sums = " ".join(f"{o} {'SUM ' * len(shape)}" for o, shape in zip(left, writer.stack, strict=True))
    flat = [f"{o} {_flatten(shape)}" for o, shape in zip(left, writer.stack, strict=True)]
    count = sum(math.prod(shape) for shape in writer.stack)
    joined = " ".join([flat[0], *(f"{o} CONCAT" for o in flat[1:])])
    return RandomWord(
        f"{made}: W-{name} ( r:4 r:4 -- {types} ) ['] LAYER ~ {{ tied }} {' '.join(writer.words)} ;",
        f": OBJECTIVE-{name} ( r:b:4 -- r ) {call} {sums} x SUM 0.01 * {'+ ' * len(left)} SUM ;",
        f": ROWS-{name} ( r:4 -- r:{count} ) {call} {joined} ;",
    )


def _shape_text(shape: Shape) -> str:
    return ":".join(["r", *map(str, shape)])


def _flatten(shape: Shape) -> str:
    return "" if len(shape) == 1 else f"r:{math.prod(shape)} RESHAPE" if shape else "1 VEC"


# --- moves: each leaves the stack as it says; one that does not apply does nothing


def _literal(writer: _Writer) -> None:
    writer.say(writer.random.choice(_LITERALS) + " 0.25 +", 0, ())


def _stack_word(writer: _Writer) -> None:
    depth = len(writer.stack)
    usable = [e for e in WORDS.values() if e.shuffle is not None and len(e.shuffle[0]) <= depth]
    entry = writer.random.choice(sorted(usable, key=lambda e: e.name))
    assert entry.shuffle is not None
    before, after = entry.shuffle
    shapes = dict(zip(before, writer.stack[depth - len(before) :], strict=True))
    writer.say(entry.name, len(before), *(shapes[label] for label in after))


def _pick(writer: _Writer) -> None:
    depth = writer.random.randrange(len(writer.stack))
    writer.say(f"{depth} PICK", 0, writer.stack[-1 - depth])


def _unary(writer: _Writer) -> None:
    phrase = writer.choose(_WILD if writer.wild and writer.random.randrange(2) else _UNARY)
    if phrase is not None:
        writer.say(phrase, 1, writer.stack[-1])


def _scalar(writer: _Writer) -> None:
    phrase = writer.choose(_SCALAR)
    if phrase is not None and not writer.stack[-1]:
        writer.say(phrase, 1, ())


def _combined(a: Shape, b: Shape) -> Shape | None:
    longer, shorter = (a, b) if len(a) >= len(b) else (b, a)
    return longer if longer[len(longer) - len(shorter) :] == shorter else None


def _binary(writer: _Writer) -> None:
    if len(writer.stack) < 2:
        return
    shape = _combined(writer.stack[-2], writer.stack[-1])
    phrase = writer.choose(_WILD_PAIRS if writer.wild and writer.random.randrange(2) else _BINARY)
    if phrase is not None and shape is not None:
        writer.say(phrase, 2, shape)


def _reduce(writer: _Writer) -> None:
    shape, phrase = writer.stack[-1], writer.choose(_LAST_AXIS)
    if phrase is not None and shape:
        writer.say(phrase, 1, shape[:-1])


def _along(writer: _Writer) -> None:
    shape, phrase = writer.stack[-1], writer.choose(_ALONG)
    if phrase is not None and shape:
        writer.say(phrase, 1, shape)


def _pair(writer: _Writer) -> None:
    phrase = writer.choose(_PAIRS)
    if phrase is not None and len(writer.stack) > 1 and writer.stack[-1] == writer.stack[-2]:
        writer.say(phrase, 2, ())


def _linear(writer: _Writer) -> None:
    shape = writer.stack[-1]
    if shape:
        outputs = writer.random.randint(1, 5)
        writer.say(f"{outputs} LINEAR TRAINABLE", 1, (*shape[:-1], outputs))


def _locals(writer: _Writer) -> None:
    count = writer.random.randint(1, min(2, len(writer.stack)))
    names = [f"v{len(writer.locals) + k}" for k in range(count)]
    taken = writer.stack[-count:]
    writer.say(f"{{ {' '.join(names)} }}", count)
    writer.locals.update(zip(names, taken, strict=True))
    _recall(writer)


def _recall(writer: _Writer) -> None:
    if writer.locals:
        name = writer.random.choice(sorted(writer.locals))
        writer.say(name, 0, writer.locals[name])


def _store(writer: _Writer) -> None:
    fitting = sorted(name for name, shape in writer.locals.items() if shape == writer.stack[-1])
    if fitting:
        name = writer.random.choice(fitting)
        writer.say(f"TO {name} {name}", 1, writer.locals[name])


def _rearrange(writer: _Writer) -> None:
    """Words that move numbers about: the result has other places, another shape, or both."""
    shape, random = writer.stack[-1], writer.random
    if not shape:
        if known("FILL"):
            size = random.randint(1, 4)
            writer.say(f"r:{size} FILL", 1, (size,))
        return
    last, place = shape[-1], random.randrange(shape[-1])
    length = random.randint(1, last - place)
    count = math.prod(shape)
    options: list[tuple[str, list[Shape]]] = [
        (f"{place} {length} SLICE", [(*shape[:-1], length)]),
        (f"{random.randrange(shape[0])} AT", [shape[1:]]),
        ("DUP CONCAT", [(*shape[:-1], 2 * last)]),
        (f"r:{count} RESHAPE", [(count,)]),
        ("DUP STACK", [(2, *shape)]),
    ]
    if last > 1:
        options.append((f"{length % last or 1} SPLIT", [(*shape[:-1], part) for part in _split(last, length)]))
    if len(shape) > 1:
        options.append(("TRANSPOSE", [(*shape[:-2], last, shape[-2])]))
    if len(shape) == 1 and last % 2 == 0:
        options.append((f"r:2:{last // 2} RESHAPE", [(2, last // 2)]))
    usable = [(words, gives) for words, gives in options if words.split()[-1] in WORDS]
    if usable and count <= 40:
        words, gives = random.choice(usable)
        writer.say(words, 1, *gives)


def _split(last: int, length: int) -> tuple[int, int]:
    first = length % last or 1
    return first, last - first


def _tokens(writer: _Writer) -> None:
    """Words that are called by their token, tied to others, or drawn."""
    shape, choose = writer.stack[-1], writer.random.choice
    if not shape:
        writer.say(
            choose(("['] STEEP EXECUTE", "STEEP", "2 ['] WAVE TIMES", "LUCK", "OWN-LUCK", "RANDN 0.1 * +")), 1, ()
        )
    elif len(shape) == 1 and writer.random.randrange(3) == 0:
        phrase, gives = choose((("['] WAVE MAP", shape), ("['] STEEP MAP", shape), ("0 SWAP ['] GATHER FOLD", ())))
        writer.say(phrase, 1, gives)
    elif shape[-1] == 4 and len(shape) == 1:
        writer.say(choose(_KEEPS_FOUR), 1, shape)
    else:
        writer.say(choose(("['] SPREAD MAP", "NORMED", "2 ['] NORMED LAYERS", *_KEEPS[4:])), 1, shape)


def _parameter(writer: _Writer) -> None:
    """A parameter's own value, or a row of a table."""
    if writer.random.randrange(2):
        size = writer.random.randint(1, 5)
        writer.say(f"r:{size} PARAM 0.5 INIT-NORMAL TRAINABLE", 0, (size,))
    elif len(writer.stack[-1]) < 3:
        writer.say("ABS 7 MIN 8 3 EMBED TRAINABLE", 1, (*writer.stack[-1], 3))


def _matrix(writer: _Writer) -> None:
    """Products of vectors and matrices, held in."""
    shape = writer.stack[-1]
    if len(shape) == 1:
        phrase, gives = writer.random.choice((("DUP DOT 9 MIN", ()), ("DUP OUTER -9 9 CLAMP", (shape[0], shape[0]))))
        if shape[0] < 7:
            writer.say(phrase, 1, gives)
    elif len(shape) == 2 and max(shape) < 7:
        writer.say("DUP TRANSPOSE MATMUL -9 9 CLAMP", 1, (shape[0], shape[0]))


def _place(writer: _Writer) -> None:
    """An element by a number that is computed, read or replaced; outside it is NaN, or nothing."""
    shape = writer.stack[-1]
    if shape:
        last = shape[0]
        inside = f"DUP {'SUM ' * len(shape)}ABS {last - 1} MIN"
        writer.say(f"{inside} AT", 1, shape[1:])
        if last > 1 and writer.random.randrange(2):
            whole = ":".join(["r", *map(str, shape)])
            writer.say(f"{whole} ONES SWAP 1 PUT", 1, shape)


def _control(writer: _Writer) -> None:
    """A branch or a loop around words that keep the shape of the top of the stack, two deep at most."""
    writer.say(_structure(writer, writer.stack[-1], 1), 1, writer.stack[-1])


def _structure(writer: _Writer, shape: Shape, depth: int) -> str:
    first, second = (_inside(writer, shape, depth) for _ in range(2))
    total = f"DUP {'SUM ' * len(shape)}"
    flag = writer.random.choice(
        (f"{total} 0>", f"{total} ABS 0.5 <", "RAND 0.5 <", "MEMBER-RANDN 0>", f"{total} DUP =")
    )
    count = f"{total} ABS 3 MIN"
    return writer.random.choice(
        (
            f"{flag} IF {first} ELSE {second} THEN",
            f"{flag} IF {first} THEN",
            f"3 0 DO {first} LOOP",
            f"{count} 0 DO {first} LOOP",
            f"{count} 1 ?DO {first} I 0.1 * + LOOP",
            f"0 3 DO {first} I 0.1 * + -2 +LOOP",
            f"{count} 0 DO {first} 0.7 +LOOP",
            f"4 0 DO {first} {flag} IF {second} LEAVE THEN LOOP",
            f"2 0 DO 0 SWAP BEGIN {flag} IF NIP {second} LEAVE THEN {first} SWAP 1+ SWAP OVER 2 > UNTIL NIP LOOP",
            f"0 SWAP BEGIN {first} SWAP 1+ SWAP OVER 2 > UNTIL NIP",
            f"0 SWAP BEGIN OVER 2 < {flag.replace('DUP', 'OVER', 1)} AND WHILE {first} SWAP 1+ SWAP REPEAT NIP",
        )
    )


def _inside(writer: _Writer, shape: Shape, depth: int) -> str:
    words = []
    for _ in range(writer.random.randint(1, 2)):
        if depth and writer.random.randrange(4) == 0:
            words.append(_structure(writer, shape, depth - 1))
        else:
            words.append(writer.random.choice(_KEEPS + _KEEPS_FOUR if shape == (4,) else _KEEPS))
    return " ".join(words)


_MOVES: tuple[Callable[[_Writer], None], ...] = (
    _literal, _stack_word, _stack_word, _pick, _unary, _unary, _unary, _binary, _binary, _binary, _reduce, _along,
    _pair, _scalar, _scalar, _linear, _linear, _locals, _recall, _store, _rearrange, _rearrange,
    _tokens, _tokens, _parameter, _matrix, _place, _control, _control,
)  # fmt: skip
