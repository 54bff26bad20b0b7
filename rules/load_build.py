"""Loading: BUILD files -> rule calls.

In: the root of a workspace. Out: the calls in its BUILD files, and what is wrong with those files, each with file and
line. Invariant: a BUILD file is Starlark that sees the rules, Starlark's own functions and what it loads from `.bzl`
files of the workspace, and nothing else: no file system, no clock; so its calls depend on those texts alone.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

from rules.target import Mistake, Place, RuleCall, parse_label

FILE = "BUILD"
_APART = {"build", "runs", "dist", "node_modules", "__pycache__"}
_FRAME = re.compile(r"^  \* (.+):(\d+), in ", re.MULTILINE)
_POINTER = re.compile(r"^ *--> (.+):(\d+):\d+$", re.MULTILINE)
_PRELUDE = "<rules>"
_WHERE = "a file that is loaded may define functions that call rules, BUILD files call them"
_CALL = "def {rule}(*unnamed, **given):\n    _declare('{rule}', call_stack(), len(unnamed), given)\n"


def load_build_files(root: Path, rules: Iterable[str]) -> tuple[list[RuleCall], list[Mistake]]:
    """The calls of `rules` in every BUILD file below `root`, in order of path and line; and the files' mistakes."""
    loader = _Loader(root, rules)
    for path in sorted(_build_files(root)):
        loader.build_file(path)
    return loader.calls, loader.mistakes


def _build_files(root: Path) -> Iterator[Path]:
    for folder, below, files in os.walk(root):
        below[:] = [
            name
            for name in below
            if name not in _APART and not name.startswith(".") and not Path(folder, name, "pyvenv.cfg").exists()
        ]
        if FILE in files:
            yield Path(folder, FILE)


class _Loader:
    """Evaluates the files of a workspace: `calls` and `mistakes` are those of the BUILD files so far.

    A file that others `load` is evaluated once, and frozen; its functions declare targets of the BUILD file that calls them.
    """

    def __init__(self, root: Path, rules: Iterable[str]) -> None:
        self.calls: list[RuleCall] = []
        self.mistakes: list[Mistake] = []
        self._root = root
        self._prelude = "".join(_CALL.format(rule=rule) for rule in sorted(rules))
        self._file = ""  # the BUILD file that is evaluated
        self._loaded: dict[str, Any] = {}  # path from the root -> frozen module
        self._open: list[str] = []  # files that are being loaded, outermost first

    @property
    def _package(self) -> str:
        return self._file.removesuffix(FILE).removesuffix("/")

    def build_file(self, path: Path) -> None:
        """Evaluate one BUILD file."""
        self._file = path.relative_to(self._root).as_posix()
        try:
            self._evaluate(self._file, path)
        except _LoadError as error:
            self.mistakes.append(Mistake(error.where or Place(self._file, 1), self._package, error.message))

    def _evaluate(self, file: str, path: Path) -> Any:
        """The module of a file; raises _LoadError."""
        import starlark

        try:
            text = path.read_text(encoding="utf-8")
        except (OSError, UnicodeDecodeError) as error:
            reason = error.strerror if isinstance(error, OSError) else "is not UTF-8"
            raise _LoadError(Place(file, 1), f"cannot be read: {reason}") from None
        module = starlark.Module()
        known = starlark.Globals.extended_by([starlark.LibraryExtension.CallStack, starlark.LibraryExtension.Print])
        module.add_callable("_declare", self._declare)
        inner: list[_LoadError] = []

        def load(name: str) -> Any:
            try:
                return self._load(name, file)
            except _LoadError as error:
                inner.append(error)
                raise

        try:
            starlark.eval(module, starlark.parse(_PRELUDE, self._prelude), known)
            starlark.eval(
                module, starlark.parse(file, text, starlark.Dialect.standard()), known, starlark.FileLoader(load)
            )
        except starlark.StarlarkError as error:
            where, message = _explain(str(error), file)
            if inner:  # the place in the file that this one loads, or this file's line
                where, message = inner[0].where or where, inner[0].message
            raise _LoadError(where, message) from None
        return module

    def _load(self, name: str, file: str) -> Any:
        """The frozen module that `load(name, …)` in `file` means; raises _LoadError."""
        try:
            label = parse_label(name, file.rpartition("/")[0])
        except ValueError as error:
            raise _LoadError(None, str(error)) from None
        if not label.name.endswith(".bzl"):
            raise _LoadError(None, f"`{name}` cannot be loaded: such a file is called NAME.bzl")
        path = label.path
        if path in self._open:
            raise _LoadError(None, f"files load each other in a circle: {' loads '.join([*self._open, path])}")
        if path not in self._loaded:
            if not (self._root / path).is_file():
                raise _LoadError(None, f"{label} is missing: no file {path}")
            self._open.append(path)
            try:
                self._loaded[path] = self._evaluate(path, self._root / path).freeze()
            finally:
                self._open.pop()
        return self._loaded[path]

    def _declare(self, rule: str, stack: str, unnamed: int, given: Mapping[str, object]) -> None:
        where = _innermost(stack, self._file)
        if unnamed:
            self.mistakes.append(Mistake(where, self._package, f"{rule} takes attributes by name, {rule}(name = …)"))
        elif self._open:  # not called from a BUILD file, but while a loaded file is evaluated
            place = _innermost(stack, self._open[-1])
            self.mistakes.append(Mistake(place, self._package, f"{rule} is called outside of a function: {_WHERE}"))
        else:
            self.calls.append(RuleCall(rule, self._package, where, given))


class _LoadError(Exception):
    """A file that cannot be loaded; `where` is None if the place is that of the `load`."""

    def __init__(self, where: Place | None, message: str) -> None:
        super().__init__(message)
        self.where = where
        self.message = message


def _innermost(stack: str, file: str) -> Place:
    """The last line of `file` in a call stack."""
    lines = [int(line) for name, line in _FRAME.findall(stack) if name == file]
    return Place(file, lines[-1] if lines else 1)


def _explain(text: str, file: str) -> tuple[Place, str]:
    """Starlark's report in one line, and its place in `file`."""
    pointers = [(name, int(line)) for name, line in _POINTER.findall(text)]
    own = [line for name, line in pointers if name == file]
    where = Place(file, own[-1]) if own else _innermost(text, file)
    found = re.search(r"^error: (.*)$", text, re.MULTILINE)
    said = found.group(1) if found else text.strip().splitlines()[0]
    if "serde::serialize" in said:
        said = "an attribute can be text, a number, a list or a table, not a function"
    if "cannot be used outside `def`" in said:
        said += "; write a list of calls, [geode_program(name = n, …) for n in (…)], or a function in a .bzl file"
    said = said.removeprefix("Parse error: ").partition(", expected one of")[0]
    elsewhere = [f"{name}:{line}" for name, line in pointers if name not in (file, _PRELUDE)]
    return where, said[:1].lower() + said[1:] + (f" (at {elsewhere[-1]})" if elsewhere and not own else "")
