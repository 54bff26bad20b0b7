"""How long `geode build` takes: with nothing known, after an edit of one word, with nothing to do."""

from __future__ import annotations

import functools
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from benchmarks.compiled import ROOT
from benchmarks.row import Bench, Result, Row
from rules.errors import BuildError

_QUICK_START = ROOT / "examples" / "sine-ae.gs"


def _build(source: Path, folder: Path, tool: str) -> float:
    command = [sys.executable, "-m", "geode", "build", "--toolchain", tool, "-o", str(folder / "out"), str(source)]
    environment = {**os.environ, "GEODE_CACHE": str(folder / "cache"), "PYTHONPATH": str(ROOT)}
    environment.pop("GEODE_REMOTE_CACHE", None)
    environment.pop("PYTHONDONTWRITEBYTECODE", None)  # Geode as installed: its modules are compiled already
    environment["PYTHONPYCACHEPREFIX"] = str(folder.parent / "bytecode")
    start = time.perf_counter()
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise BuildError(f"geode build: status {done.returncode}\n{done.stderr}")
    return time.perf_counter() - start


def _measure(bench: Bench, *, kind: str) -> Result:
    seen = []
    text = _QUICK_START.read_text()
    with tempfile.TemporaryDirectory(prefix="geode-bench-") as name:
        first = Path(name) / "first"
        first.mkdir()
        (first / "quick.gs").write_text(text)
        _build(first / "quick.gs", first, bench.tool.toolchain)  # compiles the modules
        for i in range(max(2, bench.rounds // 2)):
            folder = Path(name) / (str(i) if kind == "cold" else "kept")
            folder.mkdir(exist_ok=True)
            source = folder / "quick.gs"
            if kind == "cold":
                source.write_text(text)
            elif i == 0:
                source.write_text(text)
                _build(source, folder, bench.tool.toolchain)
            if kind == "edited":  # another body of one word each time
                source.write_text(text.replace("TRAINABLE RELU ;", f"TRAINABLE RELU {i + 1} * ;"))
            seen.append(_build(source, folder, bench.tool.toolchain))
            bench.tick()
    seen.sort()
    return Result(seen[0], seen[len(seen) // 2], {})


def _row(kind: str, limit: float, what: str) -> Row:
    return Row(
        key=f"build-{kind}",
        what=f"geode build of the quick start, {what}",
        against="",
        limit=limit,
        at_most=True,
        unit="s",
        ticks=1,
        measure=functools.partial(_measure, kind=kind),
    )


BUILDS = (
    _row("cold", 4.0, "empty cache, runtime included"),
    _row("edited", 0.6, "one word edited"),
    _row("again", 0.35, "nothing changed"),
)
