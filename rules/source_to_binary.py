"""A `.gs` file -> a binary: the front end, the toolchain and the build in one call.

In: a path, CONSTANTs, an output folder and what to build with. Out: a `Built`. Invariant: the front end is imported
only when its result is not in the cache.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from geode.record import dataclass
from rules.action import Done, Outcome
from rules.cache import Cache, open_cache, silent
from rules.emission import Emitted, Text, program_text
from rules.errors import BuildError
from rules.gs_inputs import included_files
from rules.progress import Watch
from rules.text_to_binary import GPU_FILES, BuildResult, build_program, is_built
from rules.tool import Tool, find_tool
from rules.toolchain import data_folder

if TYPE_CHECKING:
    from geode.diagnostics import Diagnostic
    from rules.text_to_binary import ProgramText

PACKAGE = Path(__file__).resolve().parent.parent / "geode"
_EACH_TIME = "a program that prints while it compiles is compiled each time"
GPU_LANES = 32  # as geode/emit/loops_to_kernels.py has it
Warn = Callable[[str], None]
Show = Callable[["Sequence[Diagnostic]"], None]
Check = Callable[[str], None]


@dataclass(frozen=True, slots=True)
class Built:
    """A finished build; `outcomes` has the front end's step first."""

    result: BuildResult
    tool: Tool
    text: Text
    outcomes: tuple[Outcome, ...]


def build_source(
    source: str,
    defines: Mapping[str, str],
    *,
    folder: Path,
    toolchain: str | None,
    profile: str,
    lanes: int | None,
    warn: Warn,
    show: Show,
    watch: Watch | None = None,
    check: Check | None = None,
) -> Built:
    """Build the program in the file `source` in `folder`.

    `warn` gets lines about the build, `show` the program's warnings, `watch` how far the compiles are, `check` the program's
    target before anything is compiled: it may raise. Raises CompileErrors for a mistake in the program, BuildError for
    anything else that stops the build.
    """
    cache = open_cache(folder / ".cache", warn)
    data = data_folder()
    emitted = source_to_text(source, defines, cache=cache, warn=warn, show=show)
    if check is not None:
        check(emitted.text.target)
    lanes = lanes_of(emitted.text.target, lanes)
    tool = find_tool(data / "toolchains", cache, toolchain=toolchain, profile=profile, lanes=lanes)
    result = build_program(
        emitted.text,
        tool,
        folder=folder,
        runtime=PACKAGE / "runtime",
        template=data / "build.ninja.in",
        cache=cache,
        earlier=[Done(emitted.action, emitted.ran, None if emitted.kept else _EACH_TIME)],
        watch=watch,
    )
    return Built(result, tool, emitted.text, result.outcomes)


def source_is_built(
    source: str,
    defines: Mapping[str, str],
    *,
    folder: Path,
    toolchain: str | None,
    profile: str,
    lanes: int | None,
) -> bool:
    """Whether the same call of `build_source` would run nothing, restore nothing and print nothing."""
    cache = open_cache(folder / ".cache", silent)
    data = data_folder()
    try:
        emitted = source_to_text(source, defines, cache=cache, warn=silent, show=silent)
        lanes = lanes_of(emitted.text.target, lanes)
        tool = find_tool(data / "toolchains", cache, toolchain=toolchain, profile=profile, lanes=lanes)
    except BuildError:
        return False  # the build says what is wrong
    template = data / "build.ninja.in"
    return not emitted.ran and is_built(
        emitted.text, tool, folder=folder, runtime=PACKAGE / "runtime", template=template, cache=cache
    )


def lanes_of(target: str, lanes: int | None) -> int | None:
    """The width of a tile: for a GPU that of its kernels, which processor and device share."""
    if target not in GPU_FILES:
        return lanes
    if lanes not in {None, GPU_LANES}:
        raise BuildError(f"--lanes {lanes}: a program for {target} has tiles of {GPU_LANES} lanes", status=2)
    return GPU_LANES


def source_to_text(source: str, defines: Mapping[str, str], *, cache: Cache, warn: Warn, show: Show) -> Emitted:
    """The C text of the program in the file `source`, from the cache if it is known.

    Raises CompileErrors for a mistake in the program.
    """

    def compile_source() -> tuple[ProgramText, bool]:
        from geode.pipeline import compile_program
        from geode.sign_of_life import sign_of_life
        from geode.syntax.file_to_text import file_to_text

        with sign_of_life(f"compiling {source}"):
            compiled = compile_program(file_to_text(source), defines=defines)
        for line in compiled.shown:
            warn(line)
        if compiled.warnings:
            show(compiled.warnings)
        return compiled, not compiled.warnings and not compiled.shown

    try:
        content = Path(source).read_bytes()
    except (OSError, ValueError):
        content = b""  # the front end says why it cannot be read
    if not content:
        compile_source()
        raise AssertionError("an empty program was accepted")
    return program_text(
        Path(source).stem,
        content,
        defines,
        included=included_files(source, content),
        package=PACKAGE,
        cache=cache,
        compile_source=compile_source,
    )
