"""Write the digits data set: pictures of handwritten digits of 8 by 8 pixels, as comma-separated numbers.

In: scikit-learn's bundled copy of the data (`pip install scikit-learn`). Out: the text of `digits.csv`, 1797 rows of 65
numbers: 64 pixels, row by row, from 0 (white) to 16 (black), then the digit. Invariant: rows are in scikit-learn's order,
which mixes the digits.

    python3 datasets/make_digits.py            rewrite datasets/digits.csv
    python3 datasets/make_digits.py FILE       write it elsewhere
"""

from __future__ import annotations

import importlib
import sys
from pathlib import Path


def digits_csv() -> str:
    """The data set as text: 1797 lines of 65 numbers, each line ended by a newline."""
    digits = importlib.import_module("sklearn.datasets").load_digits()
    rows = zip(digits.data.astype(int).tolist(), digits.target.tolist(), strict=True)
    return "".join(",".join(map(str, [*pixels, digit])) + "\n" for pixels, digit in rows)


def main() -> None:
    """Write the file named on the command line, or the committed one."""
    target = Path(sys.argv[1]) if len(sys.argv) > 1 else Path(__file__).parent / "digits.csv"
    target.write_text(digits_csv(), encoding="ascii", newline="\n")


if __name__ == "__main__":
    main()
