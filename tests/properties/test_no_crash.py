"""Whatever the text, compiling it gives a program or errors with places: never an exception of another kind.

For longer: `GEODE_RANDOM=5000 pytest tests/properties/test_no_crash.py`.
"""

from __future__ import annotations

import signal
from collections.abc import Iterator
from contextlib import contextmanager
from random import Random

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from geode.diagnostics import CompileErrors, Diagnostic, InternalError
from geode.pipeline import compile_program
from geode.render import render
from geode.source import Source
from tests.harness.generate import MAIN, VALID, edited, ill_typed, mutated, soup
from tests.harness.native import ROOT
from tests.harness.random_count import one_by_default, seeds

# derandomize: the examples are the same in every run, a new failure is the change's.
QUICK = settings(max_examples=150, deadline=None, derandomize=True, suppress_health_check=[HealthCheck.too_slow])
randoms = st.randoms(use_true_random=False)


@contextmanager
def no_hang(text: str) -> Iterator[None]:
    """Fails with the text where compiling it takes longer than two minutes of the processor's time."""

    def over(*_: object) -> None:
        raise TimeoutError(text)

    before = signal.signal(signal.SIGVTALRM, over)
    signal.setitimer(signal.ITIMER_VIRTUAL, 120)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
        signal.signal(signal.SIGVTALRM, before)


def check(text: str) -> bool:
    """Compiles `text`; every error has a code, a message and a place inside the text. True if it is right."""
    found: tuple[Diagnostic, ...] = ()
    try:
        with no_hang(text):
            compile_program(Source("t.gs", text))
    except CompileErrors as errors:
        found = errors.diagnostics
        assert found
    except (
        InternalError,
        RecursionError,
        ArithmeticError,
        LookupError,
        TypeError,
        ValueError,
        AttributeError,
    ) as error:
        raise AssertionError(text) from error
    for diagnostic in found:
        assert diagnostic.message
        assert diagnostic.span is not None
        assert 0 <= diagnostic.span.start <= diagnostic.span.end <= len(diagnostic.span.source.text) + 1
        for _, span in diagnostic.trail:
            assert 0 <= span.start <= span.end <= len(span.source.text)
    report = render(found, colour=False)
    assert report.endswith("" if not found else "1 error\n" if len(found) == 1 else f"{len(found)} errors\n")
    return not found


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


@pytest.mark.parametrize("first", one_by_default(seeds(200, step=50)))
def test_words_of_wrong_types_are_refused(first: int) -> None:
    """Random words of right types, changed in a place or two: most are refused, none ends in an exception."""
    right = sum(check(ill_typed(seed)) for seed in range(first, first + 50))
    assert right < 25


EXAMPLES = sorted((ROOT / "examples").glob("*.gs"))


@pytest.mark.parametrize("first", one_by_default(seeds(100, step=50)))
def test_edited_examples_compile_or_are_refused(first: int) -> None:
    """The programs of `examples/`, each in turn, with tokens deleted, doubled, swapped, replaced or put in."""
    for seed in range(first, first + 50):
        text = EXAMPLES[seed % len(EXAMPLES)].read_text(encoding="utf-8")
        check(edited(Random(seed), text, 1 + seed % 3))
