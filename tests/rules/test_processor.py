"""A program on a processor that lacks what it was compiled for: a message instead of an illegal instruction."""

from __future__ import annotations

import platform
import shutil
from importlib.util import find_spec
from pathlib import Path

import pytest

from tests.harness.native import QUICK_START, build, geode, start

from .conftest import COMPILERS

ZIG = pytest.param(
    "zig",
    marks=[pytest.mark.slow, pytest.mark.skipif(find_spec("ziglang") is None, reason="no ziglang package")],
)

QEMU = shutil.which("qemu-x86_64")
pytestmark = [
    pytest.mark.native,
    pytest.mark.skipif(QEMU is None or platform.machine() != "x86_64", reason="no qemu-x86_64 on an x86-64 machine"),
]


def emulate(processor: str, program: Path) -> tuple[int, str]:
    """The status and the messages of one epoch on an emulated processor, the emulator's own aside."""
    assert QEMU is not None
    done = start([QEMU, "-cpu", processor, program, "--epochs", "1", "--population", "2"])
    return done.status, "".join(line for line in done.err.splitlines(True) if not line.startswith("qemu"))


@pytest.mark.parametrize("compiler", [*COMPILERS, ZIG])
def test_portable_names_what_an_old_processor_lacks(tmp_path: Path, compiler: str) -> None:
    """Without AVX2 the program ends with status 1 and one message; with it, it trains."""
    program = build(QUICK_START, tmp_path, "--toolchain", compiler, "--profile", "portable")
    status, message = emulate("qemu64", program)
    assert status == 1
    assert message == (
        "sine-ae: error: this machine has no AVX2, for which the program was compiled\n"
        "  help: geode build --profile portable makes a program for every x86-64-v3 processor\n"
    )
    assert emulate("Haswell", program) == (0, "")


@pytest.mark.isa("avx512vl")
@pytest.mark.parametrize("compiler", COMPILERS)
def test_fast_names_what_another_machine_lacks(tmp_path: Path, compiler: str) -> None:
    """A program compiled for AVX-512 says so where there is AVX2 only."""
    program = build(QUICK_START, tmp_path, "--toolchain", compiler)
    status, message = emulate("Haswell", program)
    assert status == 1
    assert "this machine has no AVX-512F" in message
    assert geode("build", "--toolchain", compiler, "-o", tmp_path, QUICK_START).status == 0
