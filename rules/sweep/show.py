"""How a sweep goes, for people: a live table on a terminal, one line a trial elsewhere.

In: what `run_sweep` tells. Out: text on a console. Invariant: one thread draws; what was printed stays readable when the
table is gone.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import field

from rich.console import Console, Group
from rich.live import Live
from rich.progress_bar import ProgressBar
from rich.table import Table
from rich.text import Text

from geode.record import dataclass
from rules.action import Outcome
from rules.sweep.attempt import Attempt
from rules.sweep.goal import Aim
from rules.sweep.schedule import Stopped
from rules.sweep.store import LOG, Record, Store
from rules.sweep.trial import Trial

_SILENCE = 30.0  # seconds without a line after which a run in a pipe says that it goes on


@dataclass(slots=True)
class Show:
    """A watcher of `run_sweep`. `live` draws the table, else there are lines; both print on `console`.

    `stopped` is the number of a signal that asked for the end.
    """

    console: Console
    store: Store
    aim: Aim
    live: Live | None = None
    trials: int = 0
    missing: int = 0
    whole: int = 0  # the trials of a search, which come in batches
    found: int = 0  # of a search, those that were done before
    announced: bool = False
    parallel: int = 1
    done: int = 0
    failed: int = 0
    actions: int = 0
    compiled: int = 0
    seconds: float = 0.0
    best: tuple[float, str] | None = None
    stopped: int | None = None
    started: float = field(default_factory=time.monotonic)
    spoken: float = field(default_factory=time.monotonic)

    def check(self) -> None:
        """Raise Stopped if a signal was noted."""
        if self.stopped is not None:
            raise Stopped

    def begin(self, trials: int, missing: int, parallel: int) -> None:
        """Say what is to do; of a search, once a batch."""
        known = trials - missing
        self.found += known
        self.trials, self.missing, self.parallel = trials, self.missing + missing, parallel
        if self.whole:
            self.missing = self.whole - self.found
            if missing and not self.announced:
                self.announced = True
                told = f"; {self.found} known" if self.found else ""
                self.say(f"{self.missing} of {self.whole} trials to run, {parallel} at a time{told}")
        elif missing:
            self.say(
                f"{missing} of {trials} trials to run, {parallel} at a time" + (f"; {known} known" if known else "")
            )

    def building(self, number: int, total: int, label: str) -> None:
        """Name the variant that is being built."""
        self.say(f"building {number} of {total}{': ' if label else ''}{label}")

    def built(self, outcomes: Sequence[Outcome]) -> None:
        """Count the actions that ran."""
        ran = [outcome.name for outcome in outcomes if outcome.status == "run"]
        self.actions += len(ran)
        self.compiled += sum(name.startswith("compile ") for name in ran)

    def say(self, line: str) -> None:
        """Print a line above the table."""
        self.spoken = time.monotonic()
        self.console.print(Text(line), soft_wrap=True)

    def running(self, attempts: Sequence[Attempt]) -> None:
        """Draw the table; in a pipe say now and then that it goes on."""
        if self.live is not None:
            self.live.update(self._picture(attempts), refresh=True)
        elif time.monotonic() - self.spoken > _SILENCE:
            self.say(f"{self.done + self.failed} of {self.missing} ended, {len(attempts)} running{self._left()}")

    def ended(self, trial: Trial, record: Record) -> None:
        """Tell how a trial ended."""
        self.seconds += record.seconds
        if record.state == "failed":
            self.failed += 1
            self.say(f"{self._count()} failed: {record.why}  {trial.label}\n    log: {self.store.place(trial) / LOG}")
            return
        self.done += 1
        goal = self.store.goal(trial, record, self.aim)
        if goal is not None and (self.best is None or (goal > self.best[0]) == self.aim.largest):
            self.best = (goal, trial.label)
        told = "no number" if goal is None else f"{goal:.6g}"
        self.say(f"{self._count()} {self.aim.metric}={told}  {record.seconds:.2f} s  {trial.label}")

    def retried(self, trial: Trial, record: Record) -> None:
        """Tell that a trial is tried again."""
        self.say(f"    try {record.tries} {record.why}, again: {trial.label}")

    def _count(self) -> str:
        width = len(str(self.missing))
        return f"[{self.done + self.failed:>{width}}/{self.missing}]"

    def _left(self) -> str:
        ended = self.done + self.failed
        if not ended:
            return ""
        left = self.seconds / ended * (self.missing - ended) / self.parallel
        return f", about {_duration(left)} left"

    def _picture(self, attempts: Sequence[Attempt]) -> Group:
        table = Table(box=None, padding=(0, 1), show_header=False)
        table.add_column(no_wrap=True, overflow="ellipsis")
        for _ in range(3):
            table.add_column(no_wrap=True, justify="right")
        for attempt in attempts:
            epochs = int(attempt.trial.facts.trained.settings["epochs"] or 0) if attempt.trial.facts.trained else 0
            for values in attempt.trial.settings:
                epochs = int(values["epochs"] or epochs)
            now = attempt.epochs()
            table.add_row(
                Text(attempt.trial.label),
                ProgressBar(total=epochs, completed=min(now, epochs), width=24),
                Text(f"{now}/{epochs}"),
                Text(_duration(time.monotonic() - attempt.started)),
            )
        ended = self.done + self.failed
        summary = Table.grid(padding=(0, 1))
        told = f"{ended}/{self.missing} trials{self._left()}"
        if self.failed:
            told += f", {self.failed} failed"
        summary.add_row(ProgressBar(total=max(1, self.missing), completed=ended, width=24), Text(told))
        best = Text("" if self.best is None else f"best so far: {self.aim.metric}={self.best[0]:.6g}  {self.best[1]}")
        return Group(table, summary, best)


def _duration(seconds: float) -> str:
    """`7 s`, `3 m 05 s`, `2 h 10 m`."""
    whole = round(seconds)
    if whole < 60:
        return f"{whole} s"
    if whole < 3600:
        return f"{whole // 60} m {whole % 60:02d} s"
    return f"{whole // 3600} h {whole % 3600 // 60:02d} m"
