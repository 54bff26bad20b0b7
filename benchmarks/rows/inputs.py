"""How fast a CSV of a million rows is read, by one core: numbers of nine digits, decimals, and small integers."""

from __future__ import annotations

import functools
import json
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from benchmarks.compiled import ROOT
from benchmarks.row import PROGRAMS, Bench, Result, Row, random_numbers
from rules.errors import BuildError

if TYPE_CHECKING:
    import numpy as np

_RUNTIME = ROOT / "geode" / "runtime"
_PARTS = ("csv", "decimal", "fail", "file", "rows")
_ROWS, _DIFFERENT = 1_000_000, 10_000
_KINDS: dict[str, tuple[int, Callable[[np.random.Generator], str]]] = {
    "nine": (4, lambda source: f"{source.normal():.9g}"),
    "decimal": (8, lambda source: f"{source.normal():.4f}"),
    "integer": (10, lambda source: str(source.integers(17))),
}


def _write(path: Path, kind: str) -> None:
    columns, number = _KINDS[kind]
    source = random_numbers(1)
    lines = [",".join(number(source) for _ in range(columns)) + "\n" for _ in range(_DIFFERENT)]
    path.write_text("".join(lines) * (_ROWS // _DIFFERENT), encoding="ascii")


def _measure(bench: Bench, *, kind: str) -> Result:
    program, data = bench.folder / "read_csv", bench.folder / f"{kind}.csv"
    bench.folder.mkdir(parents=True, exist_ok=True)
    _write(data, kind)
    sources = [PROGRAMS / "read_csv.c", *(_RUNTIME / f"gs_{part}.c" for part in _PARTS)]
    command = [*bench.tool.command, *bench.tool.compile, f"-I{_RUNTIME}", *map(str, sources)]
    made = subprocess.run([*command, "-o", str(program)], capture_output=True, text=True, check=False)
    if made.returncode != 0:
        raise BuildError(f"read_csv.c does not compile:\n{made.stderr}")
    columns, _ = _KINDS[kind]
    speeds = []
    for _ in range(bench.rounds):
        done = subprocess.run([program, data, str(columns), "3"], capture_output=True, text=True, check=False)
        if done.returncode != 0:
            raise BuildError(f"read_csv {data}: status {done.returncode}\n{done.stderr}")
        record = json.loads(done.stdout)
        speeds.append(record["bytes"] / record["seconds"] / 1e6)
        bench.tick()
    data.unlink()
    speeds.sort()
    return Result(speeds[-1], speeds[len(speeds) // 2], {"file MB": record["bytes"] / 1e6})


def _row(kind: str, what: str) -> Row:
    return Row(
        key=f"csv-{kind}",
        what=f"a CSV of 10^6 rows read, {what}",
        against="",
        limit=200.0,
        at_most=False,
        unit="MB/s",
        ticks=1,
        measure=functools.partial(_measure, kind=kind),
    )


INPUTS = (
    _row("nine", "four numbers of nine digits a row"),
    _row("decimal", "eight numbers with four decimals a row"),
    _row("integer", "ten integers below 17 a row"),
)
