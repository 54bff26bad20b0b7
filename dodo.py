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


def task_data() -> Iterator[Task]:
    """Check every data set, and make those that are missing."""
    yield from tasks("data", ROOT)


def task_parse() -> Iterator[Task]:
    """Find the mistakes in every program and BUILD file."""
    yield from tasks("parse", ROOT)


def task_emit() -> Iterator[Task]:
    """The C text of every unit."""
    yield from tasks("emit", ROOT)


def task_build() -> Iterator[Task]:
    """Build every program."""
    yield from tasks("build", ROOT)


def task_train() -> Iterator[Task]:
    """Build every program and run it."""
    yield from tasks("train", ROOT)


def task_check() -> Iterator[Task]:
    """Lint, format, types, tests."""
    yield from check_tasks(CHECKS)
