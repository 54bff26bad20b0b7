"""The README's commands do what it says, and its listing is the example."""

from __future__ import annotations

import re
import shlex
import shutil
from pathlib import Path

import pytest

from geode.cli import run_command_line
from tests.harness.native import QUICK_START, ROOT, geode

README = (ROOT / "README.md").read_text(encoding="utf-8")
DOCUMENTS = ["README.md", "CONTRIBUTING.md", "tests/README.md"]


def commands(text: str) -> list[list[str]]:
    """The `./geode.sh …` lines of a document, as words, comments gone."""
    lines = re.findall(r"^ *\./geode\.sh (.*)$", text, re.MULTILINE)
    return [shlex.split(line, comments=True) for line in lines]


def test_listing_is_the_example() -> None:
    """The program shown is examples/sine-ae.gs, to the letter."""
    (listing,) = re.findall(r"```forth\n(.*?)```", README, re.DOTALL)
    assert listing == QUICK_START.read_text(encoding="utf-8")


def test_documents_have_the_commands_they_promise() -> None:
    """The two commands of the quick start stand there in full, and others to try."""
    found = commands(README)
    assert ["run", "examples/sine-ae.gs"] in found
    assert ["test"] in found
    assert len(found) >= 8


@pytest.mark.parametrize("document", DOCUMENTS)
def test_every_command_exists(document: str) -> None:
    """Each command line names a command, options that it has, and files that are there."""
    for words in commands((ROOT / document).read_text(encoding="utf-8")):
        assert run_command_line([words[0], "--help"]) == 0, words
        assert all((ROOT / word).exists() for word in words[1:] if "/" in word and "//" not in word), words


@pytest.mark.native
@pytest.mark.parametrize("words", [w for w in commands(README) if w[0] not in {"bench", "run", "test"}], ids=" ".join)
def test_commands_that_build_or_print_succeed(words: list[str], tmp_path: Path) -> None:
    """Run in a folder with the examples and data beside it, each ends with status 0."""
    for name in ("examples", "datasets"):
        shutil.copytree(ROOT / name, tmp_path / name)
    done = geode(*words, cwd=tmp_path)
    assert done.status == 0, done.err
    assert (done.out == "") == (words[0] == "check")


@pytest.mark.native
def test_quick_start_trains_as_told(tmp_path: Path) -> None:
    """The main command: 200 epochs, near 57 000 at first, below 40 000 at epoch 199."""
    done = geode("run", "-o", tmp_path, "examples/sine-ae.gs")
    assert done.status == 0, done.err
    epochs = done.epochs
    assert [epoch["epoch"] for epoch in epochs] == list(range(200))
    assert 55_000 < epochs[0]["best"] < 59_000
    assert epochs[199]["best"] < 40_000
    assert all(epoch["nan"] == 0 for epoch in epochs)


def test_error_shown_is_the_one_printed(tmp_path: Path) -> None:
    """The message in the README is what the compiler says about that mistake."""
    text = QUICK_START.read_text(encoding="utf-8")
    line = next(line for line in text.splitlines() if "NEURON (" in line)
    (tmp_path / "sine-ae.gs").write_text(text.replace(line, line.replace("LINEAR", "LINAER")))
    done = geode("check", "sine-ae.gs", cwd=tmp_path)
    shown = re.search(r"^    sine-ae\.gs:.*?\n\n", README, re.MULTILINE | re.DOTALL)
    assert shown is not None
    expected = re.sub(r"^    ", "", shown.group().rstrip("\n"), flags=re.MULTILINE)
    assert done.err.startswith(expected + "\n")
