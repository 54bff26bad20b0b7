"""A program with another MAIN: its words, and one stage that asks one of them.

In: the path of a `.gs` file, a stage in the language. Out: the text of the same program with that stage as its MAIN.
Invariant: everything else of the file stands as it was, character by character; quoted INCLUDEs lead to the same files.
"""

from __future__ import annotations

from pathlib import Path

from geode.api.errors import GeodeError, ProgramError
from geode.diagnostics import CompileErrors, Sink
from geode.syntax.file_to_text import file_to_text
from geode.syntax.text_to_tokens import text_to_tokens
from geode.syntax.tokens_to_words import tokens_to_words
from geode.syntax.word import Definition, Include


def other_main(path: Path, stage: str) -> str:
    """The text of the program at `path` with `: MAIN ( -- ) STAGE ;` for its MAIN.

    Raises ProgramError for a text that can't be read, GeodeError if the file itself has no MAIN.
    """
    sink = Sink()
    try:
        source = file_to_text(str(path))
        program = tokens_to_words(text_to_tokens(source, sink), source, sink)
        sink.fail_if_any()
    except CompileErrors as error:
        raise ProgramError(error.diagnostics) from None
    changes = []
    for item in program.items:
        if isinstance(item, Definition) and item.name == "MAIN":
            changes.append((item.span.start, item.span.end, f": MAIN ( -- ) {stage} ;"))
        elif isinstance(item, Include) and not item.library:
            included = str((path.parent / item.path).resolve()).replace("\\", "\\\\").replace('"', '\\"')
            changes.append((item.span.start, item.span.end, f'INCLUDE "{included}"'))
    if not any(text.startswith(": MAIN") for _, _, text in changes):
        raise GeodeError(f"{path} has no MAIN of its own, whose place a stage could take")
    text = source.text
    for start, end, new in sorted(changes, reverse=True):
        text = text[:start] + new + text[end:]
    return text
