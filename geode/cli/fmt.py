"""`geode fmt`: the layout of programs."""

from __future__ import annotations

from pathlib import Path

import click


@click.command(
    epilog="\b\nExamples:\n  geode fmt examples/xor.gs        lays the file out anew, in place"
    "\n  geode fmt --check examples/*.gs  only tells which files are laid out otherwise; status 1 if any is"
)
@click.option("--check", is_flag=True, help="Change nothing; name the files that would change.")
@click.argument("sources", nargs=-1, required=True)
def command(sources: tuple[str, ...], *, check: bool) -> int:
    """Lay out SOURCES: two spaces a level, no blanks at line ends, one blank line at most.

    Comments, the spaces inside a line and what stands on which line stay. A text with mistakes is told and left alone.
    """
    from geode.cli.text import show_diagnostics
    from geode.diagnostics import CompileErrors
    from geode.syntax.file_to_text import file_to_text
    from geode.syntax.format_text import format_text
    from rules.errors import BuildError

    status = 0
    for name in sources:
        try:
            new = format_text(file_to_text(name)).encode("utf-8")
        except CompileErrors as errors:
            show_diagnostics(errors.diagnostics)
            status = 1
            continue
        if new == Path(name).read_bytes():
            continue
        if check:
            click.echo(f"{name} would change")
            status = 1
            continue
        try:
            Path(name).write_bytes(new)
        except OSError as error:
            raise BuildError(f"cannot write {name}: {error.strerror}") from error
        click.echo(f"{name} laid out")
    return status
