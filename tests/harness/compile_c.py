"""C sources -> a program for a test: with which compilers, at which optimisation, for which processor.

In: files and a `Build`. Out: the path of an executable, made once a session. Invariant: the flags
are the project's own strict ones, so a warning in the runtime fails the test that compiles it.
"""

from __future__ import annotations

import platform
import shutil
import subprocess
import sys
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

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
# The folder lives as long as the test process; its finaliser removes it.
_FOLDER = TemporaryDirectory(prefix="geode-tests-")


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


@cache
def compile_c(build: Build, *sources: Path) -> Path:
    """Return the executable of `sources`; AssertionError with the compiler's words if it refuses."""
    program = Path(_FOLDER.name) / f"{len(list(Path(_FOLDER.name).iterdir()))}-{sources[0].stem}"
    command = [build.compiler, *build.flags(), f"-I{RUNTIME}", *map(str, sources), "-o", str(program)]
    done = subprocess.run([*command, "-lm", "-lpthread"], capture_output=True, text=True, check=False)
    assert done.returncode == 0, f"{' '.join(command)}\n{done.stderr}"
    return program


@cache
def _runs_v3() -> bool:
    """True where the processor has AVX2 and FMA, which x86-64-v3 asks for."""
    if sys.platform != "linux":
        return False
    flags = Path("/proc/cpuinfo").read_text(encoding="utf-8").split()
    return {"avx2", "fma", "bmi2"} <= set(flags)
