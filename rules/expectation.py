"""`center < 0.05` and a run's log -> whether it holds.

In: expectations of a test, the lines that a program printed. Out: what does not hold, one line each. Names: a field of the
last `epoch=` line (`center`, `best`, `mean`), `last.score`, `best-member.at` and their like of the `result` lines,
`evaluate` for the last `evaluate` line's value, `evaluate.CORRECT` for that of a word. Invariant: a value that is missing
or not a number fulfils nothing.
"""

from __future__ import annotations

import operator
import re
from collections.abc import Callable, Iterable, Mapping, Sequence

from geode.record import dataclass
from rules.errors import near_miss

_OPERATORS: Mapping[str, Callable[[float, float], bool]] = {
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
    "==": operator.eq,
}


@dataclass(frozen=True, slots=True)
class Expectation:
    """`name relation limit`."""

    name: str
    relation: str
    limit: float

    def __str__(self) -> str:
        return f"{self.name} {self.relation} {self.limit:.9g}"


def parse_expectation(text: str) -> Expectation:
    """The expectation that `text` states. Raises ValueError with what is wrong."""
    words = text.split()
    if len(words) != 3:
        raise ValueError(f"`{text}` is no expectation: wanted NAME RELATION NUMBER, such as `center < 0.05`")
    name, relation, limit = words
    if relation not in _OPERATORS:
        raise ValueError(f"`{text}`: unknown relation `{relation}`; known: {', '.join(_OPERATORS)}")
    try:
        return Expectation(name, relation, float(limit))
    except ValueError:
        raise ValueError(f"`{text}`: `{limit}` is not a number") from None


def metrics_of(lines: Iterable[str]) -> dict[str, float]:
    """What a program's lines say, by the names that expectations use; later lines win."""
    found: dict[str, float] = {}
    for line in lines:
        head, *rest = line.split() or [""]
        pairs = {key: value for pair in (head, *rest) for key, equals, value in [pair.partition("=")] if equals}
        if head.startswith("epoch="):
            found |= _numbers(pairs, "")
        elif head == "result" and rest:
            found |= _numbers(pairs, f"{rest[0]}.")
        elif head == "evaluate" and "value" in pairs:
            value = _numbers(pairs, "").get("value")
            if value is not None:
                found |= {"evaluate": value, f"evaluate.{pairs.get('word', '')}": value}
    return found


def _numbers(pairs: Mapping[str, str], before: str) -> dict[str, float]:
    return {before + key: float(value) for key, value in pairs.items() if _is_number(value)}


def _is_number(text: str) -> bool:
    return re.fullmatch(r"[-+]?(\d+\.?\d*([eE][-+]?\d+)?|nan|inf)", text) is not None


def unfulfilled(expectations: Sequence[Expectation], metrics: Mapping[str, float]) -> list[str]:
    """A line for each expectation that does not hold."""
    wrong = []
    for one in expectations:
        if one.name not in metrics:
            wrong.append(f"expected {one}, but the run printed no `{one.name}`{near_miss(one.name, tuple(metrics))}")
        elif not _OPERATORS[one.relation](metrics[one.name], one.limit):
            wrong.append(f"expected {one}, found {metrics[one.name]:.9g}")
    return wrong
