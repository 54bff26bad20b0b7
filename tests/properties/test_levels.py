"""What `geode explain` says of random programs is what taint tracking finds: which layers are split, every value's level.

Two oracles: `tests/harness/taint.py` follows values through the words of the text; the interpreter is run for two members,
and an input that then differs is one that a perturbation reaches.

For longer: `GEODE_RANDOM=5000 pytest tests/properties/test_levels.py`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import Any

import numpy as np
import pytest

from geode.diagnostics import Sink
from geode.explain.levels import UnitLevels, program_levels
from geode.graph.call_tree import Application
from geode.graph.find_levels import LeveledUnit
from geode.graph.graph import Linear, LinearJoin, LinearPerturbed
from geode.pipeline import CheckedProgram, check_program, stage_levels
from geode.reference import interpret
from geode.reference.interpret import Batch, Luck, score
from geode.source import Source
from geode.syntax.text_to_words import text_to_words
from tests.harness.random_count import one_by_default, seeds
from tests.harness.random_levels import COMMON, random_objective
from tests.harness.taint import Traced, trace

MAIN = '\n: MAIN ( -- ) OBJECTIVE-LOSS "rows.csv" 4 CSV-INPUT ALL [\'] OBJECTIVE-X TRAIN ;\n'
GROUP = 25


def source_of(seed: int) -> Source:
    """The program of one seed."""
    return Source("t.gs", COMMON + random_objective(seed, "X") + MAIN)


def offset(source: Source, place: tuple[str, int, int]) -> int:
    """Where a line and column (from 1) are in the text."""
    _, line, column = place
    return sum(len(text) + 1 for text in source.text.split("\n")[: line - 1]) + column - 1


def explained(source: Source, units: tuple[UnitLevels, ...]) -> tuple[dict[int, set[str]], dict[int, set[bool]]]:
    """By place: the levels of the values that words leave; whether a layer is applied in the form for a reached input."""
    levels: dict[int, set[str]] = {}
    forms: dict[int, set[bool]] = {}
    for unit in units:
        for value in unit.values:
            if value.place is not None and value.left:
                levels.setdefault(offset(source, value.place), set()).add(value.level)
            if value.place is not None and value.operation in ("W x + s E x", "(W + s E) x"):
                forms.setdefault(offset(source, value.place), set()).add(value.operation != "W x + s E x")
    return levels, forms


def mistakes(source: Source, program: CheckedProgram, traced: Traced) -> list[str]:
    """Where the two say different things."""
    levels, forms = explained(source, program_levels(program))
    found = [
        f"{source.text[place:][:20]!r}: taint {traced.inputs.get(place)}, explain {forms.get(place)}"
        for place in sorted(traced.inputs.keys() | forms.keys())
        if traced.inputs.get(place) != forms.get(place)
    ]
    last = source.text.rindex("SUM ;\n: MAIN")  # the batch is reduced for each member, whatever it depends on
    body = source.text.index(": OBJECTIVE-X")
    for place, wanted in traced.levels.items():
        got = levels.get(place, set())
        # What a word leaves that is called several times may be used behind some of the calls only.
        right = got <= wanted if place < body else got in (set(), wanted)
        if place != last and not right:
            found.append(f"{source.text[place:][:20]!r}: taint {wanted}, explain {got}")
    return found


@pytest.mark.parametrize("first", one_by_default(seeds(200, step=GROUP)))
def test_levels_and_forms_are_those_of_taint_tracking(first: int) -> None:
    """Every layer's form and the level of every value that a word leaves."""
    failed = []
    for seed in range(first, first + GROUP):
        source = source_of(seed)
        traced = trace(text_to_words(source, Sink()), "OBJECTIVE-X")
        found = mistakes(source, check_program(source), traced)
        if found:
            failed.append("\n".join([f"seed {seed}:", *found, random_objective(seed, "X")]))
    assert not failed, "\n\n".join(failed)


def test_the_programs_have_layers_of_both_kinds() -> None:
    """Reached and not, at one place and at two applications of one tied weight; and values at all three levels."""
    inputs: Counter[bool] = Counter()
    levels: Counter[str] = Counter()
    both = 0
    for seed in range(200):
        traced = trace(text_to_words(source_of(seed), Sink()), "OBJECTIVE-X")
        inputs.update(flag for found in traced.inputs.values() for flag in found)
        levels.update(level for found in traced.levels.values() for level in found)
        both += sum(len(found) == 2 for found in traced.inputs.values())
    assert min(inputs[True], inputs[False]) > 60
    assert min(levels["run"], levels["epoch"], levels["member"]) > 300
    assert both > 20


Inputs = dict[tuple[int, int], list[np.ndarray[Any, Any]]]


@pytest.fixture
def recorded(monkeypatch: pytest.MonkeyPatch) -> Inputs:
    """What every layer is given while the interpreter runs, by unit and node."""
    found: Inputs = {}
    original = interpret._Run.value

    def value(self: Any, place: int, node: Any) -> Any:
        if isinstance(node.operation, Linear):
            found.setdefault((id(self.unit), place), []).append(np.array(self.values[node.operation.x]))
        return original(self, place, node)

    monkeypatch.setattr(interpret._Run, "value", value)
    return found


def split_layers(unit: LeveledUnit) -> dict[tuple[int, int], bool]:
    """Whether each trained layer of a tree is split, by its unit and its node in the graph before levels."""
    old, new = unit.application.graph(), unit.graph
    trained = [
        place
        for place, node in enumerate(old.nodes)
        if isinstance(node.operation, Linear) and old.parameters[node.operation.parameter].trainable
    ]
    formed = [node.operation for node in new.nodes if isinstance(node.operation, LinearJoin | LinearPerturbed)]
    found = {
        (id(unit.application), place): isinstance(operation, LinearJoin)
        for place, operation in zip(trained, formed, strict=True)
    }
    for call in unit.calls:
        found |= split_layers(call)
    return found


def member_weights(root: Application, member: int) -> Mapping[str, Any]:
    """Weights that differ by member where they are trained, and are the same where not."""
    fixed, own = np.random.default_rng(3), np.random.default_rng(100 + member)
    return {p.name: (own if p.trainable else fixed).normal(size=p.shape) * 0.7 for p in root.all_parameters()}


def test_no_split_layer_has_an_input_that_differs_by_member(recorded: Inputs) -> None:
    """Run for two members on the same rows and luck; nearly all of the others do differ."""
    rows = np.random.default_rng(5).uniform(-2, 2, (16, 4))
    seen: Counter[tuple[bool, bool]] = Counter()
    for seed in seeds(100):
        (stage,) = check_program(source_of(seed)).stages
        inputs = []
        for member in (0, 1):
            recorded.clear()
            batch = Batch(len(rows), rows, Luck(1, 0, member))
            score(stage.root, member_weights(stage.root, member), batch, {"loop_limit": 1000})
            inputs.append({key: np.concatenate([np.ravel(x) for x in found]) for key, found in recorded.items()})
        for key, split in split_layers(stage_levels(stage)).items():
            if key in inputs[0]:
                a, b = (found[key] for found in inputs)
                equal = a.shape == b.shape and bool(np.array_equal(a, b, equal_nan=True))
                assert equal or not split, f"seed {seed}: {random_objective(seed, 'X')}"
                seen[split, equal] += 1
    assert seen[True, True] > 20
    assert seen[False, False] > 10 * seen[False, True]
