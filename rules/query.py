"""Questions about the target graph: `deps(//examples:sine-ae)` -> targets and files, and how they hang together.

In: a workspace and an expression: a label, `//...` (all), `//package:all`, `deps(…)`, `rdeps(…)`, `kind(RULE, …)`,
`somepath(FROM, TO)`, `(…)`, and `A union B`, `A intersect B`, `A except B`, from left to right. Out: a `Graph`.
Invariant: nodes come sorted and needed ones by edges, so the same BUILD files give the same answer.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping

from geode.record import dataclass
from rules.analyse import Workspace
from rules.errors import BuildError, near_miss
from rules.target import Label, parse_label

_TOKEN = re.compile(r"\s*([(),]|[^\s(),]+)")
_FUNCTIONS = ("deps", "rdeps", "kind", "somepath")
_BETWEEN: Mapping[str, Callable[[set[Label], set[Label]], set[Label]]] = {
    "union": set.union,
    "intersect": set.intersection,
    "except": set.difference,
}


@dataclass(frozen=True, slots=True)
class Graph:
    """Labels (files have labels, too) with their kinds (a rule's name or `file`), and what each needs of the others."""

    kinds: Mapping[Label, str]
    edges: tuple[tuple[Label, Label], ...]


def query(workspace: Workspace, expression: str, package: str = "") -> Graph:
    """The part of the target graph that `expression` describes; `:name` in it is one of `package`.

    Raises BuildError (status 2) for a wrong expression.
    """
    kinds, needs = _whole(workspace)
    tokens = [_absolute(token, package) for token in _TOKEN.findall(expression)]
    found, rest = _evaluate(tokens, kinds, needs)
    if rest:
        raise _error(expression, f"`{rest[0]}` is one too many{near_miss(rest[0], tuple(_BETWEEN))}")
    chosen = sorted(found)
    edges = tuple((label, other) for label in chosen for other in sorted(needs[label] & found))
    return Graph({label: kinds[label] for label in chosen}, edges)


def _absolute(token: str, package: str) -> str:
    return f"//{package}{token}" if token.startswith(":") else token


def _whole(workspace: Workspace) -> tuple[dict[Label, str], dict[Label, set[Label]]]:
    kinds = {label: target.rule for label, target in workspace.targets.items()}
    needs: dict[Label, set[Label]] = {}
    for label, target in workspace.targets.items():
        packages = {label.package, *(other.package for other in workspace.targets)}
        files = {_file_label(file, packages) for file in target.files}
        needs[label] = files | set(target.needs)
        kinds |= {file: "file" for file in files if file not in kinds}
    return kinds, {label: needs.get(label, set()) for label in kinds}


def _file_label(path: str, packages: Iterable[str]) -> Label:
    """The label of a file: in the innermost package that has it."""
    package = max((name for name in packages if path.startswith(f"{name}/")), key=len, default="")
    return Label(package, path[len(package) :].lstrip("/"))


def _evaluate(
    tokens: list[str], kinds: Mapping[Label, str], needs: Mapping[Label, set[Label]]
) -> tuple[set[Label], list[str]]:
    """The labels that the front of `tokens` describes, and the tokens after it."""
    found, rest = _operand(tokens, kinds, needs)
    while rest and rest[0] in _BETWEEN:
        join, (other, rest) = _BETWEEN[rest[0]], _operand(rest[1:], kinds, needs)
        found = join(found, other)
    return found, rest


def _operand(
    tokens: list[str], kinds: Mapping[Label, str], needs: Mapping[Label, set[Label]]
) -> tuple[set[Label], list[str]]:
    if not tokens or tokens[0] in {")", ",", *_BETWEEN}:
        raise _error(" ".join(tokens), "a label or a function was expected")
    head, *rest = tokens
    if head == "(":
        found, rest = _evaluate(rest, kinds, needs)
        return found, _closed(head, rest)
    if not rest or rest[0] != "(":
        return _labels(head, kinds), rest
    if head not in _FUNCTIONS:
        raise _error(head, f"unknown function `{head}`{near_miss(head, _FUNCTIONS)}")
    rest = rest[1:]
    rule = ""
    if head == "kind":
        if len(rest) < 2 or rest[1] != ",":
            raise _error(head, "kind takes a rule and what to choose from: kind(dataset, //...)")
        rule, rest = rest[0], rest[2:]
    found, rest = _evaluate(rest, kinds, needs)
    goal: set[Label] = set()
    if head == "somepath":
        if not rest or rest[0] != ",":
            raise _error(head, "somepath takes two labels: somepath(//examples:xor, //datasets:xor.csv)")
        goal, rest = _evaluate(rest[1:], kinds, needs)
    rest = _closed(head, rest)
    match head:
        case "deps":
            found = _reach(found, needs)
        case "rdeps":
            found = _reach(found, {label: {o for o in needs if label in needs[o]} for label in needs})
        case "somepath":
            found = _path(found, goal, needs)
        case _:
            found = {label for label in found if kinds[label] == rule}
    return found, rest


def _closed(head: str, rest: list[str]) -> list[str]:
    if not rest or rest[0] != ")":
        raise _error(head, f"`)` of {head} is missing")
    return rest[1:]


def _labels(text: str, kinds: Mapping[Label, str]) -> set[Label]:
    if text == "//...":
        return {label for label, kind in kinds.items() if kind != "file"}
    try:
        label = parse_label(text, "")
    except ValueError as error:
        raise BuildError(str(error), status=2) from None
    if label in kinds:
        return {label}
    if label.name == "all":
        found = {other for other, kind in kinds.items() if other.package == label.package and kind != "file"}
        if found:
            return found
    raise BuildError(f"unknown label `{label}`{_near(label, kinds)}", status=2)


def _near(label: Label, kinds: Iterable[Label]) -> str:
    text = near_miss(str(label), tuple(sorted(map(str, kinds))))
    return text if text.startswith(": did") else ""


def _reach(start: set[Label], needs: Mapping[Label, set[Label]]) -> set[Label]:
    found = set(start)
    open_labels = list(start)
    while open_labels:
        new = needs[open_labels.pop()] - found
        found |= new
        open_labels.extend(new)
    return found


def _path(start: set[Label], goal: set[Label], needs: Mapping[Label, set[Label]]) -> set[Label]:
    """The labels of a shortest way from `start` to `goal`; none if there is none."""
    ways: dict[Label, tuple[Label, ...]] = {label: (label,) for label in sorted(start)}
    seen = set(start)
    while ways:
        for label, way in ways.items():
            if label in goal:
                return set(way)
        ways = {other: (*way, other) for label, way in ways.items() for other in sorted(needs[label] - seen)}
        seen |= ways.keys()
    return set()


def _error(expression: str, message: str) -> BuildError:
    return BuildError(f"query `{expression.strip()}`: {message}", status=2)


def graph_to_text(graph: Graph) -> str:
    """One label a line."""
    return "".join(f"{label}\n" for label in graph.kinds)


def graph_to_dot(graph: Graph) -> str:
    """The graph for graphviz: targets in boxes, files plain."""
    lines = ["digraph geode {", "  rankdir=LR;", '  node [shape=box, fontname="monospace"];']
    for label, kind in graph.kinds.items():
        lines.append(f'  "{label}"{" [shape=plaintext]" if kind == "file" else ""};')
    lines.extend(f'  "{label}" -> "{other}";' for label, other in graph.edges)
    return "\n".join([*lines, "}"]) + "\n"


def graph_to_record(graph: Graph) -> list[dict[str, object]]:
    """The graph for a machine: label, kind and needed labels of every node."""
    return [
        {"label": str(label), "kind": kind, "needs": [str(other) for one, other in graph.edges if one == label]}
        for label, kind in graph.kinds.items()
    ]
