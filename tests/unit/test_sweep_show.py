"""What a sweep shows while it runs: a table on a terminal, a line a trial elsewhere."""

from __future__ import annotations

import io
import time
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import pytest
from rich.console import Console
from rich.live import Live

from geode.report.metrics import Results
from rules.cache import Cache
from rules.sweep.attempt import Attempt
from rules.sweep.goal import Aim
from rules.sweep.schedule import Stopped
from rules.sweep.show import Show
from rules.sweep.store import Made, Record, Store
from rules.sweep.trial import Trial


def trial(alpha: str) -> Trial:
    """As much of a trial as is shown."""
    facts = SimpleNamespace(trained=SimpleNamespace(settings={"epochs": 40}))
    shown = SimpleNamespace(
        label=f"ALPHA={alpha} SEED=1", facts=facts, settings=({"epochs": 40},), name=alpha, key=alpha
    )
    return cast("Trial", shown)


def record(goal: float | None, why: str = "") -> Record:
    """A record of a trial that took two seconds."""
    made = Made("b", "gcc", "12", "fast", 8)
    state = "failed" if why else "done"
    return Record("k", state, why, 1, 1, 2.0, 1, Results({"last": (goal, 40)}, {}, None), made, (), {})


def show(tmp_path: Path, *, terminal: bool) -> tuple[Show, io.StringIO]:
    """A picture of a sweep whose goal is the smallest center."""
    out = io.StringIO()
    console = Console(file=out, force_terminal=terminal, width=100, highlight=False, color_system=None)
    store = Store(tmp_path, Cache(tmp_path / "cache", lambda _: None))
    return Show(console, store, Aim("center", "last", largest=False)), out


def test_lines_tell_each_trial(tmp_path: Path) -> None:
    """Its number, goal and time; a failure with its log; the best so far is the smallest."""
    shown, out = show(tmp_path, terminal=False)
    shown.begin(12, 3, 2)
    shown.ended(trial("0.1"), record(4.0))
    shown.ended(trial("0.2"), record(2.0))
    shown.ended(trial("0.3"), record(None, "status 1"))
    assert out.getvalue().splitlines() == [
        "3 of 12 trials to run, 2 at a time; 9 known",
        "[1/3] center=4  2.00 s  ALPHA=0.1 SEED=1",
        "[2/3] center=2  2.00 s  ALPHA=0.2 SEED=1",
        "[3/3] failed: status 1  ALPHA=0.3 SEED=1",
        f"    log: {tmp_path}/trials/0.3/log.txt",
    ]
    assert shown.best == (2.0, "ALPHA=0.2 SEED=1")
    assert (shown.done, shown.failed) == (2, 1)


def test_batches_of_a_search_count_to_its_whole(tmp_path: Path) -> None:
    """A first batch that is known, then two that are not: what is left is told once."""
    shown, out = show(tmp_path, terminal=False)
    shown.whole = 4
    shown.begin(1, 0, 1)
    for name in ("0.1", "0.2"):
        shown.begin(1, 1, 1)
        shown.ended(trial(name), record(4.0))
    assert out.getvalue().splitlines() == [
        "3 of 4 trials to run, 1 at a time; 1 known",
        "[1/3] center=4  2.00 s  ALPHA=0.1 SEED=1",
        "[2/3] center=4  2.00 s  ALPHA=0.2 SEED=1",
    ]


def test_a_pipe_hears_now_and_then_that_it_goes_on(tmp_path: Path) -> None:
    """A line after half a minute of silence, no more."""
    shown, out = show(tmp_path, terminal=False)
    shown.begin(4, 4, 2)
    shown.ended(trial("0.1"), record(4.0))
    shown.running([])
    assert "running" not in out.getvalue()
    shown.spoken -= 31
    shown.running([])
    shown.running([])
    assert out.getvalue().splitlines()[2:] == ["1 of 4 ended, 0 running, about 3 s left"]


def test_table_has_the_running_trials_and_the_best(tmp_path: Path) -> None:
    """A bar for each with its epochs, one for all, the best so far."""
    shown, out = show(tmp_path, terminal=True)
    running: Any = SimpleNamespace(trial=trial("0.3"), epochs=lambda: 10, started=time.monotonic() - 65)
    with Live(console=shown.console, auto_refresh=False, transient=True) as live:
        shown.live = live
        shown.begin(3, 3, 1)
        shown.ended(trial("0.1"), record(4.0))
        shown.running([cast("Attempt", running)])
    text = out.getvalue()
    assert "ALPHA=0.3 SEED=1" in text
    assert "10/40" in text
    assert "1 m 05 s" in text
    assert "1/3 trials, about 4 s left" in text
    assert "best so far: center=4  ALPHA=0.1 SEED=1" in text


def test_a_noted_signal_stops(tmp_path: Path) -> None:
    """`check` raises once a signal has been noted."""
    shown, _ = show(tmp_path, terminal=False)
    shown.check()
    shown.stopped = 15
    with pytest.raises(Stopped):
        shown.check()
