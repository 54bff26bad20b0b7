"""Layers whose outputs are worked on while they are in registers give the bits of layers that go through memory."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from tests.harness.agreement import run_both
from tests.harness.example_program import BASE, DATA, write_rows
from tests.harness.native import build, start

WORDS = """
: BIASED   ( r:4 -- r:5 ) 5 LINEAR TRAINABLE BIAS TRAINABLE RELU ;
: KEPT     ( r:4 -- r:9 ) 9 LINEAR TRAINABLE DUP 2 * SWAP SIN + ;               \\ the outputs are read again later
: HEAVY    ( r:4 -- r:17 ) 17 LINEAR TRAINABLE TANH EXP SIN COS ;
: SUMMED   ( r:4 -- r ) 11 LINEAR TRAINABLE SQUARE SUM ;
: CARRIED  ( r:4 -- r:4 ) { h } 3 0 DO h h 4 LINEAR TRAINABLE TANH + TO h LOOP h ; \\ a loop carries the layer's input
: FEW      ( r:4 -- r:3 ) 3 LINEAR TRAINABLE ABS ;                              \\ fewer outputs than a block
: OBJECTIVE ( r:4 -- r )
  { x } x BIASED SUM  x KEPT MEAN +  x HEAVY NORM +  x SUMMED +  x CARRIED SUM +  x FEW SUM + ;
"""
NOISES = ("ES-GAUSSIAN", "1 EGGROLL", "3 EGGROLL")


def program(noise: str) -> str:
    """A program that trains the words."""
    settings = BASE.replace("ES-GAUSSIAN", noise)
    return f"{WORDS}: MAIN ( -- ) {settings} {DATA} ALL ['] OBJECTIVE TRAIN ;\n"


@pytest.mark.native
@pytest.mark.parametrize("noise", NOISES)
def test_a_layer_loop_computes_what_the_interpreter_says(noise: str, tmp_path: Path) -> None:
    """The scores of two epochs, to 1e-4."""
    write_rows(tmp_path)
    assert run_both(program(noise), tmp_path, dtype="float32").differences(0) == []


@pytest.mark.native
def test_no_tile_changes_a_bit_of_it(tmp_path: Path) -> None:
    """Blocks of 4 and of 8 outputs; groups of one, two and three vectors; another compiler where it is there."""
    write_rows(tmp_path)
    source = tmp_path / "layers.gs"
    source.write_text(program(NOISES[1]))
    other = ("--toolchain", "gcc") if shutil.which("gcc") else ()
    kinds = [("fast", "48"), ("fast", "16"), ("portable", "16", *other)]
    programs = [
        build(source, tmp_path / str(number), "--profile", profile, "--lanes", lanes, *rest)
        for number, (profile, lanes, *rest) in enumerate(kinds)
    ]
    assert len({start([file], cwd=tmp_path).digest for file in programs}) == 1
