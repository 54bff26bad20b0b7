"""A sweep's file, or the label of its target -> the planned sweep, where it is kept, what it is built with.

In: what a command was given, or a target's provider. Out: an `Opened`. Invariant: a target and `geode sweep` with its label
plan the same sweep in the same folder.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from geode.record import dataclass
from rules.cache import open_cache
from rules.errors import BuildError
from rules.geode_library import check_includes
from rules.providers import SweepInfo
from rules.sweep.plan_sweep import Sweep, plan_sweep
from rules.sweep.run_sweep import BuildWith, folder_of, refuse_file
from rules.sweep.store import Store


@dataclass(frozen=True, slots=True)
class Opened:
    """A sweep, its store, and what its variants are built with."""

    sweep: Sweep
    store: Store
    build: BuildWith


def open_file(file: str, folder: str | None, say: Callable[[str], None]) -> Opened:
    """The sweep in `file`, or of the target with that label; `say` gets notes and warnings. Raises BuildError."""
    if file.startswith(("//", ":")):
        from rules.by_label import make_data, targets_of

        workspace, targets = targets_of(file, Path.cwd())
        infos = [target.provider for target in targets if isinstance(target.provider, SweepInfo)]
        if len(infos) != 1:
            found = f"{len(infos)} sweeps" if infos else "no geode_sweep"
            raise BuildError(f"`{file}` means {found}; this command takes one", status=2)
        make_data(infos[0].program, workspace.root, say)
        return open_target(infos[0], workspace.root, say, None if folder is None else Path(folder))
    cache = open_cache(Path("build") / ".cache", say)
    return _opened(plan_sweep(Path(file), cache), BuildWith(), folder and Path(folder), say)


def open_target(info: SweepInfo, root: Path, say: Callable[[str], None], folder: Path | None = None) -> Opened:
    """The sweep of a target of the workspace at `root`."""
    cache = open_cache(root / "build" / ".cache", say)
    program = info.program
    if program.defines:
        given = ", ".join(name for name, _ in program.defines)
        raise BuildError(
            f"{info.label}: {program.label} has `defines` ({given}); give them under `set` of {info.matrix}"
        )
    check_includes(program.label, program.source, program.libraries, root)
    sweep = plan_sweep(root / info.matrix, cache, root=root, program=program.source, name=info.label.rpartition(":")[2])
    build = BuildWith(program.toolchain, program.profile, program.lanes)
    return _opened(sweep, build, folder or root / info.folder, say)


def _opened(sweep: Sweep, build: BuildWith, folder: Path | str | None, say: Callable[[str], None]) -> Opened:
    for note in sweep.notes:
        say(f"note: {note}")
    chosen = folder_of(sweep, Path(folder) if folder else None)
    refuse_file(chosen)
    return Opened(sweep, Store(chosen, sweep.cache), build)
