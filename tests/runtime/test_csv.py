"""CSV files: every field the correctly rounded float32, and each mistake named with its place."""

from __future__ import annotations

import os
import random
import threading
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest

from tests.harness.compile_c import SANITIZED
from tests.harness.input_probe import probed_rows, refusal

pytestmark = [
    pytest.mark.native,
    pytest.mark.skipif(SANITIZED.missing() is not None, reason=str(SANITIZED.missing())),
]


def _rows(path: Path, text: str | bytes, width: int, **extra: str) -> list[list[float]]:
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return probed_rows("csv", path, width, **extra)


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
        '"1","2"\n" 3 " , "4" \n',
        '"x, the ""first""",y\n1,2\n3,4\n',
        '"x\non two lines",y\n1,2\n3,4\n',
        '"x,y\n1,2\n3,4\n',
        "\n\n1,2\n  \n\r\n3,4\n\n",
        "\nx,y\n\n1,2\n3,4\n",
        "0000000000000000000000000000001,2\n3,4.00000000000000000000000000000\n",
        "10e-1,0.0002e4\n3000000000000000000e-18,40e-1\n",
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


def test_fields_of_all_lengths_side_by_side(tmp_path: Path) -> None:
    """How a field is read depends on the length of the last one, what it gives does not."""
    source = random.Random(6)
    kinds = ["{:.0f}", "{:.1f}", "{:.2f}", "{:.4f}", "{:.4f} ", " {:.3f}", "{:+.2f}", "{:.6f}", "{:.9g}", '"{:.2e}"']
    texts = [[source.choice(kinds).format(source.gauss(0, 30)) for _ in range(7)] for _ in range(700)]
    rows = _rows(tmp_path / "a.csv", "".join(",".join(row) + "\n" for row in texts), 7)
    assert rows == [[_nearest_float32(text.strip(' "')) for text in row] for row in texts]


def test_the_locale_makes_no_difference(tmp_path: Path) -> None:
    """A decimal comma in the environment's locale changes nothing."""
    text = "0.123456789012,1.5\n"
    assert _rows(tmp_path / "a.csv", text, 2, LC_ALL="de_DE.UTF-8") == _rows(tmp_path / "a.csv", text, 2)


_FINITE = "\n  help: data are finite numbers; leave out rows that have none"
_COMMAS = "\n  help: fields are separated by commas, not by {}"


@pytest.mark.parametrize(
    ("text", "width", "message"),
    [
        ("1,2,3\n4,5,6\n7,8\n", 3, "a.csv:3:4: row 3 has 2 numbers, 3 wanted"),
        ("1,2,3\n4,5,6,7\n", 3, "a.csv:2:8: row 2 has 4 numbers, 3 wanted"),
        ("a,b\n1,2\n3,x4\n", 2, "a.csv:3:3: field 2 of row 2 is `x4`, a number was wanted"),
        ("1,2\n3,4abc\n", 2, "a.csv:2:3: field 2 of row 2 is `4abc`, a number was wanted"),
        ("1,2\n,4\n", 2, "a.csv:2:1: field 1 of row 2 is empty, a number was wanted"),
        ("1,2\n3,\n", 2, "a.csv:2:3: field 2 of row 2 is empty, a number was wanted"),
        ("1,2\n\n3,\n", 2, "a.csv:3:3: field 2 of row 2 is empty, a number was wanted"),
        ('1,2\n"3,4\n', 2, 'a.csv:2:1: field 1 of row 2 is `"3`, a number was wanted'),
        ('1,2\n"3"x,4\n', 2, 'a.csv:2:1: field 1 of row 2 is `"3"x`, a number was wanted'),
        ('"a\nb",c\n1,2\n3,x\n', 2, "a.csv:4:3: field 2 of row 2 is `x`, a number was wanted"),
        ("1,2\r3,4\r", 2, "a.csv:1:3: field 2 of row 1 is `2`, a number was wanted"),
        ("1,2\n3,nan\n", 2, "a.csv:2:3: field 2 of row 2 is `nan`, a number was wanted" + _FINITE),
        ("1,2\n-Inf,3\n", 2, "a.csv:2:1: field 1 of row 2 is `-Inf`, a number was wanted" + _FINITE),
        ("1,2\n3,0x10\n", 2, "a.csv:2:3: field 2 of row 2 is `0x10`, a number was wanted"),
        ("1,2\n3,1e39\n", 2, "a.csv:2:3: field 2 of row 2 is beyond float32"),
        ("1,2\n3;4\n", 2, "a.csv:2:1: field 1 of row 2 is `3;4`, a number was wanted" + _COMMAS.format("semicolons")),
        ("1;2\n3;4\n", 2, "a.csv:2:1: field 1 of row 1 is `3;4`, a number was wanted" + _COMMAS.format("semicolons")),
        ("1 2\n", 2, "a.csv: there are no rows of numbers"),
        (
            "x,y\n1\t-2\n",
            2,
            "a.csv:2:1: field 1 of row 1 is `1\t-2`, a number was wanted" + _COMMAS.format("blanks alone"),
        ),
        (
            b"\x93NUMPY\x01\x00",
            3,
            'a.csv: is an npy file, a CSV was wanted\n  help: NPY-INPUT reads it: "rows.npy" r:3 NPY-INPUT',
        ),
        ("", 2, "a.csv: there are no rows of numbers"),
        ("1.0x,2\n3,4\n", 2, "a.csv:1:1: field 1 of row 1 is `1.0x`, a number was wanted"),
        ("nan,2\n3,4\n", 2, "a.csv:1:1: field 1 of row 1 is `nan`, a number was wanted" + _FINITE),
        ("only,a,header\n", 3, "a.csv: there are no rows of numbers"),
        (b"1,2\n\0,3\n", 2, "a.csv:2:1: field 1 of row 2 is empty, a number was wanted"),
    ],
)
def test_mistakes_are_named_with_their_place(tmp_path: Path, text: str | bytes, width: int, message: str) -> None:
    """The first mistake ends the program with status 1, its line and column counted from 1."""
    path = tmp_path / "a.csv"
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    assert refusal("csv", path, width) == message


def test_a_missing_file_names_the_directory_and_the_option(tmp_path: Path) -> None:
    """The message gives the path as written, where it was looked for, and how to name another."""
    message = refusal("csv", tmp_path / "none.csv", 2)
    assert message.splitlines() == [
        "none.csv: No such file or directory",
        f"  the path is taken from the working directory, {tmp_path}",
        "  help: --data FILE names another file",
    ]


def test_a_folder_is_no_file(tmp_path: Path) -> None:
    """Said as such."""
    (tmp_path / "d").mkdir()
    assert refusal("csv", tmp_path / "d", 2).startswith("d: Is a directory\n")


def test_a_pipe_is_read_as_a_file_is(tmp_path: Path) -> None:
    """What has no size is read to its end."""
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    text = "1,2\n" * 50_000
    writer = threading.Thread(target=pipe.write_text, args=(text,))
    writer.start()
    rows = probed_rows("csv", pipe, 2)
    writer.join()
    assert rows == [[1, 2]] * 50_000


def test_lengths_about_the_end_of_a_page(tmp_path: Path) -> None:
    """The last number may end where memory does."""
    path = tmp_path / "a.csv"
    for length in range(4080, 4100):
        text = "1\n" * ((length - 9) // 2) + "12345678" + ("9" if length % 2 else "")
        path.write_text(text)
        assert probed_rows("csv", path, 1)[-1] == [float(np.float32(text.splitlines()[-1]))]
