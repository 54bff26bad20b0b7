"""Loading: BUILD files -> rule calls.

In: the root of a workspace. Out: the calls in its BUILD files, and what is wrong with those files, each with file and
line. Invariant: a BUILD file is Starlark that sees the rules and Starlark's own functions, and nothing else: no file
system, no clock, no `load`; so its calls depend on its text alone.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path

from rules.target import Mistake, Place, RuleCall

FILE = "BUILD"
_APART = {"build", "runs", "dist", "node_modules", "__pycache__"}
_FRAME = re.compile(r"^  \* (.+):(\d+), in ", re.MULTILINE)
_POINTER = re.compile(r"^ *--> (.+):(\d+):\d+$", re.MULTILINE)
_PRELUDE = "<rules>"
_CALL = "def {rule}(*unnamed, **given):\n    _declare('{rule}', call_stack(), len(unnamed), given)\n"


def load_build_files(root: Path, rules: Iterable[str]) -> tuple[list[RuleCall], list[Mistake]]:
    """The calls of `rules` in every BUILD file below `root`, in order of path and line; and the files' mistakes."""
    calls: list[RuleCall] = []
    mistakes: list[Mistake] = []
    names = sorted(rules)
    for path in sorted(_build_files(root)):
        found, wrong = _load(path, root, names)
        calls.extend(found)
        mistakes.extend(wrong)
    return calls, mistakes


def _build_files(root: Path) -> Iterator[Path]:
    for folder, below, files in os.walk(root):
        below[:] = [
            name
            for name in below
            if name not in _APART and not name.startswith(".") and not Path(folder, name, "pyvenv.cfg").exists()
        ]
        if FILE in files:
            yield Path(folder, FILE)


def _load(path: Path, root: Path, rules: Sequence[str]) -> tuple[list[RuleCall], list[Mistake]]:
    import starlark

    file = path.relative_to(root).as_posix()
    package = file.removesuffix(FILE).removesuffix("/")
    calls: list[RuleCall] = []
    mistakes: list[Mistake] = []

    def declare(rule: str, stack: str, unnamed: int, given: Mapping[str, object]) -> None:
        where = _innermost(stack, file)
        if unnamed:
            mistakes.append(Mistake(where, package, f"{rule} takes attributes by name, {rule}(name = …)"))
        else:
            calls.append(RuleCall(rule, package, where, given))

    try:
        text = path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        reason = error.strerror if isinstance(error, OSError) else "is not UTF-8"
        return [], [Mistake(Place(file, 1), package, f"cannot be read: {reason}")]
    module = starlark.Module()
    known = starlark.Globals.extended_by([starlark.LibraryExtension.CallStack])
    dialect = starlark.Dialect.standard()
    dialect.enable_load = False
    module.add_callable("_declare", declare)
    try:
        prelude = "".join(_CALL.format(rule=rule) for rule in rules)
        starlark.eval(module, starlark.parse(_PRELUDE, prelude), known)
        starlark.eval(module, starlark.parse(file, text, dialect), known)
    except starlark.StarlarkError as error:
        mistakes.append(_explain(str(error), file, package))
    return calls, mistakes


def _innermost(stack: str, file: str) -> Place:
    """The last line of `file` in a call stack."""
    lines = [int(line) for name, line in _FRAME.findall(stack) if name == file]
    return Place(file, lines[-1] if lines else 1)


def _explain(text: str, file: str, package: str) -> Mistake:
    """Starlark's report in one line, with the place in the BUILD file."""
    pointers = [int(line) for name, line in _POINTER.findall(text) if name == file]
    where = Place(file, pointers[-1]) if pointers else _innermost(text, file)
    message = re.search(r"^error: (.*)$", text, re.MULTILINE)
    said = message.group(1) if message else text.strip().splitlines()[0]
    if "serde::serialize" in said:
        said = "an attribute can be text, a number, a list or a table, not a function"
    said = said.removeprefix("Parse error: ").partition(", expected one of")[0]
    return Mistake(where, package, said[:1].lower() + said[1:])
