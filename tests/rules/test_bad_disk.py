"""Disks that are full or cannot be written to: a right binary or a clear error, and nothing half-written is kept."""

from __future__ import annotations

import dataclasses
import subprocess
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest

from rules.cache import Cache, open_cache
from rules.errors import BuildError

from .conftest import Workshop, ran, tiny_text

pytestmark = pytest.mark.native
Disk = Callable[[str, str], Path]


def mount(*arguments: str) -> bool:
    """Run `mount`; whether it worked."""
    try:
        return subprocess.run(["mount", *arguments], capture_output=True, check=False).returncode == 0
    except OSError:
        return False


@pytest.fixture
def disk(tmp_path: Path) -> Iterator[Disk]:
    """Makes small disks in memory: a name, and the options of `mount`. Skips where that is not allowed."""
    with ExitStack() as stack:

        def make(name: str, options: str) -> Path:
            folder = tmp_path / name
            folder.mkdir(parents=True)
            if not mount("-t", "tmpfs", "-o", options, "tmpfs", str(folder)):
                pytest.skip("no right to mount a file system")
            stack.callback(subprocess.run, ["umount", str(folder)], check=True)
            return folder

        yield make


def output(program: Path) -> bytes:
    """What the program prints."""
    return subprocess.run([program], capture_output=True, check=True).stdout


def test_full_cache_disk_costs_the_cache_alone(workshop: Workshop, disk: Disk) -> None:
    """The binary is right, each result that could not be kept is told, and what is in the store is whole."""
    folder = disk("small", "size=16k")
    workshop.cache = Cache(folder, workshop.warnings.append)
    result = workshop.build(tiny_text())
    assert output(result.program) == b"20\n"
    assert workshop.warnings
    assert all("No space left on device" in line for line in workshop.warnings)
    assert list(folder.rglob(".new-*")) == []
    workshop.warnings.clear()
    roomy = dataclasses.replace(workshop.cache, root=workshop.root / "roomy")
    workshop.cache = roomy
    assert output(workshop.build(tiny_text()).program) == b"20\n"
    assert workshop.warnings == []


@pytest.mark.parametrize("size", ["4k", "16k", "40k"])
def test_full_output_disk_is_an_error_that_says_so(workshop: Workshop, disk: Disk, size: str) -> None:
    """In the middle of C files, objects or the link: no binary, nothing wrong in the store; with room it goes on."""
    folder = disk("work/build", f"size={size}")
    with pytest.raises(
        BuildError, match=r"cannot build in .*build: (.|\n)*([Nn]o space left on device|disk space)"
    ) as told:
        workshop.build(tiny_text())
    assert "None" not in str(told.value)
    assert not (folder / "out" / "program").exists()
    assert mount("-o", "remount,size=10m", str(folder))
    assert output(workshop.build(tiny_text()).program) == b"20\n"
    assert workshop.warnings == []


def test_store_that_cannot_be_written_is_read(workshop: Workshop, disk: Disk, monkeypatch: pytest.MonkeyPatch) -> None:
    """Its results are used, new ones go to a store in the output folder, and that is told once."""
    folder = disk("shared", "size=10m")
    workshop.cache = Cache(folder, workshop.warnings.append)
    first = workshop.build(tiny_text())
    before = first.program.read_bytes()
    assert mount("-o", "remount,ro", str(folder))
    monkeypatch.setenv("GEODE_CACHE", str(folder))
    workshop.cache = open_cache(workshop.root / "own", workshop.warnings.append)
    assert workshop.cache.root == workshop.root / "own"
    second = workshop.build(tiny_text(), "elsewhere")
    assert ran(second) == set()
    assert second.program.read_bytes() == before
    assert [line.partition(";")[0] for line in workshop.warnings] == [f"the cache folder {folder} cannot be written"]


def test_output_folder_that_cannot_be_written_is_named(workshop: Workshop, disk: Disk) -> None:
    """The folder and the system's reason."""
    disk("work/build", "size=10m,ro")
    with pytest.raises(BuildError, match=r"cannot build in .*build: Read-only file system"):
        workshop.build(tiny_text())
