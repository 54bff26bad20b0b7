"""Whatever the text, compiling it gives a program or errors with places: never an exception of another kind."""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from geode.diagnostics import CompileErrors, Diagnostic
from geode.pipeline import compile_program
from geode.render import render
from geode.source import Source
from tests.harness.generate import MAIN, VALID, mutated, soup

# derandomize: the examples are the same in every run, a new failure is the change's.
QUICK = settings(max_examples=150, deadline=None, derandomize=True, suppress_health_check=[HealthCheck.too_slow])
randoms = st.randoms(use_true_random=False)


def check(text: str) -> None:
    """Compiles `text`; every error has a code, a message and a place inside the text."""
    found: tuple[Diagnostic, ...] = ()
    try:
        compile_program(Source("t.gs", text))
    except CompileErrors as errors:
        found = errors.diagnostics
        assert found
    for diagnostic in found:
        assert diagnostic.message
        assert diagnostic.span is not None
        assert 0 <= diagnostic.span.start <= diagnostic.span.end <= len(text) + 1
        for _, span in diagnostic.trail:
            assert 0 <= span.start <= span.end <= len(text)
    report = render(found, colour=False)
    assert report.endswith("" if not found else "1 error\n" if len(found) == 1 else f"{len(found)} errors\n")


@pytest.mark.parametrize("text", VALID)
def test_the_programs_that_are_mutated_are_right(text: str) -> None:
    """Each of them compiles, so that a mutation's mistake is its own."""
    compile_program(Source("t.gs", text + MAIN))


@QUICK
@given(randoms)
def test_random_words_compile_or_are_refused(random: Random) -> None:
    """Words put together at random, with the stack's depth in mind."""
    check(soup(random))


@QUICK
@given(randoms)
def test_mutated_programs_compile_or_are_refused(random: Random) -> None:
    """Right programs with a few tokens deleted, doubled, swapped, replaced or put in."""
    check(mutated(random))


@pytest.mark.parametrize("seed", range(40))
def test_one_edit_of_a_right_program_compiles_or_is_refused(seed: int) -> None:
    """Single edits get deeper into the compiler than several."""
    random = Random(seed)
    for _ in range(10):
        check(mutated(random, 1))
