"""Hand-written C -> an executable -> one measurement.

In: a file of `baselines/`. Out: the JSON object that it prints. Invariant: it is compiled by the compiler that compiles
the programs it is compared with, for this processor and at full optimisation, contraction allowed.
"""

from __future__ import annotations

import json
import subprocess
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from rules.action import digest
from rules.errors import BuildError
from rules.tool import Tool

FOLDER = Path(__file__).resolve().parent / "baselines"
_FLAGS = ("-O3", "-march=native", "-fno-math-errno", "-Wno-psabi")


@dataclass(frozen=True, slots=True)
class Baseline:
    """A compiled baseline."""

    program: Path

    def run(self, *arguments: str | int) -> dict[str, float]:
        """Run it and return what it printed. Raises BuildError if it failed."""
        command = [str(self.program), *map(str, arguments)]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        if done.returncode != 0:
            raise BuildError(f"baseline {self.program.name} {' '.join(command[1:])}: status {done.returncode}")
        result: dict[str, float] = json.loads(done.stdout.splitlines()[-1])
        return result

    def side(self, *arguments: str | int) -> Callable[[], float]:
        """A measurement of it for `in_turn`."""
        return lambda: self.run(*arguments)["seconds"]


def compile_baseline(name: str, tool: Tool, folder: Path, *defines: str) -> Baseline:
    """Compile `baselines/NAME.c` with `tool`'s compiler into `folder`. Raises BuildError with the compiler's text."""
    source = FOLDER / f"{name}.c"
    wide = ("-mprefer-vector-width=512",) if tool.toolchain == "clang" and tool.machine.startswith("x86_64") else ()
    command = [*tool.command, *_FLAGS, *wide, *(f"-D{define}" for define in defines), str(source)]
    texts = b"".join(path.read_bytes() for path in sorted(FOLDER.iterdir()))
    program = folder / f"{name}-{digest(json.dumps([command, digest(texts)]).encode())[:12]}"
    if not program.is_file():
        folder.mkdir(parents=True, exist_ok=True)
        done = subprocess.run(
            [*command, "-o", str(program), "-lm", "-lpthread"], capture_output=True, text=True, check=False
        )
        if done.returncode != 0:
            raise BuildError(f"baseline {name}.c does not compile:\n{done.stderr}")
    return Baseline(program)
