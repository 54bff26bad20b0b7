"""The committed data files are what their scripts write, byte for byte."""

from __future__ import annotations

import importlib.util
import math
import sys
from collections import Counter
from pathlib import Path
from types import ModuleType

import pytest

ROOT = Path(__file__).resolve().parents[2]


def _script(name: str) -> ModuleType:
    spec = importlib.util.spec_from_file_location(name, ROOT / "datasets" / f"{name}.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.mark.parametrize(
    ("script", "function", "file"),
    [
        ("make_digits", "digits_csv", "digits.csv"),
        ("make_iris", "iris_csv", "iris.csv"),
        ("make_orders", "orders_csv", "orders.csv"),
        ("make_oscillation", "oscillation_csv", "oscillation.csv"),
        ("make_sine", "sine_csv", "sine-1000.csv"),
    ],
)
def test_script_reproduces_the_committed_file(script: str, function: str, file: str) -> None:
    """Running the script again gives the same bytes."""
    if script in {"make_digits", "make_iris"}:
        pytest.importorskip("sklearn")
    text: str = getattr(_script(script), function)()
    assert text.encode("ascii") == (ROOT / "datasets" / file).read_bytes()


@pytest.mark.skipif(sys.version_info[:2] != (3, 11), reason="the text of Python 3.11")
def test_the_topics_are_the_beginning_of_this_pythons() -> None:
    """A later 3.11 may have changed a sentence: not the first kilobyte, nor the measure."""
    assert (
        _script("make_python_topics").python_topics()[:1000]
        == (ROOT / "datasets" / "python-topics.txt").read_bytes()[:1000]
    )


def test_the_topics_have_the_entropy_that_their_readme_says() -> None:
    """Bits a byte, each byte coded by its frequency."""
    data = (ROOT / "datasets" / "python-topics.txt").read_bytes()
    assert f"| `python-topics.txt` | {len(data)} | " in (ROOT / "datasets" / "README.md").read_text(encoding="utf-8")
    bits = -sum(n / len(data) * math.log2(n / len(data)) for n in Counter(data).values())
    assert abs(bits - 4.70) < 0.005


def test_every_file_is_in_the_readme() -> None:
    """Each data file has its row, with its size."""
    text = (ROOT / "datasets" / "README.md").read_text(encoding="utf-8")
    for path in sorted((ROOT / "datasets").glob("*.csv")):
        lines = path.read_text(encoding="ascii").splitlines()
        assert f"| `{path.name}` | {len(lines)} × {lines[0].count(',') + 1} |" in text


def test_rows_are_unit_sines_sampled_a_hundred_times() -> None:
    """1000 rows of 100 values; each row solves x[i-1] + x[i+1] = 2 cos(w) x[i], the recurrence of a sampled sine."""
    lines = (ROOT / "datasets" / "sine-1000.csv").read_text(encoding="ascii").splitlines()
    rows = [[float(v) for v in line.split(",")] for line in lines]
    assert len(rows) == 1000
    for row in rows:
        assert len(row) == 100
        assert max(map(abs, row)) <= 1.0
        middle = max(range(1, 99), key=lambda i: abs(row[i]))
        twice_cosine = (row[middle - 1] + row[middle + 1]) / row[middle]
        frequency = math.acos(min(1.0, twice_cosine / 2)) / (2 * math.pi) * 100
        assert 0.45 < frequency < 5.05
        assert all(abs(row[i - 1] + row[i + 1] - twice_cosine * row[i]) < 2e-5 for i in range(1, 99))
