"""Random programs, right and wrong: what the front end must survive.

In: a `random.Random`. Out: program text: words of random bodies, or one of `VALID` with tokens deleted, doubled,
swapped or replaced. Invariant: the text depends on the state of the generator alone.
"""

from __future__ import annotations

from random import Random

from geode.syntax.check_names import SYNTAX_WORDS
from geode.vocabulary import WORDS
from tests.harness.random_words import FIXED, random_word

MAIN = """
: MAIN ( -- )
  OBJECTIVE-LOSS 2 EPOCHS 4 POPULATION
  "rows.csv" 4 CSV-INPUT ALL ['] OBJECTIVE TRAIN ;
"""

_MAINS = (
    """
: MAIN ( -- )
  OBJECTIVE-LOSS "rows.csv" 4 CSV-INPUT { d }
  d 2 BATCH ['] OBJECTIVE TRAIN d 0 5 ROWS ALL ['] OBJECTIVE EVALUATE d ['] F "out.csv" PREDICT ;
""",
    """
: MAIN ( -- ) OBJECTIVE-REWARD 3 EPISODES { e } e ['] G TRAIN e ['] OBJECTIVE EVALUATE e ['] H "out.csv" PREDICT ;
""",
    """
: MAIN ( -- ) "a.csv" 4 CSV-INPUT ALL ['] H EVALUATE OBJECTIVE-LOSS "b.csv" K CSV-INPUT ALL ['] OBJECTIVE TRAIN ;
""",
)

VALID: tuple[str, ...] = (
    # layers, lifting, a batch reduction
    """
: NEURON ( <layer> n -- <layer> ) LINEAR INIT-HE TRAINABLE RELU ;
: FORWARD ( r:* -- r:4 ) 3 NEURON 2 NEURON 4 LINEAR INIT-XAVIER TRAINABLE ;
: OBJECTIVE ( r:b:4 -- r ) DUP FORWARD LOSS-EUCLIDEAN SUM ;
""",
    # a word of one row, locals and stores
    """
3 CONSTANT HIDDEN
: F ( x:r:k y:r:k -- r:k ) { x y } x y * TO x x y - k + ;
: OBJECTIVE ( r:4 -- r ) DUP HIDDEN LINEAR TRAINABLE DROP DUP F SUM ;
""",
    # sharing, arithmetic on constants, constants into a unit
    """
1 2 + CONSTANT A
A 2* CONSTANT B
2.5 CONSTANT SCALE
: L ( <layer> n -- <layer> ) LINEAR INIT-LECUN TRAINABLE ; SHARED
: M ( r:4 -- r:4 ) 4 L SCALE * 4 L A 1- - 7 2 / + ;
: OBJECTIVE ( r:b:4 -- r ) M M SUM SUM B / ;
""",
    # tokens on the stack, deep stack words, a fixed layer
    """
: K ( r:4 r:4 -- r:2 r:4 ) 2OVER 2DROP OVER 2 LINEAR -ROT NIP 1 PICK DROP ;
: OBJECTIVE ( r:b:4 -- r ) DUP ROT-FREE K SUM SWAP SUM + SUM ;
""".replace("ROT-FREE ", "").replace("2OVER 2DROP ", ""),
    # uniform work after the reduction, extremes of float32
    """
: LOSS ( r:b:* r:b:* -- r ) LOSS-EUCLIDEAN SUM ;
: OBJECTIVE ( r:b:4 -- r )
  DUP 4 LINEAR TRAINABLE LOSS SQRT 3e38 MIN -1 MAX SQUARE 1+ RECIP ABS NEGATE SIGN 0.5 1.5 CLAMP 2/ 3 MOD ;
""",
    # a word that leaves several values and takes none
    """
: TWO ( -- r r ) 1 2.5 ;
: BOTH ( r:k -- r:k r:k r ) DUP k LINEAR INIT-HE TRAINABLE SWAP TWO + ;
: OBJECTIVE ( r:b:4 -- r ) BOTH DROP - SUM SUM ;
['] BOTH (SHARED)
""",
    # branches and loops, known while compiling and not
    """
1 CONSTANT FAST
: HALVED ( r -- r ) { x } BEGIN x 1 > WHILE x 2/ TO x REPEAT x ;
: SIGN-OF ( r -- r ) DUP 0> IF DROP 1 ELSE 0< IF -1 ELSE 0 THEN THEN ;
: COUNT ( r:4 -- r ) { x } 0 { s } 4 0 DO x I AT s + TO s s 10 > IF LEAVE THEN LOOP s ;
: OBJECTIVE ( r:b:4 -- r ) FAST 0> IF 4 LINEAR TRAINABLE THEN DUP COUNT HALVED SWAP SUM SIGN-OF + SUM ;
""",
)

_SYNTAX_TEXT = "F G MAIN r:k r:b:4 <layer> n ( ) -- NaN b 9_000"
_LITERAL_TEXT = "1 0 -3 2.5 1e30 -1e-40 3 4 100000 9223372036854775807 K SCALE LONG"
_TYPE_TEXT = "r r:4 r:b:4 r:* r:b:* <layer> n r:k f r:b r:2:3"
TOKENS: tuple[str, ...] = (
    *_SYNTAX_TEXT.split(),
    "{ x }",
    "TO x",
    "['] F",
    *sorted(WORDS),
    *sorted(SYNTAX_WORDS),
)
_LITERALS = tuple(_LITERAL_TEXT.split())
_OTHERS = ('"s"', "r", "r:3", "r:4", "['] G0", "NAME")
_SIDES = ("", *_TYPE_TEXT.split(), "<layer> n", "r:k r:k", "r:4 n")
_CONDITIONS = ("TRUE", "K 2 <", "DUP SUM 0>", "DUP DUP <", "1", "K 0 DO K DROP LOOP FALSE")
_COMPUTING = tuple(sorted(name for name, entry in WORDS.items() if entry.apply is not None))
_HEAD = """3 CONSTANT K
-0.5 CONSTANT SCALE
9223372036854775806 CONSTANT LONG
"w" CONSTANT NAME
: G0 ( -- ) ;
"""


def soup(random: Random, length: int = 12) -> str:
    """Words of random signatures and bodies, the later calling the earlier, and a trained one that calls them all.

    The depth of the stack is kept in mind, so that most mistakes are those of types.
    """
    effects: dict[str, tuple[int, int]] = {}
    parts = [_HEAD]
    for name in ("F", "G", "H"):
        before, after = random.choice(_SIDES), random.choice(_SIDES)
        if after in ("", "r:k", "r:k r:k") and "k" not in before:
            after = random.choice((before, "r", "r:4"))
        marked = random.choice(("", "", " SHARED"))
        body = _body(random, length, len(before.split()), len(after.split()), effects)
        parts.append(f": {name} ( {before} -- {after} ) {body} ;{marked}")
        effects[name] = (len(before.split()), len(after.split()))
    body = _body(random, length, 1, 1, effects)
    main = MAIN if random.randrange(4) else random.choice(_MAINS)
    end = random.choice(("", "SUM", "SUM SUM", "DUP LOSS-EUCLIDEAN SUM", "DROP 1"))
    parts.append(f": OBJECTIVE ( {random.choice(('r:b:4', 'r:4', 'r:b:k', 'r:*'))} -- r ) {body} {end} ;")
    return "\n".join(parts) + main


def _body(random: Random, length: int, depth: int, left: int, effects: dict[str, tuple[int, int]]) -> str:
    words: list[str] = []
    opened = False
    for _ in range(random.randrange(length) if length else 0):
        kind = random.randrange(22)
        if kind < 5 or (depth == 0 and kind < 18):
            words.append(random.choice(_LITERALS))
            depth += 1
        elif kind == 5:
            words.append(random.choice(_OTHERS))
            depth += 1
        elif kind == 6 and depth and not opened:
            words.append("{ x } x")
            opened = True
        elif kind == 7 and opened:
            words.append(random.choice(("x", "x x * TO x x", "2.5 TO x x", "x")))
            depth += 1
        elif kind > 19:
            words.append(_control(random, length // 2, depth, effects))
        elif kind < 10 and effects:
            name = random.choice(sorted(effects))
            taken, given = effects[name]
            if taken <= depth:
                words.append(name)
                depth += given - taken
        else:
            name = random.choice(_COMPUTING)
            before, _, after = WORDS[name].effect.strip("( )").partition("--")
            taken = len(before.split())
            if taken <= depth or kind == 19:
                words.append(name)
                depth = max(0, depth + len(after.split()) - taken)
    words += ["DROP"] * (depth - left) + ["1.5"] * (left - depth)
    return " ".join(words)


def _control(random: Random, length: int, depth: int, effects: dict[str, tuple[int, int]]) -> str:
    """A branch or a loop that leaves the depth of the stack as it is, most often."""
    first, second = (_body(random, length, depth, depth, effects) for _ in range(2))
    flag = random.choice(_CONDITIONS)
    bounds = random.choice(("3 0", "2 5", "DUP SUM 0", "K 1.5", "0 -9"))
    inside = random.choice(("", "I DROP", "LEAVE", "DUP SUM 0> IF LEAVE THEN", "I 1 > IF LEAVE THEN"))
    return random.choice(
        (
            f"{flag} IF {first} ELSE {second} THEN",
            f"{flag} IF {first} THEN",
            f"{bounds} DO {first} {inside} LOOP",
            f"{bounds} ?DO {first} {inside} {random.choice(('2', '-1', '0.5', '0', 'DUP SUM'))} +LOOP",
            f"BEGIN {first} {flag} UNTIL",
            f"BEGIN {first} {flag} WHILE {second} REPEAT",
        )
    )


def mutated(random: Random, edits: int = 3) -> str:
    """One of the valid programs, changed in up to `edits` places."""
    return edited(random, random.choice(VALID) + MAIN, edits)


def ill_typed(seed: int) -> str:
    """A well-typed random word whose body has been changed in a place or two, and a MAIN that trains it."""
    random = Random(seed)
    word = random_word(seed, "X", wild=bool(seed % 2))
    before, colon, body = word.word.rpartition(": W-X (")
    signature, bracket, rest = body.partition(") ")
    changed = edited(random, rest.removesuffix(" ;"), 2)
    main = MAIN.replace("OBJECTIVE T", "OBJECTIVE-X T")
    return "\n".join([FIXED, f"{before}{colon}{signature}{bracket}{changed} ;", word.objective]) + main


def edited(random: Random, text: str, edits: int = 3) -> str:
    """A text with up to `edits` tokens deleted, doubled, swapped, replaced or put in."""
    tokens = text.replace("\n", " \n ").split(" ")
    for _ in range(random.randrange(edits) + 1):
        place = random.randrange(len(tokens))
        other = random.randrange(len(tokens))
        match random.randrange(6):
            case 0:
                del tokens[place]
            case 1:
                tokens.insert(place, tokens[other])
            case 2:
                tokens[place], tokens[other] = tokens[other], tokens[place]
            case 3:
                tokens[place] = random.choice(TOKENS)
            case 4:
                tokens.insert(place, random.choice(_COMPUTING + _LITERALS + _OTHERS))
            case _:
                tokens.insert(place, random.choice(TOKENS))
    return " ".join(tokens)
