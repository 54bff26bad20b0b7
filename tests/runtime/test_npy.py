"""Arrays that NumPy has saved, and texts as bytes: every type and byte order, and each mistake with its repair."""

from __future__ import annotations

import io
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from tests.harness.compile_c import SANITIZED
from tests.harness.input_probe import probed_rows, refusal

pytestmark = [
    pytest.mark.native,
    pytest.mark.skipif(SANITIZED.missing() is not None, reason=str(SANITIZED.missing())),
]
TYPES = [*"bBhHiIlL?", *(f"{order}{kind}{size}" for order in "<>" for kind in "fiu" for size in (2, 4, 8))]


def saved(array: NDArray[Any], version: tuple[int, int] | None = None) -> bytes:
    """The bytes of an npy file."""
    file = io.BytesIO()
    np.lib.format.write_array(file, array, version)
    return file.getvalue()


def some_numbers(kind: str) -> NDArray[Any]:
    """Random bytes as numbers of a type: all magnitudes and signs, a 1 for what is not finite."""
    type_ = np.dtype(kind)
    data = np.random.default_rng(7).integers(0, 256, 60 * type_.itemsize, dtype=np.uint8).tobytes()
    if kind == "?":
        return np.frombuffer(data, np.uint8).astype("?")
    numbers = np.frombuffer(data, type_)
    return np.where(np.isfinite(numbers), numbers, np.ones(1, type_)) if type_.kind == "f" else numbers


@pytest.mark.parametrize("kind", TYPES)
@pytest.mark.parametrize("version", [(1, 0), (2, 0), (3, 0)])
def test_every_type_is_rounded_to_float32_as_numpy_does(tmp_path: Path, kind: str, version: tuple[int, int]) -> None:
    """To the bit."""
    numbers = some_numbers(kind)
    if numbers.dtype.itemsize == 8 and numbers.dtype.kind == "f":
        numbers = np.where(np.abs(numbers) < 1e38, numbers, np.array([1e38, 1e-45, -0.1] * 20))
    array = numbers.astype(numbers.dtype if kind == "?" else kind).reshape(5, 3, 4)
    (tmp_path / "a.npy").write_bytes(saved(array, version))
    rows = probed_rows("npy", tmp_path / "a.npy", 3, 4)
    assert np.array_equal(np.array(rows, np.float32), array.astype(np.float32).reshape(5, 12))


def test_rows_may_be_scalars_and_headers_may_look_otherwise(tmp_path: Path) -> None:
    """Keys in any order, quotes of either kind, blanks left out, no comma at the end, lengths that align nothing."""
    for text in (
        "{'descr': '<i2', 'fortran_order': False, 'shape': (3,), }",
        '{"shape":(3,),"fortran_order":False,"descr":"<i2"}',
        "{'shape': (3L,), 'descr': '=i2', 'fortran_order': False}\n",
    ):
        header = text.encode()
        data = b"\x93NUMPY\x01\x00" + len(header).to_bytes(2, "little") + header
        (tmp_path / "a.npy").write_bytes(data + np.array([1, -2, 3], "<i2").tobytes())
        assert probed_rows("npy", tmp_path / "a.npy") == [[1], [-2], [3]]


@pytest.mark.parametrize("kind", [f"{order}f{size}" for order in "<>" for size in (2, 4, 8)])
@pytest.mark.parametrize(("number", "what"), [(np.nan, "NaN"), (np.inf, "infinity"), (-np.inf, "minus infinity")])
def test_what_is_no_number_is_refused_with_its_place(tmp_path: Path, kind: str, number: float, what: str) -> None:
    """In either byte order, also behind many rows; in a table as in rows."""
    array = np.ones((300, 7), kind)
    array[299, 6] = array[250, 3] = number
    np.save(tmp_path / "a.npy", array)
    assert refusal("npy", tmp_path / "a.npy", 7) == f"a.npy: number 4 of row 251 is {what}"
    assert refusal("table", tmp_path / "a.npy", 300, 7) == f"a.npy: number 4 of row 251 is {what}"


def test_a_finite_number_beyond_float32_is_refused_and_the_largest_is_read(tmp_path: Path) -> None:
    """Rounded, not cut."""
    path = tmp_path / "a.npy"
    np.save(path, np.array([[1.0, 2.0], [3.0, -1e39]]))
    assert refusal("npy", path, 2) == "a.npy: number 2 of row 2 is beyond float32"
    np.save(path, np.array([[3.4e38, -3.4e38]]))
    assert probed_rows("npy", path, 2) == [[float(np.float32(3.4e38)), float(np.float32(-3.4e38))]]


GOOD = np.arange(12, dtype=np.float32).reshape(2, 3, 2)


def header_of(text: str, version: bytes = b"\x01\x00") -> bytes:
    """A file with this header and 48 bytes of data."""
    return b"\x93NUMPY" + version + len(text).to_bytes(2, "little") + text.encode() + bytes(48)


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (saved(np.asfortranarray(GOOD)), "is in Fortran order, rows one after the other were wanted"),
        (
            saved(GOOD.astype(np.complex64)),
            "holds numbers of type <c8; booleans, integers and reals of at most 8 bytes",
        ),
        (saved(GOOD.astype("U3")), "holds numbers of type <U3;"),
        (saved(GOOD.astype("M8[s]")), "holds numbers of type <M8[s];"),
        (saved(np.zeros(2, [("x", "f4"), ("y", "f4")])), "holds records of several fields"),
        (saved(GOOD.reshape(2, 6)), "holds an array of shape (2, 6), rows of r:3:2 along the first axis was wanted"),
        (saved(GOOD.reshape(2, 2, 3)), "holds an array of shape (2, 2, 3), "),
        (saved(GOOD.reshape(12)), "holds an array of shape (12,), "),
        (saved(np.float32(3)), "holds an array of shape (), "),
        (saved(GOOD[:0]), "holds no numbers"),
        (saved(GOOD)[:-1], "is no npy file: it is shorter than its shape says"),
        (saved(GOOD)[:100], "is no npy file: it is shorter than its header says"),
        (saved(GOOD) + b"x", "is no npy file: it is longer than its shape says"),
        (saved(GOOD)[:9], "is no npy file: it is too short"),
        (b"", "is no npy file: it does not begin with \\x93NUMPY"),
        (b"1,2\n", "is no npy file: it does not begin with \\x93NUMPY"),
        (header_of("{}", b"\x04\x00"), "is an npy file of version 4.0; versions 1.0 to 3.0 can be read"),
        (header_of("{'descr': '<f4', 'fortran_order': False}"), "is no npy file: its header is not as it must be"),
        (header_of("{'descr': '<f4', 'shape': (2, 3, 2)}"), "is no npy file: its header is not as it must be"),
        (
            header_of("{'descr': '<f4', 'fortran_order': False, 'shape': (-2, 3, 2)}"),
            "is no npy file: its header is not as it must be",
        ),
        (
            header_of("{'descr': '<f4', 'fortran_order': False, 'shape': (4611686018427387906, 3, 2)}"),
            "is no npy file: it is shorter than its shape says",
        ),
        (
            header_of("{'descr': '<f4', 'fortran_order': False, 'shape': (99999999999999999999, 3, 2)}"),
            "is no npy file: its header is not as it must be",
        ),
    ],
)
def test_what_is_no_such_array_is_named(tmp_path: Path, data: bytes, message: str) -> None:
    """In one message that begins with the path."""
    (tmp_path / "a.npy").write_bytes(data)
    assert refusal("npy", tmp_path / "a.npy", 3, 2).startswith(f"a.npy: {message}")


# --- texts


def test_bytes_in_windows(tmp_path: Path) -> None:
    """All 256, a short last window dropped."""
    (tmp_path / "a.txt").write_bytes(bytes(range(256)) + b"end")
    assert probed_rows("text", tmp_path / "a.txt", 8) == [list(range(i, i + 8)) for i in range(0, 256, 8)]


@pytest.mark.parametrize(("data", "count"), [(b"", "0 bytes"), (b"x", "1 byte"), (b"xyz", "3 bytes")])
def test_a_text_without_a_whole_window_is_refused(tmp_path: Path, data: bytes, count: str) -> None:
    """With what it has."""
    (tmp_path / "a.txt").write_bytes(data)
    assert refusal("text", tmp_path / "a.txt", 4) == f"a.txt: has {count}, too few for one window of 4"


# --- tables


def _csv(rows: int, columns: int) -> bytes:
    return "".join(",".join(str(r * columns + c) for c in range(columns)) + "\n" for r in range(rows)).encode()


@pytest.mark.parametrize(
    ("data", "shape"),
    [
        (_csv(4, 6), (4, 2, 3)),
        (_csv(8, 3), (4, 2, 3)),
        (_csv(24, 1), (4, 2, 3)),
        (_csv(1, 24), (4, 2, 3)),
        (b"a,b\n0,1\n2,3\n", (2, 2)),
        (_csv(1, 5), (5,)),
        (_csv(5, 1), (5,)),
        (_csv(1, 1), ()),
        (saved(np.arange(24, dtype=">i8").reshape(4, 2, 3)), (4, 2, 3)),
        (saved(np.arange(5, dtype=np.uint8)), (5,)),
        (saved(np.float64(0)), ()),
    ],
)
def test_a_table_holds_its_numbers_in_row_major_order(tmp_path: Path, data: bytes, shape: tuple[int, ...]) -> None:
    """From a CSV whose lines are any last axes, or an npy file of its shape, told by their first bytes."""
    (tmp_path / "t").write_bytes(data)
    (numbers,) = probed_rows("table", tmp_path / "t", *shape)
    assert numbers == list(range(int(np.prod(shape, dtype=np.int64))))


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (_csv(4, 5), "t: holds 20 numbers in 4 rows of 5, the table r:4:2:3 has 24"),
        (_csv(5, 6), "t: holds 30 numbers in 5 rows of 6, the table r:4:2:3 has 24"),
        (_csv(6, 4), "t: has rows of 4 numbers; those of the table r:4:2:3 have as many as its last axis"),
        (b"1,2\n3\n", "t:2:2: row 2 has 1 number, 2 wanted"),
        (saved(np.zeros((4, 6))), "t: holds an array of shape (4, 6), the table r:4:2:3 was wanted"),
        (saved(np.zeros((4, 2, 4))), "t: holds an array of shape (4, 2, 4), the table r:4:2:3 was wanted"),
        (b"", "t: there are no rows of numbers"),
    ],
)
def test_a_table_of_another_count_is_refused(tmp_path: Path, data: bytes, message: str) -> None:
    """With both."""
    (tmp_path / "t").write_bytes(data)
    assert refusal("table", tmp_path / "t", 4, 2, 3) == message


def test_a_missing_table_names_its_option(tmp_path: Path) -> None:
    """Not that of a data file."""
    assert refusal("table", tmp_path / "t", 4).endswith("\n  help: --table FILE names another file")
