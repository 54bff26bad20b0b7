"""The rule `dataset`: sizes and fields are checked, a missing file is made by its script."""

from __future__ import annotations

import io
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from rules.analyse import load_workspace
from rules.cache import Cache
from rules.dataset import dataset_is_checked, make_dataset
from rules.errors import BuildError
from rules.providers import DatasetInfo

INFO = DatasetInfo("d.csv", 2, 3, None)


def saved(array: NDArray[Any]) -> bytes:
    """An npy file."""
    file = io.BytesIO()
    np.save(file, array)
    return file.getvalue()


@pytest.fixture
def cache(tmp_path: Path) -> Cache:
    """An empty store whose warnings fail the test."""
    return Cache(tmp_path / "store", pytest.fail)


@pytest.mark.parametrize("text", ["1,2,3\n4,5,6\n", "a,b,c\n1,2,3\n4, 5e-3 ,-6", "1,nan,3\r\n\r\n4,inf,6\r\n\n"])
def test_good_file_is_read_once(tmp_path: Path, cache: Cache, text: str) -> None:
    """A header and blank lines don't count; a good file is known by its bytes from then on."""
    (tmp_path / "d.csv").write_text(text)
    assert not dataset_is_checked(INFO, tmp_path, cache)
    make_dataset(INFO, tmp_path, cache)
    assert dataset_is_checked(INFO, tmp_path, cache)
    (tmp_path / "d.csv").write_text(text + "7,8,9\n")
    assert not dataset_is_checked(INFO, tmp_path, cache)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("1,2,3\n", "d.csv has 1 rows, its BUILD file says 2"),
        ("1,2,3\n4,5\n", "d.csv:2: 2 columns, its BUILD file says 3"),
        ("1,2,3\n\n4,x,6\n", "d.csv:3: column 2: `x` is not a number"),
        ("1,2,3\n4,,6\n", "d.csv:2: column 2: `` is not a number"),
        ("1,2,3\n4,1_0,6\n", "d.csv:2: column 2: `1_0` is not a number"),
    ],
)
def test_wrong_file_is_told_with_its_line(tmp_path: Path, cache: Cache, text: str, message: str) -> None:
    """The first thing that is wrong; nothing is remembered."""
    (tmp_path / "d.csv").write_text(text)
    with pytest.raises(BuildError) as caught:
        make_dataset(INFO, tmp_path, cache)
    assert caught.value.message == message
    assert not dataset_is_checked(INFO, tmp_path, cache)


@pytest.mark.parametrize(
    ("info", "data", "message"),
    [
        (DatasetInfo("d", 2, 6, None, "npy"), saved(np.zeros((2, 2, 3))), None),
        (DatasetInfo("d", 2, 1, None, "npy"), saved(np.zeros(2, np.int8)), None),
        (DatasetInfo("d", 3, 6, None, "npy"), saved(np.zeros((2, 2, 3))), "d has 2 rows, its BUILD file says 3"),
        (DatasetInfo("d", 2, 5, None, "npy"), saved(np.zeros((2, 2, 3))), "d has 6 columns, its BUILD file says 5"),
        (DatasetInfo("d", 2, 1, None, "npy"), saved(np.array(["a", "b"])), "d is no array of rows of numbers"),
        (DatasetInfo("d", 2, 1, None, "npy"), b"1,2\n", "d is no npy file: "),
        (DatasetInfo("d", 0, 0, None, "text", 3), b"\xff\r\n", None),
        (DatasetInfo("d", 0, 0, None, "text", 3), b"abcd", "d has 4 bytes, its BUILD file says 3"),
    ],
)
def test_arrays_and_texts(tmp_path: Path, cache: Cache, info: DatasetInfo, data: bytes, message: str | None) -> None:
    """Rows and numbers in each, or bytes."""
    (tmp_path / "d").write_bytes(data)
    if message is None:
        make_dataset(info, tmp_path, cache)
        assert dataset_is_checked(info, tmp_path, cache)
        return
    with pytest.raises(BuildError) as caught:
        make_dataset(info, tmp_path, cache)
    assert caught.value.message.startswith(message)


@pytest.mark.parametrize(
    ("sizes", "wanted"),
    [
        ("rows = 2", "format csv has rows and columns"),
        ("rows = 2, columns = 3, bytes = 6", "format csv has rows and columns"),
        ('format = "npy", bytes = 6', "format npy has rows and columns"),
        ('format = "text", rows = 6', "format text has bytes"),
        ('format = "png", rows = 6', "`format` cannot be `png`"),
    ],
)
def test_a_format_has_its_own_sizes(tmp_path: Path, sizes: str, wanted: str) -> None:
    """Neither fewer nor more."""
    (tmp_path / "BUILD").write_text(f'dataset(name = "d", src = "d", {sizes})\n')
    (tmp_path / "d").write_text("1,2,3\n")
    (mistake,) = load_workspace(tmp_path).mistakes
    assert wanted in str(mistake)


def test_missing_file_is_made_by_its_script(tmp_path: Path, cache: Cache) -> None:
    """The script gets the file's path, and what it writes is checked; a file that is there is left alone."""
    (tmp_path / "make.py").write_text(
        "import sys\nfrom pathlib import Path\nPath(sys.argv[1]).write_text('1,2,3\\n' * 2)\n"
    )
    info = DatasetInfo("d.csv", 2, 3, "make.py")
    make_dataset(info, tmp_path, cache)
    assert (tmp_path / "d.csv").read_text() == "1,2,3\n1,2,3\n"
    (tmp_path / "d.csv").write_text("7,8,9\n1,2,3\n")
    make_dataset(info, tmp_path, cache)
    assert (tmp_path / "d.csv").read_text() == "7,8,9\n1,2,3\n"


def test_script_that_fails_and_file_that_nobody_makes(tmp_path: Path, cache: Cache) -> None:
    """The last line of the script's complaint; or that there is no script."""
    (tmp_path / "make.py").write_text("raise SystemExit('no such source')\n")
    with pytest.raises(BuildError, match=r"make\.py could not write d\.csv: no such source"):
        make_dataset(DatasetInfo("d.csv", 2, 3, "make.py"), tmp_path, cache)
    (tmp_path / "make.py").write_text("")
    with pytest.raises(BuildError, match=r"make\.py ended without an error, but wrote no d\.csv\nhelp: the path"):
        make_dataset(DatasetInfo("d.csv", 2, 3, "make.py"), tmp_path, cache)
    with pytest.raises(BuildError, match=r"d\.csv is missing, and no script makes it"):
        make_dataset(INFO, tmp_path, cache)
