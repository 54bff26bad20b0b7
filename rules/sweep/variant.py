"""A point's compiled half -> the facts of that program, or what is wrong; and which value of the point is to blame.

In: a sweep's program, halves of points. Out: `Facts` or a message, the line of a value. Invariant: a program is looked at
once for each compiled half, however many points share it.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import field

from geode.record import dataclass
from rules.cache import Cache
from rules.sweep.choice_text import FIELD_OF_KIND
from rules.sweep.program_facts import Facts, program_facts
from rules.sweep.trial import Half, check_point, check_rank, combine, compiled_half
from rules.sweep.value import Value


@dataclass(frozen=True, slots=True)
class Problem:
    """What is wrong with a half: `what` it is told of (empty: the point), the reason, and what to do."""

    what: str
    reason: str
    hint: str = ""

    def tell(self, label: str) -> str:
        """The message for the point `label`."""
        return f"{self.what or label}: {self.reason}{self.hint}"


@dataclass(frozen=True, slots=True)
class Variants:
    """The programs that a sweep compiles: `program` is the one in the file `source`, with nothing replaced."""

    source: str
    program: Facts
    cache: Cache
    known: dict[tuple[tuple[str, str], ...], Facts | Problem] = field(default_factory=dict)

    def look(self, half: Half) -> Facts | Problem:
        """The facts of the program with this half, or what is wrong with it or with the settings taken together."""
        defines = compiled_half(half, self.program)
        if "PERTURBATION" in defines and "PERTURBATION" in self.program.constants:
            return Problem("the program's CONSTANT `PERTURBATION`", "to sweep perturbations call it otherwise")
        problem = check_rank(half, self.program)
        if problem is not None:
            return Problem("", problem)
        key = tuple(sorted(defines.items()))
        if key not in self.known:
            self.known[key] = self._compile(defines)
        facts = self.known[key]
        problem = check_point(half, facts) if isinstance(facts, Facts) else None
        return facts if problem is None else Problem("", problem, "; `exclude` takes points out")

    def line_to_blame(self, problem: Problem, values: Iterable[tuple[str, Value]], point: Mapping[str, Value]) -> int:
        """The line of the one of `values` that alone, the rest being the program's own, has this problem, else any; where
        several have it together, that of the point's first.
        """
        wrong: dict[str, int] = {}
        for name, value in values:
            alone = self.look(combine([(name, value)], FIELD_OF_KIND))
            if isinstance(alone, Problem):
                wrong.setdefault(alone.reason, value.line)
        return wrong.get(problem.reason) or next(iter(wrong.values()), first_line(point))

    def _compile(self, defines: Mapping[str, str]) -> Facts | Problem:
        from geode.diagnostics import CompileErrors

        try:
            return program_facts(self.source, defines, self.cache)
        except CompileErrors as errors:
            first = next(d for d in errors.diagnostics if d.severity == "error")
            place = f"{first.span.place()}: " if first.span is not None else ""
            said = " ".join(f"{name}={value}" for name, value in defines.items())
            return Problem(f"with {said} the program is wrong", f"{place}{first.code}: {first.message}")


def first_line(point: Mapping[str, Value]) -> int:
    """The line of the first value that a point of the matrix has."""
    return min((value.line for value in point.values()), default=1)
