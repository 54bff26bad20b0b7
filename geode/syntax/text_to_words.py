"""Text -> words, with the included files put in.

In: the main file's `Source`. Out: one `Program` without `Include`s; mistakes of every file go to the sink.
Invariant: a file is read once, however often and under whichever path it is included.
"""

from __future__ import annotations

from dataclasses import field, replace
from pathlib import Path

from geode.diagnostics import CompileErrors, Sink
from geode.record import dataclass
from geode.source import Source
from geode.syntax.file_to_text import file_to_text
from geode.syntax.text_to_tokens import text_to_tokens
from geode.syntax.tokens_to_words import tokens_to_words
from geode.syntax.word import Include, Item, Program

LIBRARY = Path(__file__).parent.parent / "vocabulary" / "library"


def text_to_words(source: Source, sink: Sink, library: Path = LIBRARY) -> Program:
    """The program in `source`. A quoted INCLUDE is relative to its own file, `<name>` is `name.gs` in `library`.

    Reports what the lexer and the parser report, GS107 for a file that cannot be read and GS128 for one that includes
    itself.
    """
    reader = _Reader(sink, library)
    reader.open_files.append(_identity(source.path))
    return reader.read(source)


@dataclass(slots=True)
class _Reader:
    """`open_files` are being read, outermost first; `done` have been."""

    sink: Sink
    library: Path
    open_files: list[str] = field(default_factory=list)
    done: set[str] = field(default_factory=set)

    def read(self, source: Source) -> Program:
        def include(item: Include) -> tuple[Item, ...]:
            return self.include(item, source)

        return tokens_to_words(text_to_tokens(source, self.sink), source, self.sink, include)

    def include(self, item: Include, source: Source) -> tuple[Item, ...]:
        folder, name = (self.library, f"{item.path}.gs") if item.library else (Path(source.path).parent, item.path)
        path = str(folder / name)
        identity = _identity(path)
        if identity in self.done:
            return ()
        if identity in self.open_files:
            help_text = "move what both files need into a third, and include that one in both"
            self.sink.error("GS128", f"`{item.path}` includes itself", item.span, help=help_text)
            return ()
        try:
            included = file_to_text(path)
        except CompileErrors as error:
            self.done.add(identity)
            for found in error.diagnostics:
                self.sink.add(replace(found, span=item.span, help=self.which(item)) if found.code == "GS107" else found)
            return ()
        self.open_files.append(identity)
        items = self.read(included).items
        self.open_files.pop()
        self.done.add(identity)
        return items

    def which(self, item: Include) -> str:
        if not item.library:
            return "the path is relative to the file that includes it"
        names = sorted(path.stem for path in self.library.glob("*.gs"))
        return "the bundled libraries are " + (", ".join(f"`<{name}>`" for name in names) or "none in this version")


def _identity(path: str) -> str:
    try:
        return str(Path(path).resolve())
    except (OSError, ValueError, RuntimeError):  # a loop of links, a NUL: reading it will say what is wrong
        return path
