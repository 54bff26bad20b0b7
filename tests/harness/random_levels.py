"""Random words whose layers get inputs that a perturbation reaches, or not.

In: a seed. Out: the text of definitions and of a trained word `OBJECTIVE-name`. Invariant: the text depends on the seed
alone; every value is a vector of four numbers of moderate size, so that scores compare, and every loop comes to an end.
"""

from __future__ import annotations

from random import Random

COMMON = """
: LAYER ( r:4 -- r:4 ) 4 LINEAR TRAINABLE TANH ;
: FIXED ( r:4 -- r:4 ) 4 LINEAR SIN ;
: TIED ( r:4 -- r:4 ) 4 LINEAR TRAINABLE 0.5 * ;
: ONE ( r:4 -- r:4 ) 4 LINEAR TRAINABLE SIN ; SHARED
: WAVE ( r -- r ) SIN 0.9 * ;
: LUCK ( r:4 -- r:4 ) RAND 0.3 * + ;
: OWN-LUCK ( r:4 -- r:4 ) MEMBER-RANDN 0.1 * + ;
"""

_PLAIN = (
    "SIN", "TANH", "0.7 *", "REVERSE", "SOFTMAX", "0.3 +", "DUP SUM 0.2 * +", "['] WAVE MAP", "LUCK", "RANDN 0.1 * +",
)  # fmt: skip
_LAYERS = (
    "4 LINEAR TRAINABLE TANH", "4 AFFINE TRAINABLE TANH", "4 LINEAR SIN", "LAYER", "FIXED", "ONE", "w", "w w",
    "2 ['] LAYER LAYERS", "3 ['] LAYER TIMES", "['] TIED EXECUTE",
)  # fmt: skip
_REACHED = ("r:4 PARAM 0.5 INIT-NORMAL TRAINABLE *", "OWN-LUCK", "LAYER", "MEMBER-RANDN 0.1 * +")
_UNREACHED = ("r:4 PARAM 0.5 INIT-NORMAL *", "FIXED", "LUCK")
_FLAGS = ("DUP SUM 0>", "DUP 0 AT 0.1 <", "x SUM 0.2 >", "RAND 0.6 <", "MEMBER-RANDN 0>", "y SUM 0<", "DUP AMAX 0.4 >")


class _Writer:
    def __init__(self, random: Random) -> None:
        self.random = random
        self.names = 0

    def fresh(self) -> str:
        self.names += 1
        return f"v{self.names}"

    def steps(self, count: int, depth: int) -> str:
        """Words that take a vector and leave one."""
        return " ".join(self.step(depth) for _ in range(count))

    def step(self, depth: int) -> str:
        choose = self.random.choice
        kind = self.random.randrange(20)
        if kind < 5:
            return choose(_PLAIN)
        if kind < 10:
            return choose(_LAYERS)
        if kind == 10:
            return choose(_REACHED)
        if kind == 11:
            return choose(_UNREACHED)
        if kind == 12:
            return choose(("x", "y")) + choose((" +", " -", " * 0.5 *"))
        if kind == 13:
            name = self.fresh()
            return f"{{ {name} }} {choose(('x', 'y', name))} {self.step(depth)} {name} 0.5 * +"
        if kind == 14:
            return f"TO {choose(('x', 'y'))} {choose(('x', 'y'))}"
        if depth == 0:
            return choose(_LAYERS)
        return self.control(depth - 1)

    def control(self, depth: int) -> str:
        choose = self.random.choice
        first, second = self.steps(self.random.randint(1, 2), depth), self.steps(self.random.randint(1, 2), depth)
        flag = choose(_FLAGS)
        name = self.fresh()
        return choose(
            (
                f"{flag} IF {first} ELSE {second} THEN",
                f"{flag} IF {first} THEN",
                f"3 0 DO {first} LOOP",
                f"3 1 DO I 0.2 * + {first} LOOP",
                f"{flag} IF 3 ELSE 2 THEN 0 DO {first} LOOP",
                f"x SUM ABS 3 MIN 0 DO {first} LOOP",
                f"y SUM ABS 3 MIN 0 DO {first} I 0.1 * + LOOP",
                f"4 0 DO {first} {flag} IF LEAVE THEN LOOP",
                f"4 0 DO {first} {flag} IF {second} LEAVE ELSE 0.5 * THEN LOOP",
                f"0 {{ {name} }} BEGIN {first} {name} 1+ TO {name} {flag} {name} 2 > OR UNTIL",
                f"0 {{ {name} }} BEGIN {flag} {name} 3 < AND WHILE {first} {name} 1+ TO {name} REPEAT",
            )
        )


def random_objective(seed: int, name: str, steps: int = 7) -> str:
    """The trained word of one seed: `x` is the row, `y` something else, `w` an instance of TIED."""
    random = Random(seed)
    writer = _Writer(random)
    start = random.choice(("0.5 *", "SIN", random.choice(_REACHED), random.choice(_UNREACHED)))
    body = writer.steps(random.randint(3, steps), 2)
    before = "{ x } ['] TIED ~ { w } x " + start + " { y }"
    return f": OBJECTIVE-{name} ( r:b:4 -- r ) {before} x {random.choice(_PLAIN)} {body} y + SUM SUM ;"
