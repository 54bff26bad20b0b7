"""Two checkouts in different folders, under another home and umask, with empty caches: the same bytes."""

from __future__ import annotations

import importlib.util
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.harness.native import ROOT

TOOLCHAINS = [name for name in ("gcc", "clang") if shutil.which(name)] + (
    ["zig"] if importlib.util.find_spec("ziglang") else []
)


def build(root: Path, mask: str, toolchain: str, profile: str) -> dict[str, bytes]:
    """Build the quick start in a copy of this checkout at `root`; every output but the lock, by name."""
    for name in ("geode", "rules", "toolchains"):
        shutil.copytree(ROOT / name, root / name, ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copytree(ROOT / "examples", root / "examples")
    shutil.copy(ROOT / "build.ninja.in", root)
    home = root / "home"
    home.mkdir()
    environment = {name: value for name, value in os.environ.items() if not name.startswith(("GEODE_", "XDG_"))}
    arguments = ["-m", "geode", "build", "--toolchain", toolchain, "--profile", profile, "examples/sine-ae.gs"]
    subprocess.run(
        ["sh", "-c", f'umask {mask}; exec "$0" "$@"', sys.executable, *arguments],
        cwd=root,
        env={**environment, "HOME": str(home), "USER": root.name, "PYTHONPATH": str(root)},
        check=True,
        timeout=1800,
        stdout=subprocess.DEVNULL,
    )
    assert (home / ".cache" / "geode" / "cas").is_dir()
    built = root / "build" / "sine-ae"
    return {
        path.relative_to(built).as_posix(): path.read_bytes()
        for folder in ("c", "o", "out")
        for path in sorted((built / folder).rglob("*"))
        if path.suffix in {".c", ".o", ""} and path.is_file() and not path.name.startswith(".ninja")
    }


@pytest.mark.slow
@pytest.mark.native
@pytest.mark.parametrize("profile", ["fast", "debug"])
@pytest.mark.parametrize("toolchain", TOOLCHAINS)
def test_checkouts_elsewhere_build_the_same_bytes(tmp_path: Path, toolchain: str, profile: str) -> None:
    """C text, objects and binary, with symbols (debug) and without; no path of either checkout is in the binary."""
    first = build(tmp_path / "one", "077", toolchain, profile)
    second = build(tmp_path / "somewhere" / "further away" / "two", "002", toolchain, profile)
    assert first.keys() == second.keys()
    assert [name for name in first if first[name] != second[name]] == []
    assert str(tmp_path).encode() not in first["out/program"]
