"""A compiled program's C text and the runtime -> an executable, with any compiler, optimisation and processor.

In: program text, a `Target`. Out: a command that runs it. Invariant: the flags are the project's own strict ones, whatever the
build would choose on this machine.
"""

from __future__ import annotations

import importlib.util
import shutil
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from tests.harness.compile_c import RUNTIME, STRICT, Build
from tests.harness.native import build

_ZIG = (sys.executable, "-m", "ziglang", "cc")
_CROSS = ("-target", "aarch64-linux-musl", "-static")
_WIDE = frozenset({"avx512f", "avx512bw", "avx512dq", "avx512vl"})


@dataclass(frozen=True, slots=True)
class Target:
    """`compiler` is gcc, clang or zig; `processor` is "avx512", "portable" (x86-64-v3) or "neon", which is emulated."""

    compiler: str
    optimise: str
    processor: str
    lanes: int

    def __str__(self) -> str:
        """Return the name under which pytest shows it."""
        return f"{self.compiler}{self.optimise}-{self.processor}-{self.lanes}"

    def missing(self) -> str | None:
        """Return what this machine lacks for it, or None."""
        if self.compiler == "zig":
            if importlib.util.find_spec("ziglang") is None:
                return "no ziglang package"
        elif shutil.which(self.compiler) is None:
            return f"no {self.compiler}"
        if self.processor == "neon":
            return None if _emulator() else "no qemu-aarch64"
        if self.processor == "avx512" and not processor_flags() >= _WIDE:
            return "this processor has no AVX-512"
        return Build("cc", "-O0", "portable").missing()

    def command(self) -> list[str]:
        """Return the compiler with its flags, sources and output aside."""
        compiler = list(_ZIG) if self.compiler == "zig" else [self.compiler]
        vector = {"avx512": 16, "portable": 8, "neon": 4}[self.processor]
        flags = [*STRICT, self.optimise, f"-DGS_LANES={self.lanes}", f"-DGS_VEC={vector if self.lanes > 1 else 1}"]
        if self.processor == "neon":
            return [*compiler, *flags, *_CROSS]
        if self.compiler == "zig":
            mcpu = "x86_64_v4" if self.processor == "avx512" else "x86_64_v3"
            return [*compiler, *flags, f"-mcpu={mcpu}", "-fno-sanitize=all"]
        return [*compiler, *flags, "-march=x86-64-v4" if self.processor == "avx512" else "-march=x86-64-v3"]


def emitted(text: str, folder: Path, name: str) -> Path:
    """The folder with the program's C text."""
    source = folder / f"{name}.gs"
    source.write_text(text, encoding="utf-8")
    return build(source, folder / name, "--profile", "debug").parents[1] / "c"


def executable(target: Target, text: Path, program: Path) -> Sequence[str]:
    """Compiles the C text and the whole runtime to `program`; the command that runs it."""
    sources = [*sorted(text.glob("*.c")), *sorted(RUNTIME.glob("gs_*.c"))]
    command = [*target.command(), f"-I{RUNTIME}", f"-I{text}", *map(str, sources), "-o", str(program)]
    done = subprocess.run([*command, "-lm", "-lpthread"], capture_output=True, text=True, check=False)
    assert done.returncode == 0, f"{' '.join(command)}\n{done.stderr}"
    emulator = _emulator() if target.processor == "neon" else None
    return [*([emulator] if emulator else []), str(program)]


def processor_flags() -> frozenset[str]:
    """What Linux says that the processor has."""
    cpuinfo = Path("/proc/cpuinfo")
    return frozenset(cpuinfo.read_text(encoding="utf-8").split()) if cpuinfo.exists() else frozenset()


def _emulator() -> str | None:
    return shutil.which("qemu-aarch64") or shutil.which("qemu-aarch64-static")
