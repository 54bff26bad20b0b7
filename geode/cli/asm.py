"""`geode asm`: the machine code of a program's own units."""

from __future__ import annotations

import click

from geode.cli.options import BuildOptions, build_options, parse_defines
from geode.cli.text import unknown_unit


@click.command(epilog="\b\nExamples:\n  geode asm examples/sine-ae.gs\n  geode asm --unit NEURON examples/sine-ae.gs")
@build_options
@click.option("--unit", metavar="NAME", help="Only the units of this word, or with this symbol.")
@click.argument("source")
def command(
    source: str,
    folder: str | None,
    profile: str,
    toolchain: str | None,
    lanes: int | None,
    defines: tuple[str, ...],
    unit: str | None,
) -> None:
    """Build SOURCE and print the disassembly of its units, with symbol labels."""
    built = BuildOptions(source, folder, profile, toolchain, lanes, parse_defines(defines)).build()
    objects = list(zip(built.text.units, built.result.unit_objects, strict=True))
    chosen = [(item, path) for item, path in objects if unit in (None, item.word, item.symbol)]
    if not chosen and unit is not None:
        from geode.syntax.file_to_text import file_to_text

        raise unknown_unit(unit, file_to_text(source), tuple(dict.fromkeys(item.word for item in built.text.units)))
    from rules.disassemble import disassemble

    for item, path in chosen:
        others = [other.symbol for other, beside in objects if beside == path and other.symbol != item.symbol]
        click.echo(f"/* unit {item.word} */\n{disassemble(built.tool, path, others=others).strip()}\n")
