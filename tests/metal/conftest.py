"""What the tests of this folder share."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.harness.metal import SMALL_BUILD, both
from tests.metal.small import SETTINGS, SMALL


@pytest.fixture(scope="session")
def pair(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    """A small program of low-rank noise, MUON and ADAM, for the processor and for Metal, built."""
    text = SMALL.format(settings=SETTINGS["quick"], batch="ALL")
    return both(text, tmp_path_factory.mktemp("metal"), options=SMALL_BUILD)


@pytest.fixture(scope="session")
def metal(pair: tuple[Path, Path]) -> Path:
    """The one for Metal."""
    return pair[1]


@pytest.fixture(scope="session")
def source(metal: Path) -> Path:
    """Its text."""
    return metal.parents[2] / "gpu.gs"
