"""A C file -> the digests of everything it is made of: itself and its closure of quoted includes.

In: names relative to the output folder (`c/x.c`) or to the runtime (`runtime/gs_es.c`). Out: name -> digest. Invariant:
what the compiler really read (its depfile) lies inside that closure; if not, the action fails as undeclared.
"""

from __future__ import annotations

import functools
import os
import re
from collections.abc import Iterable
from pathlib import Path

from rules.action import digest
from rules.errors import BuildError

_INCLUDE = re.compile(rb'^[ \t]*#[ \t]*include[ \t]*"([^"\n]+)"', re.MULTILINE)
# What can hold the beginning of a comment without being one stands before it.
_COMMENT = re.compile(rb"""("(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])+'|//[^\n]*)|/\*.*?\*/""", re.DOTALL)
Files = tuple[str, ...]


class Inputs:
    """Digests of the C files of one build, each file read once. Paths are texts, for a build may have thousands."""

    def __init__(self, folder: Path, runtime: Path) -> None:
        self._folder = str(folder.resolve())
        self._runtime = str(runtime)
        self._data = functools.cache(self._read_data)
        self._read = functools.cache(self._read_file)
        self._find = functools.cache(self._find_file)
        self._closed = functools.cache(self._close)
        self._reached = functools.cache(self._reach)
        self._says = functools.cache(self._say)
        self._say_among = functools.cache(self._say_any)
        self._real = functools.cache(os.path.realpath)
        self._known: dict[str, bytes] = {}

    def tell(self, name: str, data: bytes) -> None:
        """Say what the file `name` holds, which then is not read."""
        self._known[self._absolute(name)] = data

    def path(self, name: str) -> str:
        """Where the file `name` lies, as the compiler is told: relative to the output folder, or absolute."""
        return f"{self._runtime}/{name.removeprefix('runtime/')}" if name.startswith("runtime/") else name

    def closure(self, name: str) -> dict[str, str]:
        """Name -> digest for `name` and every file it includes in quotes, directly or not."""
        content, included = self._read(self._absolute(name))
        return {name: content, **self._closed(included)}

    def names(self, name: str, macro: str) -> bool:
        """True if the text of `name` or of a file that it includes has the word `macro`, comments aside: without it, what
        is compiled cannot depend on its definition."""
        file = self._absolute(name)
        return self._say_among(self._read(file)[1], macro) or self._says(file, macro)

    def undeclared(self, name: str, files: Iterable[str]) -> list[str]:
        """Those of `files`, as the compiler names them, that do not belong to the closure of `name`, sorted."""
        known = {self._real(self._absolute(entry)) for entry in self.closure(name)}
        return sorted({file for file in files if self._real(os.path.join(self._folder, file)) not in known})

    def _absolute(self, name: str) -> str:
        return os.path.join(self._folder, self.path(name))

    def _name(self, file: str) -> str:
        for folder, before in ((self._runtime, "runtime/"), (self._folder, "")):
            if file.startswith(folder + os.sep):
                return before + file[len(folder) + 1 :].replace(os.sep, "/")
        return file

    def _close(self, files: Files) -> dict[str, str]:
        """Name -> digest for `files` and all that they include."""
        return {self._name(file): self._read(file)[0] for file in self._reached(files)}

    def _reach(self, files: Files) -> list[str]:
        """`files` and all that they include, sorted."""
        found: set[str] = set()
        left = list(files)
        while left:
            file = left.pop()
            if file not in found:
                found.add(file)
                left.extend(self._read(file)[1])
        return sorted(found)

    def _say_any(self, files: Files, macro: str) -> bool:
        return any(self._says(file, macro) for file in self._reached(files))

    def _say(self, file: str, macro: str) -> bool:
        data, word = self._data(file), macro.encode()
        return word in data and re.search(rb"\b%s\b" % word, _COMMENT.sub(rb"\1 ", data)) is not None

    def _read_data(self, file: str) -> bytes:
        data = self._known.get(file)
        return Path(file).read_bytes() if data is None else data

    def _read_file(self, file: str) -> tuple[str, Files]:
        """The digest of a file, and the files that it includes."""
        data = self._data(file)
        beside = os.path.dirname(file)
        found = (self._find(name.decode(), beside) for name in _INCLUDE.findall(data))
        return digest(data), tuple(path for path in found if path is not None)

    def _find_file(self, name: str, beside: str) -> str | None:
        for folder in (beside, self._runtime):
            path = os.path.normpath(os.path.join(folder, name))
            if os.path.isfile(path):
                return path
        return None  # the compiler says so, if that branch of the text is reached


def check_depfile(depfile: Path, inputs: Inputs, name: str) -> None:
    """Check that the files the compiler read for `name` (system headers aside) are the ones in the action's key."""
    text = depfile.read_text(encoding="utf-8").replace("\\\n", " ")
    entries = re.findall(r"(?:\\.|[^\s\\])+", text.partition(": ")[2])
    for entry in inputs.undeclared(name, (re.sub(r"\\(.)", r"\1", entry) for entry in entries)):
        raise BuildError(f"{name} reads {entry}, which is not declared as its input (only quoted includes are)")
