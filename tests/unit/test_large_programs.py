"""Large programs: what compiling costs grows with the text and no faster, and nothing about them is special."""

from __future__ import annotations

import time

import pytest

from geode.emit.split_functions import MOST, Part, Split, SplitRepeat, split
from geode.loops.loop import Buffer, KernelCall, Repeat, Statement
from geode.pipeline import compile_program
from geode.source import Source
from tests.harness.large_program import deep_loops, large_program
from tests.harness.programs import checked


@pytest.mark.parametrize("depth", [8, 16])
def test_nested_loops_are_not_interpreted_again_and_again(depth: int) -> None:
    """Were every loop run even twice for each run of the one around it, the words of the deeper ones would not fit in the
    100 000 that the compiler runs."""
    assert checked(f"{deep_loops(depth)}\n: OBJECTIVE ( r:b:4 -- r ) SUM WORD MEAN ;").stages


def _kernel(number: int) -> Statement:
    return KernelCall("put", Buffer("scratch", 1, uniform=False, offset=number), (), ())


def _flat(statements: tuple[Split, ...]) -> list[int]:
    found: list[int] = []
    for statement in statements:
        match statement:
            case Part():
                found += _flat(statement.statements)
            case SplitRepeat():
                found += [-statement.loop.number, *_flat(statement.body)]
            case Repeat():
                found += [-statement.number, *_flat(statement.body)]
            case KernelCall():
                found.append(statement.result.offset)
    return found


def test_long_functions_are_cut_at_statements_and_keep_their_order() -> None:
    """A loop of 1000 kernels between 300 and 300 others; each part is short."""
    kernels = [_kernel(number) for number in range(1, 1601)]
    loop = Repeat(7, 2, None, tuple(kernels[300:1300]))
    whole = (*kernels[:300], loop, *kernels[1300:])
    cut, parts = split(whole)
    assert _flat(cut) == _flat(whole)
    assert len(parts) > 10
    assert all(len(part.statements) <= MOST for part in parts)
    assert split(kernels[:50]) == (tuple(kernels[:50]), ())


@pytest.mark.slow
def test_two_thousand_definitions_become_c_in_ten_seconds() -> None:
    """Of the processor's time, on one core; what clang -O3 takes for its C, about five times as long, grows as the text does."""
    text = large_program(2_000)
    start = time.process_time()
    program = compile_program(Source("large.gs", text))
    assert time.process_time() - start < 10
    assert len(program.units) > 100
