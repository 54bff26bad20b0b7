"""Long functions cut into parts of their own, so that what a C compiler needs grows with a program and no faster.

In: the statements of a function. Out: the same with runs of them taken out, a `Part` for each.
Invariant: statements hand values on through memory alone, so a part does what its statements did in their place;
functions of up to MOST steps stay whole.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from geode.emit.headers import HEADERS
from geode.loops.loop import (
    Accumulate,
    Apply,
    CopyBlocks,
    Draw,
    ElementLoop,
    Expression,
    KernelCall,
    LayerLoop,
    Repeat,
    Statement,
    Step,
    UnitCall,
)
from geode.record import dataclass

MOST = 400  # steps of one function: optimising compilers take more than linear time beyond some thousand operations
# Steps of one unit. Compiled whole, as fast as can be, that many take a compiler some ten seconds; beyond, what compiling
# takes counts for more than half of the unit's speed.
LARGE = 8000
_KERNEL = 4  # steps that a kernel counts for
_FUNCTION = 10  # … and an elementary function, which is dozens of operations
_FUNCTIONS = frozenset(
    name
    for header in ("gs_math.h", "gs_math_wide.h", "kernels/gs_activation.h")
    for name in HEADERS[header]
    if name not in {"ceil", "trunc", "round", "relu", "leaky_relu"}
)
_LAYER = 20  # … and a layer, whose kernel is inlined: 75 in one function take clang 14 twice as long as in four


@dataclass(frozen=True, slots=True)
class Part:
    """Statements that stand in a function of their own, part `number` of the one they come from."""

    number: int
    statements: tuple[Split, ...]


@dataclass(frozen=True, slots=True)
class SplitRepeat:
    """A loop of the program whose body has parts."""

    loop: Repeat
    body: tuple[Split, ...]


Split = Statement | Part | SplitRepeat


def split(statements: Sequence[Statement]) -> tuple[tuple[Split, ...], tuple[Part, ...]]:
    """What remains in the function, and its parts, inner ones first."""
    parts: list[Part] = []
    return _split(statements, parts), tuple(parts)


def is_large(functions: Iterable[Sequence[Statement]]) -> bool:
    """Whether a unit of these functions is large."""
    return sum(_steps(statement) for statements in functions for statement in statements) > LARGE


def only_calls(statements: Iterable[Split]) -> bool:
    """Whether statements of a large unit are calls and the program's own loops around them."""
    for statement in statements:
        match statement:
            case Repeat(body=body) | SplitRepeat(body=body):
                if not only_calls(body):
                    return False
            case ElementLoop() | CopyBlocks() | UnitCall() | Part() | Draw() | KernelCall():
                pass
            case _:
                return False
    return True


def _split(statements: Sequence[Statement], parts: list[Part]) -> tuple[Split, ...]:
    if sum(map(_work, statements)) <= MOST:
        return tuple(statements)
    result: list[Split] = []
    run: list[Split] = []
    taken = 0
    for statement in statements:
        steps = _work(statement)
        inner: Split = statement
        if isinstance(statement, Repeat) and steps > MOST:
            inner, steps = SplitRepeat(statement, _split(statement.body, parts)), 1
        if run and taken + steps > MOST:
            result.append(_part(run, parts))
            run, taken = [], 0
        run.append(inner)
        taken += steps
    result.append(_part(run, parts))
    return tuple(result)


def _part(run: Sequence[Split], parts: list[Part]) -> Part:
    parts.append(Part(len(parts), tuple(run)))
    return parts[-1]


def _work(statement: Statement) -> int:
    """What a statement is to the compiler of the function that it stands in, in steps."""
    return _steps(statement, _LAYER)


def _steps(statement: Statement, layer: int = 1) -> int:
    match statement:
        case ElementLoop():
            return 1 + sum(map(_of_step, statement.steps)) + sum(map(_of_step, statement.after))
        case LayerLoop():
            return layer + sum(map(_of_step, statement.steps)) + sum(map(_of_step, statement.after))
        case CopyBlocks():
            return len(statement.blocks)
        case Repeat():
            return 1 + sum(_steps(inner, layer) for inner in statement.body)
        case _:
            return _KERNEL


def _of_step(step: Step) -> int:
    count = 1
    values: list[Expression] = list(step.args) if isinstance(step, Accumulate) else [step.value]
    while values:
        value = values.pop()
        if isinstance(value, Apply):
            values.extend(value.args)
            if value.op in _FUNCTIONS:
                count += _FUNCTION - 1
    return count
