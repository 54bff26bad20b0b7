"""Programs for NVIDIA GPUs: nvcc takes their kernels, and they train with the processor's numbers.

Without a device (GEODE_CUDA_DEVICE unset) a library takes the place of driver and compiler; tests/device/cuda.sh runs the
same tests on a device.
"""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path

import pytest

from geode.pipeline import compile_program
from geode.syntax.file_to_text import file_to_text
from tests.harness.cuda import ON_DEVICE, nvcc, run_cuda
from tests.harness.example_program import write_rows
from tests.harness.metal import SMALL_BUILD, both, for_target, told
from tests.harness.native import ROOT, build, start
from tests.metal.small import SETTINGS, SMALL
from tests.metal.test_passes import QUICK
from tests.metal.test_passes import program as passes

pytestmark = [pytest.mark.native]
CUDA = "TARGET-CUDA"
EXAMPLES = sorted(path.stem for path in (ROOT / "examples").glob("*.gs"))
EPOCHS = ("--epochs", "5", "--metrics-every", "1")
needs_place = pytest.mark.skipif(
    not ON_DEVICE and shutil.which("g++") is None, reason="no g++ for the emulation of CUDA"
)
needs_nvcc = pytest.mark.skipif(nvcc() is None, reason="no nvcc on PATH")


@needs_nvcc
@pytest.mark.parametrize(
    ("example", "made"), [("xor", "-ptx"), *(pytest.param(name, "-cubin", marks=pytest.mark.slow) for name in EXAMPLES)]
)
def test_nvcc_takes_the_kernels_of_an_example(example: str, made: str, tmp_path: Path) -> None:
    """For sm_90, every warning an error; down to PTX or to machine code."""
    text = (ROOT / "examples" / f"{example}.gs").read_text(encoding="utf-8")
    assert nvcc_says(text, tmp_path, made) == (0, "")


def nvcc_says(text: str, folder: Path, made: str = "-cubin") -> tuple[int, str]:
    """What nvcc makes of the kernels of a program for TARGET-CPU, once that is changed: its status, its messages."""
    source, kernels = folder / "program.gs", folder / "kernels.cu"
    source.write_text(for_target(text, CUDA), encoding="utf-8")
    kernels.write_text(compile_program(file_to_text(str(source))).kernels, encoding="utf-8")
    flags = ["-arch=sm_90", "-std=c++17", made, "-fmad=false", "-Werror", "all-warnings"]
    done = subprocess.run(
        ["nvcc", *flags, "-o", folder / "kernels.cubin", kernels], capture_output=True, text=True, check=False
    )
    return done.returncode, done.stderr


@needs_place
@pytest.mark.slow
@pytest.mark.parametrize("example", EXAMPLES)
def test_an_example_has_the_numbers_of_the_processor(example: str, tmp_path: Path) -> None:
    """Five epochs of every example: each metric and result is the same to the last digit."""
    text = (ROOT / "examples" / f"{example}.gs").read_text(encoding="utf-8")
    cpu, cuda = both(text, tmp_path, CUDA)
    here, there = told(start([cpu, *EPOCHS])), told(run_cuda(cuda, *EPOCHS))
    assert len(here) > 5
    assert there == here


@needs_place
@pytest.mark.slow
@pytest.mark.parametrize("name", SETTINGS)
def test_every_optimizer_shaping_and_perturbation(name: str, tmp_path: Path) -> None:
    """The self-test finds no bit that differs."""
    source = tmp_path / "cuda.gs"
    source.write_text(for_target(SMALL.format(settings=SETTINGS[name], batch="ALL"), CUDA), encoding="utf-8")
    done = run_cuda(build(source, tmp_path / "out", *SMALL_BUILD), GEODE_SELFTEST="1")
    assert done.status == 0, done.err
    assert "selftest epochs=5 members=12 weights=26 same" in done.out
    assert "device memory is left" not in done.err


WIDE = """TARGET-CPU
: NEAR ( r:3 -- r:3 ) 3 LINEAR TRAINABLE TANH ;
: OBJECTIVE ( r:3 -- r ) NEAR { x } x ASIN x ACOS + x ATAN + x TAN + x SINH + x COSH + x ABS { a }
  a 0.5 + LOG2 + a 0.5 + LOG10 + a x POW + x a ATAN2 + SUM ;
: MAIN ( -- ) OBJECTIVE-LOSS 3 EPOCHS 8 POPULATION .METRICS "datasets/xor.csv" 3 CSV-INPUT ALL ['] OBJECTIVE TRAIN ;
"""


RARE = {"float64": WIDE, "passes": passes(QUICK)}


@needs_nvcc
@pytest.mark.slow
@pytest.mark.parametrize("name", RARE)
def test_nvcc_takes_what_examples_do_not_use(name: str, tmp_path: Path) -> None:
    """Functions that are worked out in float64, which devices have of their own; objectives of several passes."""
    assert nvcc_says(RARE[name], tmp_path) == (0, "")


@needs_place
@pytest.mark.slow
@pytest.mark.parametrize("name", RARE)
def test_what_examples_do_not_use_has_the_numbers_of_the_processor(name: str, tmp_path: Path) -> None:
    """The same, to the last digit of every metric and result."""
    write_rows(tmp_path)
    cpu, cuda = both(RARE[name].replace("rows.csv", f"{tmp_path}/rows.csv"), tmp_path, CUDA, SMALL_BUILD)
    here = told(start([cpu]))
    assert len(here) >= 5
    assert told(run_cuda(cuda)) == here


@needs_place
@pytest.mark.slow
@pytest.mark.skipif(ON_DEVICE, reason="a device has its own limits")
def test_what_a_machine_lacks_is_told(tmp_path: Path) -> None:
    """No driver, no device, no room: one message each, with the status of a missing device, before anything trains."""
    source = tmp_path / "cuda.gs"
    source.write_text(for_target(SMALL.format(settings=SETTINGS["sgd"], batch="ALL"), CUDA), encoding="utf-8")
    program = build(source, tmp_path / "out", *SMALL_BUILD)
    runs = {
        "cannot load the NVIDIA driver": start([program]),
        "no GPU that CUDA can use": run_cuda(program, GEODE_EMULATOR_DEVICES="0"),
        "the device has 100 left of 100": run_cuda(program, GEODE_EMULATOR_MOST_BYTES="100"),
    }
    for message, done in runs.items():
        assert (done.status, message in done.err, "epoch=" in done.out) == (3, True, False), done.err


@pytest.mark.skipif(not Path("/usr/local/cuda/include/cuda.h").is_file(), reason="no header of CUDA's driver")
def test_the_drivers_functions_are_nvidias() -> None:
    """Every name that the host looks up is in NVIDIA's header, as a function or as what a function's name stands for."""
    header = Path("/usr/local/cuda/include/cuda.h").read_text(encoding="utf-8", errors="replace")
    listed = (ROOT / "geode" / "runtime" / "gpu" / "gs_cuda_calls.h").read_text(encoding="utf-8")
    names = re.findall(r"^GS_DRIVER\((\w+),", listed, re.MULTILINE)
    assert len(names) > 15
    assert [name for name in names if not re.search(rf"\b{name}\b", header)] == []
