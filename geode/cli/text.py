"""What several commands print: diagnostics as text and as JSON, and one line about a build.

Invariant: diagnostics go to stderr, in colour only if that is a terminal and NO_COLOR is not set.
"""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import click

if TYPE_CHECKING:
    from geode.diagnostics import Diagnostic
    from geode.source import Source
    from rules.source_to_binary import Built


def show_diagnostics(diagnostics: Sequence[Diagnostic]) -> None:
    """Print diagnostics on stderr as language.md describes them."""
    from geode.render import render

    colour = sys.stderr.isatty() and "NO_COLOR" not in os.environ
    click.echo(render(diagnostics, colour).rstrip("\n"), err=True, color=colour)


def unknown_unit(unit: str, source: Source, known: Sequence[str]) -> click.BadParameter:
    """What is said of a --unit that a program does not have: whether the word is there, as a part of other units."""
    from geode.diagnostics import Sink
    from geode.syntax.text_to_words import text_to_words
    from geode.syntax.word import Definition
    from rules.errors import names, near_miss

    items = text_to_words(source, Sink()).items
    if any(isinstance(item, Definition) and item.name == unit for item in items):
        message = (
            f"`{unit}` has no unit of its own: it is a part of those that call it. Words with parameters have units, and the "
            f"words that MAIN trains, evaluates or predicts: {names(tuple(known))}"
        )
        return click.BadParameter(message, param_hint="--unit")
    return click.BadParameter(f"no unit `{unit}`{near_miss(unit, tuple(known))}", param_hint="--unit")


def show_json(value: Any) -> None:
    """Print one JSON value on stdout."""
    click.echo(json.dumps(value, indent=2, ensure_ascii=False))


def diagnostic_record(diagnostic: Diagnostic) -> dict[str, Any]:
    """A diagnostic for a machine: code, severity, message, help, and the place if it has one (1-based)."""
    record: dict[str, Any] = {
        "code": diagnostic.code,
        "severity": diagnostic.severity,
        "message": diagnostic.message,
        "help": diagnostic.help,
    }
    span = diagnostic.span
    if span is not None:
        line, column = span.source.position(span.start)
        end_line, end_column = span.source.position(span.end)
        record |= {
            "file": span.source.path,
            "line": line,
            "column": column,
            "end_line": end_line,
            "end_column": end_column,
        }
    return record


def build_record(built: Built) -> dict[str, Any]:
    """A build for a machine: the binary, with what it was made, and what each action did."""
    return {
        "program": str(built.result.program),
        "toolchain": built.tool.toolchain,
        "compiler": built.tool.version,
        "profile": built.tool.profile,
        "lanes": built.tool.lanes,
        "vector": built.tool.vector,
        "features": list(built.tool.features),
        "units": [{"symbol": unit.symbol, "word": unit.word} for unit in built.text.units],
        "actions": [{"name": o.name, "status": o.status, "why": o.why} for o in built.outcomes],
    }


def build_line(built: Built) -> str:
    """A build in one line."""
    tool = built.tool
    ran = sum(outcome.status == "run" for outcome in built.outcomes)
    known = len(built.outcomes) - ran
    how = f"{tool.toolchain}, {tool.profile}, {tool.lanes} lanes"
    return f"{built.result.program} ({how}; {ran} actions run, {known} from the cache)"
