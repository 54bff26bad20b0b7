"""`geode build`: a program to a binary."""

from __future__ import annotations

import click

from geode.cli.options import BuildOptions, build_options, is_label, parse_defines


@click.command(
    epilog="\b\nExamples:\n  geode build examples/sine-ae.gs            writes build/sine-ae/out/program"
    "\n  geode build -o out --profile debug my.gs   no optimisation, with symbols"
    "\n  geode build --explain my.gs                why each action ran"
    "\n  geode build //examples:xor                 a target of the BUILD files"
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
) -> int:
    """Compile SOURCE, a file or the label of a program, to a native binary, DIR/out/program.

    Several programs (`//...`, `//examples:all`) are built as their BUILD files say, without further options.
    """
    if is_label(source) and source.endswith(("...", ":all")):
        _refuse_options(source)
        return _build_all(source)
    built = BuildOptions(source, folder, profile, toolchain, lanes, parse_defines(defines)).build()
    from geode.cli.text import build_line, build_record, show_json

    if as_json:
        show_json(build_record(built))
        return 0
    if explain:
        for outcome in built.outcomes:
            click.echo(f"{outcome.status}  {outcome.name}{': ' if outcome.why else ''}{outcome.why}")
    click.echo(build_line(built))
    return 0


def _refuse_options(labels: str) -> None:
    """UsageError for an option that several programs cannot share: each is built as its BUILD file says."""
    context = click.get_current_context()
    for parameter in context.command.params:
        given = context.get_parameter_source(parameter.name or "") == click.core.ParameterSource.COMMANDLINE
        if given and isinstance(parameter, click.Option):
            raise click.UsageError(
                f"{parameter.opts[0]} does not go with `{labels}`: its programs are built as their BUILD files say. "
                "Give it with the label of one program"
            )


def _build_all(labels: str) -> int:
    from pathlib import Path

    from rules.by_label import targets_of
    from rules.doit_tasks import run_tasks

    workspace, targets = targets_of(labels, Path.cwd())
    programs = [f"build:{target.label}" for target in targets if target.rule == "geode_program"]
    for mistake in workspace.mistakes:
        click.echo(str(mistake), err=True)
    return run_tasks(workspace.root, programs) or (1 if workspace.mistakes else 0)
