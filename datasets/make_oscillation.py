"""Write the data of the symbolic regression: a formula with known constants, measured with a little noise.

In: nothing but a fixed seed. Out: the text of `oscillation.csv`, 200 rows of 2 numbers x, y with x uniform in [0, 6]
and y = 2.5 exp(-0.4 x) cos(3 x + 0.5) + e, e normal with standard deviation 0.01, drawn in that order for each row
from `random.Random(1)`. Numbers are printed by `%.6f`. The text is the same on every machine.

    python3 datasets/make_oscillation.py            rewrite datasets/oscillation.csv
    python3 datasets/make_oscillation.py FILE       write it elsewhere
"""

from __future__ import annotations

import math
import random
import sys
from pathlib import Path

ROWS = 200
SEED = 1
AMPLITUDE, DECAY, FREQUENCY, PHASE = 2.5, 0.4, 3.0, 0.5
NOISE = 0.01


def oscillation_csv() -> str:
    """The data set as text: 200 lines of 2 numbers, each line ended by a newline."""
    source = random.Random(SEED)
    lines = []
    for _ in range(ROWS):
        x = source.uniform(0.0, 6.0)
        y = AMPLITUDE * math.exp(-DECAY * x) * math.cos(FREQUENCY * x + PHASE) + source.gauss(0.0, NOISE)
        lines.append(f"{x:.6f},{y:.6f}\n")
    return "".join(lines)


def main() -> None:
    """Write the file named on the command line, or the committed one."""
    target = Path(sys.argv[1]) if len(sys.argv) > 1 else Path(__file__).parent / "oscillation.csv"
    target.write_text(oscillation_csv(), encoding="ascii", newline="\n")


if __name__ == "__main__":
    main()
