"""What kernels compute in float64, which Metal's language does not have: the numbers of the processor, to the bit.

The oracles are the processor's own float64 and the runtime's functions compiled as C, which tests/differential/test_math.py
holds to NumPy.
"""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import numpy as np
import pytest

from geode.emit.dialect import METAL
from geode.emit.kernel_text import headers_text
from geode.emit.template import render_template
from tests.harness.compile_c import Build, compile_c
from tests.harness.math_probe import PROBE, results_by_name
from tests.harness.metal import needs_cxx
from tests.harness.native import ROOT

pytestmark = [pytest.mark.native, needs_cxx]
WIDE = ["log2", "log10", "tan", "asin", "acos", "atan", "sinh", "cosh", "atan2", "pow"]
EVERY = ["exp", "ln", "log2", "log10", "sin", "cos", "tan", "asin", "acos", "atan", "sinh", "cosh", "tanh"]
EVERY += ["floor", "ceil", "round", "trunc", "atan2", "pow"]  # in the order of the C probe
PROCESSOR = Build("gcc", "-O0", "native", ("-DGS_VEC=1", "-DGS_LANES=1"))


@pytest.fixture(scope="module")
def probe(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The headers of kernels as the emulator compiles them, with the probe behind them."""
    folder = tmp_path_factory.mktemp("math")
    headers = headers_text(["gs_tile.h", "gs_float64.h", "gs_math_wide.h"])
    kernels = render_template(METAL.prelude, name="math", lanes=32) + METAL.text(headers)
    source = folder / "probe.cpp"
    source.write_text(kernels + (Path(__file__).parent / "math_probe.cpp").read_text("utf-8"), encoding="utf-8")
    compiler = "clang++" if shutil.which("clang++") else "g++"
    flags = ["-std=c++17", "-O1", "-ffp-contract=off", "-w", "-isystem", str(ROOT / "geode" / "emulator")]
    subprocess.run([compiler, *flags, "-o", folder / "probe", source], check=True)
    return folder / "probe"


def test_float64_made_of_integers_is_float64(probe: Path) -> None:
    """Sums, products, quotients, roots, comparisons and roundings of 100 000 pairs, subnormal and special ones among them."""
    done = subprocess.run([probe, "float64", "100000"], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (0, "")


def test_functions_have_the_bits_of_the_processor(probe: Path) -> None:
    """Every function that is worked out in float64, at the arguments that its C form is tested at."""
    there = results_by_name([str(probe)], WIDE)
    here = results_by_name([str(compile_c(PROCESSOR, PROBE))], EVERY)
    assert [name for name in WIDE if not np.array_equal(here[name].view(np.uint32), there[name].view(np.uint32))] == []
