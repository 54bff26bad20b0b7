"""Reading checkpoints in Python: `geode.load` and the reader behind it, against an independent library."""

from __future__ import annotations

import errno
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import geode
from geode.report.checkpoint import CheckpointError, read_checkpoint
from tests.harness.checkpoint import checkpoint_bytes

ARRAYS = {
    "=A/weight": np.arange(6, dtype=np.float32).reshape(2, 3),
    'n\xe9"\\/bias': np.array(-0.0, dtype=np.float32),
    "long/PARAM": np.full((1, 2, 3, 1), np.nan, dtype=np.float32),
}


def test_what_the_format_says_is_read(tmp_path: Path) -> None:
    """Names, shapes, bits and notes come back; `load` gives the arrays alone."""
    path = tmp_path / "m.safetensors"
    path.write_bytes(checkpoint_bytes(ARRAYS, {"a": "1", "b": ""}))
    found = read_checkpoint(path)
    assert found.metadata == {"a": "1", "b": ""}
    for arrays in (found.tensors, geode.load(path), geode.load(str(path))):
        assert set(arrays) == set(ARRAYS)
        for name, array in arrays.items():
            assert (array.dtype, array.shape) == (np.dtype(np.float32), ARRAYS[name].shape)
            assert array.tobytes() == ARRAYS[name].tobytes()
            assert array.flags.writeable


def test_an_independent_reader_agrees(tmp_path: Path) -> None:
    """The safetensors package reads the harness's files, and this reader reads that package's, of other types too."""
    safetensors = pytest.importorskip("safetensors.numpy")
    path = tmp_path / "m.safetensors"
    path.write_bytes(checkpoint_bytes(ARRAYS, {"a": "1"}))
    for name, array in safetensors.load_file(path).items():
        assert array.tobytes() == ARRAYS[name].tobytes()
    others = {"i": np.arange(3), "f": np.ones((2, 2)), "b": np.array([True, False]), "h": np.ones(2, dtype=np.float16)}
    safetensors.save_file(others, path, metadata={"x": "y"})
    found = read_checkpoint(path)
    assert found.metadata == {"x": "y"}
    for name, array in found.tensors.items():
        assert array.dtype == others[name].dtype
        assert np.array_equal(array, others[name])


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"", "shorter than its header says"),
        (b"\xff" * 16, "shorter than its header says"),
        (b"\x05" + b"\0" * 7 + b"hello", "no JSON object"),
        (b"\x02" + b"\0" * 7 + b"[]", "no JSON object"),
        (b"\x16" + b"\0" * 7 + b'{"__metadata__":{"":1}}'[:22], "no JSON object"),
        (b"\x18" + b"\0" * 7 + b'{"__metadata__":{"":1}} ', "no table of texts"),
        (b"\x08" + b"\0" * 7 + b'{"a":{}}', "a must have dtype, shape and data_offsets"),
    ],
)
def test_a_wrong_file_is_told(tmp_path: Path, data: bytes, message: str) -> None:
    """The message names the file and what is wrong with it."""
    path = tmp_path / "x.safetensors"
    path.write_bytes(data)
    with pytest.raises(CheckpointError, match=message) as caught:
        geode.load(path)
    assert str(caught.value).startswith(f"{path}: ")
    assert isinstance(caught.value, geode.GeodeError)


def test_a_missing_file_is_a_geode_error(tmp_path: Path) -> None:
    """And an OSError, as what reads files in Python expects."""
    with pytest.raises(geode.GeodeError, match=r"No such file or directory: '.*none\.safetensors'") as caught:
        geode.load(tmp_path / "none.safetensors")
    assert isinstance(caught.value, OSError)
    assert caught.value.errno == errno.ENOENT


@pytest.mark.parametrize("path", [None, 3, b"m.safetensors", 1.5, ""])
def test_what_is_no_path_is_a_geode_error(path: object) -> None:
    """A number would else be taken for an open file."""
    with pytest.raises(geode.GeodeError, match="`path` must be a path, not "):
        geode.load(path)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("record", "message"),
    [
        ('{"dtype":"F32","shape":[2],"data_offsets":[0,4]}', "the shape of a and its size differ"),
        ('{"dtype":"F32","shape":[2],"data_offsets":[0,12]}', "a lies outside the file"),
        ('{"dtype":"F32","shape":[-1],"data_offsets":[0,8]}', "a lies outside the file"),
        ('{"dtype":"F32","shape":[2],"data_offsets":[8,0]}', "a lies outside the file"),
        ('{"dtype":"BF16","shape":[4],"data_offsets":[0,8]}', "a holds numbers of type BF16"),
        ('{"dtype":["F32"],"shape":[2],"data_offsets":[0,8]}', "a holds numbers of type"),
        ('{"dtype":"F32","shape":[0,18446744073709551616],"data_offsets":[0,0]}', "a shape that NumPy can't hold"),
        ('{"dtype":"F32","shape":[2],"data_offsets":[0,8]},"a":1', "a name occurs twice"),
    ],
)
def test_a_wrong_tensor_is_told(tmp_path: Path, record: str, message: str) -> None:
    """Shapes, places and types are checked against the file."""
    header = f'{{"a":{record}}}'.encode()
    path = tmp_path / "x.safetensors"
    path.write_bytes(len(header).to_bytes(8, "little") + header + b"\0" * 8)
    with pytest.raises(CheckpointError, match=message):
        geode.load(path)


@pytest.mark.parametrize(
    ("places", "message"),
    [
        (((0, 4), (0, 4)), "its tensors overlap"),
        (((0, 4), (2, 6)), "its tensors overlap"),
        (((0, 4),), "bytes behind its tensors"),
        (((4, 8),), "bytes between its tensors"),
        ((), "bytes behind its tensors"),
    ],
)
def test_every_byte_is_of_one_tensor(tmp_path: Path, places: tuple[tuple[int, int], ...], message: str) -> None:
    """As the safetensors libraries want it: no overlap, no hole, nothing behind the last one."""
    records = (f'"t{i}":{{"dtype":"F32","shape":[1],"data_offsets":[{a},{b}]}}' for i, (a, b) in enumerate(places))
    header = ("{" + ",".join(records) + "}").encode()
    path = tmp_path / "x.safetensors"
    path.write_bytes(len(header).to_bytes(8, "little") + header + b"\0" * 8)
    with pytest.raises(CheckpointError, match=message):
        geode.load(path)


def test_importing_geode_imports_no_numpy() -> None:
    """The command line starts without it."""
    code = "import sys, geode; sys.exit('numpy' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False, cwd=Path(__file__).parents[2]).returncode == 0
