"""What the tests of this folder share."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.harness.metal import for_metal
from tests.harness.native import build
from tests.metal.small import SETTINGS, SMALL


@pytest.fixture(scope="session")
def source(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A small program of low-rank noise and ADAM, for Metal."""
    path = tmp_path_factory.mktemp("metal") / "metal.gs"
    path.write_text(for_metal(SMALL.format(settings=SETTINGS["eggroll"], batch="ALL")), encoding="utf-8")
    return path


@pytest.fixture(scope="session")
def metal(source: Path) -> Path:
    """The same, built."""
    return build(source, source.parent / "metal")
