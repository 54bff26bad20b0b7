"""Programs -> doit tasks: the only file that knows doit's keys.

In: the folder of example programs. Out: task dictionaries named like labels, `build://examples:sine-ae` and
`train://examples:sine-ae` (doit refuses a task called `run`). Invariant: no task has a stamp of its own; the action
cache decides what is stale.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

Task = dict[str, Any]


def build_tasks(folder: Path) -> Iterator[Task]:
    """A build of every program in `folder`, to build/NAME."""
    for source in sorted(folder.glob("*.gs")):
        yield _task(f"//{folder.name}:{source.stem}", f"build {source.name}", "build", source)


def train_tasks(folder: Path) -> Iterator[Task]:
    """A build and a run of every program in `folder`."""
    for source in sorted(folder.glob("*.gs")):
        yield _task(f"//{folder.name}:{source.stem}", f"build {source.name} and run it", "run", source)


def check_tasks(commands: dict[str, list[str]]) -> Iterator[Task]:
    """One task for each check of the repository: a name and the arguments of a Python module's command."""
    for name, command in commands.items():
        yield {"name": name, "actions": [[sys.executable, "-m", *command]], "verbosity": 2, "doc": " ".join(command)}


def _task(name: str, doc: str, command: str, source: Path) -> Task:
    path = source.relative_to(Path.cwd()) if source.is_relative_to(Path.cwd()) else source
    action = [sys.executable, "-m", "geode", command, str(path)]
    return {"name": name, "doc": doc, "actions": [action], "uptodate": [False], "verbosity": 2}
