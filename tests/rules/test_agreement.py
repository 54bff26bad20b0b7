"""One program, many builds: the same numbers to the bit with every compiler, profile, tile width and worker count."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from tests.harness.native import QUICK_START, build, start

pytestmark = pytest.mark.native
COMPILERS = ("gcc", "clang")
EPOCHS = ("--epochs", "4")


@pytest.fixture(scope="module")
def expected(tmp_path_factory: pytest.TempPathFactory) -> str:
    """The digest of the first epochs' lines, from the portable build with one worker."""
    program = build(QUICK_START, tmp_path_factory.mktemp("portable"), "--profile", "portable")
    done = start([program, *EPOCHS, "--workers", "1"])
    assert len(done.epoch_lines) == 4, done.err
    return done.digest


def digest_of(folder: Path, compiler: str, workers: int, *options: str) -> str:
    """The digest of the quick start's first epochs, built with these options."""
    if shutil.which(compiler) is None:
        pytest.skip(f"no {compiler}")
    program = build(QUICK_START, folder, "--toolchain", compiler, *options)
    done = start([program, *EPOCHS, "--workers", str(workers)])
    assert done.status == 0, done.err
    assert done.err == ""
    return done.digest


@pytest.mark.parametrize("workers", [1, 2, 3])
@pytest.mark.parametrize("compiler", COMPILERS)
def test_compilers_and_workers_change_no_digit(tmp_path: Path, expected: str, compiler: str, workers: int) -> None:
    """gcc and clang, one worker or several: one digest."""
    assert digest_of(tmp_path, compiler, workers) == expected


@pytest.mark.slow
@pytest.mark.parametrize("compiler", COMPILERS)
@pytest.mark.parametrize("lanes", [1, 8, 16, 24, 32, 48])
def test_tile_width_changes_no_digit(tmp_path: Path, expected: str, compiler: str, lanes: int) -> None:
    """Every tile width, plain scalar C among them: one digest."""
    assert digest_of(tmp_path, compiler, 2, "--lanes", str(lanes)) == expected


@pytest.mark.slow
@pytest.mark.parametrize("compiler", COMPILERS)
@pytest.mark.parametrize("profile", ["debug", "sanitize", "portable"])
def test_profile_changes_no_digit(tmp_path: Path, expected: str, compiler: str, profile: str) -> None:
    """No optimisation, checked memory and arithmetic, x86-64-v3: one digest, and the checks find nothing."""
    assert digest_of(tmp_path, compiler, 2, "--profile", profile) == expected
