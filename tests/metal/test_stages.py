"""What surrounds training: several stages, runs that are resumed, and the messages of the command line."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.harness.metal import SMALL_BUILD, both, emulated_once, needs_cxx, told
from tests.harness.native import ROOT, geode, start

pytestmark = pytest.mark.native
STAGES = """TARGET-CPU
: NETWORK ( r:3 -- r:2 ) 4 AFFINE TRAINABLE TANH 2 AFFINE TRAINABLE ;
: OBJECTIVE ( r:3 -- r ) DUP NETWORK SWAP SUM - SQUARE SUM ;
: OTHER ( r:b:3 -- r ) NETWORK ABS SUM AMAX ;
: POINTS ( -- data ) "{data}" 3 CSV-INPUT ;
: MAIN ( -- ) OBJECTIVE-LOSS 6 EPOCHS 12 POPULATION 3 SEED .METRICS 0.1 2 EGGROLL ADAM-UPDATES 0.1 ALPHA
  POINTS 2 BATCH ['] OBJECTIVE TRAIN  POINTS ALL ['] OTHER EVALUATE
  4 EPOCHS POINTS ALL ['] OTHER TRAIN  POINTS ALL ['] NETWORK "predicted.csv" PREDICT ;
"""


@needs_cxx
@pytest.mark.slow
def test_stages_hand_weights_on_and_runs_are_resumed(tmp_path: Path) -> None:
    """Shuffled batches, EVALUATE and PREDICT of what a device trained; a state that either target goes on from."""
    cpu, metal = both(STAGES.format(data=ROOT / "datasets" / "xor.csv"), tmp_path, options=SMALL_BUILD)
    here = told(start([cpu], cwd=tmp_path))
    predicted = (tmp_path / "predicted.csv").read_bytes()
    assert told(emulated_once(metal, cwd=tmp_path)) == here
    assert (tmp_path / "predicted.csv").read_bytes() == predicted
    state = str(tmp_path / "state.safetensors")
    emulated_once(metal, "--stop-at-epoch", "3", "--save-model-all", state, cwd=tmp_path)
    rest = [line for line in here if line.startswith("epoch=")][3:]
    assert len(rest) == 6 + 4 - 3
    for done in (
        emulated_once(metal, "--resume-model", state, cwd=tmp_path),
        start([cpu, "--resume-model", state], cwd=tmp_path),
    ):
        assert [line for line in told(done) if line.startswith("epoch=")] == rest


BF16 = """TARGET-CPU
: OBJECTIVE ( r:b:64 -- r ) 80 LINEAR TRAINABLE TANH 4 LINEAR TRAINABLE SUM ABS MEAN ;
: MAIN ( -- ) OBJECTIVE-LOSS 2 EPOCHS 6 POPULATION 0.1 EGGROLL-R1 "rows.csv" 64 CSV-INPUT {{ rows }}
  rows ALL ['] OBJECTIVE TRAIN {setting} rows ALL ['] OBJECTIVE EVALUATE ;
"""


@needs_cxx
@pytest.mark.slow
def test_bf16_holds_for_what_the_processor_evaluates(tmp_path: Path) -> None:
    """Behind a TRAIN of float32 numbers: the value of the same program without a GPU, and another than without BF16."""
    rows = [",".join(f"{(7 * row + 3 * column) % 11 / 7:.6f}" for column in range(64)) for row in range(20)]
    (tmp_path / "rows.csv").write_text("\n".join(rows) + "\n", encoding="utf-8")
    values = {}
    for setting in ("BF16", "FLOAT32"):
        (tmp_path / setting).mkdir()
        cpu, metal = both(BF16.format(setting=setting), tmp_path / setting, options=SMALL_BUILD)
        values[setting] = told(start([cpu], cwd=tmp_path))
        assert told(emulated_once(metal, cwd=tmp_path)) == values[setting]
    assert values["BF16"][:-1] == values["FLOAT32"][:-1]
    assert values["BF16"][-1] != values["FLOAT32"][-1]


@pytest.mark.slow
def test_emulate_is_for_metal(tmp_path: Path) -> None:
    """Another target, or tiles of another width, end with a message before anything runs."""
    source = tmp_path / "p.gs"
    source.write_text(STAGES.format(data="rows.csv"), encoding="utf-8")
    done = geode("run", "--emulate", "-o", tmp_path / "out", source)
    assert (done.status, "this one has TARGET-CPU" in done.err) == (2, True), done.err
    source.write_text(source.read_text(encoding="utf-8").replace("TARGET-CPU", "TARGET-CUDA"), encoding="utf-8")
    done = geode("build", "--lanes", "8", "-o", tmp_path / "out", source)
    assert (done.status, "TARGET-CUDA has tiles of 32 lanes" in done.err) == (2, True), done.err
