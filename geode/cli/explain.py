"""`geode explain`: a program's levels and forms, the page of a diagnostic code, or a word."""

from __future__ import annotations

import re
from pathlib import Path

import click

from geode.cli.options import define_option, parse_defines


@click.command(
    epilog="\b\nExamples:\n  geode explain examples/sine-ae.gs           at which level each value is computed"
    "\n  geode explain --json examples/sine-ae.gs    the same for a machine"
    "\n  geode explain GS301                         what a code means, with an example and its repair"
    "\n  geode explain LINEAR                        a word, as `geode words LINEAR` prints it"
)
@define_option
@click.option("--json", "as_json", is_flag=True, help="Print JSON on stdout.")
@click.argument("subject")
def command(subject: str, defines: tuple[str, ...], *, as_json: bool) -> int:
    """Explain SUBJECT: a program, a diagnostic code, or a word.

    Of a program it prints every stage with its formulas, and for every value the level at which it is computed (once a
    run, an epoch, a pair, or for each member), its width, and for every layer how its perturbation is applied.
    """
    from geode.codes import CODES
    from geode.vocabulary import WORDS

    given = parse_defines(defines)
    code = subject.upper()
    if code in CODES:
        return _code(code, as_json=as_json)
    if subject in WORDS:
        from geode.cli.words import show_word

        show_word(subject, as_json=as_json)
        return 0
    if re.fullmatch(r"GS\d+", code) or not (subject.endswith(".gs") or "/" in subject or Path(subject).exists()):
        from geode.names import did_you_mean

        near = did_you_mean(code if code.startswith("GS") else subject, (*CODES, *WORDS))
        kind = "code" if re.fullmatch(r"GS\d+", code) else "code, word or program"
        click.echo(f"geode: no {kind} `{subject}`: {near or 'a program is a file that ends in .gs'}", err=True)
        return 1
    return _program(subject, given, as_json=as_json)


def _program(path: str, defines: dict[str, str], *, as_json: bool) -> int:
    from geode.cli.text import show_json
    from geode.explain.levels_to_text import levels_to_record, levels_to_text
    from geode.pipeline import check_program
    from geode.sign_of_life import sign_of_life
    from geode.syntax.file_to_text import file_to_text

    with sign_of_life(f"checking {path}"):
        checked = check_program(file_to_text(path), defines=defines)
    if as_json:
        show_json(levels_to_record(checked))
    else:
        click.echo(levels_to_text(checked), nl=False)
    return 0


def _code(code: str, *, as_json: bool) -> int:
    from geode.cli.text import show_json
    from geode.explain.code_page import code_record, code_to_text

    if as_json:
        show_json(code_record(code))
    else:
        click.echo(code_to_text(code), nl=False)
    return 0
