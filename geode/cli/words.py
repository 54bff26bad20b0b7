"""`geode words`: the vocabulary, from the table that the compiler itself reads."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import click

if TYPE_CHECKING:
    from geode.vocabulary.entry import Entry


@click.command(
    epilog="\b\nExamples:\n  geode words           every word, by group\n  geode words LINEAR    one word, in full"
)
@click.option(
    "--json",
    "as_json",
    is_flag=True,
    help="Print the entries as JSON on stdout: the examples too as whole programs, which read 4 columns of rows.csv.",
)
@click.argument("word", required=False)
def command(word: str | None, *, as_json: bool) -> int:
    """Print the words of the language, or what WORD does."""
    from geode.vocabulary import WORDS

    if word is not None and word not in WORDS:
        from geode.names import did_you_mean
        from geode.syntax.forth_words import INSTEAD
        from geode.syntax.other_names import other_name

        other = INSTEAD.get(word.upper()) or other_name(word)
        near = other or did_you_mean(word, WORDS) or "`geode words` lists all of them"
        click.echo(f"geode: no word `{word}`: {near}", err=True)
        return 1
    if word is not None:
        show_word(word, as_json=as_json)
    elif as_json:
        from geode.cli.text import show_json

        show_json([_record(entry) for entry in WORDS.values()])
    else:
        click.echo(_listing(WORDS), nl=False)
    return 0


def show_word(word: str, *, as_json: bool) -> None:
    """Print a built-in word in full."""
    from geode.vocabulary import WORDS

    if as_json:
        from geode.cli.text import show_json

        show_json([_record(WORDS[word])])
    else:
        click.echo(_page(WORDS[word]), nl=False)


def _record(entry: Entry) -> dict[str, Any]:
    from geode.vocabulary.example_program import example_text

    return {
        "name": entry.name,
        "group": entry.group,
        "effect": entry.effect,
        "summary": entry.summary,
        "example": entry.example.text,
        "program": example_text(entry.example),
        "counter_example": {"code": entry.counter.code, "text": entry.counter.example.text},
        "counter_program": example_text(entry.counter.example),
    }


def _listing(entries: Mapping[str, Entry]) -> str:
    groups: dict[str, list[Entry]] = {}
    for entry in entries.values():
        groups.setdefault(entry.group, []).append(entry)
    width = max((len(name) for name in entries), default=0)
    effects = max((len(entry.effect) for entry in entries.values()), default=0)
    lines = []
    for group, members in groups.items():
        lines.append(f"{group}\n")
        lines.extend(f"  {entry.name:<{width}}  {entry.effect:<{effects}}  {entry.summary}\n" for entry in members)
    return "".join(lines)


def _page(entry: Entry) -> str:
    return (
        f"{entry.name}  {entry.effect}\n  {entry.summary}\n\nexample:\n{_indent(entry.example.text)}"
        f"\nrefused with {entry.counter.code}:\n{_indent(entry.counter.example.text)}"
    )


def _indent(text: str) -> str:
    return "".join(f"  {line}\n" for line in text.rstrip("\n").split("\n"))
