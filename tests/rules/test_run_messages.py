"""What a run says on standard error while it does what it was told."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.harness.native import build, start

pytestmark = pytest.mark.native

PROGRAM = """
: OBJECTIVE ( r:2 -- r ) 1 LINEAR {TRAINABLE} 0 AT ;
: MAIN ( -- ) OBJECTIVE-LOSS 2 EPOCHS 4 POPULATION "rows.csv" 2 CSV-INPUT ALL ['] OBJECTIVE TRAIN ;
"""


@pytest.mark.parametrize(
    ("word", "message"),
    [
        ("", "nothing that OBJECTIVE reaches is TRAINABLE, so all of its epochs have the same weights"),
        ("TRAINABLE", ""),
    ],
)
def test_a_stage_that_trains_nothing_says_so(tmp_path: Path, word: str, message: str) -> None:
    """The run goes on all the same; a stage that trains something says nothing."""
    (tmp_path / "rows.csv").write_text("1,2\n3,4\n", encoding="utf-8")
    source = tmp_path / "some.gs"
    source.write_text(PROGRAM.replace("{TRAINABLE}", word), encoding="utf-8")
    done = start([build(source, tmp_path / "build")], cwd=tmp_path)
    assert done.status == 0
    assert done.err == (f"some: warning: {message}\n" if message else "")
