"""What one rule tells another: frozen records, every field typed.

Invariant: a provider holds plain values, paths from the root among them, so it may cross processes.
"""

from __future__ import annotations

from geode.record import dataclass


@dataclass(frozen=True, slots=True)
class DatasetInfo:
    """A CSV or npy file of `rows` rows of `columns` numbers or a text of so many `bytes`, and the script that writes it
    (None: it is only checked).
    """

    path: str
    rows: int
    columns: int
    script: str | None
    format: str = "csv"
    bytes: int = 0


@dataclass(frozen=True, slots=True)
class ProgramInfo:
    """A program: its label, source and folder, the data sets it reads, CONSTANTs, what it is built with.

    `data` holds labels of data sets, `data_files` the paths of all data, `libraries` those of the files that it may
    include. `toolchain` and `lanes` are None where the machine decides.
    """

    label: str
    source: str
    folder: str
    defines: tuple[tuple[str, str], ...]
    profile: str
    toolchain: str | None
    lanes: int | None
    data: tuple[str, ...]
    data_files: tuple[str, ...]
    libraries: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class LibraryInfo:
    """A file that programs include, and the paths of all that including it may bring in, itself first."""

    label: str
    source: str
    libraries: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class RunInfo:
    """A run of a program: the folder that gets its files, its options, the name of the file that gets the weights."""

    label: str
    program: ProgramInfo
    folder: str
    options: tuple[str, ...]
    model: str | None


@dataclass(frozen=True, slots=True)
class RunTestInfo:
    """A run, and what must hold of its metrics."""

    run: RunInfo
    expect: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class SweepInfo:
    """A sweep: its program, the file that says what trials there are, the folder that gets them."""

    label: str
    program: ProgramInfo
    matrix: str
    folder: str


@dataclass(frozen=True, slots=True)
class ReportInfo:
    """The page of a sweep, and its folder."""

    label: str
    sweep: SweepInfo
    folder: str


Provider = DatasetInfo | ProgramInfo | LibraryInfo | RunInfo | RunTestInfo | SweepInfo | ReportInfo
