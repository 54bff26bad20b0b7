"""Words that move the stack."""

from __future__ import annotations

from geode.graph.machine import Machine
from geode.graph.values import stack_text
from geode.vocabulary.entry import Counter, Entry, Example

GROUP = "stack"


def _shuffle(name: str, before: str, after: str, summary: str, body: str, signature: str) -> Entry:
    """A word that takes the values named in `before` and leaves those named in `after`."""
    taken, left = tuple(before.split()), tuple(after.split())
    effect = f"( {before} -- {after} )".replace("  ", " ")

    def apply(machine: Machine) -> None:
        if len(machine.stack) < len(taken):
            machine.fail("GS302", f"`{name}` takes more values than the stack holds", wanted=before)
        values = dict(zip(taken, machine.stack[len(machine.stack) - len(taken) :], strict=True))
        del machine.stack[len(machine.stack) - len(taken) :]
        for label in left:
            machine.push(machine.closed(values[label], name))

    short = " ".join(["r:4"] * (len(taken) - 1))
    counter = Counter("GS302", Example(name, f"( {short} -- r:4 )".replace("  ", " ")))
    return Entry(name, GROUP, effect, summary, "stack", Example(body, signature), counter, apply, shuffle=(taken, left))


def _pick(machine: Machine) -> None:
    depth = machine.pop_number("… n", "how deep to look")
    if depth < 0 or depth >= len(machine.stack):
        machine.fail("GS302", f"`{depth} PICK` looks below the bottom of a stack of {len(machine.stack)} values")
    machine.push(machine.closed(machine.stack[-1 - depth], "PICK"))


def _show(machine: Machine) -> None:
    machine.environment.shown.append((machine.span, stack_text(machine.stack)))


ENTRIES: tuple[Entry, ...] = (
    _shuffle("DUP", "x", "x x", "copies the top value", "DUP +", "( r:4 -- r:4 )"),
    _shuffle("DROP", "x", "", "drops the top value", "DROP", "( r:4 r:4 -- r:4 )"),
    _shuffle("SWAP", "x y", "y x", "exchanges the two top values", "SWAP -", "( r:4 r:4 -- r:4 )"),
    _shuffle("OVER", "x y", "x y x", "copies the second value to the top", "OVER + -", "( r:4 r:4 -- r:4 )"),
    _shuffle("ROT", "x y z", "y z x", "moves the third value to the top", "ROT - -", "( r:4 r:4 r:4 -- r:4 )"),
    _shuffle("-ROT", "x y z", "z x y", "moves the top value below the next two", "-ROT - -", "( r:4 r:4 r:4 -- r:4 )"),
    _shuffle("NIP", "x y", "y", "drops the second value", "NIP", "( r:4 r:4 -- r:4 )"),
    _shuffle("TUCK", "x y", "y x y", "copies the top value below the second", "TUCK - -", "( r:4 r:4 -- r:4 )"),
    _shuffle("2DUP", "x y", "x y x y", "copies the two top values", "2DUP - * +", "( r:4 r:4 -- r:4 )"),
    _shuffle("2DROP", "x y", "", "drops the two top values", "2DROP", "( r:4 r:4 r:4 -- r:4 )"),
    _shuffle("2SWAP", "x y z w", "z w x y", "exchanges the two top pairs", "2SWAP - * +", "( r:4 r:4 r:4 r:4 -- r:4 )"),
    _shuffle(
        "2OVER",
        "x y z w",
        "x y z w x y",
        "copies the second pair to the top",
        "2OVER - * + - *",
        "( r:4 r:4 r:4 r:4 -- r:4 )",
    ),
    Entry(
        "PICK",
        GROUP,
        "( … n -- … x )",
        "copies the n-th value below the top; 0 PICK is DUP",
        "stack",
        Example("1 PICK - -", "( r:4 r:4 -- r:4 )"),
        Counter("GS302", Example("1 PICK", "( r:4 -- r:4 )")),
        _pick,
    ),
    Entry(
        ".S",
        GROUP,
        "( … -- … )",
        "prints the types on the stack while compiling, once for each specialisation",
        "stack",
        Example(".S", "( r:4 -- r:4 )"),
        Counter("GS608", Example(main=".S")),
        _show,
    ),
)
