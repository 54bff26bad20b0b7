"""`geode build`: a program to a binary."""

from __future__ import annotations

import click

from geode.cli.options import BuildOptions, build_options, parse_defines


@click.command(
    epilog="\b\nExamples:\n  geode build examples/sine-ae.gs            writes build/sine-ae/out/program"
    "\n  geode build -o out --profile debug my.gs   no optimisation, with symbols"
    "\n  geode build --explain my.gs                why each action ran"
)
@build_options
@click.option("--explain", is_flag=True, help="Say for every action: hit, or run and what changed.")
@click.option("--json", "as_json", is_flag=True, help="Describe the build as JSON on stdout.")
@click.argument("source")
def command(
    source: str,
    folder: str | None,
    profile: str,
    toolchain: str | None,
    lanes: int | None,
    defines: tuple[str, ...],
    *,
    explain: bool,
    as_json: bool,
) -> None:
    """Compile SOURCE to a native binary, DIR/out/program."""
    built = BuildOptions(source, folder, profile, toolchain, lanes, parse_defines(defines)).build()
    from geode.cli.text import build_line, build_record, show_json

    if as_json:
        show_json(build_record(built))
        return
    if explain:
        for outcome in built.outcomes:
            click.echo(f"{outcome.status}  {outcome.name}{': ' if outcome.why else ''}{outcome.why}")
    click.echo(build_line(built))
