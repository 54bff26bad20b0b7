"""toolchains/*.yaml are read as declared, and a mistake in them is told with file, field and nearest name."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from rules.errors import BuildError
from rules.toolchain import LANES, ORDER, data_folder, load_profiles, load_toolchain

FOLDER = data_folder() / "toolchains"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A copy of the toolchains that a test may spoil."""
    return Path(shutil.copytree(FOLDER, tmp_path / "toolchains"))


def edit(path: Path, old: str, new: str) -> None:
    """Replace `old` in a file that has it."""
    text = path.read_text(encoding="utf-8")
    assert old in text
    path.write_text(text.replace(old, new, 1), encoding="utf-8")


def test_every_toolchain_file_loads() -> None:
    """The files on disk are the ones that are tried, and the one for other machines; each loads under its own name."""
    names = {path.stem for path in FOLDER.glob("*.yaml")} - {"profiles"}
    assert names == {*ORDER, "macos"}
    assert [load_toolchain(name, FOLDER).name for name in ORDER] == list(ORDER)


def test_profiles_never_ask_for_fast_math() -> None:
    """Numbers are the same everywhere: no flag of any profile or toolchain loosens arithmetic."""
    profiles = load_profiles(FOLDER)
    flags = [*profiles.compile, *(flag for profile in profiles.profiles.values() for flag in profile.compile)]
    flags += [flag for name in ORDER for flag in load_toolchain(name, FOLDER).compile]
    assert "-ffp-contract=off" in flags
    forbidden = ("fast-math", "-Ofast", "unsafe-math", "associative", "finite-math", "contract=fast", "reciprocal")
    assert [flag for flag in flags if any(word in flag for word in forbidden)] == []
    assert "march=native" not in " ".join(flags)


def test_tiles_are_those_of_the_design() -> None:
    """48 lanes with AVX-512 and the cache for it, else 32, 24 with AVX2, 8 on any other x86-64, 16 on armv8; widest first."""
    targets = load_profiles(FOLDER).targets
    assert [(tile.lanes, tile.vector) for tile in targets["x86_64"].tiles] == [(48, 16), (32, 16), (24, 8), (8, 4)]
    assert [(tile.lanes, tile.vector) for tile in targets["aarch64"].tiles] == [(16, 4)]
    assert all(tile.lanes in LANES for target in targets.values() for tile in target.tiles)


@pytest.mark.parametrize(
    ("file", "old", "new", "message"),
    [
        ("gcc.yaml", "feature_flag:", "feature_flags:", "field `feature_flag` is missing"),
        ("gcc.yaml", "environment: []", "environment: []\nenviroment: []", "unknown field `enviroment`: did you mean"),
        ("gcc.yaml", "environment: []", "environment: TMPDIR", "environment: expected a list, found 'TMPDIR'"),
        ("gcc.yaml", "environment: []", "environment: [no]", "environment: expected text, found False"),
        ("gcc.yaml", "name: gcc", "name: gnu", "name: `gnu` should be `gcc`"),
        ("gcc.yaml", "-m{feature}", "-mavx", "feature_flag: has no `{feature}`"),
        ("gcc.yaml", "name: gcc", "name: [gcc", "not valid YAML"),
        ("gcc.yaml", "disassemble: [[objdump]", "disassemble: [objdump", "disassemble: expected a list"),
        ("profiles.yaml", "features: baseline", "features: basic", "`basic` is neither `native` nor `baseline`"),
        ("profiles.yaml", "lanes: 24", "lanes: 20", "lanes: 20 is none of 1, 8, 16, 24, 32, 48"),
        ("profiles.yaml", "lanes: 24", "lanes: yes", "lanes: expected an integer, found True"),
        ("profiles.yaml", "vector: 8", "vector: 5", "vector: 5 is none of"),
        ("profiles.yaml", "needs: [avx2, fma]", "needs: [avx22, fma]", "unknown feature `avx22`: did you mean `avx2`?"),
        ("profiles.yaml", "- {needs: [], lanes: 8, vector: 4}", "", "the last tile must need nothing"),
    ],
)
def test_mistake_names_file_and_field(folder: Path, file: str, old: str, new: str, message: str) -> None:
    """Each mistake is a BuildError that starts with the file and says what is wrong in it."""
    edit(folder / file, old, new)
    with pytest.raises(BuildError) as caught:
        load_toolchain("gcc", folder) if file == "gcc.yaml" else load_profiles(folder)
    assert caught.value.message.startswith(str(folder / file))
    assert message in caught.value.message


def test_unknown_toolchain_suggests_the_nearest(folder: Path) -> None:
    """`--toolchain gc` is answered with gcc."""
    with pytest.raises(BuildError, match="unknown toolchain `gc`: did you mean `gcc`"):
        load_toolchain("gc", folder)
