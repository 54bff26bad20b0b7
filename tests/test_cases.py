"""Every case file says what is true of its program, and every code has a case file."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from geode.codes import CODES
from geode.diagnostics import CompileErrors, Sink
from geode.source import Source
from geode.syntax.file_to_text import bytes_to_text
from geode.syntax.text_to_tokens import text_to_tokens
from geode.syntax.tokens_to_words import tokens_to_words
from geode.syntax.words_to_text import words_to_text
from tests.harness.case_file import CASES, case_text, find_cases, read_case
from tests.harness.stages import STAGES

PATHS = find_cases()
ROOT = CASES.parent.parent


def case_id(path: Path) -> str:
    """The case's path under tests/cases."""
    return path.relative_to(CASES).as_posix()


@pytest.mark.parametrize("path", PATHS, ids=case_id)
def test_sections_hold_what_the_stages_make(path: Path, update_golden: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each section of the case is what its stage makes of the program, character for character."""
    case = read_case(path)
    assert case.sections, "the case expects nothing"
    monkeypatch.chdir(path.parent)
    found = {name: STAGES[name](path.name, case.program) for name in case.sections}
    if update_golden:
        path.write_bytes(case_text(case, found))
    # Sections are comments, whose lines have no white space at their ends.
    assert {name: _stripped(text) for name, text in found.items()} == read_case(path).sections


def _stripped(text: str) -> str:
    return "".join(line.rstrip() + "\n" for line in text.splitlines())


@pytest.mark.parametrize("path", PATHS, ids=case_id)
def test_error_cases_fail_with_the_code_in_their_name(path: Path) -> None:
    """A case with errors or warnings has the code that its name starts with; another case has none."""
    sections = read_case(path).sections
    named = re.match(r"GS\d{3}", path.name)
    codes = re.findall(r"^\S+: (?:error|warning) (GS\d{3}):", sections.get("error", ""), re.MULTILINE)
    assert (named is None) == (not codes)
    assert named is None or named.group() in codes


@pytest.mark.parametrize("path", PATHS, ids=case_id)
def test_what_parses_prints_and_parses_to_the_same_words(path: Path) -> None:
    """Text printed from words parses to equal words, and printing those gives the same text."""
    try:
        source = bytes_to_text(path.name, read_case(path).program)
    except CompileErrors:
        assert path.name.startswith("GS101")
        return
    sink = Sink()
    program = tokens_to_words(text_to_tokens(source, sink), source, sink)
    if sink.has_errors:
        return
    printed = Source("printed.gs", words_to_text(program))
    again = tokens_to_words(text_to_tokens(printed, sink), printed, sink)
    assert sink.diagnostics == ()
    assert again == program
    assert words_to_text(again) == printed.text


def test_every_code_has_a_case_file() -> None:
    """Each code that a program can cause is shown by a case file named after it, and no case names another code."""
    shown = {match.group() for path in (CASES / "errors").glob("GS*.gs") if (match := re.match(r"GS\d{3}", path.name))}
    assert shown == {code for code in CODES if not code.startswith("GS9")}


def test_stages_do_not_depend_on_the_hash_seed() -> None:
    """Two processes with different hash seeds make the same text from all the cases."""
    program = (
        "import os\n"
        "from tests.harness.case_file import find_cases, read_case\n"
        "from tests.harness.stages import STAGES\n"
        "for path in find_cases():\n"
        "    case = read_case(path)\n"
        "    os.chdir(path.parent)\n"
        "    for name in case.sections:\n"
        "        print(STAGES[name](path.name, case.program))\n"
    )
    outputs = [
        subprocess.run(
            [sys.executable, "-c", program],
            env={**os.environ, "PYTHONHASHSEED": seed, "PYTHONPATH": str(ROOT), "PYTHONIOENCODING": "utf-8"},
            cwd=ROOT,
            capture_output=True,
            check=True,
        ).stdout
        for seed in ("1", "2")
    ]
    assert outputs[0] == outputs[1]
    assert b"GS201" in outputs[0]
