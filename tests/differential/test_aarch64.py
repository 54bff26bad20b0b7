"""NEON against this machine: streams and elementary functions compiled for aarch64 and run under an emulator."""

from __future__ import annotations

import hashlib
import importlib.util
import shutil
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from geode.streams import normal_table
from tests.harness.compile_c import RUNTIME, STRICT, Build, compile_c
from tests.harness.math_probe import PROBE, results_by_name

NAMES = [
    "exp",
    "ln",
    "log2",
    "log10",
    "sin",
    "cos",
    "tan",
    "asin",
    "acos",
    "atan",
    "sinh",
    "cosh",
    "tanh",
    "floor",
    "ceil",
    "round",
    "trunc",
    "atan2",
    "pow",
]

pytestmark = [pytest.mark.native, pytest.mark.slow]


@pytest.fixture(scope="module", params=["-O0", "-O3"])
def cross(request, tmp_path_factory):
    """A function from sources and options to the command that runs them as aarch64."""
    emulator = shutil.which("qemu-aarch64") or shutil.which("qemu-aarch64-static")
    if importlib.util.find_spec("ziglang") is None or emulator is None:
        pytest.skip("no ziglang package or no qemu-aarch64")
    folder = tmp_path_factory.mktemp("aarch64")

    def build(*sources: Path, options: tuple[str, ...] = ()) -> list[str]:
        program = folder / (sources[0].stem + "".join(options))
        compiler = [sys.executable, "-m", "ziglang", "cc", "-target", "aarch64-linux-musl", "-static"]
        command = [*compiler, *STRICT, request.param, *options, f"-I{RUNTIME}", *map(str, sources), "-o", str(program)]
        subprocess.run(command, check=True)
        return [emulator, str(program)]

    return build


def test_the_normals_are_the_same(cross) -> None:
    """The digest of the table, on 16-byte vectors of another processor family."""
    command = cross(Path(__file__).with_name("noise_probe.c"), RUNTIME / "gs_noise.c")
    table = normal_table()
    out = subprocess.run([*command, "normals", "0", "0", str(table.digest_count)], capture_output=True, check=True)
    assert hashlib.sha256(out.stdout).hexdigest() == table.digest


@pytest.mark.parametrize("lanes", [1, 4])
def test_the_elementary_functions_are_the_same(cross, lanes: int) -> None:
    """Every function has the bits of the scalar build of this machine."""
    options = (f"-DGS_VEC={lanes}", f"-DGS_LANES={lanes}")
    here = results_by_name(
        [str(compile_c(Build("gcc", "-O1", "native", ("-DGS_VEC=1", "-DGS_LANES=1")), PROBE))], NAMES
    )
    there = results_by_name(cross(PROBE, options=options), NAMES)
    assert [n for n in NAMES if not np.array_equal(here[n].view(np.uint32), there[n].view(np.uint32))] == []
