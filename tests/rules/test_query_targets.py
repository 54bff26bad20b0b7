"""`geode query`: the target graph as text, dot and JSON."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from rules.analyse import load_workspace
from rules.errors import BuildError
from rules.query import graph_to_dot, graph_to_record, graph_to_text, query
from tests.harness.native import geode


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """Two programs with one data set, in two packages."""
    for name in ("p", "q"):
        (tmp_path / name).mkdir()
    (tmp_path / "p" / "a.gs").write_text("")
    (tmp_path / "q" / "d.csv").write_text("1\n")
    (tmp_path / "q" / "BUILD").write_text('dataset(name = "d", src = "d.csv", rows = 1, columns = 1)\n')
    (tmp_path / "p" / "BUILD").write_text(
        'geode_program(name = "a", src = "a.gs", data = ["//q:d.csv"])\ngeode_program(name = "b", src = "a.gs")\n'
    )
    return tmp_path


@pytest.mark.parametrize(
    ("expression", "labels"),
    [
        ("//p:a", ["//p:a"]),
        ("//...", ["//p:a", "//p:b", "//q:d"]),
        ("//p:all", ["//p:a", "//p:b"]),
        ("deps(//p:a)", ["//p:a", "//p:a.gs", "//q:d", "//q:d.csv"]),
        ("deps( //p:all )", ["//p:a", "//p:a.gs", "//p:b", "//q:d", "//q:d.csv"]),
        ("rdeps(//q:d)", ["//p:a", "//q:d"]),
        ("rdeps(//p:a.gs)", ["//p:a", "//p:a.gs", "//p:b"]),
        ("kind(dataset, deps(//p:a))", ["//q:d"]),
        ("kind(file, deps(//...))", ["//p:a.gs", "//q:d.csv"]),
        ("//p:b union //q:d", ["//p:b", "//q:d"]),
        ("//... except //p:all", ["//q:d"]),
        ("deps(//p:a) intersect deps(//p:b)", ["//p:a.gs"]),
        ("//p:a union //p:b except //p:all", []),  # from left to right
        ("//p:a union (//p:b except //p:all)", ["//p:a"]),
        ("kind(dataset, //p:a union //q:all)", ["//q:d"]),
        ("somepath(//p:a, //q:d.csv)", ["//p:a", "//q:d", "//q:d.csv"]),
        ("somepath(//p:all, //q:d.csv)", ["//p:a", "//q:d", "//q:d.csv"]),
        ("somepath(//p:a, //p:a)", ["//p:a"]),
        ("somepath(//p:b, //q:d)", []),
    ],
)
def test_expression_chooses_labels(root: Path, expression: str, labels: list[str]) -> None:
    """Labels come sorted, files among them where something needs them."""
    assert graph_to_text(query(load_workspace(root), expression)).split() == labels


@pytest.mark.parametrize(
    ("expression", "message"),
    [
        ("//p:c", "unknown label `//p:c`"),
        ("dep(//p:a)", "unknown function `dep`: did you mean `deps`?"),
        ("deps(//p:a", "`)` of deps is missing"),
        ("deps()", "a label or a function was expected"),
        ("//p:a //p:b", "`//p:b` is one too many"),
        ("//p:a onion //p:b", "`onion` is one too many: did you mean `union`?"),
        ("//p:a union", "a label or a function was expected"),
        ("union //p:a", "a label or a function was expected"),
        ("(//p:a union //p:b", "`)` of ( is missing"),
        ("somepath(//p:a)", "somepath takes two labels"),
        ("kind(//...)", "kind takes a rule and what to choose from"),
        ("//p", "`//p` is not a label"),
        ("", "a label or a function was expected"),
    ],
)
def test_wrong_expression_is_a_usage_error(root: Path, expression: str, message: str) -> None:
    """Status 2, and what is wrong."""
    with pytest.raises(BuildError) as caught:
        query(load_workspace(root), expression)
    assert message in caught.value.message
    assert caught.value.status == 2


def test_graph_is_printed_for_graphviz_and_for_machines(root: Path) -> None:
    """Edges go from what needs to what is needed."""
    graph = query(load_workspace(root), "deps(//p:a)")
    dot = graph_to_dot(graph)
    assert dot.startswith("digraph geode {\n")
    assert [line.strip() for line in dot.splitlines() if "->" in line] == [
        '"//p:a" -> "//p:a.gs";',
        '"//p:a" -> "//q:d";',
        '"//q:d" -> "//q:d.csv";',
    ]
    assert {record["label"]: record["needs"] for record in graph_to_record(graph)} == {
        "//p:a": ["//p:a.gs", "//q:d"],
        "//p:a.gs": [],
        "//q:d": ["//q:d.csv"],
        "//q:d.csv": [],
    }


def test_command_prints_and_tells_mistakes(root: Path) -> None:
    """The answer is on stdout; a mistake in a BUILD file is on stderr and makes the status 1."""
    done = geode("query", "--output=json", "deps(//q:d)", cwd=root)
    assert (done.status, done.err) == (0, "")
    assert [record["kind"] for record in json.loads(done.out)] == ["dataset", "file"]
    (root / "dodo.py").write_text("")
    assert geode("query", "deps(:d)", cwd=root / "q").out == "//q:d\n//q:d.csv\n"
    (root / "p" / "BUILD").write_text('geode_program(name = "a")\n')
    done = geode("query", "//...", cwd=root)
    assert (done.status, done.out) == (1, "//q:d\n")
    assert done.err == "p/BUILD:1: geode_program needs `src`: the program's text, a .gs file\n"
