"""Labels on the command line -> targets: `//examples:xor`, `:xor` of the working directory's package, `//p:all`, `//...`.

In: a working directory and a text. Out: the workspace around the directory and the targets that are meant. Invariant: a
target that a mistake in a BUILD file took out is told with that mistake, never as unknown alone. And: the data of a
program, made and checked as doit's `data://…` does.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

from rules.analyse import RULES, Workspace, known_workspace
from rules.errors import BuildError, near_miss
from rules.providers import DatasetInfo, ProgramInfo
from rules.query import query
from rules.run_program import files_read
from rules.target import Target


def workspace_root(here: Path) -> Path:
    """The nearest folder from `here` up that holds dodo.py, else `here`."""
    return next((folder for folder in (here, *here.parents) if (folder / "dodo.py").is_file()), here)


def open_workspace(root: Path) -> Workspace:
    """The workspace at `root`. Raises BuildError if nothing there declares a target, not even wrongly."""
    workspace = known_workspace(root)
    if not workspace.targets and not workspace.mistakes:
        raise BuildError(
            f"no BUILD file in {root} or below it declares a target\nhelp: `geode init FOLDER` makes a project with one"
        )
    return workspace


def package_of(here: Path, root: Path) -> str:
    """The package of the folder `here`, which lies below `root`."""
    package = here.relative_to(root).as_posix()
    return "" if package == "." else package


def targets_of(text: str, here: Path) -> tuple[Workspace, list[Target]]:
    """The workspace around `here`, and the targets that `text` means there. Raises BuildError."""
    root = workspace_root(here)
    workspace = open_workspace(root)
    try:
        found = query(workspace, text, package_of(here, root))
    except BuildError as error:
        mistakes = "".join(f"{mistake}\n" for mistake in workspace.mistakes)
        raise BuildError(f"{mistakes}{error.message}", status=error.status) from None
    return workspace, [workspace.targets[label] for label in found.kinds if label in workspace.targets]


def program_of(text: str, here: Path) -> tuple[Path, ProgramInfo]:
    """The root, and the one program that `text` means. Raises BuildError."""
    workspace, targets = targets_of(text, here)
    programs = [target.provider for target in targets if isinstance(target.provider, ProgramInfo)]
    if len(programs) == 1:
        return workspace.root, programs[0]
    if programs:
        raise BuildError(f"`{text}` means {len(programs)} programs; this command takes one", status=2)
    known = tuple(str(t.label) for t in workspace.targets.values() if isinstance(t.provider, ProgramInfo))
    what = f"{targets[0].label} is a {targets[0].rule}" if targets else f"`{text}` means no target"
    raise BuildError(f"{what}, and a geode_program is wanted{near_miss(text, known)}", status=2)


def say_makers(built: Path, here: Path, say: Callable[[str], None]) -> None:
    """Of the data files that the program built in the folder `built` reads and `here` lacks: what makes them.

    A program that is named by its file's name runs as it is; only a label has its data made.
    """
    missing = [name for name in files_read(built / "c" / "program.c") if not (here / name).exists()]
    if not missing:
        return
    root = workspace_root(here)
    for target in known_workspace(root).targets.values():
        info = target.provider
        if isinstance(info, DatasetInfo) and info.script is not None:
            for name in missing:
                if os.path.normpath(here / name) == os.path.normpath(root / info.path):
                    say(f"{name} is missing; `doit data:{target.label}` makes it, and so does `geode run` with a label")


def make_data(program: ProgramInfo, root: Path, say: Callable[[str], None]) -> None:
    """Check the data sets of `program`, after those that their scripts read, and make those that are missing.

    `say` gets a line for each file that was made. Raises BuildError.
    """
    if not program.data:
        return
    workspace = known_workspace(root)
    targets = {str(label): target for label, target in workspace.targets.items()}
    done: set[str] = set()

    def make(label: str) -> None:
        if label in done:
            return
        done.add(label)
        target = targets[label]
        for other in target.needs:
            make(str(other))
        for step in RULES[target.rule].steps(target, root):
            missing = isinstance(step.info, DatasetInfo) and not (root / step.info.path).exists()
            if not step.known(step, root):
                said = step.do(step, root)
                for line in said.splitlines():
                    say(line)
            if missing and isinstance(step.info, DatasetInfo):
                say(f"made {step.info.path} by {step.info.script}")

    for label in program.data:
        make(label)
