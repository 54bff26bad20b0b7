"""Write all orders of the numbers 1 to 4, as comma-separated numbers.

In: nothing. Out: the text of `orders.csv`, the 24 permutations of 1, 2, 3, 4, a row each, in lexicographic order.

    python3 datasets/make_orders.py            rewrite datasets/orders.csv
    python3 datasets/make_orders.py FILE       write it elsewhere
"""

from __future__ import annotations

import sys
from itertools import permutations
from pathlib import Path


def orders_csv() -> str:
    """The data set as text: 24 lines of 4 numbers, each line ended by a newline."""
    return "".join(",".join(map(str, order)) + "\n" for order in permutations(range(1, 5)))


def main() -> None:
    """Write the file named on the command line, or the committed one."""
    target = Path(sys.argv[1]) if len(sys.argv) > 1 else Path(__file__).parent / "orders.csv"
    target.write_text(orders_csv(), encoding="ascii", newline="\n")


if __name__ == "__main__":
    main()
