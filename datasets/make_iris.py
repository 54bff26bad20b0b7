"""Write the iris data set: four measures of a flower and its species one-hot, as comma-separated numbers.

In: scikit-learn's bundled copy of the data (`pip install scikit-learn`). Out: the text of `iris.csv`, 150 rows of 7
numbers: sepal length, sepal width, petal length and petal width in cm, then 1 for the row's species of setosa,
versicolor and virginica and 0 for the others. Invariant: rows are in scikit-learn's order, 50 of each species, and
measures are printed with the one decimal that they have.

    python3 datasets/make_iris.py            rewrite datasets/iris.csv
    python3 datasets/make_iris.py FILE       write it elsewhere
"""

from __future__ import annotations

import importlib
import sys
from pathlib import Path


def iris_csv() -> str:
    """The data set as text: 150 lines of 7 numbers, each line ended by a newline."""
    iris = importlib.import_module("sklearn.datasets").load_iris()
    lines = []
    for measures, species in zip(iris.data, iris.target, strict=True):
        one_hot = ["1" if species == column else "0" for column in range(3)]
        lines.append(",".join([*(f"{measure:.1f}" for measure in measures), *one_hot]) + "\n")
    return "".join(lines)


def main() -> None:
    """Write the file named on the command line, or the committed one."""
    target = Path(sys.argv[1]) if len(sys.argv) > 1 else Path(__file__).parent / "iris.csv"
    target.write_text(iris_csv(), encoding="ascii", newline="\n")


if __name__ == "__main__":
    main()
