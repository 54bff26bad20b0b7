"""`load`: BUILD files use functions of .bzl files; a mistake in either has a file and a line."""

from __future__ import annotations

from pathlib import Path

import pytest

from rules.analyse import load_workspace

OUTSIDE = "a file that is loaded may define functions that call rules, BUILD files call them"
MACRO = """WIDTHS = [8, 16]

def programs(name, src):
    for lanes in WIDTHS:
        geode_program(
            name = "%s-%d" % (name, lanes),
            src = src,
            lanes = lanes,
        )

def deep(n):
    x = 1
    return n + [x]

def wrong(n):
    return deep(n)
"""


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """A workspace with a file of macros in the package `m`, and two packages with a program."""
    for package in ("m", "p", "q/r"):
        (tmp_path / package).mkdir(parents=True)
        (tmp_path / package / "a.gs").write_text(": MAIN ( -- ) ;\n")
    (tmp_path / "m" / "programs.bzl").write_text(MACRO)
    return tmp_path


def test_macro_of_another_package_declares_targets_of_the_caller(root: Path) -> None:
    """Labels are those of the BUILD file that calls, and the place is the line of that call; two files share a macro."""
    (root / "p" / "BUILD").write_text('load("//m:programs.bzl", "programs")\n\nprograms("a", "a.gs")\n')
    (root / "q" / "r" / "BUILD").write_text(
        'load("//m:programs.bzl", each = "programs")\neach(name = "b", src = "a.gs")\n'
    )
    workspace = load_workspace(root)
    assert workspace.mistakes == ()
    assert {str(target.label): (str(target.where), target.files) for target in workspace.targets.values()} == {
        "//p:a-8": ("p/BUILD:3", ("p/a.gs",)),
        "//p:a-16": ("p/BUILD:3", ("p/a.gs",)),
        "//q/r:b-8": ("q/r/BUILD:2", ("q/r/a.gs",)),
        "//q/r:b-16": ("q/r/BUILD:2", ("q/r/a.gs",)),
    }


def test_print_is_there(root: Path) -> None:
    """Starlark's own functions are, this one among them."""
    build = root / "p" / "BUILD"
    before = build.read_text() if build.exists() else ""
    build.parent.mkdir(exist_ok=True)
    build.write_text(before + 'print("so far")\n')
    assert not [one for one in load_workspace(root).mistakes if "print" in str(one)]


def test_loaded_files_load_others(root: Path) -> None:
    """A file beside the one that loads it is `:NAME.bzl`, wherever that one is loaded from."""
    (root / "m" / "top.bzl").write_text('load(":programs.bzl", "programs")\ndef two():\n    programs("two", "a.gs")\n')
    (root / "p" / "BUILD").write_text('load("//m:top.bzl", "two")\ntwo()\n')
    assert list(map(str, load_workspace(root).targets)) == ["//p:two-8", "//p:two-16"]


@pytest.mark.parametrize(
    ("files", "build", "expected"),
    [
        ({}, 'load("//m:none.bzl", "f")', "p/BUILD:1: //m:none.bzl is missing: no file m/none.bzl"),
        ({}, 'load("//m:programs", "f")', "p/BUILD:1: `//m:programs` cannot be loaded: such a file is called NAME.bzl"),
        ({}, '\nload("//m", "f")', "p/BUILD:2: `//m` is not a label: expected `//package:name`"),
        (
            {},
            'load("//m:programs.bzl", "program")',
            "p/BUILD:1: module has no symbol `program`, did you mean `programs`?",
        ),
        (
            {},
            'load("//m:programs.bzl", "wrong")\n\nwrong(3)',
            "p/BUILD:3: operation `+` not supported for types `int` and `list` (at m/programs.bzl:13)",
        ),
        (
            {},
            'load("//m:programs.bzl", "programs")\nprograms("a", "b.gs")',
            "p/BUILD:2: //p:b.gs is missing: no target and no file p/b.gs: did you mean `a.gs`?",
        ),
        ({"m/x.bzl": "x = 1\nx = +\n"}, 'load("//m:x.bzl", "x")', "m/x.bzl:2: unexpected new line here"),
        ({"m/x.bzl": "\nx = y\n"}, 'load("//m:x.bzl", "x")', "m/x.bzl:2: variable `y` not found, did you mean `x`?"),
        (
            {"m/x.bzl": '\n\ngeode_program(name = "a", src = "a.gs")\nx = 1\n'},
            'load("//m:x.bzl", "x")',
            f"m/x.bzl:3: geode_program is called outside of a function: {OUTSIDE}",
        ),
        (
            {"m/x.bzl": 'load(":y.bzl", "y")\n', "m/y.bzl": '\nload("//m:x.bzl", "x")\n'},
            'load("//m:x.bzl", "x")',
            "m/y.bzl:2: files load each other in a circle: m/x.bzl loads m/y.bzl loads m/x.bzl",
        ),
    ],
)
def test_mistake_has_its_place(root: Path, files: dict[str, str], build: str, expected: str) -> None:
    """In the file that is wrong; a mistake inside a call has the call's line, and tells where it arose."""
    for name, text in files.items():
        (root / name).write_text(text)
    (root / "p" / "BUILD").write_text(build + "\n")
    assert [str(mistake) for mistake in load_workspace(root).mistakes] == [expected]
