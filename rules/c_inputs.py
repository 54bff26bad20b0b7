"""A C file -> the digests of everything it is made of: itself and its closure of quoted includes.

In: names relative to the output folder (`c/x.c`) or to the runtime (`runtime/gs_es.c`). Out: name -> digest. Invariant:
what the compiler really read (its depfile) lies inside that closure; if not, the action fails as undeclared.
"""

from __future__ import annotations

import re
from pathlib import Path

from rules.action import digest
from rules.errors import BuildError

_INCLUDE = re.compile(rb'^[ \t]*#[ \t]*include[ \t]*"([^"\n]+)"', re.MULTILINE)


class Inputs:
    """Digests of the C files of one build, each file read once."""

    def __init__(self, folder: Path, runtime: Path) -> None:
        self._folder = folder.resolve()
        self._runtime = runtime
        self._seen: dict[Path, tuple[str, tuple[Path, ...]]] = {}

    def path(self, name: str) -> str:
        """Where the file `name` lies, as the compiler is told: relative to the output folder, or absolute."""
        return str(self._runtime / name.removeprefix("runtime/")) if name.startswith("runtime/") else name

    def closure(self, name: str) -> dict[str, str]:
        """Name -> digest for `name` and every file it includes in quotes, directly or not."""
        open_files = [self._folder / self.path(name)]
        found: dict[Path, str] = {}
        while open_files:
            file = open_files.pop()
            if file not in found:
                content, included = self._read(file)
                found[file] = content
                open_files.extend(included)
        return {self._name(file): content for file, content in sorted(found.items())}

    def declares(self, name: str, file: str) -> bool:
        """Whether `file`, as the compiler names it, belongs to the closure of `name`."""
        known = {(self._folder / self.path(entry)).resolve() for entry in self.closure(name)}
        return (self._folder / file).resolve() in known

    def _name(self, file: Path) -> str:
        if file.is_relative_to(self._runtime):
            return f"runtime/{file.relative_to(self._runtime).as_posix()}"
        return file.relative_to(self._folder).as_posix()

    def _read(self, file: Path) -> tuple[str, tuple[Path, ...]]:
        if file not in self._seen:
            data = file.read_bytes()
            wanted = (match.decode() for match in _INCLUDE.findall(data))
            found = (self._find(name, file.parent) for name in wanted)
            self._seen[file] = (digest(data), tuple(path for path in found if path is not None))
        return self._seen[file]

    def _find(self, name: str, beside: Path) -> Path | None:
        for folder in (beside, self._runtime):
            path = Path(*(folder / name).parts)
            if ".." in path.parts:
                path = path.resolve()
            if path.is_file():
                return path
        return None  # the compiler says so, if that branch of the text is reached


def check_depfile(depfile: Path, inputs: Inputs, name: str) -> None:
    """Check that the files the compiler read for `name` (system headers aside) are the ones in the action's key."""
    text = depfile.read_text(encoding="utf-8").replace("\\\n", " ")
    entries = re.findall(r"(?:\\.|[^\s\\])+", text.partition(": ")[2])
    for entry in sorted({re.sub(r"\\(.)", r"\1", entry) for entry in entries}):
        if not inputs.declares(name, entry):
            raise BuildError(f"{name} reads {entry}, which is not declared as its input (only quoted includes are)")
