"""`geode check`: every mistake in a program, and nothing built."""

from __future__ import annotations

import click

from geode.cli.options import define_option, parse_defines


@click.command(epilog="\b\nExamples:\n  geode check examples/sine-ae.gs\n  geode check --json my.gs     for an editor")
@define_option
@click.option("--json", "as_json", is_flag=True, help="Print the diagnostics as JSON on stdout.")
@click.argument("source")
def command(source: str, defines: tuple[str, ...], *, as_json: bool) -> int:
    """Check SOURCE: text, words, shapes, settings. Status 1 if there is an error."""
    from geode.cli.text import diagnostic_record, show_diagnostics, show_json
    from geode.diagnostics import CompileErrors
    from geode.pipeline import check_program
    from geode.sign_of_life import sign_of_life
    from geode.syntax.file_to_text import file_to_text

    given = parse_defines(defines)
    try:
        with sign_of_life(f"checking {source}"):
            checked = check_program(file_to_text(source), defines=given)
        diagnostics = checked.sink.diagnostics
        status = 0
    except CompileErrors as errors:
        diagnostics = errors.diagnostics
        status = 1
    if as_json:
        show_json({"ok": status == 0, "diagnostics": [diagnostic_record(item) for item in diagnostics]})
    elif diagnostics:
        show_diagnostics(diagnostics)
    return status
