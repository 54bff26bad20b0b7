"""Write the sine data set: one sine a row, as comma-separated numbers.

In: nothing but a fixed seed. Out: the text of `sine-1000.csv`, 1000 rows of 100 numbers, row = sin(2 π f t + φ) at
t = i/100 for i = 0 … 99, with f uniform in [0.5, 5] and φ uniform in [0, 2 π], drawn in that order for each row from
`random.Random(1)`. Numbers are printed by `%.6f` as they come, so `-0.000000` may stand there. The text is the same on
every machine: Python's generator is fixed and six decimals are far from the last digit of `sin`.

    python3 datasets/make_sine.py            rewrite datasets/sine-1000.csv
    python3 datasets/make_sine.py FILE       write it elsewhere
"""

from __future__ import annotations

import math
import random
import sys
from pathlib import Path

ROWS = 1000
SAMPLES = 100
SEED = 1


def sine_csv(rows: int = ROWS, samples: int = SAMPLES, seed: int = SEED) -> str:
    """The data set as text: `rows` lines of `samples` numbers, each line ended by a newline."""
    source = random.Random(seed)
    lines = []
    for _ in range(rows):
        frequency = source.uniform(0.5, 5.0)
        phase = source.uniform(0.0, 2.0 * math.pi)
        values = (math.sin(2.0 * math.pi * frequency * (i / samples) + phase) for i in range(samples))
        lines.append(",".join(f"{value:.6f}" for value in values) + "\n")
    return "".join(lines)


def main() -> None:
    """Write the file named on the command line, or the committed one."""
    target = Path(sys.argv[1]) if len(sys.argv) > 1 else Path(__file__).parent / "sine-1000.csv"
    target.write_text(sine_csv(), encoding="ascii", newline="\n")


if __name__ == "__main__":
    main()
