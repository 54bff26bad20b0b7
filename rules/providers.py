"""What one rule tells another: frozen records, every field typed.

Invariant: a provider holds plain values, paths from the root among them, so it may cross processes.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class DatasetInfo:
    """A CSV file of `rows` lines of `columns` numbers, and the script that writes it (None: it is only checked)."""

    path: str
    rows: int
    columns: int
    script: str | None


@dataclass(frozen=True, slots=True)
class ProgramInfo:
    """A program: its label, source and folder, the data sets it reads, CONSTANTs, what it is built with.

    `data` holds labels, `libraries` the paths of the files that it may include. `toolchain` and `lanes` are None where the
    machine decides.
    """

    label: str
    source: str
    folder: str
    defines: tuple[tuple[str, str], ...]
    profile: str
    toolchain: str | None
    lanes: int | None
    data: tuple[str, ...]
    libraries: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class LibraryInfo:
    """A file that programs include, and the paths of all that including it may bring in, itself first."""

    label: str
    source: str
    libraries: tuple[str, ...]


Provider = DatasetInfo | ProgramInfo | LibraryInfo
