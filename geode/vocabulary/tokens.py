"""Words that call a word by its token. `graph/token_words` runs them."""

from __future__ import annotations

from collections.abc import Callable

from geode.graph.machine import Machine
from geode.graph.token_words import make_instance, run_execute, run_fold, run_layers, run_map, run_times
from geode.vocabulary.entry import Counter, Entry, Example

GROUP = "tokens"
_TWICE = ": TWICE ( r:* -- r:* ) 2 * ;"
_ADD = ": ADD ( r r -- r ) + ;"
_LAYER = ": LAYER ( r:* -- r:4 ) 4 LINEAR TRAINABLE ;"
_FOUR = "( r:4 -- r:4 )"


def _entry(
    name: str, effect: str, summary: str, example: Example, counter: Counter, apply: Callable[[Machine], None]
) -> Entry:
    return Entry(name, GROUP, effect, summary, "calls", example, counter, apply)


ENTRIES: tuple[Entry, ...] = (
    _entry("EXECUTE", "( … xt -- … )", "calls the token's word", Example("['] TWICE EXECUTE", _FOUR, before=_TWICE),
           Counter("GS303", Example("1 EXECUTE", _FOUR)), run_execute),
    _entry("TIMES", "( … n xt -- … )", "calls the word n times; it leaves the types it finds, and has one set of weights",
           Example("3 ['] TWICE TIMES", _FOUR, before=_TWICE), Counter("GS408", Example("3 ['] DUP TIMES", _FOUR)),
           run_times),
    _entry("LAYERS", "( … n xt -- … )", "calls the word n times, each time with weights of its own",
           Example("2 ['] LAYER LAYERS", _FOUR, before=_LAYER),
           Counter("GS305", Example("DUP ['] LAYER LAYERS", _FOUR, before=_LAYER)), run_layers),
    _entry("MAP", "( r:n:… xt -- r:n:… )", "the word ( element -- y ) on each element of the first axis",
           Example("['] TWICE MAP", _FOUR, before=_TWICE), Counter("GS303", Example("['] ABS MAP", "( r -- r )")),
           run_map),
    _entry("FOLD", "( acc r:n:… xt -- acc )", "the word ( acc element -- acc ) on each element of the first axis in turn",
           Example("0 SWAP ['] ADD FOLD", "( r:4 -- r )", before=_ADD),
           Counter("GS303", Example("0 SWAP 0 AT ['] + FOLD", "( r:4 -- r )")), run_fold),
    _entry("~", "( xt -- m )", "a fresh instance of a word: every use of it shares its weights",
           Example("['] LAYER ~ { w } w w", _FOUR, before=_LAYER), Counter("GS507", Example("['] ABS ~ { w } w", _FOUR)),
           make_instance),
)  # fmt: skip
