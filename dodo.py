"""Tasks for doit: `doit list`, `doit build://examples:sine-ae`, `doit train://examples:sine-ae`, `doit check`.

Holds no logic: the tasks come from `rules.doit_tasks`.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from rules.doit_tasks import Task, build_tasks, check_tasks, train_tasks

DOIT_CONFIG = {"default_tasks": ["build"]}

EXAMPLES = Path(__file__).parent / "examples"
CHECKS = {
    "lint": ["ruff", "check"],
    "format": ["ruff", "format", "--check"],
    "types": ["mypy"],
    "tests": ["pytest", "-q"],
}


def task_build() -> Iterator[Task]:
    """Build every example."""
    yield from build_tasks(EXAMPLES)


def task_train() -> Iterator[Task]:
    """Build and run an example."""
    yield from train_tasks(EXAMPLES)


def task_check() -> Iterator[Task]:
    """Lint, format, types, tests."""
    yield from check_tasks(CHECKS)
