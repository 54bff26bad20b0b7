"""One mutant tried: the changed runtime in a copy of the repository, and the tests that should notice it.

In: a `Mutant`, a copy. Out: a `Trial`. Invariant: a mutant that does not compile, or tests that do not run, are an error
and never count as noticed; the copy is as it was afterwards.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import time
from dataclasses import dataclass
from pathlib import Path

from tests.harness.compile_c import Build
from tests.mutants.mutant import ROOT, RUNTIME, Mutant, MutantError

_PARTS = ("build.ninja.in", "datasets", "examples", "geode", "pyproject.toml", "rules", "tests", "toolchains")
_BUILD = Build("gcc", "-O1", "native", ("-Wno-unused-function",))
_LIMIT_S = 600.0  # seconds that the tests of one mutant may take


@dataclass(frozen=True, slots=True)
class Trial:
    """`killed_by` is the test that failed, None if all passed; `seconds` of wall time."""

    mutant: Mutant
    killed_by: str | None
    seconds: float


def copy_repository(folder: Path) -> Path:
    """A copy of what the tests need, below `folder`."""
    copy = folder / "geode"
    copy.mkdir(parents=True)
    ignore = shutil.ignore_patterns("__pycache__", ".*_cache")
    for name in _PARTS:
        part = ROOT / name
        if part.is_dir():
            shutil.copytree(part, copy / name, ignore=ignore)
        else:
            shutil.copy(part, copy / name)
    return copy


def try_mutant(mutant: Mutant, copy: Path) -> Trial:
    """Runs the mutant's tests in the copy. MutantError if it does not compile or they do not run."""
    path = copy / RUNTIME / mutant.file
    before, begin = path.read_bytes(), time.monotonic()
    path.write_text(mutant.changed(copy), encoding="utf-8")
    try:
        _compile(mutant, path)
        killed_by = _first_failure(mutant, copy)
    finally:
        path.write_bytes(before)
    return Trial(mutant, killed_by, time.monotonic() - begin)


def _compile(mutant: Mutant, path: Path) -> None:
    """The mutant must pass all warnings, or it would be the compiler that notices it."""
    sizes = ["-DGS_LANES=8", "-DGS_VEC=8"] if path.suffix == ".h" else []
    command = [
        "gcc",
        *_BUILD.flags(),
        *sizes,
        f"-I{path.parents[path.parent.name == 'kernels']}",
        "-fsyntax-only",
        "-xc",
    ]
    done = subprocess.run([*command, str(path)], capture_output=True, text=True, check=False)
    if done.returncode:
        raise MutantError(f"{mutant.what}: the mutant does not compile\n{done.stderr}")


def _first_failure(mutant: Mutant, copy: Path) -> str | None:
    # A folder of its own: other sessions of pytest clear the common one while this one ends.
    apart = ["-p", "no:cacheprovider", f"--basetemp={copy.parent / 'pytest'}"]
    command = [sys.executable, "-m", "pytest", "-x", "-q", *apart, "--tb=no", *mutant.tests]
    environment = {**os.environ, "PYTHONPATH": str(copy), "PYTHONDONTWRITEBYTECODE": "1"}
    done = subprocess.run(
        command, cwd=copy, env=environment, capture_output=True, text=True, check=False, timeout=_LIMIT_S
    )
    if done.returncode == 0:
        return None
    found = re.search(r"^FAILED (\S+)", done.stdout, re.MULTILINE)
    if done.returncode != 1 or found is None:
        raise MutantError(f"{mutant.what}: the tests did not run\n{done.stdout[-2000:]}{done.stderr[-2000:]}")
    return found[1]
