"""`geode emit`: a program at one stage of the compiler, as text on stdout."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from geode.cli.options import define_option, parse_defines
from geode.cli.text import unknown_unit

if TYPE_CHECKING:
    from geode.source import Source

_STAGES = ("tokens", "words", "graph", "loops", "c", "kernels")


@click.command(
    epilog="\b\nExamples:\n  geode emit examples/sine-ae.gs                        the C of every unit, in call order"
    "\n  geode emit --emit=graph --unit NEURON examples/sine-ae.gs"
)
@define_option
@click.option("--emit", "stage", type=click.Choice(_STAGES), default="c", show_default=True, help="The stage to print.")
@click.option("--unit", metavar="NAME", help="Only the units of this word, or with this symbol.")
@click.argument("source")
def command(source: str, stage: str, unit: str | None, defines: tuple[str, ...]) -> None:
    """Print SOURCE as the compiler sees it at one stage."""
    from geode.syntax.file_to_text import file_to_text

    given = parse_defines(defines)
    text = file_to_text(source)
    if stage in {"tokens", "words", "kernels"} and unit is not None:
        raise click.UsageError(f"--unit goes with graph, loops and c; {stage} are the whole file's")
    if stage in {"tokens", "words"}:
        click.echo(_front(text, stage), nl=False)
        return
    from geode.pipeline import compile_program
    from geode.sign_of_life import sign_of_life

    with sign_of_life(f"compiling {source}"):
        compiled = compile_program(text, defines=given)
    if stage == "kernels":
        if not compiled.kernels:
            raise click.UsageError(f"{compiled.target} has no kernels: they are what a GPU runs")
        click.echo(compiled.kernels, nl=False)
        return
    units = compiled.units
    chosen = [item for item in units if unit in (None, item.word, item.symbol)]
    if not chosen and unit is not None:
        raise unknown_unit(unit, text, tuple(dict.fromkeys(item.word for item in units)))
    for item in chosen:
        body = {"graph": item.graph, "loops": item.loops, "c": item.text}[stage]
        click.echo(f"/* unit {item.word} */\n{body.rstrip()}\n")


def _front(source: Source, stage: str) -> str:
    """The tokens, one a line, or the program as `words_to_text` prints it. Raises CompileErrors."""
    from geode.diagnostics import Sink
    from geode.syntax.text_to_tokens import text_to_tokens

    sink = Sink()
    tokens = text_to_tokens(source, sink)
    if stage == "tokens":
        sink.fail_if_any()
        return "".join(f"{token}\n" for token in tokens)
    from geode.syntax.tokens_to_words import tokens_to_words
    from geode.syntax.words_to_text import words_to_text

    program = tokens_to_words(tokens, source, sink)
    sink.fail_if_any()
    return words_to_text(program)
