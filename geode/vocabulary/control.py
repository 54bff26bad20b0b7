"""Control words. The parser nests them; `graph/branch` and `graph/loop_words` run them."""

from __future__ import annotations

from collections.abc import Callable

from geode.graph.leaving import leave
from geode.graph.loop_words import loop_index
from geode.graph.machine import Machine
from geode.vocabulary.entry import Counter, Entry, Example

GROUP = "control"
_LOOP = "0 { s } 4 0 DO DUP I AT s + TO s LOOP DROP s"


def _syntax(name: str, effect: str, summary: str, body: str, signature: str, code: str, counter: str) -> Entry:
    example = Example(body, signature)
    return Entry(name, GROUP, effect, summary, "control", example, Counter(code, Example(counter, signature)))


def _index(depth: int) -> Callable[[Machine], None]:
    return lambda machine: loop_index(machine, depth)


ENTRIES: tuple[Entry, ...] = (
    _syntax("IF", "( f -- )", "what follows up to ELSE or THEN is for the rows whose flag is set",
            "DUP SUM 0> IF NEGATE THEN", "( r:4 -- r:4 )", "GS308", "DUP SUM IF NEGATE THEN"),
    _syntax("ELSE", "( -- )", "what follows up to THEN is for the other rows", "DUP SUM 0> IF NEGATE ELSE 2 * THEN",
            "( r:4 -- r:4 )", "GS406", "DUP SUM 0> IF DUP ELSE 2 * THEN"),
    _syntax("THEN", "( -- )", "ends IF", "DUP SUM 0> IF NEGATE THEN", "( r:4 -- r:4 )", "GS401", "THEN"),
    _syntax("DO", "( limit start -- )", "a loop with index I from start while I < limit", _LOOP, "( r:4 -- r )",
            "GS402", "4 0 DO"),
    _syntax("?DO", "( limit start -- )", "the same as DO, which runs not at all where start ≥ limit too",
            _LOOP.replace("DO", "?DO"), "( r:4 -- r )", "GS302", "DROP ?DO LOOP"),
    _syntax("LOOP", "( -- )", "ends DO; the index goes up by one", _LOOP, "( r:4 -- r )", "GS408", "4 0 DO DUP LOOP"),
    _syntax("+LOOP", "( step -- )", "ends DO; the index goes up by step, with a step below 0 down while I ≥ limit",
            "0 { s } 0 3 DO DUP I AT s + TO s -1 +LOOP DROP s", "( r:4 -- r )", "GS407", "4 0 DO 0 +LOOP SUM"),
    Entry("I", GROUP, "( -- n )", "the index of the counted loop around", "loop variable", Example(_LOOP, "( r:4 -- r )"),
          Counter("GS405", Example("I", "( r:4 -- r )")), _index(1)),
    Entry("J", GROUP, "( -- n )", "the index of the loop around that one", "loop variable",
          Example("0 { s } 2 0 DO 2 0 DO DUP I J 2 * + AT s + TO s LOOP LOOP DROP s", "( r:4 -- r )"),
          Counter("GS405", Example("4 0 DO J DROP LOOP SUM", "( r:4 -- r )")), _index(2)),
    Entry("LEAVE", GROUP, "( -- )", "the rows that reach it leave the counted loop with what they have", "mask",
          Example("0 { s } 4 0 DO DUP I AT 0< IF LEAVE THEN s 1+ TO s LOOP DROP s", "( r:4 -- r )"),
          Counter("GS405", Example("LEAVE", "( r:4 -- r )")), leave),
    _syntax("BEGIN", "( -- )", "starts a loop that UNTIL or REPEAT ends", "SUM BEGIN 2 / DUP ABS 0.1 < UNTIL",
            "( r:4 -- r )", "GS402", "BEGIN"),
    _syntax("UNTIL", "( f -- )", "ends BEGIN; each row goes round until its flag is set",
            "SUM BEGIN 2 / DUP ABS 0.1 < UNTIL", "( r:4 -- r )", "GS308", "SUM BEGIN 2 / DUP UNTIL"),
    _syntax("WHILE", "( f -- )", "the rows whose flag is not set leave the loop here",
            "SUM BEGIN DUP ABS 0.1 > WHILE 2 / REPEAT", "( r:4 -- r )", "GS308", "SUM BEGIN DUP WHILE 2 / REPEAT"),
    _syntax("REPEAT", "( -- )", "ends BEGIN … WHILE", "SUM BEGIN DUP ABS 0.1 > WHILE 2 / REPEAT", "( r:4 -- r )",
            "GS408", "SUM BEGIN DUP ABS 0.1 > WHILE DUP REPEAT"),
)  # fmt: skip
