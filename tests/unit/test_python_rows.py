"""Arrays as rows of any shape: as data of a run, and for a word that is asked."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import geode
from geode.api import BuiltProgram

TEXT = """
3 CONSTANT WIDE
: NET ( r:2:WIDE -- r ) r:2:3 PARAM TRAINABLE * SUM SUM ;
: OBJ ( r:b:2:WIDE -- r ) NET MEAN ;
: TWICE ( r:h:k -- r:h:k ) 2 * ;
: ANY ( r:* -- r:* ) 2 * ;
: FLAT ( r:n -- r ) SUM ;
: MAIN ( -- ) OBJECTIVE-LOSS 2 EPOCHS 4 POPULATION 0.1 ES-GAUSSIAN
  "pictures.npy" r:2:WIDE NPY-INPUT ALL ['] OBJ TRAIN ;
"""
TEXTS = """
: OBJ ( r:4 -- r ) r PARAM TRAINABLE * SUM ;
: MAIN ( -- ) OBJECTIVE-LOSS 2 EPOCHS 4 POPULATION 0.1 ES-GAUSSIAN "a.txt" 4 TEXT-INPUT ALL ['] OBJ TRAIN ;
"""

pytestmark = pytest.mark.native
_PICTURES = np.random.default_rng(5).standard_normal((4, 2, 3)).astype(np.float32)


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> BuiltProgram:
    """A program of one file of matrices."""
    folder = tmp_path_factory.mktemp("rows")
    (folder / "net.gs").write_text(TEXT, encoding="utf-8")
    np.save(folder / "pictures.npy", _PICTURES)
    return geode.Program(folder / "net.gs").build(folder / "out", profile="debug")


@pytest.fixture(autouse=True)
def _in_its_folder(built: BuiltProgram, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(built.program.path.parent)


def test_a_program_of_an_npy_file_takes_arrays(built: BuiltProgram) -> None:
    """In the rows' own shape, in a line, as float64, without order in memory: all are the file's run."""
    turned = np.asfortranarray(_PICTURES.astype(np.float64))
    scores = [built.train(data=data).score for data in (None, _PICTURES, _PICTURES.reshape(4, 6), turned, [turned])]
    assert len(set(scores)) == 1
    assert built.train(data=2 * _PICTURES).score != scores[0]


@pytest.mark.parametrize("shape", [(4, 3, 2), (4, 5), (4, 1, 2, 3), (4, 2, 4)])
def test_rows_of_another_shape_are_told(built: BuiltProgram, shape: tuple[int, ...]) -> None:
    """With both shapes, before anything is started."""
    with pytest.raises(
        geode.GeodeError, match=r"the program reads rows of r:2:3, not an array of shape \(4, "
    ) as caught:
        built.train(data=np.ones(shape))
    assert type(caught.value) is geode.GeodeError


def test_a_text_is_an_array_of_bytes(built: BuiltProgram, tmp_path: Path) -> None:
    """Rows are its windows; anything that is no byte is refused."""
    (tmp_path / "text.gs").write_text(TEXTS, encoding="utf-8")
    (tmp_path / "a.txt").write_bytes(b"abcdefgh")
    program = geode.Program(tmp_path / "text.gs").build(tmp_path / "out", profile="debug")
    bytes_ = np.frombuffer(b"abcdefgh", np.uint8).reshape(2, 4)
    assert program.train(data=bytes_).score == program.train(data=tmp_path / "a.txt").score
    with pytest.raises(geode.GeodeError, match="bytes 0 to 255"):
        program.train(data=bytes_ + 0.5)
    del built


def test_words_read_rows_of_their_shape(built: BuiltProgram) -> None:
    """The array's own, or the signature's where the numbers lie in a line; NumPy computes the same."""
    weights = {"NET/param": np.ones((2, 3))}
    sums = _PICTURES.astype(np.float64).sum((1, 2))
    for rows in (_PICTURES, _PICTURES.reshape(4, 6), _PICTURES.tolist()):
        np.testing.assert_allclose(built.predict("NET", rows, weights)[:, 0], sums, rtol=1e-5, atol=1e-6)
        assert built.evaluate("OBJ", rows, weights) == pytest.approx(sums.mean(), rel=1e-5, abs=1e-6)
    assert built.predict("TWICE", _PICTURES, {}).tolist() == (2 * _PICTURES).reshape(4, 6).tolist()
    assert built.predict("ANY", _PICTURES, {}).tolist() == (2 * _PICTURES).reshape(4, 6).tolist()
    np.testing.assert_allclose(built.predict("FLAT", _PICTURES, {})[:, 0], sums, rtol=1e-5, atol=1e-6)


@pytest.mark.parametrize(
    ("word", "shape", "message"),
    [
        ("NET", (4, 3, 2), "`NET` reads rows of r:2:3, which r:3:2 is not"),
        ("OBJ", (4, 5), "`OBJ` reads rows of r:2:3, which r:5 is not"),
        ("TWICE", (4, 6), "`TWICE` reads rows of r:h:k, which r:6 is not"),
    ],
)
def test_rows_that_a_word_cannot_read_are_told(
    built: BuiltProgram, word: str, shape: tuple[int, ...], message: str
) -> None:
    """In terms of the call, not of a program that nobody wrote."""
    with pytest.raises(geode.GeodeError) as caught:
        built.predict(word, np.ones(shape), {})
    assert message in str(caught.value)
