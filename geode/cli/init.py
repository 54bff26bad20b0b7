"""`geode init`: a project of one's own."""

from __future__ import annotations

from pathlib import Path

import click


@click.command(epilog="\b\nExamples:\n  geode init circle        makes circle/ with circle.gs, data, BUILD and a test")
@click.option("--name", metavar="NAME", help="The program's name [default: the folder's].")
@click.argument("folder", metavar="DIR", type=click.Path(path_type=Path))
def command(folder: Path, name: str | None) -> None:
    """Make a project in DIR, which is empty or not there: it builds, trains and passes its test as it stands."""
    from rules.new_project import make_project

    for path in make_project(folder, name):
        click.echo(path)
    called = name if name is not None else folder.resolve().name
    click.echo(f"Now: cd {folder} && geode run //:{called}")
