"""The promise of the build: an edit runs exactly the actions that depend on it, and two checkouts share results."""

from __future__ import annotations

import dataclasses
import os
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from .conftest import COMPILERS, Workshop, ran, replace_unit, tiny_text

pytestmark = pytest.mark.native
ALL = {"compile c/unit_a", "compile c/unit_b", "compile c/program", "compile c/settings"}
RUNTIME = {"compile runtime/gs_main", "compile runtime/gs_twice"}


def output(program: Path) -> str:
    """What the program prints."""
    return subprocess.run([program], capture_output=True, text=True, check=True).stdout


def test_first_build_runs_everything_and_the_second_nothing(workshop: Workshop) -> None:
    """A cold build runs each action once; the same build again runs none and leaves the same bytes."""
    first = workshop.build(tiny_text())
    assert ran(first) == ALL | RUNTIME | {"link"}
    assert output(first.program) == "20\n"
    bytes_before = first.program.read_bytes()
    again = workshop.build(tiny_text())
    assert ran(again) == set()
    assert again.program.read_bytes() == bytes_before


def edit_unit(workshop: Workshop) -> tuple[set[str], str]:
    """One unit's text changes."""
    result = workshop.build(replace_unit(tiny_text(), "A", "x + 1", "x + 2"))
    return ran(result), output(result.program)


def edit_setting(workshop: Workshop) -> tuple[set[str], str]:
    """A setting's default changes."""
    text = tiny_text()
    result = workshop.build(dataclasses.replace(text, settings_c=text.settings_c.replace("= 4", "= 5")))
    return ran(result), output(result.program)


def edit_runtime(workshop: Workshop) -> tuple[set[str], str]:
    """One C file of the runtime changes."""
    path = workshop.runtime / "gs_twice.c"
    path.write_text(path.read_text().replace("2 * x", "3 * x"))
    result = workshop.build(tiny_text())
    return ran(result), output(result.program)


def edit_header(workshop: Workshop) -> tuple[set[str], str]:
    """A header that everything includes changes."""
    path = workshop.runtime / "gs_shape.h"
    path.write_text(path.read_text() + "/* more */\n")
    result = workshop.build(tiny_text())
    return ran(result), output(result.program)


def delete_objects(workshop: Workshop) -> tuple[set[str], str]:
    """The output folder's objects and binary are gone."""
    for path in (*(workshop.root / "build" / "o").rglob("*.o"), workshop.root / "build" / "out" / "program"):
        path.unlink()
    result = workshop.build(tiny_text())
    return ran(result), output(result.program)


def spoil_program(workshop: Workshop) -> tuple[set[str], str]:
    """The binary was overwritten by hand, its time stamp put back."""
    path = workshop.root / "build" / "out" / "program"
    before = path.stat()
    path.write_bytes(b"not a program")
    os.utime(path, ns=(before.st_atime_ns, before.st_mtime_ns))
    result = workshop.build(tiny_text())
    return ran(result), output(result.program)


def spoil_source(workshop: Workshop) -> tuple[set[str], str]:
    """A generated file was edited by hand."""
    path = workshop.root / "build" / "c" / "unit_a.c"
    path.write_text(path.read_text().replace("x + 1", "x + 100"))
    result = workshop.build(tiny_text())
    return ran(result), output(result.program)


def forget_ninja(workshop: Workshop) -> tuple[set[str], str]:
    """The log of ninja and the file it read are gone."""
    for path in (*(workshop.root / "build").rglob(".ninja_*"), workshop.root / "build" / "build.ninja"):
        path.unlink()
    result = workshop.build(tiny_text())
    return ran(result), output(result.program)


def other_lanes(workshop: Workshop) -> tuple[set[str], str]:
    """Another tile width was asked for: the C files that name it are compiled for it, be it in a header."""
    include = '#include "gs_shape.h"'
    (workshop.runtime / "gs_wide.h").write_text("/* wide */\n#define GS_WIDE (GS_LANES + GS_VEC)\n")
    path = workshop.runtime / "gs_twice.c"
    path.write_text('/* GS_LANES: see gs_wide.h */ const char *gs_name = "/* GS_VEC_, */";\n' + path.read_text())
    text = replace_unit(tiny_text(), "A", include, f'{include}\n#include "gs_wide.h"')
    text = replace_unit(text, "A", "x + 1", "x + 1 + 0 * GS_WIDE")
    text = replace_unit(text, "B", "+ 10", "/* not GS_VEC, */ + 1 - GS_LANES")
    for workshop.lanes in (8, 1):
        result = workshop.build(text)
    return ran(result), output(result.program)


@pytest.mark.parametrize(
    ("edit", "actions", "printed"),
    [
        (edit_unit, {"compile c/unit_a", "link"}, "22\n"),
        (edit_setting, {"compile c/settings", "link"}, "22\n"),
        (edit_runtime, {"compile runtime/gs_twice", "link"}, "25\n"),
        (edit_header, ALL | RUNTIME, "20\n"),  # the objects stay the same, so their link is known
        (delete_objects, set(), "20\n"),
        (spoil_program, set(), "20\n"),
        (spoil_source, set(), "20\n"),
        (forget_ninja, set(), "20\n"),
        (other_lanes, {"compile c/unit_a", "compile c/unit_b", "link"}, "10\n"),
    ],
)
def test_edit_runs_exactly_what_depends_on_it(
    workshop: Workshop, edit: Callable[[Workshop], tuple[set[str], str]], actions: set[str], printed: str
) -> None:
    """After a build, each edit runs the actions of the table and no other."""
    workshop.build(tiny_text())
    found, text = edit(workshop)
    assert found == actions
    assert text == printed
    assert workshop.warnings == []


def test_going_back_to_an_earlier_text_runs_nothing(workshop: Workshop) -> None:
    """Both results of an edit and its reversal are in the cache."""
    workshop.build(tiny_text())
    workshop.build(replace_unit(tiny_text(), "A", "x + 1", "x + 2"))
    back = workshop.build(tiny_text())
    assert ran(back) == set()
    assert output(back.program) == "20\n"


def test_runtime_objects_are_shared_by_programs(workshop: Workshop) -> None:
    """A second program in another folder compiles its own units only."""
    workshop.build(tiny_text())
    other = replace_unit(replace_unit(tiny_text(), "A", "x + 1", "x + 3"), "B", "+ 10", "+ 20")
    assert ran(workshop.build(other, "elsewhere")) == {"compile c/unit_a", "compile c/unit_b", "link"}


def test_folder_forgets_units_that_are_gone(workshop: Workshop) -> None:
    """C files and objects of an earlier program don't stay in the output folder."""
    workshop.build(tiny_text())
    text = tiny_text()
    first = dataclasses.replace(text.units[0], symbol="unit_z")
    workshop.build(dataclasses.replace(text, units=(first, text.units[1])))
    names = {path.name for path in (workshop.root / "build").rglob("unit_*")}
    assert names == {"unit_b.c", "unit_b.o", "unit_z.c", "unit_z.o", "unit_z.o.d", "unit_b.o.d"}


@pytest.mark.parametrize("compiler", COMPILERS)
@pytest.mark.parametrize("profile", ["fast", "debug"])
def test_two_checkouts_build_the_same_bytes_and_share_results(tmp_path: Path, compiler: str, profile: str) -> None:
    """Another folder, with a blank in its name: the same binary from a cold cache, no action with a shared one."""
    one = Workshop(tmp_path / "one", compiler, profile)
    two = Workshop(tmp_path / "further away" / "number two", compiler, profile)
    first, second = one.build(tiny_text()), two.build(tiny_text())
    assert ran(second) == ALL | RUNTIME | {"link"}
    assert first.program.read_bytes() == second.program.read_bytes()
    assert output(second.program) == "20\n"
    three = Workshop(tmp_path / "three", compiler, profile)
    three.cache = one.cache
    third = three.build(tiny_text())
    assert ran(third) == set()
    assert third.program.read_bytes() == first.program.read_bytes()


def test_explanation_names_the_input_that_changed(workshop: Workshop) -> None:
    """The reason comes from the two keys: what is new, what changed."""
    first = workshop.build(tiny_text())
    assert {outcome.why for outcome in first.outcomes} == {"not built here before"}
    second = workshop.build(replace_unit(tiny_text(), "A", "x + 1", "x + 2"))
    why = {outcome.name: outcome.why for outcome in second.outcomes if outcome.status == "run"}
    assert why == {"compile c/unit_a": "input c/unit_a.c changed", "link": "input o/unit_a.o changed"}
    workshop.lanes = 1
    third = workshop.build(replace_unit(tiny_text(), "A", "x + 1", "x + GS_LANES"))
    why = {outcome.name: outcome.why for outcome in third.outcomes}
    assert why["compile c/unit_a"] == "arguments changed (with -DGS_LANES=1), input c/unit_a.c changed"
    workshop.profile = "debug"
    third = workshop.build(tiny_text())
    why = {outcome.name: outcome.why for outcome in third.outcomes}
    assert why["compile c/unit_b"] == "arguments changed (with -O0 -g, without -O3)"
