"""Random words: what differs from row to row without data, the same for every member of the population."""

from __future__ import annotations

from collections.abc import Callable

from geode.graph.graph import Random, RandomKind
from geode.graph.machine import Machine, numbered
from geode.graph.state import as_tensor
from geode.graph.types import row
from geode.graph.values import DRAWS, Number, Tensor
from geode.vocabulary.entry import Counter, Entry, Example

GROUP = "random"
_SCALAR = row((), batched=True)


def _draw(kind: RandomKind) -> Callable[[Machine], None]:
    def apply(machine: Machine) -> None:
        assert machine.span is not None
        number = machine.call_number(machine.word, machine.span.start)
        stream = "rand:" + "/".join((*machine.path, numbered(machine.word, number)))
        sites = machine.unit.sites
        if stream not in sites:
            sites.append(stream)
        counter = DRAWS + stream
        count = as_tensor(machine, machine.locals.get(counter, Number(0)))
        assert count is not None
        value = machine.add(Random(kind, sites.index(stream), machine.in_memory(count).node), _SCALAR)
        machine.locals[counter] = machine.elementwise("add", (count, machine.known(1.0)))
        machine.push(Tensor(value, _SCALAR, closed_by=machine.word))

    return apply


def _episode(machine: Machine) -> None:
    count = machine.in_memory(machine.known(0.0))
    value = machine.add(Random("episode", 0, count.node), _SCALAR)
    machine.push(Tensor(value, _SCALAR, closed_by="EPISODE"))


def _entry(name: str, summary: str, lowering: str, apply: Callable[[Machine], None]) -> Entry:
    example = Example(f"{name} 1 + *", "( r:4 -- r:4 )")
    counter = Counter("GS301", Example(name, "( r:4 -- r:4 )"))
    return Entry(name, GROUP, "( -- r )", summary, lowering, example, counter, apply)


ENTRIES: tuple[Entry, ...] = (
    _entry("RAND", "uniform in [0, 1), the same for every member", "rand", _draw("rand")),
    _entry("RANDN", "normal, the same for every member", "randn", _draw("randn")),
    _entry("MEMBER-RANDN", "normal, different for every member", "member_randn", _draw("member_randn")),
    _entry("EPISODE", "the row's place in the batch, from 0", "episode", _episode),
)
