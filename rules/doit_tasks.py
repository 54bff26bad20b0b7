"""Steps -> doit tasks: the only file that knows doit's keys.

In: the root of a workspace, and the repository's checks. Out: task dictionaries named by label, such as
`build://examples:sine-ae` and `train://examples:sine-ae` (doit refuses a task called `run`). Invariant: no task has
file stamps; what is done is told by the action cache alone, and a mistake anywhere is one failing task, never an
exception while doit loads.
"""

from __future__ import annotations

import functools
import multiprocessing
import os
import shutil
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from rules.analyse import RULES, Workspace, known_workspace
from rules.death import die_with
from rules.errors import BuildError
from rules.plan import plan
from rules.step import Step, fail

Task = dict[str, Any]


def tasks(root: Path) -> Iterator[Task]:
    """The tasks of every target of the workspace at `root`, and a group for each kind of them."""
    groups = {kind: doc for rule in RULES.values() for kind, doc in rule.groups.items()}
    for kind, doc in groups.items():
        yield {"basename": kind, "name": None, "doc": doc}
    workspace, steps = _plan(root)
    _tell_mistakes(workspace, steps)
    for step in steps:
        yield _task(step, root)
        if step.kind == "parse" and step.do is fail and step.info is None:
            yield {"basename": "build", "name": step.label, "doc": step.doc, "task_dep": [step.name], "actions": []}


def run_tasks(root: Path, names: Sequence[str]) -> int:
    """Let doit run the named tasks of the workspace at `root` and what they need, in this process; its exit status."""
    from doit.cmd_base import ModuleTaskLoader
    from doit.doit_cmd import DoitMain

    (root / "build").mkdir(exist_ok=True)
    config = {"dep_file": str(root / "build" / ".doit.db"), "verbosity": 2}
    loader = ModuleTaskLoader({"DOIT_CONFIG": config, "task_targets": lambda: tasks(root)})
    status = DoitMain(loader).run(["run", "--continue", *names])
    return int(status or 0)


def check_tasks(commands: dict[str, list[str]]) -> Iterator[Task]:
    """One task for each check of the repository: a name and the arguments of a Python module's command."""
    for name, command in commands.items():
        yield {"name": name, "actions": [[sys.executable, "-m", *command]], "verbosity": 2, "doc": " ".join(command)}


@functools.cache
def _plan(root: Path) -> tuple[Workspace, list[Step]]:
    workspace = known_workspace(root)
    return workspace, plan(workspace)


def _tell_mistakes(workspace: Workspace, steps: Sequence[Step]) -> None:
    """Print the BUILD files' mistakes if a task is asked for that is not there: doit says of it that it is unknown, no more."""
    asked = {argument for argument in sys.argv[1:] if "://" in argument and not argument.startswith("-")}
    known = {name for step in steps for name in (step.name, f"build:{step.label}")}
    if asked - known and not any("*" in name for name in asked):
        for mistake in workspace.mistakes:
            print(mistake, file=sys.stderr)  # noqa: T201 -- doit has nothing to tell it by while it loads


def _task(step: Step, root: Path) -> Task:
    return {
        "basename": step.kind,
        "name": step.name.removeprefix(f"{step.kind}:"),
        "doc": step.doc,
        "task_dep": list(step.needs),
        "actions": [list(step.command) if step.command else (_carry_out, [step, root])],
        "uptodate": [(_is_done, (step, root))],
        "clean": [(_remove, [root, step.outputs])] if step.outputs else [],
        "verbosity": 2,
    }


def _carry_out(step: Step, root: Path) -> object:
    """Do a step; True, or what doit takes for a failure told without a traceback."""
    from doit.exceptions import TaskFailed

    parent = multiprocessing.parent_process()
    if parent is not None and parent.pid == os.getppid():  # `doit -n 2`, and this is one of its processes
        die_with(os.getppid())
    try:
        said = step.do(step, root)
    except BuildError as error:
        return TaskFailed(error.message)
    if said:
        print(said)  # noqa: T201 -- doit shows what an action prints
    return True


def _is_done(step: Step, root: Path) -> bool:
    return step.known(step, root)


def _remove(root: Path, outputs: tuple[str, ...]) -> None:
    for output in outputs:
        shutil.rmtree(root / output, ignore_errors=True)
