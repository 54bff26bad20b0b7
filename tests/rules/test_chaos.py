"""Many builds at once, killed at random while the store is cleaned up: what is there is right, and nothing waits for ever."""

from __future__ import annotations

import random
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from rules.cache import Cache
from rules.cache_upkeep import verify_cache
from tests.harness.native import ROOT

from .conftest import Workshop

ROUNDS = 50


def start(*arguments: object) -> subprocess.Popen[str]:
    """One of the processes of tests/harness/chaos.py."""
    command = [sys.executable, "-m", "tests.harness.chaos", *map(str, arguments)]
    return subprocess.Popen(command, cwd=ROOT, stderr=subprocess.PIPE, text=True)


@contextmanager
def clean_up(store: Path, seed: int) -> Iterator[None]:
    """Garbage collection in a loop beside what happens meanwhile."""
    process = start("gc", store, seed)
    try:
        yield
    finally:
        assert process.poll() is None, process.communicate()[1]
        process.kill()
        process.communicate()


def printed(folder: Path) -> int | None:
    """What the folder's program prints, None if there is none."""
    program = folder / "out" / "program"
    return int(subprocess.run([program], capture_output=True, check=True).stdout) if program.exists() else None


@pytest.mark.slow
@pytest.mark.native
def test_every_binary_that_exists_is_right(tmp_path: Path) -> None:
    """Two checkouts, one store, four builds at once, two of them in one folder and of two texts; some are killed."""
    seed = 1
    choice = random.Random(seed)
    store = tmp_path / "store"
    one, two = Workshop(tmp_path / "one", "gcc").root, Workshop(tmp_path / "elsewhere" / "two", "gcc").root
    folders = [one / "build", one / "build", two / "build", two / "another"]
    before: dict[Path, int | None] = dict.fromkeys(folders)
    killed = compiled = 0
    with clean_up(store, seed):
        for turn in range(ROUNDS):
            adds = [choice.randrange(1, 6) for _ in folders]
            builds = [start("build", store, folder, add) for folder, add in zip(folders, adds, strict=True)]
            time.sleep(choice.uniform(0.0, 1.0))
            doomed = choice.sample(range(4), choice.randrange(4))
            for index in doomed:
                builds[index].kill()
            said = [build.communicate(timeout=300)[1] for build in builds]
            for index, build in enumerate(builds):
                assert build.returncode == 0 or (index in doomed and build.returncode == -9), (
                    f"seed {seed}, round {turn}: {said}"
                )
                killed += build.returncode == -9
            for folder in dict.fromkeys(folders):
                mine = [index for index, other in enumerate(folders) if other == folder]
                allowed: set[int | None] = {2 * (4 + adds[index]) + 10 for index in mine}
                if any(builds[index].returncode == -9 for index in mine):
                    allowed |= {before[folder], None}  # it got as far as it got
                found = printed(folder)
                assert found in allowed, f"seed {seed}, round {turn}, {folder.name}: {found}, not {allowed}; {said}"
                compiled += found != before[folder]
                before[folder] = found
    assert killed > ROUNDS // 2
    assert compiled > ROUNDS // 2
    wrong = [line for line in verify_cache(Cache(store, pytest.fail))[1] if "another digest" in line]
    assert wrong == []
    for folder in dict.fromkeys(folders):
        done = start("build", store, folder, 7)
        assert done.communicate(timeout=300)[0] is None
        assert printed(folder) == 2 * 11 + 10
