"""BF16: members are told apart as in float32, builds and runs of one way agree to the bit, dense noise is refused."""

from __future__ import annotations

import re
import shutil
from pathlib import Path

import numpy as np
import pytest

from tests.harness.native import Finished, build, geode, start

# The second and third layer multiply bfloat16 numbers, and a layer of 40 inputs does not.
NETWORK = """
: FORWARD ( r:70 -- r:3 ) 80 AFFINE INIT-HE TRAINABLE RELU 70 AFFINE INIT-HE TRAINABLE TANH
  40 LINEAR TRAINABLE 3 LINEAR TRAINABLE ;
: OBJECTIVE ( r:70 -- r ) FORWARD SQUARE SUM ;
: MAIN ( -- )
  OBJECTIVE-LOSS 8 EPOCHS 12 POPULATION 3 SEED 0.02 ALPHA ANTITHETIC ADAM-UPDATES {family} .METRICS
  "rows.npy" r:70 NPY-INPUT ALL ['] OBJECTIVE TRAIN ;
"""
# Every lane of a tile may be a member of its own; a layer reads each row of a matrix.
GAMES = """
: TWICE ( r:64 -- r:2:64 ) DUP NEGATE STACK ;
: OBJECTIVE ( -- r ) RANDN r:128 FILL 70 LINEAR TRAINABLE TANH 64 LINEAR TRAINABLE TWICE
  5 LINEAR TRAINABLE SQUARE SUM SUM ;
: MAIN ( -- )
  OBJECTIVE-LOSS 3 EPOCHS 6 POPULATION 3 SEED 0.02 ALPHA 0.05 2 EGGROLL BF16 .METRICS
  9 EPISODES ['] OBJECTIVE TRAIN ;
"""


_SLOW = r"{name}: warning: BF16 is computed without a matrix unit here \(way {way}\): FLOAT32 is at least as fast\n"


@pytest.fixture
def rows(tmp_path: Path) -> Path:
    """A folder with 61 rows."""
    np.save(tmp_path / "rows.npy", np.random.default_rng(1).standard_normal((61, 70)).astype(np.float32))
    return tmp_path


def _run(text: str, folder: Path, name: str, *options: str) -> Path:
    source = folder / f"{name}.gs"
    source.write_text(text, encoding="utf-8")
    return build(source, folder / name, *options)


def _good(program: Path, folder: Path, *options: str) -> Finished:
    done = start([program, *options], cwd=folder)
    assert done.status == 0
    assert re.fullmatch(
        f"({_SLOW.format(name=re.escape(program.parent.parent.name), way='(plain|avx512)')})?", done.err
    )
    return done


def test_members_differ_as_in_float32(rows: Path) -> None:
    """The pairs' score differences of a population correlate, and training goes the same way."""
    seen = {}
    for name, family in (("float", "0.05 2 EGGROLL"), ("bf16", "0.05 2 EGGROLL BF16")):
        program = _run(NETWORK.replace("{family}", family), rows, name, "--profile", "debug")
        pairs = _good(program, rows, "--population", "2", "--alpha", "0", "--epochs", "60").epochs
        trained = _good(program, rows).epochs
        seen[name] = (np.array([e["worst"] - e["best"] for e in pairs]), np.array([e["mean"] for e in trained]))
    assert np.corrcoef(seen["float"][0], seen["bf16"][0])[0, 1] > 0.999
    assert not np.array_equal(seen["float"][0], seen["bf16"][0])
    np.testing.assert_allclose(seen["bf16"][1], seen["float"][1], rtol=0.02)


def test_one_way_is_one_digest(rows: Path) -> None:
    """Plain builds of both compilers, several tile widths, any number of workers, hoisting or not."""
    text = NETWORK.replace("{family}", "0.05 EGGROLL-R1 BF16")
    digests = set()
    for name, options in (
        ("gcc8", ("--toolchain", "gcc", "--profile", "portable", "--lanes", "8")),
        ("clang24", ("--toolchain", "clang", "--profile", "debug", "--lanes", "24")),
        ("native8", ("--toolchain", "gcc", "--profile", "debug", "--lanes", "8")),  # too narrow for another way
    ):
        if shutil.which(options[1]) is None:
            continue
        program = _run(text, rows, name, *options)
        for more in (("--workers", "1"), ("--workers", "3", "--hoist-limit", "0")):
            digests.add(_good(program, rows, *more).digest)
        state = rows / "state.safetensors"  # each goes on with the state of the one before, so each names the same way
        before = ["--resume-model", str(state)] if state.exists() else []
        _good(program, rows, *before, "--epochs", "20", "--save-model-all", str(state))
    assert len(digests) == 1


def test_tiles_of_many_members_have_the_same_bits(tmp_path: Path) -> None:
    """Where lanes are members, weights in bfloat16 are shared and noise is a lane's own."""
    program = _run(GAMES, tmp_path, "games", "--profile", "debug")
    assert len({_good(program, tmp_path, "--tiles", tiles).digest for tiles in ("rows", "members")}) == 1


def test_a_way_that_is_not_worth_while_is_told(rows: Path) -> None:
    """A build for any processor of the family has no matrix unit; without BF16 nothing is said."""
    for name, family, said in (("float", "0.05 EGGROLL-R1", ""), ("bf16", "0.05 EGGROLL-R1 BF16", _SLOW)):
        program = _run(NETWORK.replace("{family}", family), rows, name, "--profile", "portable")
        assert re.fullmatch(said.format(name=name, way="plain"), _good(program, rows, "--epochs", "1").err)


def test_a_state_of_another_kind_of_numbers_is_refused(rows: Path) -> None:
    """The way is part of the fingerprint, so the state of a run without BF16 does not go on with it."""
    programs = [
        _run(NETWORK.replace("{family}", family), rows, name, "--profile", "debug")
        for name, family in (("float", "0.05 2 EGGROLL"), ("bf16", "0.05 2 EGGROLL BF16"))
    ]
    _good(programs[0], rows, "--epochs", "2", "--save-model-all", "state.safetensors")
    done = start([programs[1], "--resume-model", "state.safetensors"], cwd=rows)
    assert done.status == 1
    assert "geode-arith-1+bf16-" in done.err


def test_dense_noise_is_refused(rows: Path) -> None:
    """At the TRAIN that would use it."""
    source = rows / "dense.gs"
    source.write_text(NETWORK.replace("{family}", "0.05 ES-GAUSSIAN BF16"), encoding="utf-8")
    done = geode("build", source, "-o", rows / "dense")
    assert done.status == 1
    assert "BF16 is for noise of low rank" in done.err


def test_another_target_refuses_it(rows: Path) -> None:
    """Kernels of Apple GPUs have no such layers."""
    source = rows / "metal.gs"
    source.write_text("TARGET-APPLE-METAL\n" + NETWORK.replace("{family}", "0.05 EGGROLL-R1 BF16"), encoding="utf-8")
    done = geode("check", source)
    assert done.status == 1
    assert "GS612: `BF16` holds for" in done.err
