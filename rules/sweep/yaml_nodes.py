"""YAML text -> nodes with lines, every scalar as the text that stands there.

In: the text of a file. Out: a `Node`. Invariant: no scalar is converted: `no`, `1_000`, `12:30` and `1e-3` arrive as
written, and whoever knows what is wanted there gives them their type.
"""

from __future__ import annotations

import yaml

from geode.record import dataclass
from rules.sweep.mistakes import Mistakes

_DEEPEST = 12  # far more than a sweep needs


@dataclass(frozen=True, slots=True)
class Scalar:
    """A text and its line (from 1)."""

    text: str
    line: int


@dataclass(frozen=True, slots=True)
class Sequence:
    """A list."""

    items: tuple[Node, ...]
    line: int


@dataclass(frozen=True, slots=True)
class Mapping:
    """A mapping in the order of the file; no key stands twice."""

    entries: tuple[tuple[Scalar, Node], ...]
    line: int

    def get(self, name: str) -> Node | None:
        """The value under `name`."""
        return next((node for key, node in self.entries if key.text == name), None)


Node = Scalar | Sequence | Mapping


def read_yaml(text: str, mistakes: Mistakes) -> Node | None:
    """The document, None if it is empty or no YAML; what is wrong is added to `mistakes`."""
    try:
        document = yaml.compose(text, Loader=yaml.SafeLoader)
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        said = " ".join(part for part in (error.context, error.problem) if part)
        if "'\\t'" in said:
            said += ": indent with blanks, YAML takes no tabs"
        mistakes.add(mark.line + 1 if mark else 1, f"this is no YAML: {said}")
        return None
    except (yaml.YAMLError, RecursionError) as error:
        said = "too deeply nested" if isinstance(error, RecursionError) else str(error).partition("\n")[0]
        mistakes.add(1, f"this is no YAML: {said}")
        return None
    return None if document is None else _node(document, mistakes, 0)


def _node(node: yaml.Node, mistakes: Mistakes, depth: int) -> Node:
    line = node.start_mark.line + 1
    if depth > _DEEPEST:  # an alias inside its own anchor has no end
        mistakes.add(line, f"values are nested more than {_DEEPEST} deep here")
        return Scalar("", line)
    if isinstance(node, yaml.SequenceNode):
        return Sequence(tuple(_node(item, mistakes, depth + 1) for item in node.value), line)
    if isinstance(node, yaml.MappingNode):
        entries: dict[str, tuple[Scalar, Node]] = {}
        for key, value in node.value:
            name = _node(key, mistakes, depth + 1)
            if not isinstance(name, Scalar):
                mistakes.add(name.line, "a name is expected before the colon")
            elif name.text in entries:
                mistakes.add(name.line, f"`{name.text}` stands twice, first in line {entries[name.text][0].line}")
            else:
                entries[name.text] = (name, _node(value, mistakes, depth + 1))
        return Mapping(tuple(entries.values()), line)
    return Scalar(str(node.value), line)
