"""One entry per built-in word: what checks it, computes it, documents it and tests it.

In: written down in this folder's modules. Out: read by the machine, by MAIN, by `geode words`, the docs and the tests.
Invariant: an entry's example compiles and runs, and its counter-example fails with the code it names.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from geode.record import dataclass

if TYPE_CHECKING:
    from geode.graph.machine import Machine

Numeric = int | float
NumberRule = Callable[..., Numeric]

# What an example's body of MAIN may name: a network, its error on a row, and a word without data.
FRAME = """
: NETWORK ( r:4 -- r:4 ) 4 LINEAR TRAINABLE ;
: OBJECTIVE ( r:4 -- r ) DUP NETWORK LOSS-EUCLIDEAN ;
: EPISODIC ( -- r ) r:3 PARAM 1 INIT-CONSTANT TRAINABLE SQUARE SUM ;
""".strip()


@dataclass(frozen=True, slots=True)
class Example:
    """A word at work: `body` run on values of the `signature`'s input types. `settings` and `main` hold the words of a
    settings or stage example instead."""

    body: str = ""
    signature: str = "( r:4 -- r:4 )"
    settings: str = ""
    main: str = ""
    before: str = ""  # definitions that the example needs

    @property
    def text(self) -> str:
        """The example as it stands in a program; a body stands in a word called EXAMPLE."""
        parts = [self.before]
        if self.body:
            parts.append(f": EXAMPLE {self.signature} {self.body} ;")
        if self.settings:
            parts.append(f": SETTINGS ( -- ) {self.settings} ;")
        if self.main:
            parts.append(f": MAIN ( -- ) {self.main} ;")
        return "\n".join(part for part in parts if part)


@dataclass(frozen=True, slots=True)
class Counter:
    """The smallest use that is refused, and the code of the error."""

    code: str
    example: Example


@dataclass(frozen=True, slots=True)
class Entry:
    """A built-in word.

    `effect` is its stack effect as language.md writes it, `lowering` names what it becomes (an operation of the graph or
    of the tables it changes). `apply` runs it on the abstract machine, `number` (with its arity) computes it on
    constants, `shuffle` is (before, after) of a word that only moves the stack; a settings or stage word has none of
    them: MAIN handles those by name.
    """

    name: str
    group: str
    effect: str
    summary: str
    lowering: str
    example: Example
    counter: Counter
    apply: Callable[[Machine], None] | None = None
    number: tuple[int, NumberRule] | None = None
    shuffle: tuple[tuple[str, ...], tuple[str, ...]] | None = None

    @property
    def arity(self) -> int:
        """How many values `effect` takes."""
        before = self.effect.strip("( )").split("--")[0]
        return len(before.split())


def body_entry(
    group: str,
    name: str,
    effect: str,
    summary: str,
    lowering: str,
    body: str,
    signature: str,
    counter: Counter,
    apply: Callable[[Machine], None],
) -> Entry:
    """An entry whose example is a body under a signature; the arguments stand as they read in a table of words."""
    return Entry(name, group, effect, summary, lowering, Example(body, signature), counter, apply)
