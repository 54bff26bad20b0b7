"""A sweep file -> what to run: its program, its aim, its trials.

In: a path, and what to build with. Out: a `Sweep`. Invariant: every mistake in the file or the program is told before
anything runs; planning builds nothing and needs no compiler.
"""

from __future__ import annotations

import functools
import hashlib
from collections.abc import Iterable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from rules.cache import Cache
from rules.errors import BuildError, near_miss
from rules.sweep.choice_text import FIELD_OF_KIND
from rules.sweep.expand import Point, expand
from rules.sweep.goal import Aim, aim_of
from rules.sweep.mistakes import Mistakes
from rules.sweep.names import fields_of
from rules.sweep.program_facts import Facts, program_facts
from rules.sweep.resolve import Resolved, resolve
from rules.sweep.sweep_file import SweepFile, read_sweep_file
from rules.sweep.trial import Half, Trial, check_point, check_rank, combine, compiled_half, make_trial

if TYPE_CHECKING:
    from rules.sweep.names import Field


@dataclass(frozen=True, slots=True)
class Sweep:
    """A sweep file with its program; paths are told from `root`, where data files are looked for.

    `trials` are all of a matrix; a search asks for its own with `trials_of`.
    """

    name: str
    root: Path
    source: str
    file: SweepFile
    facts: Facts
    fields: dict[str, Field]
    resolved: Resolved
    aim: Aim
    trials: tuple[Trial, ...]
    axes: tuple[str, ...]
    mistakes: Mistakes
    cache: Cache

    @property
    def path(self) -> str:
        """The program's path from the working directory."""
        return _short(self.root / self.source, Path.cwd())

    @property
    def notes(self) -> list[str]:
        """What the author may not have meant."""
        return self.mistakes.notes


def plan_sweep(
    path: Path, cache: Cache, *, root: Path | None = None, program: str | None = None, name: str | None = None
) -> Sweep:
    """Plan the sweep in the file `path`, seen from `root` (None: the working directory).

    `program` is its program, from the root, where a BUILD file names it, `name` its name.

    Raises BuildError with every mistake in the file, CompileErrors for those in the program itself.
    """
    root = Path.cwd() if root is None else root
    shown = _short(path, root)
    mistakes = Mistakes(shown)
    file = read_sweep_file(path, shown, mistakes)
    source = _source(path, file, root, program, mistakes)
    facts = program_facts(_short(root / source, Path.cwd()), {}, cache)
    fields = fields_of(facts)
    resolved = resolve(file, fields, mistakes)
    aim = aim_of(file.goal, facts, mistakes)
    if facts.trained is None:
        mistakes.add(file.program.line if file.program else 1, f"{source} has no TRAIN, so there is nothing to sweep")
    mistakes.fail_if_any()
    stem = path.name.removesuffix(".yaml").removesuffix(".yml").removesuffix(".sweep")
    empty = Sweep(name or stem, root, source, file, facts, fields, resolved, aim, (), (), mistakes, cache)
    if file.search is not None:
        return empty
    points = expand(resolved, mistakes)
    if not points:
        mistakes.add(1, "no trial is left: `exclude` takes out all of them")
        mistakes.fail_if_any()
    trials = trials_of(empty, points)
    axes = tuple(dict.fromkeys(name for point in points for name in point.values))
    return replace(empty, trials=tuple(trials), axes=axes)


def trials_of(sweep: Sweep, points: Iterable[Point]) -> list[Trial]:
    """The trials of points, replicates included; two with one key are one. Raises BuildError with all mistakes."""
    fixed = [(given.name, given.value) for given in sweep.resolved.fixed]
    replicates = range(sweep.file.replicates) if sweep.file.replicates is not None else (None,)
    trials: dict[str, Trial] = {}
    for point in points:
        values = {**dict(fixed), **point.values}
        half = combine(values.items(), FIELD_OF_KIND)
        facts = _variant(sweep, point, half)
        if facts is None:
            continue
        for replicate in replicates:
            trial = make_trial(
                point.texts,
                half,
                facts,
                defines=compiled_half(half, sweep.facts),
                replicate=replicate,
                center=sweep.aim.needs_center,
                digests=lambda path: _digest(sweep.root / path, path, sweep.source),
                line=point.line,
            )
            first = trials.setdefault(trial.key, trial)
            if first is not trial:
                sweep.mistakes.note(
                    point.line or _line(sweep, point), f"{point.label()} computes what {first.label} does: one trial"
                )
    sweep.mistakes.fail_if_any()
    return list(trials.values())


def _variant(sweep: Sweep, point: Point, half: Half) -> Facts | None:
    """The facts of the program with the point's compiled half; None if that is wrong, which is then told."""
    from geode.diagnostics import CompileErrors

    defines = compiled_half(half, sweep.facts)
    line = point.line or _line(sweep, point)
    if "PERTURBATION" in defines and "PERTURBATION" in sweep.facts.constants:
        sweep.mistakes.add(
            line, "the program's CONSTANT `PERTURBATION` must be called otherwise to sweep perturbations"
        )
        return None
    problem = check_rank(half, sweep.facts)
    if problem is not None:
        sweep.mistakes.add(line, f"{point.label()}: {problem}")
        return None
    try:
        facts = program_facts(sweep.path, defines, sweep.cache)
    except CompileErrors as errors:
        first = next(d for d in errors.diagnostics if d.severity == "error")
        place = f"{first.span.place()}: " if first.span is not None else ""
        said = " ".join(f"{name}={value}" for name, value in defines.items())
        sweep.mistakes.add(line, f"with {said} the program is wrong: {place}{first.code}: {first.message}")
        return None
    problem = check_point(half, facts)
    if problem is not None:
        sweep.mistakes.add(line, f"{point.label()}: {problem}; `exclude` takes points out")
        return None
    return facts


def _line(sweep: Sweep, point: Point) -> int:
    """The line of the first axis that a point of the matrix has a value of."""
    axes = (*sweep.resolved.axes, *(axis for group in sweep.resolved.zips for axis in group))
    return min((axis.line for axis in axes if axis.name in point.values), default=1)


def _source(path: Path, file: SweepFile, root: Path, program: str | None, mistakes: Mistakes) -> str:
    """The program's path from the root."""
    if file.program is None:
        if program is not None:
            return program
        mistakes.add(1, "`program: FILE.gs` is missing")
        mistakes.fail_if_any()
    assert file.program is not None
    found = path.parent / file.program.text
    if program is not None and found.resolve() != (root / program).resolve():
        mistakes.add(file.program.line, f"`program` is {file.program.text}, and the BUILD file says {program}")
    if not found.is_file():
        others = tuple(sorted(other.name for other in found.parent.glob("*.gs")))
        mistakes.add(file.program.line, f"there is no file {_short(found, root)}{near_miss(found.name, others)}")
        mistakes.fail_if_any()
    return _short(found, root)


def _short(path: Path, root: Path) -> str:
    """A path from the root if it lies below, else as it was given."""
    try:
        return path.resolve().relative_to(root.resolve()).as_posix()
    except ValueError:
        return str(path)


@functools.cache
def _file_digest(path: str, size: int, changed: int) -> str:  # noqa: ARG001 -- size and time tell one content from the next
    with Path(path).open("rb") as file:
        hash_ = hashlib.sha256()
        while block := file.read(1 << 20):
            hash_.update(block)
        return hash_.hexdigest()


def _digest(path: Path, shown: str, source: str) -> str:
    """The digest of a file that a run of `source` reads; it is read once."""
    try:
        status = path.stat()
        return _file_digest(str(path), status.st_size, status.st_mtime_ns)
    except OSError as error:
        raise BuildError(f"{source} reads {shown}, which cannot be read: {error.strerror}") from None
