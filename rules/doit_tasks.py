"""Steps -> doit tasks: the only file that knows doit's keys.

In: the root of a workspace, and the repository's checks. Out: task dictionaries named by label, such as
`build://examples:sine-ae` and `train://examples:sine-ae` (doit refuses a task called `run`). Invariant: no task has
file stamps; what is done is told by the action cache alone, and a mistake anywhere is one failing task, never an
exception while doit loads.
"""

from __future__ import annotations

import functools
import shutil
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from rules.analyse import load_workspace
from rules.errors import BuildError
from rules.plan import Step, StepKind, carry_out, is_done, plan, program_command
from rules.providers import ProgramInfo

Task = dict[str, Any]


def tasks(kind: StepKind, root: Path) -> Iterator[Task]:
    """The tasks of one kind for every target of the workspace at `root`."""
    steps = _plan(root)
    for step in steps:
        if step.kind == kind:
            yield _task(step, steps, root)
        elif kind == "build" and step.failed and step.info is None:
            yield {"name": step.label, "doc": step.doc, "task_dep": [_name("parse", step.label)], "actions": []}


def check_tasks(commands: dict[str, list[str]]) -> Iterator[Task]:
    """One task for each check of the repository: a name and the arguments of a Python module's command."""
    for name, command in commands.items():
        yield {"name": name, "actions": [[sys.executable, "-m", *command]], "verbosity": 2, "doc": " ".join(command)}


@functools.cache
def _plan(root: Path) -> list[Step]:
    return plan(load_workspace(root))


def _name(kind: StepKind, label: str, part: str = "") -> str:
    return f"{kind}:{label}" + (f"#{part}" if part else "")


def _task(step: Step, steps: list[Step], root: Path) -> Task:
    needs = [_name(kind, label) for kind, label in step.needs]
    if step.kind == "build":
        needs += [_name("emit", other.label, other.part) for other in steps if _gives_text(other, step)]
    return {
        "name": step.label + (f"#{step.part}" if step.part else ""),
        "doc": step.doc,
        "task_dep": needs,
        "actions": [_action(step, root)],
        "uptodate": [(_is_done, (step, root))],
        "clean": [(_remove, [root, step.outputs])] if step.outputs else [],
        "verbosity": 2,
    }


def _gives_text(other: Step, step: Step) -> bool:
    return other.kind == "emit" and other.label == step.label


def _action(step: Step, root: Path) -> object:
    if step.kind == "train" and isinstance(step.info, ProgramInfo):
        return program_command(step.info)
    return (_carry_out, [step, root])


def _carry_out(step: Step, root: Path) -> object:
    """Do a step; True, or what doit takes for a failure told without a traceback."""
    from doit.exceptions import TaskFailed

    try:
        said = carry_out(step, root)
    except BuildError as error:
        return TaskFailed(error.message)
    if said:
        print(said)  # noqa: T201 -- doit shows what an action prints
    return True


def _is_done(step: Step, root: Path) -> bool:
    return is_done(step, root)


def _remove(root: Path, outputs: tuple[str, ...]) -> None:
    for output in outputs:
        shutil.rmtree(root / output, ignore_errors=True)
