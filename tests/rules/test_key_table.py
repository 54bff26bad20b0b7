"""What is in a key and what is not: for each kind of change the exact set of actions that run, each with its reason."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from rules.errors import BuildError
from rules.text_to_binary import BuildResult
from tests.harness.native import ROOT, geode

from .conftest import Workshop, replace_unit, tiny_text

pytestmark = pytest.mark.native
UNITS = {"compile c/unit_a", "compile c/unit_b"}
ALL = UNITS | {"compile c/program", "compile c/settings", "compile runtime/gs_main", "compile runtime/gs_twice"}
TEXT = """TARGET-CPU
3 CONSTANT WIDTH
: LAYER  ( <layer> n -- <layer> ) LINEAR INIT-HE TRAINABLE RELU ;
: SQUARED ( r:* -- r:* ) DUP * ;
: SPARE  ( r -- r ) SIN ;
: NETWORK ( r:2 -- r:1 ) WIDTH LAYER 1 LAYER ;
: OBJECTIVE ( r:2 -- r ) NETWORK SQUARED SUM 0.375 * ;
: MAIN ( -- )
  OBJECTIVE-LOSS 3 EPOCHS 1 WORKERS 1 SEED SGD-UPDATES 4 POPULATION 0.1 ES-GAUSSIAN .METRICS
  "d.csv" 2 CSV-INPUT ALL ['] OBJECTIVE TRAIN ;
"""


def reasons(result: BuildResult) -> dict[str, str]:
    """The actions that ran, each with its reason."""
    return {outcome.name: outcome.why for outcome in result.outcomes if outcome.status == "run"}


def wrap_compiler(workshop: Workshop, monkeypatch: pytest.MonkeyPatch) -> None:
    """Another executable under the compiler's name, which says the same version."""
    real = shutil.which(workshop.toolchain)
    folder = workshop.root / "bin"
    folder.mkdir()
    (folder / workshop.toolchain).write_text(f'#!/bin/sh\nexec {real} "$@"\n')
    (folder / workshop.toolchain).chmod(0o755)
    monkeypatch.setenv("PATH", f"{folder}:{os.environ['PATH']}")


def edit_header(workshop: Workshop, add: str) -> None:
    """Text at the end of a header that one runtime file and no unit includes."""
    path = workshop.runtime / "gs_only.h"
    path.write_text(path.read_text() + add)


CHANGES: dict[str, tuple[Callable[[Workshop, pytest.MonkeyPatch], None], set[str], str]] = {
    "a comment in a header": (
        lambda shop, _: edit_header(shop, "/* more */\n"),
        {"compile runtime/gs_twice"},  # the object is the same, so its link is known
        "input runtime/gs_only.h changed",
    ),
    "code in a header": (
        lambda shop, _: edit_header(shop, "int gs_more(void);\nint gs_more(void)\n{\n    return 3;\n}\n"),
        {"compile runtime/gs_twice", "link"},
        "input runtime/gs_only.h changed",
    ),
    "CPATH and LANG": (
        lambda _, patch: (patch.setenv("CPATH", "/nowhere"), patch.setenv("LANG", "de_DE.UTF-8"), None)[-1],
        set(),
        "",
    ),
    "a wrapper that says the same version": (wrap_compiler, ALL | {"link"}, "the compiler changed"),
}


@pytest.mark.parametrize("name", CHANGES)
def test_change_beside_the_program_runs_what_depends_on_it(
    workshop: Workshop, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    """Headers by their bytes, the compiler by its executables, the environment not at all."""
    (workshop.runtime / "gs_only.h").write_text("#define GS_ONLY 2\n")
    path = workshop.runtime / "gs_twice.c"
    path.write_text('#include "gs_only.h"\n' + path.read_text().replace("2 * x", "GS_ONLY * x"))
    workshop.build(tiny_text())
    change, expected, why = CHANGES[name]
    change(workshop, monkeypatch)
    found = reasons(workshop.build(tiny_text()))
    assert set(found) == expected
    assert {reason for action, reason in found.items() if action != "link"} == ({why} if expected else set())
    if "link" in expected:
        assert found["link"] in {why, "input o/runtime/gs_twice.o changed"}
    assert reasons(workshop.build(tiny_text())) == {}


def test_other_features_and_flags_are_named(workshop: Workshop) -> None:
    """The portable profile has other features: every compile has the words that came and went."""
    workshop.build(tiny_text())
    workshop.profile = "debug"
    found = reasons(workshop.build(tiny_text()))
    assert set(found) == ALL | {"link"}
    assert {reason for action, reason in found.items() if action != "link"} == {
        "arguments changed (with -O0 -g, without -O3)"
    }
    workshop.profile = "fast"
    folder = Path(shutil.copytree(ROOT / "toolchains", workshop.root / "toolchains"))
    text = (folder / "profiles.yaml").read_text()
    (folder / "profiles.yaml").write_text(text.replace("baseline: [sse3, ", "baseline: ["))
    workshop.profile = "portable"
    workshop.build(tiny_text())
    workshop.toolchains = folder
    found = reasons(workshop.build(tiny_text()))
    changed = {action for action, reason in found.items() if "without -msse3" in reason}
    if workshop.tool().machine.startswith("x86_64"):
        assert changed == ALL - {"compile runtime/gs_cpu_check"}


@pytest.fixture(scope="module")
def checkout(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A second checkout, to be edited, with a program beside it; it shares the session's cache."""
    root = tmp_path_factory.mktemp("checkout")
    for name in ("geode", "rules", "toolchains"):
        shutil.copytree(ROOT / name, root / name, ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copy(ROOT / "build.ninja.in", root)
    (root / "work").mkdir()
    return root


def ran(checkout: Path, text: str, *options: str) -> dict[str, str]:
    """The actions that a build of `text` by the checkout ran, units by their words, each with its reason."""
    (checkout / "work" / "key.gs").write_text(text)
    done = geode(
        "build", "--profile", "debug", "--explain", *options, "key.gs", cwd=checkout / "work", PYTHONPATH=str(checkout)
    )
    assert done.status == 0, done.err
    lines = re.findall(r"^run  ([^:]*): (.*)$", done.out, re.MULTILINE)
    return {re.sub(r"c/gs_u_(\w+)_[0-9a-f]+$", r"\1", name): re.sub(r"_[0-9a-f]{8}\b", "", why) for name, why in lines}


def unique(text: str, name: str) -> str:
    """A program whose units no other test compiles, nor another case of this one."""
    return text.replace("0.375", f"0.375{sum(map(ord, name))}")


def replace_in(path: Path, old: str, new: str) -> None:
    """One edit of a file that has `old`."""
    text = path.read_text(encoding="utf-8")
    assert old in text
    path.write_text(text.replace(old, new, 1), encoding="utf-8")


FAST = ("--profile", "fast")


def test_edit_of_the_compiler_stops_where_the_text_is_the_same(checkout: Path) -> None:
    """A comment in the emitter emits again and compiles nothing; a template's text compiles the units, and links nothing
    if their objects are the same.
    """
    text = unique(TEXT, "compiler")  # without symbols, which have the lines' numbers
    ran(checkout, text, *FAST)
    with (checkout / "geode" / "emit" / "loops_to_c.py").open("a") as file:
        file.write("# a comment\n")
    assert ran(checkout, text, *FAST) == {"emit key": "Geode's compiler changed"}
    replace_in(checkout / "geode" / "emit" / "templates" / "unit.c.j2", "#include", "/* a unit */\n#include")
    found = ran(checkout, text, *FAST)
    assert set(found) == {"emit key", "compile LAYER", "compile OBJECTIVE"}
    assert found["emit key"] == "Geode's compiler changed"
    assert found["compile LAYER"] == "input c/gs_u_LAYER.c changed"
    assert ran(checkout, text, *FAST) == {}


EMIT, PROGRAM, SETTINGS, LINK = "emit key", "compile c/program", "compile c/settings", "link"
LAYER, OBJECTIVE = "compile LAYER", "compile OBJECTIVE"
EDITS: dict[str, tuple[str, str, set[str]]] = {
    "a comment": ("TARGET-CPU", "TARGET-CPU \\ a comment", {EMIT}),
    "a body": ("TRAINABLE RELU ;", "TRAINABLE TANH ;", {EMIT, LAYER, LINK}),
    "a body that is inlined": ("DUP * ;", "DUP DUP * * ;", {EMIT, OBJECTIVE, LINK}),
    "a signature": ("( r:2 -- r:1 )", "( r:* -- r:1 )", {EMIT}),
    "a signature with another shape": (
        "( r:2 -- r:1 ) WIDTH LAYER 1 LAYER",
        "( r:2 -- r:2 ) WIDTH LAYER 2 LAYER",
        {EMIT, LAYER, OBJECTIVE, PROGRAM, LINK},
    ),
    "a CONSTANT": ("3 CONSTANT", "5 CONSTANT", {EMIT, LAYER, OBJECTIVE, PROGRAM, LINK}),
    "the default of ALPHA": ("3 EPOCHS", "3 EPOCHS 0.25 ALPHA", {EMIT, SETTINGS, LINK}),
    "a run-time setting": ("4 POPULATION", "6 POPULATION", {EMIT, SETTINGS, LINK}),
    "a compiled-in setting": ("0.1 ES-GAUSSIAN", "0.1 4 EGGROLL", {EMIT, LAYER, OBJECTIVE, PROGRAM, SETTINGS, LINK}),
    "a renamed word": ("LAYER", "STRATUM", {EMIT, "compile STRATUM", OBJECTIVE, PROGRAM, LINK}),
    "a deleted word": (": SPARE  ( r -- r ) SIN ;\n", "", {EMIT}),
    "a data file's name": ('"d.csv"', '"e.csv"', {EMIT, PROGRAM, LINK}),
}


@pytest.mark.parametrize("name", EDITS)
def test_edit_of_the_program_runs_what_depends_on_it(checkout: Path, name: str) -> None:
    """The freshness table of the build, with the reasons: the program's text, the C file or the object that changed."""
    old, new, expected = EDITS[name]
    text = unique(TEXT, name)
    ran(checkout, text)
    assert old in text
    found = ran(checkout, text.replace(old, new))
    assert set(found) == expected
    assert found.pop(EMIT) == "the program's text changed"
    assert all(
        re.search(r"input [co]/\w+\.[co] (changed|is new|is gone)|not built here before", why) for why in found.values()
    )


def test_options_and_rows_build_nothing(checkout: Path) -> None:
    """What is read when the program runs is in no key: its options, its environment, the content of its data."""
    text = unique(TEXT, "rows")
    rows = checkout / "work" / "d.csv"
    rows.write_text("1,2\n3,4\n")
    ran(checkout, text)
    rows.write_text("1,2\n3,5\n")
    done = geode("run", "--profile", "debug", "key.gs", "--alpha=0.5", cwd=checkout / "work", PYTHONPATH=str(checkout))
    assert len(done.epoch_lines) == 3, done.err
    assert ran(checkout, text) == {}


def test_include_behind_the_keys_back_is_never_kept(workshop: Workshop) -> None:
    """The action fails by name, the second time, too: no record of it, no binary; without the include all is well."""
    (workshop.runtime / "hidden.h").write_text("#define HIDDEN 1\n")
    macro = '#include "gs_shape.h"\n#define F "hidden.h"\n#include F'
    sly = replace_unit(tiny_text(), "A", '#include "gs_shape.h"', macro)
    for _ in range(2):
        with pytest.raises(BuildError, match=r"c/unit_a\.c reads .*hidden\.h, which is not declared"):
            workshop.build(sly)
    records = [path.read_text() for path in (workshop.cache.root / "actions").rglob("*.json")]
    assert not any("compile c/unit_a" in record or "link" in record for record in records)
    assert not (workshop.root / "build" / "out" / "program").exists()
    assert set(reasons(workshop.build(tiny_text()))) == {"compile c/unit_a", "link"}  # the other results were right


def test_rank_is_compiled_in(checkout: Path) -> None:
    """Another rank of EGGROLL makes the units with weights anew, and the table of settings."""
    text = unique(TEXT, "rank").replace("0.1 ES-GAUSSIAN", "0.1 4 EGGROLL")
    ran(checkout, text)
    found = ran(checkout, text.replace("4 EGGROLL", "8 EGGROLL"))
    assert set(found) == {EMIT, LAYER, OBJECTIVE, PROGRAM, SETTINGS, LINK}


def test_values_on_the_command_line_are_told(checkout: Path) -> None:
    """-D is a part of the emission's key, and named as such."""
    text = unique(TEXT, "defines")
    ran(checkout, text)
    assert ran(checkout, text, "-D", "WIDTH=3") == {EMIT: "the CONSTANTs given by -D changed"}
    assert set(ran(checkout, text, "-D", "WIDTH=7")) == {EMIT, LAYER, OBJECTIVE, PROGRAM, LINK}


def test_depending_files_are_those_that_the_compiler_names(checkout: Path, workshop: Workshop) -> None:
    """For every C file of the runtime, the closure in its key is what `gcc -MM` lists."""
    from rules.c_inputs import Inputs

    runtime = ROOT / "geode" / "runtime"
    inputs = Inputs(checkout / "work", runtime)
    for path in sorted(runtime.glob("*.c"))[::6]:
        command = [workshop.toolchain, "-MM", "-DGS_LANES=8", "-DGS_VEC=4", "-I", str(runtime), str(path)]
        listed = subprocess.run(command, capture_output=True, text=True, check=True).stdout
        names = {Path(word).resolve() for word in listed.replace("\\\n", " ").partition(":")[2].split()}
        closure = {
            (runtime / name.removeprefix("runtime/")).resolve() for name in inputs.closure(f"runtime/{path.name}")
        }
        assert names <= closure


def test_what_is_shared_by_all_lanes_is_the_same_at_all(workshop: Workshop) -> None:
    """The runtime's files that are compiled without the lanes read alike with any, for the compiler; they are most."""
    from rules.c_inputs import Inputs

    runtime = ROOT / "geode" / "runtime"
    inputs = Inputs(workshop.root, runtime)
    every = sorted(f"runtime/{path.name}" for path in runtime.glob("*.c"))
    shared = [name for name in every if not inputs.names(name, "GS_LANES") and not inputs.names(name, "GS_VEC")]
    assert set(every) - set(shared) == {f"runtime/gs_{name}.c" for name in ("bf16", "muon", "outer", "span")}

    def read(*defines: str) -> str:
        command = [workshop.toolchain, "-E", "-P", *defines, "-I", str(runtime), *map(inputs.path, shared)]
        return subprocess.run(command, capture_output=True, text=True, check=True).stdout

    assert read("-DGS_LANES=8", "-DGS_VEC=4") == read()
