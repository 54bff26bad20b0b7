"""Large programs: what compiling costs grows with the text and no faster, and nothing about them is special."""

from __future__ import annotations

import re
import time

import pytest

from geode.emit.shared_loops import share_loops
from geode.emit.split_functions import MOST, Part, Split, SplitRepeat, split
from geode.loops.loop import (
    Apply,
    Buffer,
    Element,
    ElementLoop,
    KernelCall,
    Let,
    Load,
    Repeat,
    SlotScale,
    Statement,
    Store,
    Temp,
    Value,
)
from geode.pipeline import compile_program
from geode.source import Source
from tests.harness.large_program import deep_loops, large_program
from tests.harness.programs import checked, compiled, errors


@pytest.mark.parametrize("depth", [8, 16])
def test_nested_loops_are_not_interpreted_again_and_again(depth: int) -> None:
    """Were every loop run even twice for each run of the one around it, the words of the deeper ones would not fit in the
    100 000 that the compiler runs."""
    assert checked(f"{deep_loops(depth)}\n: OBJECTIVE ( r:b:4 -- r ) SUM WORD MEAN ;").stages


def test_words_are_counted_stage_by_stage(monkeypatch: pytest.MonkeyPatch) -> None:
    """Two stages of 60 words each pass under a limit of 100; one of 120 is told once, however many stages run it."""
    for module in ("machine", "trained_word", "unreached"):
        monkeypatch.setattr(f"geode.graph.{module}.MOST_WORDS", 100)
    stages = "['] OBJECTIVE TRAIN d ALL ['] OBJECTIVE EVALUATE"
    main = f'\n: MAIN ( -- ) OBJECTIVE-LOSS "rows.csv" 4 CSV-INPUT {{ d }} d ALL {stages} ;\n'
    halves = " ".join(["2/"] * 55)
    assert len(checked(f": OBJECTIVE ( r:b:4 -- r ) SUM {halves} MEAN ;{main}").stages) == 2
    found = errors(f": OBJECTIVE ( r:b:4 -- r ) SUM {halves} {halves} MEAN ;{main}")
    assert [error.code for error in found] == ["GS312"]
    assert "more than 100 words of one stage" in found[0].message


def test_kernels_of_a_large_unit_are_functions(monkeypatch: pytest.MonkeyPatch) -> None:
    """One for each kernel and its sizes, however often it is called; small units have the kernel in its place."""
    text = ": OBJECTIVE ( r:b:4 -- r ) SORT SORT CUMSUM DUP 2 AT DROP SORT SUM MEAN ;"
    small = compiled(text).units[-1].text
    assert "apart_" not in small
    assert small.count("gs_sort(") == 3
    monkeypatch.setattr("geode.emit.split_functions.LARGE", 1)
    large = compiled(text).units[-1].text
    assert large.count("gs_sort(") == 1
    assert large.count("GS_APART void apart_sort_ll_1_4(float *v0, const float *v1)") == 1
    assert large.count("apart_sort_ll_1_4(") == 4
    assert '#include "kernels/gs_order.h"' in large


def test_functions_count_for_what_they_are() -> None:
    """A word of 1 000 sines is a large unit, one of 1 000 sums is none."""
    for word, large in (("SIN", True), ("1+", False)):
        text = compiled(f": OBJECTIVE ( r:b:4 -- r ) SUM {' '.join([word] * 1000)} MEAN ;").units[-1].text
        assert ("gs_whole" in text) == large


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


def test_layers_count_for_the_kernels_that_they_are() -> None:
    """Each layer's kernel is inlined: none of the functions of a word of 75 layers has more than twenty of them."""
    layers = " ".join(["4 AFFINE TRAINABLE TANH"] * 75)
    text = compiled(f": OBJECTIVE ( r:b:4 -- r ) {layers} SUM MEAN ;").units[-1].text
    functions = [function.count("gs_linear_chains(") for function in text.split("\n}\n")]
    assert sum(functions) in {
        2 * 74,
        2 * 75,
    }  # whole blocks and the rest; the last layer may be summed up where it is made
    assert 2 * 10 < max(functions) <= 2 * 20


def _adding(number: float, source: int, target: int, node: int) -> ElementLoop:
    """A number added to four values."""
    read, written = (Buffer("scratch", 4, uniform=False, offset=offset) for offset in (source, target))
    total = Apply("add", (Load(read, Element()), Value(number)))
    return ElementLoop(4, False, (Let(node, total), Store(written, Element(), Temp(node))), ())


def test_loops_share_a_function_if_only_their_places_differ() -> None:
    """Nodes count for nothing; a number does, 0 and -0 too, and which of the places are the same."""
    alike = [_adding(0.5, place, place + 4, place) for place in (0, 8, 16)]
    zeros = [_adding(number, place, place + 4, 1) for number in (0.0, -0.0) for place in (0, 8)]
    onto_itself = [_adding(0.5, place, place, 1) for place in (0, 8)]
    bodies = [*alike, *zeros, *onto_itself]
    shared = share_loops([bodies])
    assert shared.kinds == (alike[0],)
    assert list(shared.found) == [id(loop) for loop in alike]
    assert (
        shared.functions().count(
            "GS_APART void loop0(const struct gs_tile_context *tile, const float *in0, float *in1)"
        )
        == 1
    )
    more = share_loops([bodies, [_adding(-0.0, 16, 20, 1)]])
    assert more.kinds == (alike[0], zeros[2])


def test_loops_that_name_a_parameter_share_nothing() -> None:
    """Its scale is the instance's, which a shared function does not know."""
    place = Buffer("scratch", 4, uniform=False)
    value = Apply("mul", (Load(place, Element()), SlotScale(0)))
    loops = [ElementLoop(4, False, (Store(place, Element(), value),), ()) for _ in range(3)]
    assert share_loops([loops]).kinds == ()


def test_large_units_are_calls_and_others_are_not(monkeypatch: pytest.MonkeyPatch) -> None:
    """A call a loop or an operation, no loop over vectors but in the functions that loops share, no graph in front."""
    monkeypatch.setattr("geode.emit.split_functions.LARGE", 4000)
    small, large = (compiled(large_program(words)).units[-1] for words in (40, 400))
    assert "gs_whole" not in small.text
    assert "for (size_t v = 0; v < GS_VECS; v++)" in small.text
    shared, _, last = large.text.rpartition("GS_APART void loop")
    own = last.partition("\n}\n")[2]
    assert "for (size_t v" not in own
    assert 10 < shared.count("GS_APART void loop") < 200
    assert len(set(re.findall(r"\bloop\d+\(", own))) == shared.count("GS_APART void loop") + 1
    assert large.text.count("GS_PART_OF_CALLS") > 5
    assert large.graph.count("\n") > 2_000
    assert large.text.count(" * %") == 0
    called = set(re.findall(r"\bgs_(?:whole|one)_\w+(?=\()", large.text))
    made = re.findall(r"^GS_(?:WHOLE|ONE)_[0-3]\(gs_\w+, (\w+)", large.text, re.MULTILINE)
    assert called == set(made)
    assert len(made) == len(set(made))


@pytest.mark.slow
def test_two_thousand_definitions_become_c_in_seven_seconds() -> None:
    """Of the processor's time, on one core; the C of the largest unit is calls, which is what makes its
    compilation cheap: clang -O3 takes two to three seconds for it."""
    text = large_program(2_000)
    start = time.process_time()
    program = compile_program(Source("large.gs", text))
    assert time.process_time() - start < 7
    assert len(program.units) > 100
    assert len(program.units[-1].text) < 1_000_000
