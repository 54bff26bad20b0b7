"""What the commands of `geode sweep` do: run with a lock and a picture, list, tell the state.

In: a planned sweep and its store. Out: lines, records for a machine, an exit status. Invariant: whoever ends a run with a
signal finds every trial that had ended recorded, and none running.
"""

from __future__ import annotations

import contextlib
import json
import shlex
import signal
import time
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from types import FrameType
from typing import Any

from rich.console import Console
from rich.live import Live

from geode.report.runs_to_table import Row, mean_text, runs_to_rows
from rules.errors import BuildError
from rules.lock import locked
from rules.sweep.collect import collect_runs, last_line
from rules.sweep.plan_sweep import Sweep
from rules.sweep.run_sweep import BuildWith, Choice, check_folder, missing_trials, run_trials
from rules.sweep.schedule import Stopped
from rules.sweep.show import Show
from rules.sweep.store import LOG, Record, Store, writing
from rules.sweep.trial import Trial

MOST_FAILED = 100  # the exit status has room for no more
_LISTED = 5


def run_command(sweep: Sweep, store: Store, build: BuildWith, choice: Choice, *, as_json: bool = False) -> int:
    """Run what is missing; the exit status: the number of failed trials, 100 at most, 128 + n if signal n ended it."""
    console = Console(stderr=as_json, highlight=False)
    show = Show(console, store, sweep.aim)
    check_folder(store.folder)
    started = time.monotonic()
    try:
        with _locked(store, show), _signals(show), _picture(console, show):
            store.clear_work()
            trials, records = _all_trials(sweep, store, build, choice, show)
    except (Stopped, BuildError):  # a Ctrl-C also ends the compiler of a build
        if show.stopped is None:
            raise
        show.say(f"stopped by {signal.Signals(show.stopped).name}; `geode sweep run` goes on with what is missing")
        return 128 + show.stopped
    failed = [trial for trial in trials if trial.key in records and records[trial.key].state == "failed"]
    if as_json:
        print(json.dumps(_record(sweep, store, trials, records), indent=2))  # noqa: T201 -- a machine reads it
    else:
        for line in _summary(sweep, store, trials, records, show, time.monotonic() - started):
            show.say(line)
    return min(len(failed), MOST_FAILED)


@contextlib.contextmanager
def _locked(store: Store, show: Show) -> Iterator[None]:
    """Hold the lock of the sweep's folder. Raises BuildError if it has no room for one."""
    with contextlib.ExitStack() as stack:
        with writing(store.folder):
            stack.enter_context(locked(store.folder, show.say))
        yield


def _all_trials(
    sweep: Sweep, store: Store, build: BuildWith, choice: Choice, show: Show
) -> tuple[Sequence[Trial], dict[str, Record]]:
    if sweep.file.search is not None:
        from rules.sweep.search import run_search

        show.whole = sweep.file.search.trials * (sweep.file.replicates or 1)
        return run_search(sweep, store, build, choice, show)
    return sweep.trials, run_trials(sweep, sweep.trials, store, build, choice, show)


def dry_run_lines(sweep: Sweep, store: Store, choice: Choice, *, as_json: bool) -> Iterator[str]:
    """The trials that would run, in order."""
    store = replace(store, looks=True)
    missing, _ = missing_trials(planned_trials(sweep, store), store, choice)
    if as_json:
        yield json.dumps([_trial_record(trial, None, None) for trial in missing], indent=2)
        return
    for trial in missing:
        yield f"{trial.name}  {trial.label}"


def planned_trials(sweep: Sweep, store: Store) -> Sequence[Trial]:
    """The trials of the sweep; of a search those that are known, and the batch that would come next."""
    if sweep.file.search is None:
        return sweep.trials
    from rules.sweep.search import known_trials

    return known_trials(sweep, store)


def status_record(sweep: Sweep, store: Store) -> dict[str, Any]:
    """The sweep's state for a machine. Writes nothing."""
    store = replace(store, looks=True)
    trials = planned_trials(sweep, store)
    return _record(sweep, store, trials, all_records(trials, store))


def all_records(trials: Sequence[Trial], store: Store) -> dict[str, Record]:
    """What became of the trials that have ended, by key."""
    return {trial.key: record for trial in trials if (record := store.find(trial)) is not None}


def status_lines(sweep: Sweep, store: Store) -> Iterator[str]:
    """The sweep's state for people. Writes nothing."""
    store = replace(store, looks=True)
    trials = planned_trials(sweep, store)
    records = all_records(trials, store)
    states = [records[trial.key].state if trial.key in records else "missing" for trial in trials]
    counts = ", ".join(f"{states.count(state)} {state}" for state in ("done", "failed", "missing"))
    yield f"{sweep.name}: {len(trials)} trials: {counts}; {sweep.aim}"
    yield from _failures(trials, records, store)
    yield from _ranking(_rows(sweep, store, trials, records), len(trials))


def _summary(
    sweep: Sweep, store: Store, trials: Sequence[Trial], records: dict[str, Record], show: Show, seconds: float
) -> Iterator[str]:
    done = sum(record.state == "done" for record in records.values())
    ran = show.done + show.failed
    yield f"{done} of {len(trials)} trials done, {ran} run now ({show.compiled} compilations) in {seconds:.1f} s"
    yield from _failures(trials, records, store)
    yield from _ranking(_rows(sweep, store, trials, records), _LISTED)
    if done:
        yield f"in {_shown(store.folder)}; `{report_command(sweep, store)}` makes a page of it"


def report_command(sweep: Sweep, store: Store) -> str:
    """The command that makes a page of this sweep, from the working directory."""
    usual = store.folder.resolve() == (Path("runs") / sweep.name).resolve()
    return f"geode sweep report {'' if usual else f'-o {shlex.quote(_shown(store.folder))} '}{shlex.quote(sweep.file.path)}"


def _shown(folder: Path) -> str:
    """A folder from the working directory if it lies below."""
    try:
        return folder.resolve().relative_to(Path.cwd()).as_posix()
    except ValueError:
        return str(folder)


def _failures(trials: Sequence[Trial], records: dict[str, Record], store: Store) -> Iterator[str]:
    failed = [trial for trial in trials if trial.key in records and records[trial.key].state == "failed"]
    if failed:
        yield f"{len(failed)} failed:"
    for trial in failed:
        log = store.place(trial) / LOG
        yield f"  {trial.label}"
        yield f"    {records[trial.key].why}: {last_line(store, trial)}"
        yield f"    {log}"


def _rows(sweep: Sweep, store: Store, trials: Sequence[Trial], records: dict[str, Record]) -> list[Row]:
    return runs_to_rows(collect_runs(trials, records, store, sweep.aim), largest=sweep.aim.largest)


def _ranking(ranked: Sequence[Row], most: int) -> Iterator[str]:
    means = [mean_text(item) for item in ranked[:most]]
    width = max(map(len, means), default=0)
    for number, (item, mean) in enumerate(zip(ranked, means, strict=False), 1):
        yield f"{number:>4}  {mean:<{width}}  {item.label}"
    if len(ranked) > most:
        yield f"      and {len(ranked) - most} more"


def _record(sweep: Sweep, store: Store, trials: Sequence[Trial], records: dict[str, Record]) -> dict[str, Any]:
    found = []
    for trial in trials:
        record = records.get(trial.key)
        done = record is not None and record.state == "done"
        goal = store.goal(trial, record, sweep.aim) if done and record is not None else None
        found.append(_trial_record(trial, record, goal))
    return {
        "name": sweep.name,
        "program": sweep.source,
        "goal": {"metric": sweep.aim.metric, "at": sweep.aim.at, "direction": "max" if sweep.aim.largest else "min"},
        "folder": str(store.folder),
        "trials": found,
    }


def _trial_record(trial: Trial, record: Record | None, goal: float | None) -> dict[str, Any]:
    told: dict[str, Any] = {
        "trial": trial.name,
        "point": dict(trial.point),
        "seed": trial.seed,
        "replicate": trial.replicate,
        "state": "missing" if record is None else record.state,
    }
    if record is not None:
        told |= {"goal": goal, "seconds": record.seconds, "tries": record.tries, "why": record.why}
    return told


@contextlib.contextmanager
def _picture(console: Console, show: Show) -> Iterator[None]:
    """The live table, where there is a terminal to draw it on."""
    if not console.is_terminal:
        yield
        return
    with Live(console=console, auto_refresh=False, transient=True) as live:
        show.live = live
        try:
            yield
        finally:
            show.live = None


@contextlib.contextmanager
def _signals(show: Show) -> Iterator[None]:
    """SIGINT, SIGTERM and SIGHUP end the sweep in order.

    The handler only notes the signal: an exception that it raised could be lost in a callback of the interpreter's.
    """

    def stop(number: int, _frame: FrameType | None) -> None:
        show.stopped = number

    before = [(number, signal.signal(number, stop)) for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)]
    try:
        yield
    finally:
        for number, handler in before:
            signal.signal(number, handler)
