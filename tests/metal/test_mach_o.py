"""Programs for Macs that are linked elsewhere: what their headers say, and that their signature is right."""

from __future__ import annotations

from importlib.util import find_spec
from pathlib import Path

import pytest

from tests.harness.mach_o import AD_HOC, ARM64, LINKER_SIGNED, MACOS, read_mach_o
from tests.harness.metal import for_metal
from tests.harness.native import ROOT, build, geode

EXAMPLES = sorted(path.stem for path in (ROOT / "examples").glob("*.gs"))
COLD = 600  # seconds: zig compiles its own libraries for the Mac first, some two minutes on a loaded machine
needs_zig = pytest.mark.skipif(find_spec("ziglang") is None, reason="no ziglang package: nothing links for macOS")


@needs_zig
@pytest.mark.slow
@pytest.mark.parametrize("example", EXAMPLES)
def test_an_example_for_a_mac(example: str, tmp_path: Path) -> None:
    """An executable for arm64 and macOS 13 on, that loads the system's own library alone, signed without an identity."""
    source = tmp_path / f"{example}.gs"
    source.write_text(for_metal((ROOT / "examples" / f"{example}.gs").read_text(encoding="utf-8")), encoding="utf-8")
    data = build(source, tmp_path / "out", "--toolchain", "macos", limit=COLD).read_bytes()
    found = read_mach_o(data)
    assert (found.processor, found.platform, found.oldest) == (ARM64, MACOS, "13.0")
    assert found.libraries == ("/usr/lib/libSystem.B.dylib",)
    assert found.signature == AD_HOC | LINKER_SIGNED
    changed = bytearray(data)
    changed[len(data) // 2] ^= 1
    assert read_mach_o(bytes(changed)).signature is None


@needs_zig
@pytest.mark.slow
def test_a_program_for_a_mac_does_not_run_here(tmp_path: Path) -> None:
    """`geode run` says so."""
    source = tmp_path / "p.gs"
    source.write_text((ROOT / "examples" / "xor.gs").read_text(encoding="utf-8"), encoding="utf-8")
    done = geode("run", "--toolchain", "macos", "-o", tmp_path / "out", source, limit=COLD)
    assert done.status == 1
    assert "is a program for another machine" in done.err
    assert "Traceback" not in done.err
