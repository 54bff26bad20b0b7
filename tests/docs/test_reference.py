"""The reference pages are what the tables give, and the code in LANGUAGE.md compiles."""

from __future__ import annotations

import re

import pytest

from geode.pipeline import check_program
from geode.source import Source
from geode.vocabulary import WORDS, reference

ROOT = reference.ROOT
LISTINGS = re.findall(r"```forth\n(.*?)```", (ROOT / "LANGUAGE.md").read_text(encoding="utf-8"), re.DOTALL)
MAIN = """
: GOAL ( -- r ) r PARAM TRAINABLE ;
: MAIN ( -- ) OBJECTIVE-LOSS 1 EPISODES ['] GOAL TRAIN ;
"""


def test_pages_are_fresh() -> None:
    """`python -m geode.vocabulary.reference` would change nothing."""
    files = reference.reference_files()
    assert [name for name, text in files.items() if (ROOT / name).read_text(encoding="utf-8") != text] == []
    there = {path.relative_to(ROOT).as_posix() for path in (ROOT / "docs").rglob("*.md")}
    assert {name for name in there if name.startswith(("docs/words", "docs/errors"))} <= set(files)


def test_pages_hold_every_word_once() -> None:
    """Each word has one section on one page of a group."""
    pages = [path.read_text(encoding="utf-8") for path in (ROOT / "docs" / "words").glob("*.md")]
    assert sorted(re.findall(r"^## (\S+)$", "\n".join(pages), re.MULTILINE)) == sorted(WORDS)


@pytest.mark.parametrize("listing", LISTINGS)
def test_code_of_the_language_page_compiles(listing: str) -> None:
    """A listing of definitions alone gets a MAIN."""
    check_program(Source("t.gs", listing if ": MAIN" in listing else listing + MAIN))


def test_a_stale_page_is_told(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    """`--check` names the page that the tables no longer give."""
    monkeypatch.setattr(reference, "reference_files", lambda: {"README.md": "another text"})
    assert reference.main(["--check"]) == 1
    assert "README.md is not what the tables give" in capsys.readouterr().err
