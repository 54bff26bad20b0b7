"""Words -> text: the canonical way to write a program.

In: a `Program`. Out: text that parses to an equal program and prints to itself. Comments are not in the words form.
Invariant: the text depends on the program alone, never on spans.
"""

from __future__ import annotations

from collections.abc import Iterator

from geode.syntax.word import (
    Body,
    Call,
    Constant,
    CountedLoop,
    Definition,
    If,
    Include,
    Integer,
    Item,
    Locals,
    Program,
    Real,
    ShapeLiteral,
    SharedMark,
    Store,
    String,
    Target,
    Tick,
    Until,
    While,
    Word,
)

_WIDTH = 100
_INDENT = "  "


def words_to_text(program: Program) -> str:
    """The text of `program`: one item after the other, a blank line around a definition that takes several lines."""
    blocks = [item_to_text(item) for item in program.items]
    lines: list[str] = []
    for i, block in enumerate(blocks):
        if i and ("\n" in block or "\n" in blocks[i - 1]):
            lines.append("")
        lines.append(block)
    return "".join(line + "\n" for line in lines)


def item_to_text(item: Item) -> str:
    """The text of one item, without a line feed at its end."""
    match item:
        case Definition():
            return definition_to_text(item)
        case Constant():
            return " ".join([*_flat(item.value), "CONSTANT", item.name])
        case SharedMark():
            return f"['] {item.name} (SHARED)"
        case Include():
            return f"INCLUDE <{item.path}>" if item.library else f"INCLUDE {_quoted(item.path)}"
        case Target():
            return item.name


def definition_to_text(definition: Definition) -> str:
    """The text of one definition: on one line if it fits, else the signature first and the body indented below."""
    head = f": {definition.name} {definition.signature}"
    tail = "; SHARED" if definition.shared else ";"
    line = " ".join([head, *_flat(definition.body), tail])
    if len(line) <= _WIDTH:
        return line
    lines = [head, *_body_lines(definition.body, 1)]
    lines[-1] += f" {tail}"
    return "\n".join(lines)


def word_to_text(word: Word) -> str:
    """The text of one word, a structure with all that is inside, on one line."""
    return " ".join(_word_tokens(word))


def _flat(body: Body) -> list[str]:
    return [token for word in body for token in _word_tokens(word)]


def _word_tokens(word: Word) -> list[str]:
    match word:
        case Call():
            return [word.name]
        case Integer():
            return [str(word.value)]
        case Real():
            return [word.text]
        case String():
            return [_quoted(word.value)]
        case ShapeLiteral():
            return [":".join(["r", *map(str, word.dims)])]
        case Tick():
            return [f"['] {word.name}"]
        case Locals():
            return [f"{{ {' '.join(word.names)} }}"]
        case Store():
            return [f"TO {word.name}"]
        case If() | CountedLoop() | Until() | While():
            return [
                token for part in _structure_parts(word) for token in ([part] if isinstance(part, str) else _flat(part))
            ]


def _structure_parts(word: If | CountedLoop | Until | While) -> tuple[str | Body, ...]:
    """The keywords of a structure, and the bodies between them."""
    match word:
        case If():
            return ("IF", word.then, *(() if word.orelse is None else ("ELSE", word.orelse)), "THEN")
        case CountedLoop():
            return ("?DO" if word.question else "DO", word.body, "+LOOP" if word.plus else "LOOP")
        case Until():
            return ("BEGIN", word.body, "UNTIL")
        case While():
            return ("BEGIN", word.condition, "WHILE", word.body, "REPEAT")


def _body_lines(body: Body, depth: int) -> Iterator[str]:
    """Lines of at most _WIDTH columns where words allow; a structure that does not fit on one has its parts below."""
    indent = _INDENT * depth
    line = ""
    for word in body:
        text = word_to_text(word)
        fits = len(indent) + len(text) <= _WIDTH
        if fits and line and len(indent) + len(line) + 1 + len(text) <= _WIDTH:
            line += f" {text}"
            continue
        if line:
            yield indent + line
        line = ""
        if fits or not isinstance(word, If | CountedLoop | Until | While):
            line = text
            continue
        for part in _structure_parts(word):
            if isinstance(part, str):
                yield indent + part
            else:
                yield from _body_lines(part, depth + 1)
    if line:
        yield indent + line


def _quoted(text: str) -> str:
    escaped = text.replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"'
