"""Programs for NVIDIA GPUs, run on a device or with an emulation in the place of driver and compiler.

In: a built program, options. Out: finished runs. Invariant: nothing but GEODE_CUDA_DEVICE decides which of the two it is,
so one set of tests holds for both.
"""

from __future__ import annotations

import os
import shutil
import subprocess
from functools import cache
from pathlib import Path

from tests.harness.native import ROOT, Finished, start

ON_DEVICE = bool(os.environ.get("GEODE_CUDA_DEVICE"))
_SHARED = ROOT / "geode" / "emulator"
_SOURCES = (ROOT / "tests" / "device" / "cuda_emulator.cpp", _SHARED / "fibres.cpp", _SHARED / "command.cpp")
_FLAGS = (
    "-std=c++17",
    "-O2",
    "-Wall",
    "-Wextra",
    "-Werror",
    "-fPIC",
    "-shared",
    "-I",
    str(_SHARED),
)


@cache
def emulator() -> Path:
    """The emulation's library, compiled once a process."""
    library = Path(os.environ["GEODE_CACHE"]) / f"cuda-emulator-{os.getpid()}.so"
    library.parent.mkdir(parents=True, exist_ok=True)
    subprocess.run(["g++", *_FLAGS, *map(str, _SOURCES), "-o", str(library), "-ldl", "-lpthread"], check=True)
    return library


def run_cuda(program: Path, *options: str, **environment: str) -> Finished:
    """A run of a built program."""
    place = {} if ON_DEVICE else {"GEODE_CUDA_EMULATOR": str(emulator())}
    return start([program, *options], **place, **environment)


def nvcc() -> str | None:
    """NVIDIA's compiler, if it is there."""
    return shutil.which("nvcc")
