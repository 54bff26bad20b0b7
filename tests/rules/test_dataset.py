"""The rule `dataset`: sizes and fields are checked, a missing file is made by its script."""

from __future__ import annotations

from pathlib import Path

import pytest

from rules.cache import Cache
from rules.dataset import dataset_is_checked, make_dataset
from rules.errors import BuildError
from rules.providers import DatasetInfo

INFO = DatasetInfo("d.csv", 2, 3, None)


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
    with pytest.raises(BuildError, match=r"d\.csv is missing, and no script makes it"):
        make_dataset(INFO, tmp_path, cache)
