"""BUILD files: what they may say, and a mistake's file, line and message."""

from __future__ import annotations

from pathlib import Path

import pytest

from rules.analyse import Workspace, load_workspace
from rules.providers import DatasetInfo, ProgramInfo
from rules.target import Label, parse_label

from .conftest import ROOT

CIRCLE = """dataset(name = "x", src = "d.csv", rows = 1, columns = 1, data = [":y"])
dataset(name = "y", src = "y.csv", rows = 1, columns = 1, data = [":z"], script = "a.gs")
dataset(name = "z", src = "z.csv", rows = 1, columns = 1, data = ["y.csv"], script = "a.gs")
"""
DATA = 'dataset(name = "d", src = "d.csv", rows = 2, columns = 3)\n'


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """A workspace with a program and a data file, no BUILD file yet."""
    (tmp_path / "p").mkdir()
    (tmp_path / "p" / "a.gs").write_text(": MAIN ( -- ) ;\n")
    (tmp_path / "p" / "d.csv").write_text("1,2,3\n4,5,6\n")
    return tmp_path


def load(root: Path, text: str, package: str = "p") -> Workspace:
    """The workspace with `text` as the package's BUILD file."""
    (root / package).mkdir(exist_ok=True)
    (root / package / "BUILD").write_text(text)
    return load_workspace(root)


def mistakes(workspace: Workspace) -> list[str]:
    """The mistakes as they are shown."""
    return [str(mistake) for mistake in workspace.mistakes]


def test_targets_have_typed_values_and_defaults(root: Path) -> None:
    """Every attribute arrives with its type; what is not given has its default."""
    text = (
        DATA
        + 'geode_program(name = "a", src = "a.gs", data = [":d"])\n'
        + 'geode_program(name = "b", src = "//p:a.gs", data = ["d.csv"], defines = {"N": 3, "S": 0.5, "X": "1e-3"},\n'
        + '              profile = "debug", toolchain = "gcc", lanes = 8)\n'
    )
    workspace = load(root, text)
    assert mistakes(workspace) == []
    data: tuple[tuple[str, ...], ...] = (("//p:d",), ("p/d.csv",), ())
    found = {str(label): target.provider for label, target in workspace.targets.items()}
    assert found == {
        "//p:d": DatasetInfo("p/d.csv", 2, 3, None),
        "//p:a": ProgramInfo("//p:a", "p/a.gs", "build/a", (), "fast", None, None, *data),
        "//p:b": ProgramInfo(
            "//p:b",
            "p/a.gs",
            "build/b",
            (("N", "3"), ("S", "0.5"), ("X", "1e-3")),
            "debug",
            "gcc",
            8,
            ("//p:d",),
            ("p/d.csv",),
            (),
        ),
    }
    assert {str(label): target.needs for label, target in workspace.targets.items()} == {
        "//p:d": (),
        "//p:a": (Label("p", "d"),),
        "//p:b": (Label("p", "d"),),
    }


def test_build_files_are_programs_of_starlark(root: Path) -> None:
    """Functions and comprehensions make targets; each has the line of its call."""
    text = (
        "def wide(lanes):\n"
        '    geode_program(name = "a-%d" % lanes, src = "a.gs", lanes = lanes)\n'
        "\n"
        "[wide(n) for n in [8, 16, 48]]\n"
    )
    workspace = load(root, text)
    assert [(target.label.name, str(target.where)) for target in workspace.targets.values()] == [
        ("a-8", "p/BUILD:2"),
        ("a-16", "p/BUILD:2"),
        ("a-48", "p/BUILD:2"),
    ]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ('geode_program(name = "a")', ["1: geode_program needs `src`: the program's text, a .gs file"]),
        (
            'geode_program(name = "a", src = "a.gs", lane = 8)',
            ["1: geode_program has no attribute `lane`: did you mean `lanes`?"],
        ),
        (
            '\n\ngeode_program(\n  name = "a", src = "a.gs", lanes = "8")',
            ['3: `lanes` of geode_program must be an integer, not "8"'],
        ),
        (
            'geode_program(name = "a", src = "a.gs", lanes = 7)',
            ["1: `lanes` cannot be 7; known: 1, 8, 16, 24, 32, 48"],
        ),
        (
            'geode_program(name = "a", src = "a.gs", profile = "fats")',
            ["1: `profile` cannot be `fats`: did you mean `fast`?"],
        ),
        (
            'geode_program(name = "a", src = "a.gs", data = "d.csv")',
            ['1: `data` of geode_program must be a list of labels or names of files, not "d.csv"'],
        ),
        (
            'geode_program(name = "a", src = "a.gs", defines = {"N": True})',
            ["1: `defines` of geode_program must be a table of names and values, not {'N': True}"],
        ),
        (
            'dataset(name = "d", src = "d.csv", rows = True, columns = 3)',
            ["1: `rows` of dataset must be an integer, not True"],
        ),
        (
            'geode_program(name = "a", src = "b.gs")',
            ["1: //p:b.gs is missing: no target and no file p/b.gs: did you mean `a.gs`?"],
        ),
        (
            'geode_program(name = "a", src = "a.gs", data = ["//q:d.csv"])',
            ["1: //q:d.csv is missing: no target and no file q/d.csv"],
        ),
        (
            'geode_program(name = "a=b", src = "a.gs")',
            ["1: `:a=b` is not a label: `a=b` cannot be a name (letters, digits and _ . + - /)"],
        ),
        (
            'geode_program(name = "a", src = "//p")',
            ["1: `//p` is not a label: expected `//package:name`"],
        ),
        (
            'geode_program(name = "a", src = "../a.gs")',
            ["1: `../a.gs` is not a label: it has no `..`; a file elsewhere is `//package:name`"],
        ),
        (
            'geode_program(name = "a", src = "a.gs")\n' * 2,
            ["2: //p:a is defined twice, first at p/BUILD:1"],
        ),
        (
            'geode_program(name = "a", src = "a.gs")\ngeode_program(name = "b", src = "a.gs", data = [":a"])',
            ["2: //p:a is a geode_program, geode_program wants a dataset there"],
        ),
        (
            DATA + DATA.replace('"d"', '"e"'),
            ["2: //p:e has the output p/d.csv, and so has //p:d at p/BUILD:1"],
        ),
        (
            CIRCLE,
            ["2: targets go in a circle: //p:y needs //p:z needs //p:y"],
        ),
        ('geode_program("a")', ["1: geode_program takes attributes by name, geode_program(name = …)"]),
        ('\ngeode_progam(name = "a")', ["2: variable `geode_progam` not found, did you mean `geode_program`?"]),
        ('\nopen("d.csv")', ["2: variable `open` not found, did you mean `len`?"]),
        ('load("//p:x.bzl", "f")', ["1: //p:x.bzl is missing: no file p/x.bzl"]),
        ("x = 1\nx = x +\n", ["2: unexpected new line here"]),
        ('geode_program(name = "a"\n  src = "a.gs")', ["2: unexpected identifier 'src' here"]),
        ("\n[n for n in 3]", ["2: operation `(iter)` not supported on type `int`"]),
        ("def f():\n  f()\nf()", ["2: starlark call stack overflow"]),
        (
            "\ngeode_program(name = lambda x: x)",
            ["2: an attribute can be text, a number, a list or a table, not a function"],
        ),
    ],
)
def test_mistake_is_told_with_file_line_and_nearest_name(root: Path, text: str, expected: list[str]) -> None:
    """Each mistake is one line that starts with the BUILD file and the line of the call."""
    assert mistakes(load(root, text)) == [f"p/BUILD:{line}" for line in expected]


def test_bytes_that_are_no_text_are_a_mistake(root: Path) -> None:
    """A BUILD file in another encoding is named."""
    (root / "p" / "BUILD").write_bytes(b"# \xff\n")
    assert mistakes(load_workspace(root)) == ["p/BUILD:1: cannot be read: is not UTF-8"]


def test_mistake_leaves_other_targets_usable(root: Path) -> None:
    """What is right stays, also in the same file; what needs a broken target goes with it, without a second message."""
    text = (
        'geode_program(name = "good", src = "a.gs")\n'
        'dataset(name = "bad", src = "elsewhere.txt", rows = 1, columns = 1)\n'
        'geode_program(name = "needs-bad", src = "a.gs", data = [":bad"])\n'
    )
    workspace = load(root, text)
    assert [label.name for label in workspace.targets] == ["good"]
    assert mistakes(workspace) == ["p/BUILD:2: //p:elsewhere.txt is missing: no target and no file p/elsewhere.txt"]


def test_programs_of_one_name_in_two_packages_clash(root: Path) -> None:
    """Both would be built in build/a."""
    load(root, 'geode_program(name = "a", src = "a.gs")')
    workspace = load(root, '\ngeode_program(name = "a", src = "//p:a.gs")', "q")
    (mistake,) = mistakes(workspace)
    assert mistake == (
        "q/BUILD:2: //q:a has the output build/a, and so has //p:a at p/BUILD:1; "
        "give one of them another name, for build/ does not tell packages apart"
    )
    assert list(map(str, workspace.targets)) == ["//p:a"]


def test_files_under_output_and_hidden_folders_are_not_read(root: Path) -> None:
    """A BUILD file in build/, in a hidden folder or in a virtual environment is none of the workspace's."""
    (root / "env").mkdir()
    (root / "env" / "pyvenv.cfg").write_text("")
    for package in ("build", ".hidden", "env"):
        load(root, "1 +", package)
    assert load_workspace(root) == Workspace(root, {}, ())


@pytest.mark.parametrize(
    ("text", "label"),
    [
        ("//a/b:c", Label("a/b", "c")),
        (":c", Label("here", "c")),
        ("c.csv", Label("here", "c.csv")),
        ("//:c", Label("", "c")),
    ],
)
def test_labels_have_three_spellings(text: str, label: Label) -> None:
    """Absolute, relative, and the name of a file; the absolute one reads back."""
    assert parse_label(text, "here") == label
    assert parse_label(str(label), "elsewhere") == label


def test_every_example_and_data_file_is_a_target() -> None:
    """The committed BUILD files are right, and leave out no program of examples/ and no file of datasets/."""
    workspace = load_workspace(ROOT)
    assert mistakes(workspace) == []
    providers = [target.provider for target in workspace.targets.values()]
    sources = {provider.source for provider in providers if isinstance(provider, ProgramInfo)}
    data = {provider.path for provider in providers if isinstance(provider, DatasetInfo)}
    assert {f"examples/{path.name}" for path in (ROOT / "examples").glob("*.gs")} == sources
    assert {
        f"datasets/{path.name}" for path in (ROOT / "datasets").iterdir() if path.suffix in (".csv", ".npy", ".txt")
    } == data
