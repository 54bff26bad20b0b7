"""The options that every building command has, and the build they describe.

In: a command function. Out: a click command. Invariant: `geode build`, `run` and `asm` take the same options and build
the same way.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

from geode.record import dataclass

if TYPE_CHECKING:
    from rules.source_to_binary import Built

Command = TypeVar("Command", bound=Callable[..., Any])


@dataclass(frozen=True, slots=True)
class BuildOptions:
    """What to build, how, and where to (`folder` None: `build/NAME`). `source` is a file, or the label of a program."""

    source: str
    folder: str | None
    profile: str
    toolchain: str | None
    lanes: int | None
    defines: Mapping[str, str]

    def build(self, check: Callable[[str], None] | None = None) -> Built:
        """Build it; warnings go to stderr. `check` gets the target first, and may raise. Raises CompileErrors or BuildError."""
        from geode.cli.text import show_diagnostics
        from rules.progress import show_compiles
        from rules.source_to_binary import build_source

        if is_label(self.source):
            return self._target().build(check)
        folder = Path(self.folder) if self.folder is not None else Path("build") / Path(self.source).stem
        with show_compiles() as watch:
            return build_source(
                self.source,
                self.defines,
                folder=folder,
                toolchain=self.toolchain,
                profile=self.profile,
                lanes=self.lanes,
                warn=lambda line: click.echo(f"geode: {line}", err=True),
                show=show_diagnostics,
                watch=watch,
                check=check,
            )

    def _target(self) -> BuildOptions:
        """The options for the program with the label `source`: the target's where none is given here."""
        from rules.by_label import program_of
        from rules.geode_library import check_includes

        root, info = program_of(self.source, Path.cwd())
        check_includes(info.label, info.source, info.libraries, root)
        given = click.get_current_context().get_parameter_source("profile") == click.core.ParameterSource.COMMANDLINE
        return BuildOptions(
            str(_shortest(root / info.source)),
            self.folder if self.folder is not None else str(_shortest(root / info.folder)),
            self.profile if given else info.profile,
            self.toolchain or info.toolchain,
            self.lanes or info.lanes,
            {**dict(info.defines), **self.defines},
        )


def is_label(source: str) -> bool:
    """Whether a command's SOURCE is the label of a target; a file whose name looks like one is written `./:name`."""
    return source.startswith(("//", ":"))


def _shortest(path: Path) -> Path:
    """A path as it is seen from the working directory, if it lies below."""
    return path.relative_to(Path.cwd()) if path.is_relative_to(Path.cwd()) else path


def parse_defines(items: tuple[str, ...]) -> dict[str, str]:
    """`NAME=VALUE` texts as a mapping. Raises click.BadParameter on anything else."""
    defines: dict[str, str] = {}
    for item in items:
        name, equals, value = item.partition("=")
        if not equals or not name or not value:
            raise click.BadParameter(f"`{item}`: expected NAME=VALUE, for example -D HIDDEN=32", param_hint="-D")
        defines[name] = value
    return defines


def define_option(function: Command) -> Command:
    """Add `-D NAME=VALUE`."""
    return click.option("-D", "defines", multiple=True, metavar="NAME=VALUE", help="Replace the value of a CONSTANT.")(
        function
    )


def build_options(function: Command) -> Command:
    """Add the options of a build; the command gets folder, profile, toolchain, lanes and defines."""
    for option in (
        define_option,
        click.option(
            "--lanes", type=int, metavar="N", help="Tile width: 1, 8, 16, 24, 32 or 48 [default: the processor's]."
        ),
        click.option(
            "--toolchain",
            metavar="NAME",
            help="clang, gcc or zig [default: the first that is there]; macos: for a Mac.",
        ),
        click.option(
            "--profile", default="fast", show_default=True, metavar="NAME", help="fast, debug, sanitize or portable."
        ),
        click.option("-o", "folder", metavar="DIR", help="Output folder [default: build/NAME]."),
    ):
        function = option(function)
    return function
