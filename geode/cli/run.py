"""`geode run`: build a program, then run it; everything after SOURCE is the program's."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import click

from geode.cli.options import BuildOptions, build_options, is_label, parse_defines


@click.command(
    context_settings={"allow_interspersed_args": False},
    epilog="\b\nExamples:\n  geode run examples/sine-ae.gs"
    "\n  geode run examples/sine-ae.gs --epochs 20 --seed 7    options of the program"
    "\n  geode run --toolchain gcc examples/sine-ae.gs         options of the build come first"
    "\n  geode run examples/sine-ae.gs --help                  the program's settings"
    "\n  geode run //examples:xor                              a target of the BUILD files",
)
@build_options
@click.option("--emulate", is_flag=True, help="Run a program for Apple GPUs here, without a GPU.")
@click.argument("source")
@click.argument("options", nargs=-1, type=click.UNPROCESSED)
def command(
    source: str,
    folder: str | None,
    profile: str,
    toolchain: str | None,
    lanes: int | None,
    defines: tuple[str, ...],
    options: tuple[str, ...],
    *,
    emulate: bool,
) -> int:
    """Build SOURCE, a file or the label of a program, and run it with the OPTIONS that follow.

    A program that is named by its label runs in the folder that holds dodo.py, from where its data files are named;
    those that are missing are made by their scripts.

    On a terminal a progress bar shows the epochs; in a pipe the program's lines pass untouched.
    """
    check = _check_emulation if emulate else None
    built = BuildOptions(source, folder, profile, toolchain, lanes, parse_defines(defines)).build(check)
    if any(outcome.status == "run" for outcome in built.outcomes):
        from geode.cli.text import build_line

        click.echo(f"geode: built {build_line(built)}", err=True)
    from rules.errors import BuildError

    if built.tool.toolchain == "macos" and sys.platform != "darwin":
        raise BuildError(f"{built.result.program} is a program for another machine: copy it to a Mac")
    if emulate:
        _emulate()
    program = [str(built.result.program.resolve()), *options]
    if is_label(source):
        from rules.by_label import make_data, program_of

        root, info = program_of(source, Path.cwd())
        if not any(option.startswith("--data") for option in options):  # which names other files
            make_data(info, root, lambda line: click.echo(f"geode: {line}", err=True))
        os.chdir(root)
    elif not any(option.startswith("--data") for option in options):
        from rules.by_label import say_makers

        say_makers(built.result.program.parents[1], Path.cwd(), lambda line: click.echo(f"geode: {line}", err=True))
    if sys.stdout.isatty() and "--help" not in options:
        from geode.cli.watch import watch

        return watch(program)
    sys.stdout.flush()
    # The program takes this process's place, so its signals and its status are its own.
    return os.execv(program[0], program)  # noqa: S606 -- see above


def _check_emulation(target: str) -> None:
    """Raises UsageError for a program that the emulator does not run, BuildError where the emulator cannot be made."""
    from rules.emulator import cxx_compiler

    if target != "TARGET-APPLE-METAL":
        raise click.UsageError(f"--emulate is for programs with TARGET-APPLE-METAL; this one has {target}")
    cxx_compiler()


def _emulate() -> None:
    """Has the program find the emulator in Metal's place. Raises BuildError if it cannot be made."""
    from rules.emulator import VARIABLE, emulator_library

    os.environ[VARIABLE] = str(emulator_library())
