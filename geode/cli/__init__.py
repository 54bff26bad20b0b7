"""The command line: arguments -> an exit status.

In: the arguments after `geode`. Out: text on stdout, messages on stderr, and a status: 0 done, 1 an error in a program
or its data, 2 usage, 130 interrupted. Invariant: a command's module, and what it needs, is imported only when it is
called, so that a build with nothing to do starts fast.
"""

from __future__ import annotations

import importlib
import sys
from collections.abc import Sequence

import click

from geode import __version__

_COMMANDS = {
    "check": "find every mistake in a program, build nothing",
    "build": "compile a program to a native binary",
    "run": "build a program and run it",
    "explain": "levels of a program's values, the page of an error code, or a word",
    "fmt": "lay programs out: indentation, blanks, blank lines",
    "emit": "print a program at one stage of the compiler",
    "words": "the vocabulary, or one word of it",
    "asm": "the disassembly of a program's own units",
    "init": "make a project with a program, data and a test",
    "sweep": "run many trials of a program, and tell what they show",
    "query": "the targets of the BUILD files and what they need",
    "cache": "size, check and clean-up of the store of build results",
    "profile": "run a program and tell where its time goes",
    "bench": "measure speed beside the same work written by hand",
    "test": "run Geode's own tests",
}


class _Commands(click.Group):
    """The commands by name; each is imported when it is asked for."""

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002 -- click's signature
        return list(_COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:  # noqa: ARG002 -- click's signature
        if cmd_name not in _COMMANDS:
            return None
        command: click.Command = importlib.import_module(f"geode.cli.{cmd_name}").command
        return command

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        if args and args[0] not in _COMMANDS and not args[0].startswith("-"):
            from rules.errors import near_miss

            raise click.UsageError(f"unknown command `{args[0]}`{near_miss(args[0], tuple(_COMMANDS))}", ctx)
        return super().resolve_command(ctx, args)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:  # noqa: ARG002 -- click's signature
        with formatter.section("Commands"):
            formatter.write_dl(list(_COMMANDS.items()))


@click.group(
    cls=_Commands,
    context_settings={"help_option_names": ["-h", "--help"]},
    epilog="`geode COMMAND --help` tells each command's options, with examples.",
)
@click.version_option(__version__, message="geode %(version)s")
def geode() -> None:
    """Compile programs that train by Evolution Strategies, and run them."""


def run_command_line(arguments: Sequence[str]) -> int:
    """Run `geode ARGUMENTS`; returns the exit status."""
    from geode.cli.stdout import StdoutError, drop_stdout
    from rules.errors import BuildError

    try:
        status = geode.main(args=list(arguments), prog_name="geode", standalone_mode=False)
        if sys.stdout is not None:  # as it is where file 1 was closed
            sys.stdout.flush()
    except click.exceptions.Exit as leave:
        return leave.exit_code
    except click.ClickException as error:
        error.show()
        return error.exit_code
    except (click.Abort, KeyboardInterrupt):
        click.echo("geode: interrupted", err=True)
        return 130
    except BrokenPipeError:  # whoever read it has had enough
        drop_stdout()
        return 1
    except StdoutError as error:
        drop_stdout()
        click.echo(f"geode: cannot write to standard output: {error}", err=True)
        return 1
    except BuildError as error:
        click.echo(f"geode: {error.message}", err=True)
        return error.status
    except Exception as error:
        if not _tell(error):
            raise
        return 1
    return status if isinstance(status, int) else 0


def _tell(error: Exception) -> bool:
    """Print an error in a program, or a broken rule of the compiler; False for anything else."""
    from geode.diagnostics import CompileErrors, InternalError

    if isinstance(error, CompileErrors):
        from geode.cli.text import show_diagnostics

        show_diagnostics(error.diagnostics)
        return True
    if isinstance(error, InternalError):
        click.echo(f"geode: error {error.code}: {error.message}", err=True)
        click.echo(
            "  This is a fault of the compiler, not of the program; please report it with the program.", err=True
        )
        return True
    return False
