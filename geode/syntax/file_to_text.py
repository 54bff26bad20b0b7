"""File -> text.

In: a path as the user typed it, or a file's bytes. Out: a `Source` with plain line feeds and no byte order mark.
Invariant: lines and columns of the `Source` are those that an editor shows for the file.
"""

from __future__ import annotations

from pathlib import Path

from geode.diagnostics import CompileErrors, Diagnostic
from geode.source import Source, Span


def file_to_text(path: str) -> Source:
    """Reads the file at `path`. Raises CompileErrors: GS107 if it cannot be read, GS101 if it is not UTF-8."""
    try:
        data = Path(path).read_bytes()
    except (OSError, ValueError) as error:  # ValueError: a path with a NUL
        why = error.strerror if isinstance(error, OSError) and error.strerror else "no file can have this name"
        message = f"cannot read the file: {why[:1].lower()}{why[1:]}"
        raise CompileErrors([Diagnostic("GS107", message, Span(Source(path, ""), 0, 0))]) from None
    return bytes_to_text(path, data)


def bytes_to_text(path: str, data: bytes) -> Source:
    """The text of `data`, which was read from `path`. Raises CompileErrors with GS101 if it is not UTF-8."""
    try:
        return Source(path, _plain(data.decode("utf-8")))
    except UnicodeDecodeError as error:
        # The text before the bad byte is sound; the rest of that line is shown as far as it can be read.
        before = _plain(data[: error.start].decode("utf-8"))
        rest = _plain(data[error.start :].decode("utf-8", errors="replace"))
        source = Source(path, before + rest)
        raise CompileErrors(
            [
                Diagnostic(
                    "GS101",
                    f"byte {error.start} of the file, 0x{data[error.start]:02x}, is not UTF-8",
                    Span(source, len(before), len(before) + 1),
                    help="save the file as UTF-8",
                )
            ]
        ) from None


def _plain(text: str) -> str:
    return text.removeprefix("\ufeff").replace("\r\n", "\n")
