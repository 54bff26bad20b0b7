"""The commands that build nothing: what they print, where, and with which status."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from geode.cli import run_command_line
from geode.diagnostics import CompileErrors
from geode.pipeline import check_program
from geode.source import Source
from geode.vocabulary import WORDS
from tests.harness.native import QUICK_START, geode
from tests.harness.stages import BUILTINS

BROKEN = ": MAIN ( -- )\n  1 2 PLUS ;\n"


@pytest.fixture
def broken(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """A program with an unknown word, named relative to the working directory."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "broken.gs").write_text(BROKEN)
    return "broken.gs"


def test_help_lists_every_command(capsys: pytest.CaptureFixture[str]) -> None:
    """`geode --help` names each command once; each has help with an example."""
    assert run_command_line(["--help"]) == 0
    text = capsys.readouterr().out
    for name in ("check", "build", "run", "emit", "words", "asm", "test"):
        assert f"\n  {name} " in text
        assert run_command_line([name, "--help"]) == 0
        assert f"geode {name}" in capsys.readouterr().out.split("Example")[1]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["biuld", "x.gs"], "unknown command `biuld`: did you mean `build`?"),
        (["build"], "Missing argument 'SOURCE'"),
        (["build", "--profil", "fast", "x.gs"], "--profil"),
        (["build", "-D", "HIDDEN", "x.gs"], "`HIDDEN`: expected NAME=VALUE"),
        (["emit", "--emit=cee", str(QUICK_START)], "'cee' is not one of"),
        (["emit", "--emit=words", "--unit", "NEURON", str(QUICK_START)], "--unit goes with graph, loops and c"),
        (["emit", "--unit", "NEURN", str(QUICK_START)], "no unit `NEURN`: did you mean `NEURON`?"),
        (["emit", "--unit", "SETTINGS", str(QUICK_START)], "`SETTINGS` has no unit of its own"),
    ],
)
def test_wrong_usage_is_status_2_with_a_message(
    arguments: list[str], message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """Usage errors name what is wrong, on stderr alone."""
    assert run_command_line(arguments) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert message in err


def test_error_in_a_program_is_status_1_without_traceback(broken: str, capsys: pytest.CaptureFixture[str]) -> None:
    """check, build, run, emit and asm tell the same error on stderr, and write nothing."""
    for command in ("check", "build", "run", "emit", "asm"):
        assert run_command_line([command, broken]) == 1
        out, err = capsys.readouterr()
        assert out == ""
        assert err.startswith("broken.gs:2:7: error GS201: unknown word `PLUS`")
        assert err.endswith("1 error\n")
    assert [path.name for path in Path().iterdir()] == ["broken.gs"]


@pytest.mark.parametrize("command", ["check", "build", "run", "emit", "asm"])
def test_missing_empty_and_binary_files_are_told(
    command: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """No file, a folder, an empty file, bytes that are no text: a message each, no traceback."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "empty.gs").write_text("")
    (tmp_path / "binary.gs").write_bytes(b"\x7fELF\xff\x00")
    (tmp_path / "folder.gs").mkdir()
    for name, code in (("none.gs", "GS107"), ("folder.gs", "GS107"), ("empty.gs", "GS6"), ("binary.gs", "GS101")):
        assert run_command_line([command, name]) == 1
        err = capsys.readouterr().err
        assert f"error {code}" in err
        assert name in err


def test_check_is_silent_about_a_right_program(capsys: pytest.CaptureFixture[str]) -> None:
    """Status 0 and no output; as JSON, an empty list."""
    assert run_command_line(["check", str(QUICK_START)]) == 0
    assert capsys.readouterr() == ("", "")
    assert run_command_line(["check", "--json", str(QUICK_START)]) == 0
    assert json.loads(capsys.readouterr().out) == {"ok": True, "diagnostics": []}


def test_check_as_json_gives_places(broken: str, capsys: pytest.CaptureFixture[str]) -> None:
    """Code, severity, message and the place of an error, for an editor; status 1 all the same."""
    assert run_command_line(["check", "--json", broken]) == 1
    out, err = capsys.readouterr()
    assert err == ""
    (found,) = json.loads(out)["diagnostics"]
    place = {key: found[key] for key in ("code", "severity", "file", "line", "column", "end_line", "end_column")}
    assert place == {
        "code": "GS201",
        "severity": "error",
        "file": "broken.gs",
        "line": 2,
        "column": 7,
        "end_line": 2,
        "end_column": 11,
    }


def test_constant_that_the_program_lacks_is_an_error(capsys: pytest.CaptureFixture[str]) -> None:
    """`-D` of an unknown CONSTANT is refused by name."""
    assert run_command_line(["check", "-D", "HIDDEN=3", str(QUICK_START)]) == 1
    assert "HIDDEN" in capsys.readouterr().err


def test_emit_prints_units_in_call_order(capsys: pytest.CaptureFixture[str]) -> None:
    """C by default; each unit after its name; one unit alone with --unit."""
    assert run_command_line(["emit", str(QUICK_START)]) == 0
    text = capsys.readouterr().out
    headings = [line for line in text.splitlines() if line.startswith("/* unit ")]
    assert headings == ["/* unit NEURON */", "/* unit LINO */", "/* unit OBJECTIVE */"]
    assert '#include "gs_tile.h"' in text
    assert run_command_line(["emit", "--unit", "LINO", str(QUICK_START)]) == 0
    one = capsys.readouterr().out
    assert one.startswith("/* unit LINO */\n")
    assert one in text


@pytest.mark.parametrize(
    ("stage", "line"),
    [
        ("tokens", "1:1 word TARGET-CPU"),
        ("words", ": FORWARD ( r:* -- r:100 ) 8 NEURON 100 LINO ;"),
        ("graph", "graph NEURON"),
        ("loops", "/* unit OBJECTIVE */"),
    ],
)
def test_emit_stops_at_each_stage(stage: str, line: str, capsys: pytest.CaptureFixture[str]) -> None:
    """Every form of the pipeline can be printed."""
    assert run_command_line(["emit", f"--emit={stage}", str(QUICK_START)]) == 0
    assert line in capsys.readouterr().out.splitlines()


def test_printed_words_are_a_program_again(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """`--emit=words` of its own output is the same text."""
    assert run_command_line(["emit", "--emit=words", str(QUICK_START)]) == 0
    text = capsys.readouterr().out
    copy = tmp_path / "copy.gs"
    copy.write_text(text)
    assert run_command_line(["emit", "--emit=words", str(copy)]) == 0
    assert capsys.readouterr().out == text


@pytest.mark.parametrize(
    ("word", "message"),
    [
        ("linaer", "geode: no word `linaer`: did you mean `LINEAR`?\n"),
        ("mse", "geode: no word `mse`: the mean squared error is `LOSS-MSE`\n"),
        (">R", "geode: no word `>R`: there is no return stack"),
        ("nothing-like-it", "geode: no word `nothing-like-it`: `geode words` lists all of them\n"),
    ],
)
def test_an_unknown_word_gets_a_near_miss(word: str, message: str, capsys: pytest.CaptureFixture[str]) -> None:
    """One line on stderr, not the whole vocabulary."""
    assert run_command_line(["words", word]) == 1
    out, err = capsys.readouterr()
    assert out == ""
    assert err.startswith(message)
    assert err.count("\n") == 1


def test_words_lists_the_vocabulary(capsys: pytest.CaptureFixture[str]) -> None:
    """Every word has its line; as JSON, its entry."""
    assert run_command_line(["words"]) == 0
    listed = [line.split()[0] for line in capsys.readouterr().out.splitlines() if line.startswith("  ")]
    assert sorted(listed) == sorted(WORDS)
    assert run_command_line(["words", "--json"]) == 0
    records = json.loads(capsys.readouterr().out)
    assert {record["name"]: record["effect"] for record in records} == {n: e.effect for n, e in WORDS.items()}


def test_words_knows_every_word_of_the_language(capsys: pytest.CaptureFixture[str]) -> None:
    """And no other: those of the words to come are not listed before they are there."""
    assert run_command_line(["words", "--json"]) == 0
    assert {record["name"] for record in json.loads(capsys.readouterr().out)} == BUILTINS


@pytest.mark.parametrize("word", WORDS)
def test_words_gives_examples_that_run_as_they_stand(word: str, capsys: pytest.CaptureFixture[str]) -> None:
    """No example is empty; its `program` is accepted, and `counter_program` refused with the code of the record."""
    assert run_command_line(["words", "--json", "--", word]) == 0
    (record,) = json.loads(capsys.readouterr().out)
    assert record["example"].strip()
    assert record["counter_example"]["text"].strip()
    check_program(Source("program.gs", record["program"]))
    with pytest.raises(CompileErrors) as refused:
        check_program(Source("counter.gs", record["counter_program"]))
    assert record["counter_example"]["code"] in {diagnostic.code for diagnostic in refused.value.diagnostics}


def test_words_explains_one(capsys: pytest.CaptureFixture[str]) -> None:
    """A word's page has its effect, its summary, its example and the code of its counter-example."""
    entry = WORDS["LINEAR"]
    assert run_command_line(["words", "LINEAR"]) == 0
    text = capsys.readouterr().out
    for part in (entry.effect, entry.summary, entry.example.body, entry.counter.code):
        assert part in text


@pytest.mark.parametrize(("word", "near"), [("LINAER", "LINEAR"), ("linear", "LINEAR"), ("dup", "DUP")])
def test_words_suggests_the_nearest(word: str, near: str, capsys: pytest.CaptureFixture[str]) -> None:
    """An unknown word, or one in the wrong case, is answered with the nearest; status 1."""
    assert run_command_line(["words", word]) == 1
    assert f"did you mean `{near}`?" in capsys.readouterr().err


def test_nothing_is_coloured_in_a_pipe(broken: str, tmp_path: Path) -> None:
    """Output that is no terminal has no escape sequence."""
    done = geode("check", broken, cwd=tmp_path)
    assert done.status == 1
    assert "\x1b" not in done.out + done.err


def test_reader_that_closes_the_pipe_early_gets_no_traceback() -> None:
    """`geode words | head -1` ends without a word on stderr."""
    process = subprocess.Popen(
        [sys.executable, "-m", "geode", "words"], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    assert process.stdout is not None
    assert process.stderr is not None
    process.stdout.close()
    with process:
        assert process.stderr.read() == ""
