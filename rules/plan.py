"""The plan: targets -> steps.

In: a workspace. Out: `Step`s in order: for a data set `data`, for a program `parse`, an `emit` for each unit, `build`
and `train`; for a mistake in a BUILD file, one step that fails with it. Invariant: programs are parsed and emitted here,
through the cache, so a plan names every unit; a mistake in a program becomes its own failing `parse` and stops nothing
else.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from rules.analyse import Workspace
from rules.cache import Cache, open_cache
from rules.dataset import dataset_is_checked, make_dataset
from rules.emission import Text
from rules.errors import BuildError
from rules.providers import DatasetInfo, ProgramInfo
from rules.source_to_binary import Built, build_source, source_is_built, source_to_text
from rules.target import Label, Target

if TYPE_CHECKING:
    from geode.diagnostics import CompileErrors, InternalError


StepKind = Literal["data", "parse", "emit", "build", "train"]


@dataclass(frozen=True, slots=True)
class Step:
    """One thing to do for a target: `kind` and `label` name it, `part` the unit of an emission.

    `needs` are the steps before it, as (kind, label). `said` is what planning has to say about it; `failed` means that
    it is an error. `outputs` are paths that cleaning removes.
    """

    kind: StepKind
    label: str
    doc: str
    info: DatasetInfo | ProgramInfo | None = None
    part: str = ""
    needs: tuple[tuple[StepKind, str], ...] = ()
    said: str = ""
    failed: bool = False
    outputs: tuple[str, ...] = ()


def plan(workspace: Workspace) -> list[Step]:
    """The steps of every target, and one failing step for each package with mistakes."""
    steps: list[Step] = []
    for package in sorted({mistake.package for mistake in workspace.mistakes}):
        said = "\n".join(str(mistake) for mistake in workspace.mistakes if mistake.package == package)
        steps.append(Step("parse", f"//{package}:BUILD", "mistakes in the BUILD file", said=said, failed=True))
    for target in workspace.targets.values():
        steps.extend(_steps(target, workspace))
    return steps


def _steps(target: Target, workspace: Workspace) -> Iterator[Step]:
    label = str(target.label)
    data = tuple(_data(label) for label in target.needs)
    match target.provider:
        case DatasetInfo() as info:
            how = f"check {info.path}" if info.script is None else f"check {info.path}, made by {info.script}"
            yield Step("data", label, how, info, needs=data)
        case ProgramInfo() as info:
            yield from _program_steps(label, info, data, workspace.root)


def _data(label: Label) -> tuple[StepKind, str]:
    return ("data", str(label))


def _program_steps(label: str, info: ProgramInfo, data: tuple[tuple[StepKind, str], ...], root: Path) -> Iterator[Step]:
    text, said = parse_program(info, root)
    parse = Step("parse", label, f"parse {info.source}", info, said=said, failed=text is None)
    yield parse
    for unit in text.units if text else ():
        part = f"{unit.word}-{unit.symbol.rpartition('_')[2]}"
        yield Step("emit", label, f"C text of {unit.word}", info, part)
    yield Step("build", label, f"build {info.source}", info, needs=(("parse", label),), outputs=(info.folder,))
    yield Step("train", label, f"build {info.source} and run it", info, needs=(("build", label), *data))


def parse_program(info: ProgramInfo, root: Path) -> tuple[Text | None, str]:
    """A program's text and its warnings; None and its errors if it has any."""
    from geode.diagnostics import CompileErrors, InternalError
    from geode.render import render

    lines: list[str] = []
    cache = open_cache(root / info.folder / ".cache", lines.append)
    try:
        emitted = source_to_text(
            str(root / info.source),
            dict(info.defines),
            cache=cache,
            warn=lines.append,
            show=lambda found: lines.append(render(found, colour=False).rstrip("\n")),
        )
    except (CompileErrors, InternalError, BuildError) as error:
        return None, "\n".join([*lines, _tell(error)])
    return emitted.text, "\n".join(lines)


def _tell(error: CompileErrors | InternalError | BuildError) -> str:
    from geode.diagnostics import CompileErrors, InternalError
    from geode.render import render

    if isinstance(error, CompileErrors):
        return render(error.diagnostics, colour=False).rstrip("\n")
    if isinstance(error, InternalError):
        return f"error {error.code}: {error.message}\n  This is a fault of the compiler, not of the program."
    return error.message


def is_done(step: Step, root: Path) -> bool:
    """Whether the step's action is known by its key, with its outputs in place; a `train` never is."""
    match step.kind, step.info:
        case "data", DatasetInfo() as info:
            return dataset_is_checked(info, root, _cache(root, []))
        case "build", ProgramInfo() as info:
            return source_is_built(
                str(root / info.source),
                dict(info.defines),
                folder=root / info.folder,
                toolchain=info.toolchain,
                profile=info.profile,
                lanes=info.lanes,
            )
        case (("parse" | "emit"), _):
            return not step.said  # done while planning
        case _:
            return False


def carry_out(step: Step, root: Path) -> str:
    """Do the step; what there is to say about it. Raises BuildError if it fails. `train` is `program_command`'s."""
    said: list[str] = []
    match step.kind, step.info:
        case "data", DatasetInfo() as info:
            make_dataset(info, root, _cache(root, said))
        case "build", ProgramInfo() as info:
            said.append(f"{info.folder}: {_build(info, root, said).result.ran} actions run")
        case _:
            if step.failed:
                raise BuildError(step.said)
            said.append(step.said)
    return "\n".join(said)


def _build(info: ProgramInfo, root: Path, said: list[str]) -> Built:
    from geode.diagnostics import CompileErrors, InternalError

    try:
        return build_source(
            str(root / info.source),
            dict(info.defines),
            folder=root / info.folder,
            toolchain=info.toolchain,
            profile=info.profile,
            lanes=info.lanes,
            warn=said.append,
            show=lambda _: None,  # the parse step shows them
        )
    except (CompileErrors, InternalError) as error:
        raise BuildError(_tell(error)) from None  # the program was edited since it was parsed


def program_command(info: ProgramInfo) -> list[str]:
    """The command that trains a built program, from the root."""
    return [f"{info.folder}/out/program"]


def _cache(root: Path, said: list[str]) -> Cache:
    return open_cache(root / "build" / ".cache", said.append)
