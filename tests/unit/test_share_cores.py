"""Trials at a time and threads of each: together no more than the cores, unless somebody says otherwise."""

from __future__ import annotations

import dataclasses
from typing import cast

import pytest

from rules.sweep import run_sweep
from rules.sweep.run_sweep import share_cores
from rules.sweep.trial import Trial


@dataclasses.dataclass
class _Options:
    """What `share_cores` looks at."""

    options: tuple[str, ...] = ()


def trials(count: int, *options: str) -> list[Trial]:
    """So many trials with these options."""
    return [cast("Trial", _Options(options))] * count


@pytest.mark.parametrize("cores", [1, 2, 3, 8, 64])
@pytest.mark.parametrize("wanted", [None, 1, 2, 5, 100])
@pytest.mark.parametrize("own", [None, 1, 2, 4])
def test_threads_stay_within_the_cores(
    monkeypatch: pytest.MonkeyPatch, cores: int, wanted: int | None, own: int | None
) -> None:
    """Whatever the file says; a trial's own WORKERS make room by running fewer at a time, but one always runs."""
    monkeypatch.setattr(run_sweep, "count_cores", lambda: cores)
    parallel, workers = share_cores(trials(20, *([] if own is None else ["--workers", str(own)])), wanted, None)
    used = workers if own is None else own
    assert parallel >= 1
    assert workers >= 1
    assert parallel * used <= cores or parallel == 1
    assert parallel <= (wanted or cores)


def test_the_command_line_says_otherwise(monkeypatch: pytest.MonkeyPatch) -> None:
    """--parallel goes beyond the cores; few trials get more threads each."""
    monkeypatch.setattr(run_sweep, "count_cores", lambda: 4)
    assert share_cores(trials(20), 2, 16) == (16, 1)
    assert share_cores(trials(20), None, 2) == (2, 2)
    assert share_cores(trials(1), None, None) == (1, 4)
    assert share_cores(trials(2, "--workers", "0"), None, None) == (1, 4)  # 0 means all cores
