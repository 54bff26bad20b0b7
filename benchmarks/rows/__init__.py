"""All rows, in the order of the table."""

from __future__ import annotations

from benchmarks.row import Row
from benchmarks.rows.builds import BUILDS
from benchmarks.rows.cartpole import CARTPOLE
from benchmarks.rows.inputs import INPUTS
from benchmarks.rows.layers import LAYERS
from benchmarks.rows.rounds import ROUNDS
from benchmarks.rows.runs import RUNS
from benchmarks.rows.wide import WIDE

ROWS: tuple[Row, ...] = (*ROUNDS, *LAYERS, *WIDE, *CARTPOLE, *RUNS, *INPUTS, *BUILDS)
