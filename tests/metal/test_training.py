"""A program trains on an Apple GPU with the numbers of the processor: the shipped host and kernels, under the emulator."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.harness.metal import SMALL_BUILD, both, emulated, emulated_once, for_metal, needs_cxx, told, trained
from tests.harness.native import ROOT, build, start
from tests.metal.small import GENERATIONS, SETTINGS, SMALL

pytestmark = [pytest.mark.native, needs_cxx]
EXAMPLES = sorted(path.stem for path in (ROOT / "examples").glob("*.gs"))
EPOCHS = ("--epochs", "5", "--metrics-every", "1")


@pytest.mark.slow
@pytest.mark.parametrize("example", EXAMPLES)
def test_an_example_has_the_numbers_of_the_processor(example: str, tmp_path: Path) -> None:
    """Five epochs of every example: each metric and result is the same to the last digit; each epoch six dispatches."""
    text = (ROOT / "examples" / f"{example}.gs").read_text(encoding="utf-8")
    cpu, metal = both(text, tmp_path)
    log = tmp_path / "log"
    here, there = told(start([cpu, *EPOCHS])), told(emulated(metal, *EPOCHS, GEODE_EMULATOR_LOG=str(log)))
    assert len(here) > 5
    assert there == here
    for batch in trained(log):
        assert [kernel.removesuffix("_0") for kernel in batch.kernels] in GENERATIONS


def test_saved_states_are_the_same(pair: tuple[Path, Path], tmp_path: Path) -> None:
    """Scores, metrics, weights and both optimizers' moments."""
    check_states(*pair, tmp_path)


@pytest.mark.slow
@pytest.mark.parametrize("name", SETTINGS)
def test_every_optimizer_shaping_and_perturbation(name: str, tmp_path: Path) -> None:
    """The saved states, weights and moments included, are the same bytes."""
    text = SMALL.format(settings=SETTINGS[name], batch="3 BATCH" if name == "sgdm" else "ALL")
    check_states(*both(text, tmp_path, options=SMALL_BUILD), tmp_path)


def check_states(cpu: Path, metal: Path, tmp_path: Path) -> None:
    """Both programs say the same and save the same."""
    files = {program: tmp_path / f"{place}.safetensors" for place, program in enumerate((cpu, metal))}
    here = start([cpu, "--save-model-all", files[cpu]])
    there = emulated_once(metal, "--save-model-all", str(files[metal]))
    assert told(there) == told(here)
    assert _tensors(files[metal]) == _tensors(files[cpu])


def _tensors(path: Path) -> bytes:
    data = path.read_bytes()
    return data[8 + int.from_bytes(data[:8], "little") :]


@pytest.mark.slow
def test_members_at_work_change_no_bit(metal: Path, tmp_path: Path) -> None:
    """One pair at a time, its noise drawn again for the estimate, gives what all pairs at once give."""
    log = tmp_path / "log"
    whole = emulated_once(metal, GEODE_EMULATOR_LOG=str(log))
    alone = emulated_once(metal, GEODE_DEVICE_ROOM="1000", GEODE_EMULATOR_LOG=str(log))
    assert told(alone) == told(whole)
    batches = [line.partition("kernels=")[2].split(",") for line in log.read_text().splitlines()]
    assert batches[0].count("gs_prepare_0") == 1
    assert batches[-2].count("gs_prepare_0") > 2


ORDERS = ({"GEODE_EMULATOR_SEED": "1"}, {"GEODE_EMULATOR_SEED": "2"}, {"GEODE_EMULATOR_RACES": "1"})


def test_no_kernel_depends_on_the_order_of_threads(metal: Path) -> None:
    """A watch over shared memory, the threads of a group permuted, on all kernels of a generation."""
    environment = {"GEODE_EMULATOR_SEED": "1", "GEODE_EMULATOR_RACES": "1"}
    assert told(emulated_once(metal, GEODE_EMULATOR_FIBRES="1", **environment)) == told(emulated_once(metal))


@pytest.mark.slow
@pytest.mark.parametrize("name", SETTINGS)
def test_no_kernel_of_any_settings_depends_on_it(name: str, tmp_path: Path) -> None:
    """Two permutations and the watch, for every optimizer, shaping and family of noise."""
    path = tmp_path / "metal.gs"
    path.write_text(for_metal(SMALL.format(settings=SETTINGS[name], batch="ALL")), encoding="utf-8")
    program = build(path, tmp_path / "metal", *SMALL_BUILD)
    expected = told(emulated_once(program))
    for environment in ORDERS:
        assert told(emulated_once(program, GEODE_EMULATOR_FIBRES="1", **environment)) == expected


def test_a_machine_without_metal_says_so(metal: Path) -> None:
    """Before anything runs, with the status of a missing device."""
    done = start([metal])
    assert done.status == 3
    assert "cannot load Metal" in done.err
    assert "epoch=" not in done.out


@pytest.mark.slow
@pytest.mark.parametrize(
    ("environment", "status", "message"),
    [
        ({"GEODE_EMULATOR_MOST_THREADS": "128"}, 5, "needs groups of 256 threads, this device runs 128"),
        ({"GEODE_EMULATOR_MOST_BYTES": "100"}, 3, "the device has at most 100 at a time"),
    ],
)
def test_limits_of_a_device_are_told(environment: dict[str, str], status: int, message: str, metal: Path) -> None:
    """Groups or buffers that a device does not take end the run before it trains."""
    done = emulated_once(metal, **environment)
    assert (done.status, message in done.err) == (status, True), done.err
    assert "epoch=" not in done.out
