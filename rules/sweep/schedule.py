"""Trials that are missing -> records: several at a time, further tries, going on after failures.

In: jobs in order. Out: a record for each that ended. Invariant: one thread, so that starting a process is safe; whatever
ends the schedule, no trial is left running.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from pathlib import Path
from typing import Protocol

from geode.record import dataclass
from rules.sweep.attempt import Attempt, Program, begin
from rules.sweep.store import Record, Store
from rules.sweep.trial import Trial

_PAUSE = 0.01  # seconds between looks at the running trials
_SHOWN = 0.2  # seconds between two pictures of them


@dataclass(frozen=True, slots=True)
class Job:
    """A trial, its binary, and the threads that it may use."""

    trial: Trial
    program: Program
    workers: int


@dataclass(frozen=True, slots=True)
class Limits:
    """Where data files are looked for, how many trials at a time, the seconds that each may take, further tries, and
    whether a failure ends it all.
    """

    root: Path
    parallel: int
    timeout: float | None
    retries: int
    fail_fast: bool


class Stopped(Exception):  # noqa: N818 -- no error: somebody asked for it
    """A signal asked the sweep to end."""


class Observer(Protocol):
    """Who is told what happens, and tells whether to go on."""

    def check(self) -> None:
        """Raise Stopped if a signal has asked for the end."""

    def running(self, attempts: Sequence[Attempt]) -> None:
        """A picture of what runs now, a few times a second."""

    def ended(self, trial: Trial, record: Record) -> None:
        """A trial has ended for good."""

    def retried(self, trial: Trial, record: Record) -> None:
        """A trial has ended and is tried again."""


def run_jobs(jobs: Sequence[Job], store: Store, limits: Limits, observer: Observer) -> dict[str, Record]:
    """Run the jobs; the records by key of those that ended. Stopped ends what runs and is raised again."""
    waiting = [(job, 1) for job in reversed(jobs)]
    running: list[tuple[Job, Attempt]] = []
    records: dict[str, Record] = {}
    shown = 0.0
    try:
        while waiting or running:
            observer.check()
            while waiting and len(running) < limits.parallel:
                job, tries = waiting.pop()
                attempt = begin(
                    job.trial, job.program, store.work(job.trial), limits.root, workers=job.workers, tries=tries
                )
                running.append((job, attempt))
            ended = [pair for pair in running if pair[1].poll(limits.timeout)]
            for pair in ended:
                running.remove(pair)
                job, attempt = pair
                record = attempt.record(limits.timeout)
                if record.state == "failed" and attempt.may_be_retried and attempt.tries <= limits.retries:
                    observer.retried(job.trial, record)
                    waiting.append((job, attempt.tries + 1))
                    continue
                store.keep(job.trial, record)
                records[job.trial.key] = record
                observer.ended(job.trial, record)
                if record.state == "failed" and limits.fail_fast:
                    waiting.clear()
                    for _, other in running:
                        other.stop()
                    _wait([attempt for _, attempt in running])
                    return records
            now = time.monotonic()
            if now - shown > _SHOWN:
                observer.running([attempt for _, attempt in running])
                shown = now
            if not ended:
                time.sleep(_PAUSE)
    except BaseException:
        for _, attempt in running:
            attempt.stop()
        _wait([attempt for _, attempt in running])
        raise
    return records


def _wait(attempts: Sequence[Attempt]) -> None:
    """Until all have ended; those that were asked to stop are killed after a while."""
    left = list(attempts)
    while left:
        left = [attempt for attempt in left if not attempt.poll(None)]
        time.sleep(_PAUSE)
