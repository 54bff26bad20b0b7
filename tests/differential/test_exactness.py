"""One program, every way to compile and run it: the same metrics, checkpoint and predictions, byte by byte.

The matrix of engine.md section 5: workers, compilers, optimisation, AVX-512, AVX2 and NEON, straight through and resumed under
another build. A few ways by default, all with --slow.
"""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest

from tests.harness.emitted import Target, emitted, executable
from tests.harness.saved_runs import Saver

# Low rank with MUON over two blocks of rows, dense noise with ADAM on batches; draws, elementary functions, a branch.
TEXT = """
: NET ( r:4 -- r:3 ) 19 AFFINE INIT-HE TRAINABLE TANH RANDN 0.1 * + 7 LINEAR TRAINABLE RELU 3 LINEAR TRAINABLE SOFTMAX ;
: BEND ( r:3 -- r:3 ) { x } x SUM 0 > IF x EXP ELSE x NEGATE ATAN THEN ;
: OBJECTIVE ( r:b:4 -- r ) DUP NET SWAP 1 3 SLICE SIN BEND LOSS-MSE SUM ;
: MAIN ( -- )
  OBJECTIVE-LOSS 2 EPOCHS 10 POPULATION 3 SEED 0.1 ALPHA ANTITHETIC 2 EVALUATE-EVERY .METRICS "rows.csv" 4 CSV-INPUT { rows }
  MUON-UPDATES 0.1 2 EGGROLL rows ALL ['] OBJECTIVE TRAIN
  ADAM-UPDATES ALPHA-COSINE SCORE-UTILITY 0.1 ES-GAUSSIAN rows 400 BATCH ['] OBJECTIVE TRAIN
  rows ALL ['] OBJECTIVE EVALUATE  rows ['] NET "out.csv" PREDICT ;
"""
FILES = ("s.safetensors", "m.safetensors", "m.best-member.safetensors", "m.best-weights.safetensors", "out.csv")
SAVING = ("--save-model-all", "s.safetensors", "--save-model", "m.safetensors")
FIRST = Target("gcc", "-O0", "portable", 8)
QUICK = [Target("clang", "-O2", "avx512", 32), Target("gcc", "-O1", "portable", 1)]
ALL = [
    *(
        Target(compiler, optimise, processor, lanes)
        for compiler, optimise, (processor, lanes) in itertools.product(
            ("gcc", "clang", "zig"), ("-O0", "-O1", "-O2", "-O3"), (("avx512", 48), ("portable", 24))
        )
    ),
    *(Target("zig", optimise, "neon", lanes) for optimise, lanes in (("-O0", 8), ("-O3", 8), ("-O2", 1))),
]
EPOCHS = 4

pytestmark = pytest.mark.native


@pytest.fixture(scope="module")
def text(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The C text, in a folder beside the rows."""
    folder = tmp_path_factory.mktemp("exact")
    rows = np.random.default_rng(4).standard_normal((1003, 4))
    np.savetxt(folder / "rows.csv", rows, delimiter=",", fmt="%.4f")
    return emitted(TEXT, folder, "exact")


def runner(target: Target, text: Path) -> Saver:
    """The program of one target, in the folder of the rows."""
    if missing := target.missing():
        pytest.skip(missing)
    folder = text.parents[1]
    program = folder / str(target)
    return Saver(program, folder, command=tuple(executable(target, text, program)))


def everything(saver: Saver, *options: str) -> tuple[Sequence[str], ...]:
    """All that a run leaves: its lines, and its files as hexadecimal."""
    for name in FILES:
        (saver.folder / name).unlink(missing_ok=True)
    run = saver.good(*SAVING, *options)
    return run.epochs, run.results, [saver.read(name).hex() for name in FILES]


@pytest.fixture(scope="module")
def expected(text: Path) -> tuple[Sequence[str], ...]:
    """What the first target leaves with one worker."""
    found = everything(runner(FIRST, text), "--workers", "1")
    assert len(found[0]) == EPOCHS
    assert len(set(found[2])) == len(FILES)
    return found


@pytest.fixture(scope="module")
def halfway(text: Path, expected: tuple[Sequence[str], ...]) -> list[bytes]:  # noqa: ARG001 -- first the straight run
    """The states of the first target after each epoch."""
    saver = runner(FIRST, text)
    states = []
    for at in range(EPOCHS + 1):
        saver.good("--save-model-all", "s.safetensors", "--stop-at-epoch", str(at))
        states.append(saver.read("s.safetensors"))
    return states


def check(target: Target, text: Path, expected: tuple[Sequence[str], ...], halfway: list[bytes]) -> None:
    """Workers 1, 2, 3 and 8 straight through, and resumed at every epoch of the first target's run."""
    saver = runner(target, text)
    for workers in ("1", "2", "3", "8"):
        assert everything(saver, "--workers", workers) == expected, workers
    for at, state in enumerate(halfway):
        saver.write("from.safetensors", state)
        epochs, results, files = everything(saver, "--resume-model", "from.safetensors", "--workers", "2")
        assert (epochs, results, files) == (
            expected[0][at:],
            expected[1][len(expected[1]) - len(results) :],
            expected[2],
        ), at


@pytest.mark.parametrize("target", QUICK, ids=str)
def test_a_few_ways(target: Target, text: Path, expected: tuple[Sequence[str], ...], halfway: list[bytes]) -> None:
    """Another compiler, optimisation and width than the first target's, and plain scalar C."""
    check(target, text, expected, halfway)


@pytest.mark.slow
@pytest.mark.parametrize("target", ALL, ids=str)
def test_every_way(target: Target, text: Path, expected: tuple[Sequence[str], ...], halfway: list[bytes]) -> None:
    """gcc, clang and zig at each level for AVX-512 and for x86-64-v3; NEON in an emulator."""
    check(target, text, expected, halfway)
