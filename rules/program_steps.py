"""The steps of a program: parse, an emission for each unit, build, train.

In: a `ProgramInfo`. Out: `Step`s, and the functions that do them. Invariant: the program is parsed and emitted while
planning, through the cache; `build` says done only if the same build would run nothing and find every file in place.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from rules.cache import open_cache
from rules.emission import Text
from rules.errors import BuildError, tell_error
from rules.geode_library import check_includes
from rules.progress import show_compiles
from rules.providers import ProgramInfo
from rules.source_to_binary import Built, Warn, build_source, source_is_built, source_to_text
from rules.step import Step, fail, never, planned, step_name, tell


def program_steps(info: ProgramInfo, root: Path) -> Iterator[Step]:
    """The steps of the program `info`."""
    label, data = info.label, tuple(step_name("data", name) for name in info.data)
    text, said = parse_program(info, root)
    parse = Step("parse", label, f"parse {info.source}", tell if text else fail, planned, info, said=said)
    yield parse
    emits = []
    for unit in text.units if text else ():
        part = f"{unit.word}-{unit.symbol.rpartition('_')[2]}"
        emits.append(Step("emit", label, f"C text of {unit.word}", tell, planned, info, part))
    yield from emits
    doc, outputs = f"build {info.source}", (info.folder,)
    yield Step(
        "build", label, doc, _build, _is_built, info, needs=(parse.name, *(e.name for e in emits)), outputs=outputs
    )
    needs = (step_name("build", label), *data)
    yield Step("train", label, f"{doc} and run it", tell, never, info, needs=needs, command=(program_path(info),))


def program_path(info: ProgramInfo) -> str:
    """Where a built program lies, from the root."""
    return f"{info.folder}/out/program"


def parse_program(info: ProgramInfo, root: Path) -> tuple[Text | None, str]:
    """A program's text and its warnings; None and its errors if it has any."""
    from geode.diagnostics import CompileErrors, InternalError
    from geode.render import render

    lines: list[str] = []
    cache = open_cache(root / info.folder / ".cache", lines.append)
    try:
        check_includes(info.label, info.source, info.libraries, root)
        emitted = source_to_text(
            str(root / info.source),
            dict(info.defines),
            cache=cache,
            warn=lines.append,
            show=lambda found: lines.append(render(found, colour=False).rstrip("\n")),
        )
    except (CompileErrors, InternalError, BuildError) as error:
        return None, "\n".join([*lines, tell_error(error)])
    return emitted.text, "\n".join(lines)


def build_target(info: ProgramInfo, root: Path, warn: Warn) -> Built:
    """Build the program `info` of the workspace at `root`. Raises BuildError, for a mistake in the program, too."""
    from geode.diagnostics import CompileErrors, InternalError

    try:
        with show_compiles() as watch:
            return build_source(
                str(root / info.source),
                dict(info.defines),
                folder=root / info.folder,
                toolchain=info.toolchain,
                profile=info.profile,
                lanes=info.lanes,
                warn=warn,
                show=lambda _: None,  # the parse step shows them
                watch=watch,
            )
    except (CompileErrors, InternalError) as error:
        raise BuildError(tell_error(error)) from None  # the program was edited since it was parsed


def _build(step: Step, root: Path) -> str:
    info = step.info
    assert isinstance(info, ProgramInfo)
    said: list[str] = []
    try:
        built = build_target(info, root, said.append)
    except BuildError as error:  # a warning before it may say why
        raise BuildError("\n".join([*said, error.message]), status=error.status) from None
    return "\n".join([*said, f"{info.folder}: {built.result.ran} actions run"])


def _is_built(step: Step, root: Path) -> bool:
    info = step.info
    assert isinstance(info, ProgramInfo)
    return source_is_built(
        str(root / info.source),
        dict(info.defines),
        folder=root / info.folder,
        toolchain=info.toolchain,
        profile=info.profile,
        lanes=info.lanes,
    )
