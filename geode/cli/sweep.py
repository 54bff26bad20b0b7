"""`geode sweep`: run many trials of a program, see how they stand, and what they tell."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, TypeVar

import click

if TYPE_CHECKING:
    from rules.sweep.open_sweep import Opened

Command = TypeVar("Command", bound=Callable[..., Any])


def _folder_option(function: Command) -> Command:
    return click.option("-o", "folder", metavar="DIR", help="The sweep's folder [default: runs/NAME].")(function)


def _json_option(function: Command) -> Command:
    return click.option("--json", "as_json", is_flag=True, help="Print JSON on stdout.")(function)


@click.group(
    epilog="\b\nExamples:\n  geode sweep run examples/sine-ae.sweep.yaml             what is missing of it"
    "\n  geode sweep run --dry-run examples/sine-ae.sweep.yaml   which trials that would be"
    "\n  geode sweep status examples/sine-ae.sweep.yaml          what is done, what failed, the order"
    "\n  geode sweep report examples/sine-ae.sweep.yaml          runs/sine-ae/report.html and results.csv"
)
def command() -> None:
    """Run a sweep: many trials of a program, described in a YAML file (docs/sweeps.md)."""


@command.command(
    epilog="\b\nExamples:\n  geode sweep run alpha.sweep.yaml\n  geode sweep run --parallel 4 alpha.sweep.yaml"
    "\n  geode sweep run --failed-only alpha.sweep.yaml"
    "\n  geode sweep run //examples:sine-ae-sweep      a target of the BUILD files"
)
@_folder_option
@click.option("--dry-run", is_flag=True, help="List the trials that would run, and run none.")
@click.option("--parallel", type=click.IntRange(1), metavar="N", help="Trials at a time, also beyond the cores.")
@click.option("--fail-fast", is_flag=True, help="End at the first failure.")
@click.option("--failed-only", is_flag=True, help="Run trials that have failed, and no others.")
@click.option("--fresh", is_flag=True, help="Run all trials, also those that are done.")
@click.option("--toolchain", metavar="NAME", help="clang, gcc or zig [default: the first that is there].")
@click.option("--profile", metavar="NAME", help="fast, debug, sanitize or portable [default: fast].")
@_json_option
@click.argument("file", metavar="FILE")
def run(
    file: str,
    folder: str | None,
    toolchain: str | None,
    profile: str | None,
    *,
    dry_run: bool,
    parallel: int | None,
    fail_fast: bool,
    failed_only: bool,
    fresh: bool,
    as_json: bool,
) -> int:
    """Run the trials of FILE (or of the target with that label) that are not done yet.

    Trials that are done stay done, also when values are added to the file; failed ones run again. The status is the
    number of trials that failed, 100 at most.
    """
    from rules.sweep.command import dry_run_lines, run_command
    from rules.sweep.run_sweep import BuildWith, Choice

    opened = _open(file, folder)
    choice = Choice(parallel, fail_fast, failed_only, fresh)
    if dry_run:
        for line in dry_run_lines(opened.sweep, opened.store, choice, as_json=as_json):
            click.echo(line)
        return 0
    build = BuildWith(toolchain or opened.build.toolchain, profile or opened.build.profile, opened.build.lanes)
    return run_command(opened.sweep, opened.store, build, choice, as_json=as_json)


@command.command(
    epilog="\b\nExamples:\n  geode sweep status alpha.sweep.yaml\n  geode sweep status --json alpha.sweep.yaml"
)
@_folder_option
@_json_option
@click.argument("file", metavar="FILE")
def status(file: str, folder: str | None, *, as_json: bool) -> None:
    """Tell which trials of FILE are done, failed and missing, and how they rank."""
    from geode.cli.text import show_json
    from rules.sweep.command import status_lines, status_record

    opened = _open(file, folder)
    if as_json:
        show_json(status_record(opened.sweep, opened.store))
        return
    for line in status_lines(opened.sweep, opened.store):
        click.echo(line)


@command.command(epilog="\b\nExamples:\n  geode sweep report alpha.sweep.yaml")
@_folder_option
@click.argument("file", metavar="FILE")
def report(file: str, folder: str | None) -> None:
    """Write report.html, one page that works offline, results.csv, and results.parquet where pyarrow is installed."""
    from rules.sweep.report_sweep import report_sweep

    opened = _open(file, folder)
    for path in report_sweep(
        opened.sweep, opened.store, opened.store.folder, lambda line: click.echo(f"geode: {line}", err=True)
    ):
        click.echo(path)


def _open(file: str, folder: str | None) -> Opened:
    """The planned sweep; notes go to stderr."""
    from rules.sweep.open_sweep import open_file

    return open_file(file, folder, lambda line: click.echo(f"geode: {line}", err=True))
