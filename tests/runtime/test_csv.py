"""CSV files: every field the correctly rounded float32, and each mistake named with its place."""

from __future__ import annotations

import os
import random
import subprocess
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest

from tests.harness.compile_c import RUNTIME, Build, compile_c

PROBE = Path(__file__).parent / "csv_probe.c"
BUILD = Build("gcc", "-O2", "native", ("-fsanitize=address,undefined", "-fno-sanitize-recover=all"))

pytestmark = [
    pytest.mark.native,
    pytest.mark.skipif(BUILD.missing() is not None, reason=str(BUILD.missing())),
]


def _run(path: Path, text: str | bytes, width: int, **extra: str) -> subprocess.CompletedProcess[str]:
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    program = compile_c(BUILD, PROBE, RUNTIME / "gs_csv.c", RUNTIME / "gs_fail.c")
    return subprocess.run(
        [program, path.name, str(width)],
        capture_output=True,
        text=True,
        check=False,
        cwd=path.parent,
        env={**os.environ, **extra},
    )


def _rows(path: Path, text: str | bytes, width: int, **extra: str) -> list[list[float]]:
    done = _run(path, text, width, **extra)
    assert (done.returncode, done.stderr) == (0, "")
    return [[float.fromhex(x) for x in line.split()] for line in done.stdout.splitlines()]


def _nearest_float32(text: str) -> float:
    """The float32 nearest to a decimal, ties to even, by exact arithmetic on fractions."""
    exact = Fraction(text)
    near = np.float32(float(exact))
    candidates = [np.nextafter(near, np.float32(-np.inf)), near, np.nextafter(near, np.float32(np.inf))]
    distance = [abs(Fraction(float(c)) - exact) for c in candidates]
    best = [c for c, d in zip(candidates, distance, strict=True) if d == min(distance)]
    return float(min(best, key=lambda c: int(np.float32(c).view(np.uint32)) & 1))


@pytest.mark.parametrize(
    "text",
    [
        "1,2\n3,4\n",
        "1,2\n3,4",
        "x,y\n1,2\n3,4\n",
        "1,2\r\n3,4\r\n",
        "\ufeff1,2\n3,4\n",
        " 1 ,\t2\n3, 4 \n\n \n",
        "+1,2.\n3e0,.4E1",
    ],
)
def test_forms_of_a_file(tmp_path: Path, text: str) -> None:
    """Header, line ends, byte order mark, blanks and empty last lines make no difference."""
    assert _rows(tmp_path / "a.csv", text, 2) == [[1, 2], [3, 4]]


def test_fields_are_correctly_rounded(tmp_path: Path) -> None:
    """Short and long decimals, exponents, subnormals and near-ties all round once, to even."""
    source = random.Random(5)
    texts = [f"{source.uniform(-1, 1):.6f}" for _ in range(2000)]
    texts += [f"{source.randrange(2**24)}e-{source.randrange(12)}" for _ in range(500)]
    texts += [f"{source.randrange(10**7)}.{source.randrange(10**5):05}" for _ in range(1000)]
    texts += [repr(source.uniform(-1e30, 1e30)) for _ in range(500)]
    texts += [f"{source.uniform(0, 1e-38):.30e}" for _ in range(200)]
    middles = [Fraction(float(np.float32(source.uniform(0.1, 9)))) for _ in range(300)]
    for value in middles:
        half = value + Fraction(1, 2) * Fraction(float(np.spacing(np.float32(float(value)))))
        digits = str(half.numerator * 10**40 // half.denominator)
        texts += [f"{digits[:-40] or '0'}.{digits[-40:].zfill(40)}"]
    texts += ["16777216", "16777217", "16777219", "0.0000001", "-0", "3.4028e38", "1e-46", "00000000000000000000001.5"]
    rows = _rows(tmp_path / "a.csv", "\n".join(texts) + "\n", 1)
    assert [row[0] for row in rows] == [_nearest_float32(text) for text in texts]


def test_the_locale_makes_no_difference(tmp_path: Path) -> None:
    """A decimal comma in the environment's locale changes nothing."""
    text = "0.123456789012,1.5\n"
    assert _rows(tmp_path / "a.csv", text, 2, LC_ALL="de_DE.UTF-8") == _rows(tmp_path / "a.csv", text, 2)


@pytest.mark.parametrize(
    ("text", "width", "message"),
    [
        ("1,2,3\n4,5,6\n7,8\n", 3, "a.csv:3:4: row 3 has 2 numbers, 3 wanted"),
        ("1,2,3\n4,5,6,7\n", 3, "a.csv:2:8: row 2 has 4 numbers, 3 wanted"),
        ("a,b\n1,2\n3,x4\n", 2, "a.csv:3:3: field 2 of row 2 is `x4`, a number was wanted"),
        ("1,2\n3,4abc\n", 2, "a.csv:2:3: field 2 of row 2 is `4abc`, a number was wanted"),
        ("1,2\n,4\n", 2, "a.csv:2:1: field 1 of row 2 is empty, a number was wanted"),
        ("1,2\n3,\n", 2, "a.csv:2:3: field 2 of row 2 is empty, a number was wanted"),
        ("1,2\n\n3,4\n", 2, "a.csv:2:1: field 1 of row 2 is empty, a number was wanted"),
        ("1,2\n3,nan\n", 2, "a.csv:2:3: field 2 of row 2 is `nan`, a number was wanted"),
        ("1,2\n3,0x10\n", 2, "a.csv:2:3: field 2 of row 2 is `0x10`, a number was wanted"),
        ("1,2\n3,1e39\n", 2, "a.csv:2:3: field 2 of row 2 is beyond float32"),
        ("1,2\n3;4\n", 2, "a.csv:2:1: field 1 of row 2 is `3;4`, a number was wanted"),
        ("", 2, "a.csv: there are no rows of numbers"),
        ("1.0x,2\n3,4\n", 2, "a.csv:1:1: field 1 of row 1 is `1.0x`, a number was wanted"),
        ("nan,2\n3,4\n", 2, "a.csv:1:1: field 1 of row 1 is `nan`, a number was wanted"),
        ("only,a,header\n", 3, "a.csv: there are no rows of numbers"),
        (b"1,2\n\0,3\n", 2, "a.csv:2:1: field 1 of row 2 is empty, a number was wanted"),
    ],
)
def test_mistakes_are_named_with_their_place(tmp_path: Path, text: str | bytes, width: int, message: str) -> None:
    """The first mistake ends the program with status 1, its line and column counted from 1."""
    done = _run(tmp_path / "a.csv", text, width)
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr == f"probe: error: {message}\n"


def test_a_missing_file_names_the_directory_and_the_option(tmp_path: Path) -> None:
    """The message gives the path as written, where it was looked for, and how to name another."""
    program = compile_c(BUILD, PROBE, RUNTIME / "gs_csv.c", RUNTIME / "gs_fail.c")
    done = subprocess.run([program, "d/none.csv", "2"], capture_output=True, text=True, check=False, cwd=tmp_path)
    assert done.returncode == 1
    assert "d/none.csv: No such file or directory" in done.stderr
    assert str(tmp_path) in done.stderr
    assert "--data" in done.stderr
