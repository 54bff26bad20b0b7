"""An edit of the quick start compiles exactly what depends on it; counted by the actions that ran."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.harness.native import QUICK_START, Finished, geode_here, start

pytestmark = pytest.mark.native
TEXT = QUICK_START.read_text(encoding="utf-8").replace("8 NEURON", "7 NEURON")  # units that no other test compiles


@pytest.fixture(scope="module")
def root(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder for the edited program; the module's builds share the session's cache."""
    return tmp_path_factory.mktemp("edits")


def build(folder: Path, text: str, *options: str) -> Finished:
    """Build `text` as sine-ae.gs in `folder`."""
    (folder / "sine-ae.gs").write_text(text)
    done = geode_here("build", *options, "-o", folder / "out", folder / "sine-ae.gs")
    assert done.status == 0, done.err
    return done


def ran(folder: Path, text: str, *options: str) -> list[str]:
    """The actions that a build of `text` ran, units by their words, digests left out."""
    actions = json.loads(build(folder, text, "--json", *options).out)["actions"]
    names = [action["name"] for action in actions if action["status"] == "run"]
    return sorted(re.sub(r"^compile c/(?:gs_u_(\w+)_[0-9a-f]+|(\w+))$", r"compile \1\2", name) for name in names)


def edit(old: str, new: str) -> Callable[[str], str]:
    """A replacement in a text that has `old`."""

    def replace(text: str) -> str:
        assert old in text
        return text.replace(old, new)

    return replace


LINO = "LINEAR INIT-XAVIER TRAINABLE ;"
EMIT, LINK = "emit sine-ae", "link"
EDITS = {
    "nothing": (edit("TARGET-CPU", "TARGET-CPU"), []),
    "a comment": (edit("\\ a plain linear layer", "\\ a linear layer, and no more"), [EMIT]),
    "white space, and a word moved down": (edit("\n: LINO  ", "\n\n\n  : LINO"), [EMIT]),
    "TANH in LINO": (edit(LINO, "LINEAR INIT-XAVIER TRAINABLE TANH ;"), ["compile LINO", EMIT, LINK]),
    "another INIT word in LINO": (edit("INIT-XAVIER", "INIT-LECUN"), ["compile program", EMIT, LINK]),
    "BIAS in LINO": (
        edit(LINO, "LINEAR INIT-XAVIER BIAS TRAINABLE ;"),
        ["compile LINO", "compile OBJECTIVE", "compile program", EMIT, LINK],
    ),
    "a setting's default": (edit("0.01 ALPHA", "0.02 ALPHA"), ["compile settings", EMIT, LINK]),
    "another optimizer": (
        edit("MUON-UPDATES 5 MUON-WARMUP! 0.9 MUON-BETA! 0.1 MUON-KAPPA!", "ADAM-UPDATES"),
        ["compile settings", EMIT, LINK],
    ),
}


@pytest.mark.parametrize("name", EDITS)
def test_edit_runs_exactly_what_depends_on_it(root: Path, name: str) -> None:
    """After a build of the quick start, each edit runs the actions of the table and no other."""
    change, expected = EDITS[name]
    build(root, TEXT)
    text = change(TEXT)
    assert ran(root, text) == sorted(expected)
    assert ran(root, text) == []  # the second build of the edited text runs nothing


def test_option_of_the_program_builds_nothing(root: Path) -> None:
    """Settings on the command line: the binary is the same, and runs with them."""
    build(root, TEXT)
    program = root / "out" / "out" / "program"
    before = program.read_bytes()
    done = start([program, "--epochs", "1", "--population", "8", "--alpha", "0.5"])
    assert len(done.epoch_lines) == 1, done.err
    assert ran(root, TEXT) == []
    assert program.read_bytes() == before


def test_explanation_names_what_changed(root: Path) -> None:
    """For every action hit, or run and the input that changed, from the two keys."""
    build(root, TEXT)
    hits = build(root, TEXT, "--explain").out.splitlines()
    assert all(line.startswith("hit  ") for line in hits[:-1])
    assert {"hit  emit sine-ae", "hit  compile c/program", "hit  link"} <= set(hits)
    lines = build(root, edit("42 SEED", "43 SEED")(TEXT), "--explain").out.splitlines()
    assert [line for line in lines if line.startswith("run")] == [
        "run  emit sine-ae: the program's text changed",
        "run  compile c/settings: input c/settings.c changed",
        "run  link: input o/settings.o changed",
    ]
