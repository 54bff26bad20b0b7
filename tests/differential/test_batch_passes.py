"""Objectives that reduce the batch, use the result row by row and reduce again: binary and interpreter agree, and no
number depends on workers, lanes, `--hoist-limit` or an interruption.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.harness.agreement import run_both, run_native
from tests.harness.example_program import BASE, DATA, write_rows
from tests.harness.native import Finished, build, start
from tests.harness.random_passes import random_objective

NET = ": NET ( r:4 -- r:4 ) 4 LINEAR TRAINABLE ;\n"
WORDS = """
: CENTRED ( r:b -- r:b ) DUP MEAN - ;
: STANDARD ( r:b -- r:b ) CENTRED { c } c c SQUARE MEAN 1e-5 + SQRT / ;
: SPREAD ( r:b -- r:b ) { x } x x AMIN - x AMAX x AMIN - / ;
"""
# What follows `x`, the rows, and `y`, the rows through a trained layer; it leaves one number.
OBJECTIVES = {
    "variance": "y SUM { s } s CENTRED SQUARE MEAN",
    "standardised": "y SUM STANDARD x SUM STANDARD - SQUARE MEAN",
    "of-the-data": "x 0 AT STANDARD x 1 AT STANDARD 2 VEC 3 LINEAR TRAINABLE SUM TANH MEAN",
    "batch-norm": "y 0 AT STANDARD y 1 AT STANDARD 2 VEC 3 LINEAR TRAINABLE RELU SUM STANDARD x SUM LOSS-EUCLIDEAN SUM",
    "five-passes": "y SUM 5 MIN STANDARD TANH STANDARD SIN CENTRED SQUARE SUM",
    "contrastive": "y y 0 AT MEAN y 1 AT MEAN y 2 AT MEAN y 3 AT MEAN 4 VEC - SQUARE SUM { far } "
    "y x - SQUARE SUM far far MEAN 1e-3 + / - MEAN",
    "all-reductions": "y SUM SPREAD 0.5 + { s } s PRODUCT s AMAX + s s AMIN - MEAN + s CENTRED ABS AMAX +",
    "luck": "RAND { u } u u MEAN - y SUM * CENTRED ABS SUM MEMBER-RANDN DUP MEAN - SQUARE MEAN + ",
    "loop": "x 2 AT STANDARD { v } 0 3 0 DO v + SIN LOOP y 1 AT 0 > IF y 0 AT + THEN CENTRED ABS MEAN",
    "runaway-free-while": "y SUM CENTRED BEGIN DUP ABS 0.5 > WHILE 2/ REPEAT STANDARD 3 MAX MEAN",
    "uniform-behind": "y SUM MEAN { m } m 4 IOTA * NET SUM y SUM m - SQUARE MEAN SQRT + 2 IOTA 3 LINEAR TRAINABLE SUM +",
    "of-the-data-alone": "x SUM CENTRED SQUARE MEAN r PARAM TRAINABLE - SQUARE",
    "unit-behind": "y SUM { s } s s MEAN - 4 IOTA * NET SUM SQUARE MEAN x SUM CENTRED 4 IOTA + NET SUM MEAN +",
    "two-means-as-vector": "y SUM MEAN x SUM MEAN 2 VEC 1 r:2 FILL * SUM y SUM x SUM - MEAN 2 VEC SUM",
}


def program(body: str, main: str = "") -> str:
    """A program that trains on `rows.csv`."""
    return (
        f"{NET}{WORDS}: OBJECTIVE ( r:b:4 -- r ) {{ x }} x NET {{ y }} {body} ;\n"
        f": MAIN ( -- ) {BASE} 1 EVALUATE-EVERY {DATA} {{ d }} d ALL ['] OBJECTIVE TRAIN "
        f"d ALL ['] OBJECTIVE EVALUATE {main} ;\n"
    )


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with rows of more than two blocks, the last tile not full."""
    path = tmp_path_factory.mktemp("passes")
    write_rows(path, 2_001)
    return path


@pytest.mark.native
@pytest.mark.parametrize("name", OBJECTIVES)
def test_an_objective_of_several_passes_computes_what_the_interpreter_says(name: str, tmp_path: Path) -> None:
    """The scores of two epochs and of EVALUATE, to 1e-4."""
    write_rows(tmp_path)
    pair = run_both(program(OBJECTIVES[name]), tmp_path, dtype="float32")
    assert [*pair.differences(0), *pair.differences(1)] == []


WHOLE = program(
    "x 0 AT STANDARD RAND + { d } y 0 AT STANDARD y 1 AT STANDARD d 3 VEC 3 LINEAR TRAINABLE TANH SUM STANDARD { z } "
    "z d - SQUARE MEAN z AMAX + y SUM CENTRED z * ABS PRODUCT 1 MIN +",
    'd [\'] EACH "rows-out.csv" PREDICT',
).replace(
    ": MAIN", ": EACH ( r:b:4 -- r:b:2 ) NET { y } y SUM STANDARD { s } s s CENTRED SQUARE MEAN s + 2 VEC ;\n: MAIN"
)


def results(done: Finished, folder: Path) -> tuple[object, ...]:
    """All numbers of a run."""
    assert done.status == 0, done.err
    kept = [line for line in done.out.splitlines() if line.startswith(("evaluate ", "result "))]
    return done.epoch_lines, kept, (folder / "rows-out.csv").read_bytes()


@pytest.fixture(scope="module")
def whole(folder: Path) -> tuple[object, ...]:
    """The numbers of `WHOLE`, unoptimised, on one worker."""
    return results(run_native(WHOLE, folder), folder)


@pytest.mark.native
def test_rows_predicted_behind_reductions_are_the_interpreters(tmp_path: Path) -> None:
    """A word that standardises over the batch gives a value for every row."""
    write_rows(tmp_path)
    pair = run_both(WHOLE, tmp_path, dtype="float32")
    assert [line for stage in range(3) for line in pair.differences(stage)] == []


@pytest.mark.native
@pytest.mark.parametrize(
    "options",
    [
        ("--workers", "2"),
        ("--workers", "7"),
        ("--hoist-limit", "0"),
        ("--hoist-limit", "0", "--workers", "3"),
        ("--hoist-limit", "200000"),
    ],
    ids=" ".join,
)
def test_workers_and_what_is_kept_change_no_bit(
    options: tuple[str, ...], folder: Path, whole: tuple[object, ...]
) -> None:
    """Few pairs are split by rows, values kept from pass to pass or computed again: the same numbers."""
    assert results(run_native(WHOLE, folder, options), folder) == whole


@pytest.mark.native
@pytest.mark.parametrize(
    "how",
    [
        "--profile fast",
        "--profile debug --lanes 1",
        "--toolchain clang",
        pytest.param("--profile sanitize", marks=pytest.mark.slow),
    ],
)
def test_builds_change_no_bit(how: str, folder: Path, whole: tuple[object, ...]) -> None:
    """Optimised, with one lane, by another compiler, under the sanitizers."""
    source = folder / "whole.gs"
    source.write_text(WHOLE, encoding="utf-8")
    binary = build(source, folder / how.replace(" ", ""), *how.split())
    assert results(start([binary, "--workers", "3"], cwd=folder), folder) == whole


@pytest.mark.native
@pytest.mark.parametrize("setting", ["0.1 2 EGGROLL", "0.1 OMELETTE-R1", "ANTITHETIC"])
def test_every_perturbation_goes_through_passes(setting: str, tmp_path: Path) -> None:
    """The scores of two epochs, to 1e-4; members of a pair share what the pair's level computes."""
    write_rows(tmp_path)
    text = program(OBJECTIVES["batch-norm"])
    words = {"ANTITHETIC": ("INDEPENDENT", "ANTITHETIC")}.get(setting, ("0.1 ES-GAUSSIAN", setting))
    text = text.replace(*words).replace("7 SEED", "11 SEED")
    pair = run_both(text, tmp_path, dtype="float32")
    assert [*pair.differences(0), *pair.differences(1)] == []


@pytest.mark.native
@pytest.mark.parametrize(
    "seeds",
    [range(10), *(pytest.param(range(k, k + 20), marks=pytest.mark.slow) for k in (10, *range(30, 400, 20)))],
    ids=lambda seeds: str(seeds[0]),
)
def test_random_objectives_compute_what_the_interpreter_says(seeds: range, tmp_path: Path) -> None:
    """Words of a seed each, trained one after the other, to 1e-4."""
    write_rows(tmp_path)
    words = "\n".join(random_objective(seed, str(seed)) for seed in seeds)
    stages = " ".join(f"{DATA} ALL ['] OBJECTIVE-{seed} TRAIN" for seed in seeds)
    pair = run_both(f"{words}\n: MAIN ( -- ) {BASE} {stages} ;\n", tmp_path, dtype="float32")
    found = {seed: pair.differences(stage) for stage, seed in enumerate(seeds)}
    assert {seed: lines for seed, lines in found.items() if lines} == {}
