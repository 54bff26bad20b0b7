"""A program in the language -> a binary -> measurements of its epochs, memory and start.

In: a `.gs` file and options. Out: seconds or bytes. Invariant: built as `geode build` builds it, profile `fast`.
"""

from __future__ import annotations

import contextlib
import json
import re
import subprocess
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from rules.errors import BuildError
from rules.source_to_binary import build_source
from rules.tool import Tool

ROOT = Path(__file__).resolve().parent.parent


@dataclass(frozen=True, slots=True)
class Compiled:
    """A built program."""

    program: Path

    def lines(self, *options: str) -> list[str]:
        """Run it in the repository's root; the lines it printed. Raises BuildError if it failed."""
        command = [str(self.program), *options]
        done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
        if done.returncode != 0:
            raise BuildError(f"{self.program}: status {done.returncode}\n{done.stderr}")
        return done.stdout.splitlines()

    def epochs(self, *options: str) -> list[float]:
        """The seconds of each epoch of a run, from the scores a second that the metrics lines tell."""
        lines = self.lines(*options)
        population = next(_field(line, "population") for line in lines if line.startswith("settings"))
        return [population / _field(line, "evals/s") for line in lines if line.startswith("epoch=")]

    def side(self, *options: str) -> Callable[[], float]:
        """The best epoch of one run, as a measurement for `in_turn`."""
        return lambda: min(self.epochs(*options))

    def profile(self, *options: str, folder: Path) -> list[dict[str, Any]]:
        """The stages of one run as --profile-file tells them (geode/report/profile.py)."""
        path = (folder / "profile.jsonl").absolute()
        self.lines(*options, "--profile-file", str(path))
        return [json.loads(line) for line in path.read_text().splitlines()]

    def peak_bytes(self, *options: str) -> int:
        """The most memory a run held (its resident set) by its last line, bytes.

        The kernel's count in /proc, since a child's rusage takes in what this process held when it forked.
        """
        peak = 0
        with subprocess.Popen(
            [str(self.program), *options], cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
        ) as process:
            assert process.stdout is not None
            for _ in process.stdout:
                with contextlib.suppress(OSError):  # it may have ended meanwhile
                    status = Path(f"/proc/{process.pid}/status").read_text()
                    found = re.search(r"^VmHWM:\s*(\d+) kB", status, re.MULTILINE)
                    peak = max(peak, 1024 * int(found[1])) if found else peak
        if process.returncode != 0 or peak == 0:
            raise BuildError(f"{self.program} {' '.join(options)}: status {process.returncode}, peak {peak}")
        return peak

    def seconds_to_start(self, *options: str) -> float:
        """From starting the process to the start of its first epoch."""
        start = time.perf_counter()
        with subprocess.Popen(
            [str(self.program), *options], cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
        ) as process:
            assert process.stdout is not None
            population = 0.0
            for line in process.stdout:
                if line.startswith("settings"):
                    population = _field(line, "population")
                if line.startswith("epoch="):
                    waited = time.perf_counter() - start
                    process.kill()
                    return waited - population / _field(line, "evals/s")
        raise BuildError(f"{self.program}: no epoch")


def build(source: Path, folder: Path, tool: Tool, defines: Mapping[str, str] | None = None) -> Compiled:
    """Build `source` under `folder` with `tool`'s compiler. Raises BuildError or CompileErrors."""
    built = build_source(
        str(source),
        defines or {},
        folder=folder / source.stem,
        toolchain=tool.toolchain,
        profile="fast",
        lanes=None,
        warn=lambda _: None,
        show=lambda _: None,
    )
    return Compiled(built.result.program.resolve())


def _field(line: str, name: str) -> float:
    fields = dict(word.split("=", 1) for word in line.split() if "=" in word)
    return float(fields[name])
