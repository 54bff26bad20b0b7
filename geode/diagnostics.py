"""Errors as data: what is wrong, where, and what to write instead.

In: calls of `Sink.add` and `Sink.error` from any stage. Out: `Diagnostic`s, which `geode.render` turns into text.
Invariant: a user's mistake is a `Diagnostic`; an `InternalError` is always a fault of the compiler.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import field
from typing import Literal

from geode.record import dataclass
from geode.source import Span

Severity = Literal["error", "warning"]


@dataclass(frozen=True, slots=True)
class Diagnostic:
    """One message about a program. Only what applies is filled in.

    `stack`, `wanted`, `declared` and `inferred` hold types as a signature writes them, without parentheses;
    `trail` holds the calls that led to the place, innermost first; `notes` point at further places.
    """

    code: str
    message: str
    span: Span | None
    stack: str | None = None
    wanted: str | None = None
    declared: str | None = None
    inferred: str | None = None
    help: str | None = None
    trail: tuple[tuple[str, Span], ...] = ()
    notes: tuple[tuple[str, Span | None], ...] = ()
    severity: Severity = "error"


class CompileError(Exception):
    """One user mistake, raised where a stage cannot go on; whoever drives the stage puts it in a sink."""

    def __init__(self, diagnostic: Diagnostic) -> None:
        super().__init__(f"{diagnostic.code}: {diagnostic.message}")
        self.diagnostic = diagnostic


class CompileErrors(Exception):  # noqa: N818 -- a collection of errors
    """Every diagnostic of one run, sorted, at least one of them an error."""

    def __init__(self, diagnostics: Iterable[Diagnostic]) -> None:
        self.diagnostics = tuple(diagnostics)
        super().__init__("; ".join(f"{d.code}: {d.message}" for d in self.diagnostics))


class InternalError(Exception):
    """The compiler broke one of its own rules. `code` is a GS9xx."""

    def __init__(self, message: str, code: str = "GS901") -> None:
        super().__init__(f"{code}: {message}")
        self.code = code
        self.message = message


@dataclass(slots=True)
class Sink:
    """Collects the diagnostics of one run, so that several independent mistakes are told at once."""

    _found: dict[Diagnostic, None] = field(default_factory=dict)  # a set that keeps its order

    def add(self, diagnostic: Diagnostic) -> None:
        """Takes one diagnostic; one that is already there is dropped."""
        self._found[diagnostic] = None

    def __len__(self) -> int:
        return len(self._found)

    def error(
        self,
        code: str,
        message: str,
        span: Span | None,
        *,
        help: str | None = None,  # noqa: A002 -- the field's name
        notes: tuple[tuple[str, Span | None], ...] = (),
    ) -> None:
        """The common case of `add`: an error without types."""
        self.add(Diagnostic(code, message, span, help=help, notes=notes))

    @property
    def diagnostics(self) -> tuple[Diagnostic, ...]:
        """What was collected, by file, place and code; what has no place comes first."""
        return tuple(sorted(self._found, key=_sort_key))

    @property
    def has_errors(self) -> bool:
        """True if something else than warnings was collected."""
        return any(d.severity == "error" for d in self._found)

    def fail_if_any(self) -> None:
        """Raises CompileErrors with everything collected if there is an error in it."""
        if self.has_errors:
            raise CompileErrors(self.diagnostics)


def _sort_key(diagnostic: Diagnostic) -> tuple[str, int, int, str, str]:
    span = diagnostic.span
    if span is None:
        return ("", -1, -1, diagnostic.code, diagnostic.message)
    return (span.source.path, span.start, span.end, diagnostic.code, diagnostic.message)
