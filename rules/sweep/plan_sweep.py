"""A sweep file -> what to run: its program, its aim, its trials.

In: a path, and what to build with. Out: a `Sweep`. Invariant: every mistake in the file or the program is told before
anything runs; planning builds nothing and needs no compiler.
"""

from __future__ import annotations

import functools
import hashlib
from collections.abc import Iterable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from geode.record import dataclass
from geode.settings import FIELDS
from rules.cache import Cache
from rules.errors import BuildError, near_miss
from rules.sweep.choice_text import FIELD_OF_KIND
from rules.sweep.expand import MOST_POINTS, Point, expand
from rules.sweep.goal import Aim, aim_of, why_never
from rules.sweep.mistakes import Mistakes
from rules.sweep.names import fields_of
from rules.sweep.program_facts import Facts, program_facts
from rules.sweep.resolve import Resolved, resolve
from rules.sweep.sweep_file import SweepFile, read_sweep_file
from rules.sweep.trial import Half, Trial, combine, compiled_half, make_trial
from rules.sweep.variant import Problem, Variants, first_line

if TYPE_CHECKING:
    from rules.sweep.names import Field


_EPOCHS = {"EPOCHS", "METRICS-EVERY", "EVALUATE-EVERY"}  # settings that decide which epochs have a line


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
    variants: Variants

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
    shown_source = _short(root / source, Path.cwd())
    facts = program_facts(shown_source, {}, cache)
    fields = fields_of(facts)
    resolved = resolve(file, fields, mistakes)
    aim = aim_of(file.goal, facts, mistakes)
    if facts.trained is None:
        mistakes.add(file.program.line if file.program else 1, f"{source} has no TRAIN, so there is nothing to sweep")
    mistakes.fail_if_any()
    stem = path.name.removesuffix(".yaml").removesuffix(".yml").removesuffix(".sweep")
    empty = Sweep(
        name or stem,
        root,
        source,
        file,
        facts,
        fields,
        resolved,
        aim,
        (),
        (),
        mistakes,
        cache,
        Variants(shown_source, facts, cache),
    )
    if file.search is not None:
        _refuse_too_many(file, file.search.trials)
        return empty
    points = expand(resolved, mistakes)
    if not points:
        mistakes.add(1, "no trial is left: `exclude` takes out all of them")
        mistakes.fail_if_any()
    _refuse_too_many(file, len(points))
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
        facts = sweep.variants.look(half)
        if isinstance(facts, Problem):
            blamed = point.line or sweep.variants.line_to_blame(facts, [*fixed, *point.values.items()], point.values)
            sweep.mistakes.add(blamed, facts.tell(point.label()))
            continue
        if _counts_too_far(sweep, half, facts):
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
                line = point.line or first_line(point.values)
                sweep.mistakes.note(line, f"{point.label()} computes what {first.label} does: one trial")
    _check_goal(sweep, list(trials.values()))
    sweep.mistakes.fail_if_any()
    return list(trials.values())


def _refuse_too_many(file: SweepFile, points: int) -> None:
    """Raise BuildError for more trials than a sweep may have."""
    if points * (file.replicates or 1) > MOST_POINTS:
        times = f" of {file.replicates} replicates each" if file.replicates else ""
        line = file.replicates_line if file.replicates or file.search is None else file.search.line
        raise BuildError(f"{file.path}:{line}: the sweep has {points} points{times}, {MOST_POINTS} trials are the most")


def _counts_too_far(sweep: Sweep, half: Half, facts: Facts) -> bool:
    """Whether the last replicate's SEED is none any more, which is then told."""
    assert facts.trained is not None
    seed = int({**facts.trained.settings, **half.settings}["seed"] or 0)
    last, most = seed + (sweep.file.replicates or 1) - 1, int(FIELDS["seed"].maximum)
    if last > most:
        message = f"`replicates` counts `SEED` up from {seed} to {last}; {most} is the largest"
        sweep.mistakes.add(sweep.file.replicates_line, message)
    return last > most


def _check_goal(sweep: Sweep, trials: Sequence[Trial]) -> None:
    """A goal at an epoch that no trial reaches is a mistake, one that some don't reach is noted."""
    reasons = []
    for trial in trials:
        stages = zip(trial.facts.stages, trial.settings, strict=True)
        reasons.append(why_never(sweep.aim, [values for stage, values in stages if stage.kind == "train"]))
    never = [reason for reason in reasons if reason is not None]
    if not never:
        return
    told = f"the goal is a value after {sweep.aim.at} epochs, which"
    line, search = sweep.file.goal.at_line, sweep.file.search
    if search is not None and _EPOCHS & {one.name.text for one in search.space}:
        return  # other points may have it
    if len(never) == len(trials):
        sweep.mistakes.add(line, f"{told} no trial has: {never[0]}")
    else:
        sweep.mistakes.note(line, f"{told} {len(never)} of {len(trials)} trials have not: {never[0]}")


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
