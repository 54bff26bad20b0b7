"""Tasks for doit: `doit list --all`, `doit build://examples:sine-ae`, `doit train://examples:sine-ae`, `doit check`.

Holds no logic: BUILD files say what there is, `rules.doit_tasks` turns it into tasks.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from rules.doit_tasks import Task, check_tasks, tasks

DOIT_CONFIG = {"default_tasks": ["build"]}

ROOT = Path(__file__).resolve().parent
CHECKS = {
    "lint": ["ruff", "check"],
    "format": ["ruff", "format", "--check"],
    "types": ["mypy"],
    "tests": ["pytest", "-q", "-n", "2"],
}


def task_targets() -> Iterator[Task]:
    """What the BUILD files say there is to do."""
    yield from tasks(ROOT)


def task_check() -> Iterator[Task]:
    """Lint, format, types, tests."""
    yield from check_tasks(CHECKS)


def task_check_full() -> Iterator[Task]:
    """The same with the long tests: sanitizers, every toolchain that is there, learning, chaos."""
    yield from check_tasks({**CHECKS, "tests": [*CHECKS["tests"], "--slow"]})
