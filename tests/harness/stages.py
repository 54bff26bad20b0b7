"""What each section of a case file holds: section name -> function of the program's source.

In: a `Source`. Out: the text of the form that the section is named after, or the rendered errors.
Invariant: a stage is listed here once, and every section name of every case stands here.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

from geode.diagnostics import CompileErrors, Sink
from geode.pipeline import check_program, compile_program
from geode.render import render
from geode.syntax.file_to_text import bytes_to_text
from geode.syntax.text_to_tokens import text_to_tokens
from geode.syntax.tokens_to_words import tokens_to_words
from geode.syntax.words_to_text import words_to_text

_LIST = Path(__file__).parent.parent / "data" / "words.txt"
BUILTINS = frozenset(
    word for line in _LIST.read_text(encoding="utf-8").splitlines() if not line.startswith("#") for word in line.split()
)
_DEFINES = re.compile(rb"^\\ options: -D (\w+)=(\S+)$", re.MULTILINE)


def error(name: str, program: bytes) -> str:
    """The rendered errors and warnings of the program, nothing if it has none; `-D` stands in a line of options."""
    defines = {key.decode(): value.decode() for key, value in _DEFINES.findall(program)}
    try:
        diagnostics = check_program(bytes_to_text(name, program), defines=defines).sink.diagnostics
    except CompileErrors as errors:
        diagnostics = errors.diagnostics
    return render(diagnostics, colour=False)


def tokens(name: str, program: bytes) -> str:
    """The tokens, one a line."""
    sink = Sink()
    found = text_to_tokens(bytes_to_text(name, program), sink)
    sink.fail_if_any()
    return "".join(f"{token}\n" for token in found)


def words(name: str, program: bytes) -> str:
    """The words as they print."""
    source, sink = bytes_to_text(name, program), Sink()
    parsed = tokens_to_words(text_to_tokens(source, sink), source, sink)
    sink.fail_if_any()
    return words_to_text(parsed)


def graph(name: str, program: bytes) -> str:
    """The graph of every unit, with levels."""
    return "".join(unit.graph for unit in compile_program(bytes_to_text(name, program)).units)


def loops(name: str, program: bytes) -> str:
    """The loops of every unit."""
    return "".join(unit.loops for unit in compile_program(bytes_to_text(name, program)).units)


def c(name: str, program: bytes) -> str:
    """The C text of every unit."""
    return "".join(unit.text for unit in compile_program(bytes_to_text(name, program)).units)


STAGES: dict[str, Callable[[str, bytes], str]] = {
    "tokens": tokens,
    "words": words,
    "graph": graph,
    "loops": loops,
    "c": c,
    "error": error,
}
