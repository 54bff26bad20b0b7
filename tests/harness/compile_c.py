"""C sources -> a program for a test: with which compilers, at which optimisation, for which processor.

In: files and a `Build`. Out: the path of an executable, made once a session, of objects that all its programs share.
Invariant: the flags are the project's own strict ones, so a warning in the runtime fails the test that compiles it.
"""

from __future__ import annotations

import platform
import shutil
import subprocess
import sys
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from tests.harness.made_once import made_once

ROOT = Path(__file__).parents[2]
RUNTIME = ROOT / "geode" / "runtime"

STRICT = [
    "-std=gnu11",
    "-Wall",
    "-Wextra",
    "-Wpedantic",
    "-Wconversion",
    "-Wshadow",
    "-Wstrict-prototypes",
    "-Wmissing-prototypes",
    "-Wno-psabi",
    "-Werror",
    "-ffp-contract=off",
    "-fno-math-errno",
]
X86 = platform.machine() in {"x86_64", "AMD64"}


@dataclass(frozen=True, slots=True)
class Build:
    """One way to compile: `compiler` is a command; `target` is "native", "portable" or "plain"."""

    compiler: str
    optimise: str
    target: str
    extra: tuple[str, ...] = ()

    def __str__(self) -> str:
        """Return the name under which pytest shows it."""
        return "".join([f"{self.compiler}{self.optimise}-{self.target}", *self.extra])

    def missing(self) -> str | None:
        """Return what this machine lacks for it, or None."""
        if shutil.which(self.compiler) is None:
            return f"no {self.compiler} on this machine"
        if self.target == "portable" and X86 and not _runs_v3():
            return "this processor has no x86-64-v3"
        return None

    def flags(self) -> list[str]:
        """Return the compiler's arguments, sources and output aside."""
        if X86:
            processor = {"native": ["-march=native"], "portable": ["-march=x86-64-v3"], "plain": []}[self.target]
        else:
            processor = {"native": ["-mcpu=native"], "portable": [], "plain": []}[self.target]
        return [*STRICT, self.optimise, *processor, *self.extra]


# Every pair of choices that could change a bit: compiler, optimisation, width of vectors.
BIT_BUILDS = [
    Build(compiler, optimise, target)
    for compiler in ("gcc", "clang")
    for optimise in ("-O0", "-O3")
    for target in ("native", "portable")
] + [Build("gcc", "-O2", "plain")]


# The way to compile for the sanitizers; all of -g takes gcc a third longer.
SANITIZED = Build("gcc", "-O1", "native", ("-g1", "-fsanitize=address,undefined", "-fno-sanitize-recover=all"))


@cache
def compile_c(build: Build, *sources: Path, defines: tuple[str, ...] = ()) -> Path:
    """Return the executable of `sources`, of which the first is compiled with `defines`; AssertionError with the
    compiler's words if it refuses.
    """
    with ThreadPoolExecutor(2) as pool:
        objects = list(pool.map(lambda source: _object(build, source, defines * (source == sources[0])), sources))
    return _made(build, sources[0].stem, objects, ["-lm", "-lpthread"])


def _object(build: Build, source: Path, defines: tuple[str, ...]) -> Path:
    # The headers are those of the checkout, which stay as they are as long as the tests run.
    return _made(build, f"{source.stem}.o", ["-c", *defines, f"-I{RUNTIME}", source], [])


def _made(build: Build, name: str, arguments: Sequence[str | Path], libraries: Sequence[str]) -> Path:
    command = [build.compiler, *build.flags(), *map(str, arguments)]

    def make(path: Path) -> None:
        done = subprocess.run([*command, "-o", path, *libraries], capture_output=True, text=True, check=False)
        assert done.returncode == 0, f"{' '.join(command)}\n{done.stderr}"

    return made_once(command, name, make)


@cache
def _runs_v3() -> bool:
    """True where the processor has AVX2 and FMA, which x86-64-v3 asks for."""
    if sys.platform != "linux":
        return False
    flags = Path("/proc/cpuinfo").read_text(encoding="utf-8").split()
    return {"avx2", "fma", "bmi2"} <= set(flags)
