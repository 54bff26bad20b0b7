"""A row of the table: what is measured, against what, and how much of it must hold."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from benchmarks.baseline import Baseline, compile_baseline
from benchmarks.compiled import Compiled, build
from rules.errors import BuildError
from rules.install import install_extra
from rules.tool import Tool

if TYPE_CHECKING:
    import numpy as np

PROGRAMS = Path(__file__).resolve().parent / "programs"


@dataclass(frozen=True, slots=True)
class Bench:
    """What every row needs: a compiler, a folder for what is built, how often to measure, a tick for the progress bar."""

    tool: Tool
    folder: Path
    rounds: int
    tick: Callable[[], None]

    def program(self, source: Path) -> Compiled:
        """Build a program."""
        return build(source, self.folder, self.tool)

    def baseline(self, name: str, *defines: str) -> Baseline:
        """Compile a baseline."""
        return compile_baseline(name, self.tool, self.folder / "baselines", *defines)


@dataclass(frozen=True, slots=True)
class Result:
    """One measured row.

    `value` is what must reach `limit` (`at least` or `at most`), `unit` empty for a ratio; `median` the same of the
    middle measurements, None where there is one. `detail` are the quantities behind it, by name, with units in the name.
    """

    value: float
    median: float | None
    detail: dict[str, float]


@dataclass(frozen=True, slots=True)
class Row:
    """A measurement with its limit."""

    key: str
    what: str
    against: str
    limit: float
    at_most: bool
    unit: str
    ticks: int  # measurements a round, for the progress bar
    measure: Callable[[Bench], Result]
    hardware: str = ""  # a feature of the processor that the limit is for, as /proc/cpuinfo names it

    def holds(self, result: Result) -> bool:
        """True if the limit is kept."""
        return result.value <= self.limit if self.at_most else result.value >= self.limit


def random_numbers(seed: int) -> np.random.Generator:
    """The source of a row's data. Raises BuildError where NumPy, which only rows with data files want, is not there."""
    try:
        from numpy.random import default_rng
    except ImportError:
        raise BuildError(f"this row makes its data with NumPy: {install_extra('python')}") from None
    return default_rng(seed)
