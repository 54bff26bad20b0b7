"""Labels, places in BUILD files, targets.

In: text such as `//examples:xor` or `:xor`. Out: `Label`s; and the records that loading and analysis fill. Invariant:
a label names one package (a folder below the root, with `/`) and one name in it; two spellings of it are equal.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass

from rules.providers import Provider

_NAME = re.compile(r"[A-Za-z0-9_][A-Za-z0-9_.+/-]*")
_PACKAGE = re.compile(r"[A-Za-z0-9_][A-Za-z0-9_.-]*(/[A-Za-z0-9_][A-Za-z0-9_.-]*)*")


@dataclass(frozen=True, slots=True, order=True)
class Label:
    """`//package:name`."""

    package: str
    name: str

    def __str__(self) -> str:
        return f"//{self.package}:{self.name}"

    @property
    def path(self) -> str:
        """The file of that name, from the root."""
        return f"{self.package}/{self.name}" if self.package else self.name


@dataclass(frozen=True, slots=True, order=True)
class Place:
    """A line of a BUILD file, whose path is told from the root."""

    file: str
    line: int

    def __str__(self) -> str:
        return f"{self.file}:{self.line}"


@dataclass(frozen=True, slots=True, order=True)
class Mistake:
    """Something wrong in a BUILD file; `package` has it."""

    where: Place
    package: str
    message: str

    def __str__(self) -> str:
        return f"{self.where}: {self.message}"


@dataclass(frozen=True, slots=True)
class RuleCall:
    """One call of a rule in a BUILD file, nothing checked yet."""

    rule: str
    package: str
    where: Place
    given: Mapping[str, object]


@dataclass(frozen=True, slots=True)
class Target:
    """An analysed rule call: what it reads, what it depends on, what it writes, what it tells other rules.

    `files` and `outputs` are paths from the root; an output is a file or a whole folder.
    """

    label: Label
    rule: str
    where: Place
    files: tuple[str, ...]
    needs: tuple[Label, ...]
    outputs: tuple[str, ...]
    provider: Provider


def parse_label(text: str, package: str) -> Label:
    """`//package:name`, `:name`, or the plain `name` of a file of `package`. Raises ValueError with what is wrong."""
    if not text.startswith("//"):
        name = text.removeprefix(":")
    else:
        package, colon, name = text[2:].partition(":")
        if not colon:
            raise ValueError(f"`{text}` is not a label: expected `//package:name`")
        if package and not _PACKAGE.fullmatch(package):
            raise ValueError(f"`{text}` is not a label: `{package}` cannot be a package")
    if ".." in name.split("/"):
        raise ValueError(f"`{text}` is not a label: it has no `..`; a file elsewhere is `//package:name`")
    if not _NAME.fullmatch(name):
        raise ValueError(f"`{text}` is not a label: `{name}` cannot be a name (letters, digits and _ . + - /)")
    return Label(package, name)
