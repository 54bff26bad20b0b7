"""A planned sweep -> all of its trials done: what is known is taken, what is missing is built and run.

In: a `Sweep`, its store, what to build with, how to run. Out: a record for every trial that ended. Invariant: one process
at a time works in a sweep's folder; trials with one compiled half run one binary.
"""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Protocol

from geode.record import dataclass
from rules.action import Outcome
from rules.errors import BuildError
from rules.source_to_binary import build_source
from rules.sweep.attempt import Program
from rules.sweep.plan_sweep import Sweep
from rules.sweep.schedule import Job, Limits, Observer, run_jobs
from rules.sweep.store import Made, Record, Store, writing
from rules.sweep.trial import Trial

Defines = tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class BuildWith:
    """What variants of the program are built with, as for `geode build`."""

    toolchain: str | None = None
    profile: str = "fast"
    lanes: int | None = None


@dataclass(frozen=True, slots=True)
class Choice:
    """How to run: trials at a time (None: the file's number, or the cores), and which trials.

    `fresh` runs also what is done; `failed_only` nothing but trials that have failed.
    """

    parallel: int | None = None
    fail_fast: bool = False
    failed_only: bool = False
    fresh: bool = False


class Watcher(Observer, Protocol):
    """Who is told how a sweep goes."""

    def begin(self, trials: int, missing: int, parallel: int) -> None:
        """So many trials, so many of them are to run."""

    def building(self, number: int, total: int, label: str) -> None:
        """Variant `number` of `total` is being built."""

    def built(self, outcomes: Sequence[Outcome]) -> None:
        """What the build's actions did."""

    def say(self, line: str) -> None:
        """A line for the user."""


def missing_trials(trials: Iterable[Trial], store: Store, choice: Choice) -> tuple[list[Trial], dict[str, Record]]:
    """The trials that would run, and the records of the others that have ended."""
    missing: list[Trial] = []
    records: dict[str, Record] = {}
    for trial in trials:
        if choice.fresh and not choice.failed_only:
            missing.append(trial)  # whatever became of it
            continue
        record = store.find(trial)
        done = record is not None and record.state == "done" and not choice.fresh
        if record is not None and (done or not (choice.fresh or record.state == "failed")):
            records[trial.key] = record
        elif not choice.failed_only or (record is not None and record.state == "failed"):
            missing.append(trial)
    return missing, records


def run_trials(
    sweep: Sweep,
    trials: Sequence[Trial],
    store: Store,
    build: BuildWith,
    choice: Choice,
    watcher: Watcher,
    programs: dict[Defines, Program] | None = None,
) -> dict[str, Record]:
    """Make all trials done that can be; their records by key. The sweep's lock must be held.

    `programs` are binaries that were built before in this call of the command; those that are missing are added.
    """
    missing, records = missing_trials(trials, store, choice)
    parallel, workers = share_cores(missing, sweep.file.run.parallel, choice.parallel)
    watcher.begin(len(trials), len(missing), parallel)
    if not missing:
        return records
    programs = {} if programs is None else programs
    _build(missing, programs, sweep, store, build, watcher)
    jobs = [Job(trial, programs[trial.defines], workers) for trial in missing]
    limits = Limits(sweep.root, parallel, sweep.file.run.timeout, sweep.file.run.retries, choice.fail_fast)
    records |= run_jobs(jobs, store, limits, watcher)
    return records


def share_cores(trials: Sequence[Trial], wanted: int | None, asked: int | None) -> tuple[int, int]:
    """How many trials at a time, and the threads of each that sets no WORKERS: together no more than there are cores,
    unless `asked` (the command line) or the trials' own WORKERS say otherwise. `wanted` is the sweep file's number.
    """
    cores = count_cores()
    own = [int(options[options.index("--workers") + 1]) for t in trials if "--workers" in (options := t.options)]
    if asked is not None:
        return asked, max(1, cores // asked)
    most = cores // max(cores if threads == 0 else threads for threads in (*own, 1)) or 1
    parallel = max(1, min(wanted or cores, most, len(trials) or 1))
    return parallel, max(1, cores // parallel)


def count_cores() -> int:
    """The cores that this process may use."""
    try:
        return len(os.sched_getaffinity(0))
    except AttributeError:
        return os.cpu_count() or 1


def _build(
    trials: Sequence[Trial],
    programs: dict[Defines, Program],
    sweep: Sweep,
    store: Store,
    build: BuildWith,
    watcher: Watcher,
) -> None:
    """Build a binary for each compiled half that `programs` lacks."""
    halves = [half for half in dict.fromkeys(trial.defines for trial in trials) if half not in programs]
    told: set[str] = set()
    for number, defines in enumerate(halves, 1):
        watcher.check()
        watcher.building(number, len(halves), " ".join(f"{name}={value}" for name, value in defines))
        built = build_source(
            sweep.path,
            dict(defines),
            folder=store.folder / "programs" / variant_name(defines),
            toolchain=build.toolchain,
            profile=build.profile,
            lanes=build.lanes,
            warn=_once(told, watcher.say),
            show=lambda found: _show(found, told, watcher),
        )
        watcher.built(built.outcomes)
        path = built.result.program
        binary = hashlib.sha256(path.read_bytes()).hexdigest()
        tool = built.tool
        programs[defines] = Program(path, Made(binary, tool.toolchain, tool.version, tool.profile, tool.lanes))


def variant_name(defines: Defines) -> str:
    """The folder of a compiled half: `plain` where it is the program as it is."""
    return hashlib.sha256(json.dumps(defines).encode()).hexdigest()[:8] if defines else "plain"


def _once(told: set[str], say: Callable[[str], None]) -> Callable[[str], None]:
    def say_once(line: str) -> None:
        if line not in told:
            told.add(line)
            say(line)

    return say_once


def _show(found: Sequence[object], told: set[str], watcher: Watcher) -> None:
    """The program's warnings, which all variants have."""
    from geode.diagnostics import Diagnostic
    from geode.render import render

    for one in found:
        assert isinstance(one, Diagnostic)
        _once(told, watcher.say)(render([one], colour=False).rstrip("\n"))


def folder_of(sweep: Sweep, folder: Path | None) -> Path:
    """The folder of a sweep: the one that was asked for, else `runs/NAME`."""
    return folder if folder is not None else sweep.root / "runs" / sweep.name


def check_folder(folder: Path) -> None:
    """Make the folder of a sweep. Raises BuildError if that is impossible."""
    refuse_file(folder)
    with writing(folder):
        folder.mkdir(parents=True, exist_ok=True)


def refuse_file(folder: Path) -> None:
    """Raise BuildError if a file stands where the folder of a sweep, or one above it, should be."""
    there = next((place for place in (folder, *folder.parents) if place.exists()), None)
    if there is not None and not there.is_dir():
        raise BuildError(f"cannot keep the sweep in {folder}: {there} is a file")
