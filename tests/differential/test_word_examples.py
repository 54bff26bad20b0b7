"""Every word's example compiles, runs and computes what the interpreter says; its counter-example fails as it says."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import pytest

from geode.diagnostics import CompileErrors
from geode.pipeline import check_program
from geode.source import Source
from geode.vocabulary import WORDS, Entry, Example
from geode.vocabulary.example_program import example_text
from tests.harness.agreement import Pair, run_both, run_native
from tests.harness.example_program import body_program, packs, settings_program, write_rows

_ENTRIES = list(WORDS.values())
_BODIES = [(str(place), e.example) for place, e in enumerate(_ENTRIES) if e.example.body]
_SETTINGS = [e for e in _ENTRIES if e.example.settings and not e.example.before]
_PACKS = packs(_BODIES, 24)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the rows that every example reads."""
    path = tmp_path_factory.mktemp("examples")
    write_rows(path)
    return path


@cache
def bodies(pack: int, folder: Path) -> Pair:
    """One program of many examples."""
    return run_both(body_program(_PACKS[pack]), folder, dtype="float32")


@cache
def settings(folder: Path) -> Pair:
    """The program of all settings examples."""
    return run_both(settings_program(_SETTINGS), folder)


@cache
def alone(text: str, folder: Path) -> Pair:
    """One example's own program; the words of a stage have one in common."""
    resume = '"start.safetensors" RESUME-MODEL '
    if resume in text:  # the weights that a run begins with are those that it goes on from
        run_native(text.replace(resume, ""), folder, ["--stop-at-epoch", "0", "--save-model", "start.safetensors"])
    return run_both(text, folder)


def _stages_of(entry: Entry, folder: Path) -> tuple[Pair, list[int]]:
    """The run that holds an entry's example, and which of its stages are the example's."""
    if entry.example.body:
        name = str(_ENTRIES.index(entry))
        for number, pack in enumerate(_PACKS):
            names = [other for other, _ in pack]
            if name in names:
                return bodies(number, folder), [names.index(name)]
    if entry in _SETTINGS:
        return settings(folder), [1 + 2 * _SETTINGS.index(entry)]
    pair = alone(example_text(entry.example), folder)
    return pair, list(range(len(pair.native)))


def _codes(example: Example) -> list[str]:
    try:
        check_program(Source("example.gs", example_text(example)))
    except CompileErrors as errors:
        return [diagnostic.code for diagnostic in errors.diagnostics if diagnostic.severity == "error"]
    return []


@pytest.mark.parametrize("entry", _ENTRIES, ids=lambda entry: entry.name)
def test_an_example_is_accepted_and_its_counter_example_refused_with_its_code(entry: Entry) -> None:
    """The front end takes the one, and names the mistake in the other."""
    assert _codes(entry.example) == []
    found = _codes(entry.counter.example)
    assert entry.counter.code in found, f"{found}\n{example_text(entry.counter.example)}"


@pytest.mark.native
@pytest.mark.parametrize("entry", _ENTRIES, ids=lambda entry: entry.name)
def test_an_example_computes_what_the_interpreter_says(entry: Entry, folder: Path) -> None:
    """The metrics of two epochs, to 1e-4."""
    pair, stages = _stages_of(entry, folder)
    assert sum(len(pair.reference.stages[stage].records) for stage in stages) > 0
    for stage in stages:
        found = pair.differences(stage)
        assert not found, "\n".join([*found, example_text(entry.example)])
