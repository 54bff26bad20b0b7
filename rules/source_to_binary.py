"""A `.gs` file -> a binary: the front end, the toolchain and the build in one call.

In: a path, CONSTANTs, an output folder and what to build with. Out: a `Built`. Invariant: the front end is imported
only when its result is not in the cache.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from rules.action import Outcome
from rules.cache import open_cache
from rules.emission import Text, program_text
from rules.geode_program import BuildResult, build_program
from rules.tool import Tool, find_tool
from rules.toolchain import data_folder

if TYPE_CHECKING:
    from geode.diagnostics import Diagnostic
    from rules.geode_program import ProgramText

PACKAGE = Path(__file__).resolve().parent.parent / "geode"


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
    warn: Callable[[str], None],
    show: Callable[[Sequence[Diagnostic]], None],
) -> Built:
    """Build the program in the file `source` in `folder`.

    `warn` gets lines about the build, `show` the program's warnings. Raises CompileErrors for a mistake in the program,
    BuildError for anything else that stops the build.
    """
    cache = open_cache(folder / ".cache", warn)
    data = data_folder()

    def compile_source() -> tuple[ProgramText, bool]:
        from geode.pipeline import compile_program
        from geode.syntax.file_to_text import file_to_text

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
    name = Path(source).stem
    if content:
        text, emitted = program_text(
            name, content, defines, package=PACKAGE, cache=cache, compile_source=compile_source
        )
    else:
        compile_source()
        raise AssertionError("an empty program was accepted")
    tool = find_tool(data / "toolchains", cache, toolchain=toolchain, profile=profile, lanes=lanes)
    result = build_program(
        text, tool, folder=folder, runtime=PACKAGE / "runtime", template=data / "build.ninja.in", cache=cache
    )
    front = (
        Outcome(f"emit {name}", "run", "source, CONSTANTs or compiler changed")
        if emitted
        else Outcome(f"emit {name}", "hit", "")
    )
    return Built(result, tool, text, (front, *result.outcomes))
