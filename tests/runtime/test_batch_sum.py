"""The batch sum of the runtime against the reference tier's, bit for bit."""

from __future__ import annotations

import subprocess
from pathlib import Path

import numpy as np
import pytest

from geode.reference.batch_sums import batch_sum
from tests.harness.compile_c import Build, compile_c

PROBE = Path(__file__).parent / "batch_probe.c"
LENGTHS = [*range(1, 100), *range(101, 2001, 37), 959, 960, 961, 1919, 1920, 1921, 2000]


@pytest.mark.native
@pytest.mark.parametrize("build", [Build("gcc", "-O3", "native"), Build("clang", "-O3", "native")], ids=str)
def test_sums_do_not_depend_on_the_width_of_tiles(build: Build) -> None:
    """Lanes 1, 8, 16, 24, 32 and 48 all give the reference's bits, for every number of rows tried."""
    if missing := build.missing():
        pytest.skip(missing)
    random = np.random.default_rng(3)
    rows = [random.normal(0, 1e3, n).astype(np.float32) for n in LENGTHS]
    data = b"".join(np.uint32(len(x)).tobytes() + x.tobytes() for x in rows)
    expected = [float(batch_sum(x)).hex() for x in rows]
    program = compile_c(build, PROBE)
    for lanes in (1, 8, 16, 24, 32, 48):
        done = subprocess.run([program, str(lanes)], input=data, capture_output=True, check=True)
        actual = [float.fromhex(line).hex() for line in done.stdout.decode().split()]
        assert actual == expected, f"{lanes} lanes"
