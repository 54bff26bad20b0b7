r"""Case files: a program and what is expected of it, in one `.gs` file.

In: a file with, behind the program, sections in comments: a line `\ == words`, then the lines expected, each
behind `\ `. Out: the program's bytes, its options (`\ options: --lanes 8`) and its sections, or the file rewritten with
others.
Invariant: reading and rewriting with the same sections gives the same bytes.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

CASES = Path(__file__).parent.parent / "cases"

_HEADER = re.compile(r"^\\ == ([a-z_]+)$", re.MULTILINE)
_OPTIONS = re.compile(r"^\\ options: (.*)$", re.MULTILINE)
# The program may be anything, even no UTF-8: what cannot be decoded is kept as it is.
_ERRORS = "surrogateescape"


@dataclass(frozen=True, slots=True)
class CaseFile:
    """One case. `program` is all that stands before the first section."""

    path: Path
    program: bytes
    options: tuple[str, ...]
    sections: dict[str, str]


def read_case(path: Path) -> CaseFile:
    """Reads the case at `path`. Raises ValueError where a section holds a line that is no comment."""
    text = path.read_bytes().decode("utf-8", errors=_ERRORS)
    headers = list(_HEADER.finditer(text))
    program = text[: headers[0].start()] if headers else text
    ends = [header.start() for header in headers[1:]] + [len(text)]
    sections = {
        header.group(1): _uncomment(path, text[header.end() + 1 : end])
        for header, end in zip(headers, ends, strict=True)
    }
    options = tuple(word for match in _OPTIONS.finditer(program) for word in match.group(1).split())
    return CaseFile(path, program.encode("utf-8", errors=_ERRORS), options, sections)


def case_text(case: CaseFile, sections: dict[str, str]) -> bytes:
    """The bytes of `case` with other contents in its sections."""
    program = case.program.decode("utf-8", errors=_ERRORS)
    parts = [f"\\ == {name}\n{_comment(sections[name])}" for name in case.sections]
    return (program + "\n".join(parts)).encode("utf-8", errors=_ERRORS)


def find_cases(under: Path = CASES) -> list[Path]:
    """Every case file in the folder `under`, sorted."""
    return sorted(path for path in under.rglob("*.gs") if path.parent.name != "included")


def _comment(text: str) -> str:
    return "".join(f"\\ {line}".rstrip() + "\n" for line in text.splitlines())


def _uncomment(path: Path, text: str) -> str:
    lines = text.strip("\n").splitlines()
    for line in lines:
        if line != "\\" and not line.startswith("\\ "):
            message = f"{path}: a line of a section starts with a backslash and a space: {line!r}"
            raise ValueError(message)
    return "".join(line[2:] + "\n" for line in lines)
