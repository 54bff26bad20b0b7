"""The runtime's C tests: every function `test_…` of `test_*.c` is one item for each way to compile.

A file says in its first comment which runtime sources it needs: `links: gs_noise.c gs_arena.c`, or
`links:` alone. Its main hands a table of its tests to `gs_run_tests`.
"""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

import pytest

from tests.harness.compile_c import RUNTIME, SANITIZED, Build, compile_c

HERE = Path(__file__).parent
BUILDS = [Build("gcc", "-O2", "native"), Build("clang", "-O3", "native"), SANITIZED]


# Without it these compile to the same code as the third of their kind, test_bf16_plain.c.
WANTED = {"test_bf16": "avx512_bf16", "test_bf16_vectors": "avx512_bf16"}


def _cases() -> list[tuple[Path, str]]:
    """Every test file with each of its functions, in order."""
    return [
        (source, name)
        for source in sorted(HERE.glob("test_*.c"))
        for name in re.findall(r"^static void (test_\w+)\(void\)", source.read_text(encoding="utf-8"), re.MULTILINE)
    ]


def _wanted(source: Path) -> list[pytest.MarkDecorator]:
    return [pytest.mark.isa(name) for name in (WANTED.get(source.stem),) if name]


def _links(source: Path) -> list[Path]:
    """The runtime sources that the file's first comment names."""
    found = re.search(r"links:([^\n*]*)", source.read_text(encoding="utf-8"))
    assert found, f"{source.name} has no `links:` in its first comment"
    return [RUNTIME / name for name in found[1].split()]


@pytest.mark.native
@pytest.mark.parametrize("build", BUILDS, ids=["gcc", "clang", "sanitize"])
@pytest.mark.parametrize(
    ("source", "name"),
    [pytest.param(source, name, id=f"{source.stem}-{name}", marks=_wanted(source)) for source, name in _cases()],
)
def test_runtime(source: Path, name: str, build: Build) -> None:
    """The test function prints nothing and ends with status 0."""
    if missing := build.missing():
        pytest.skip(missing)
    program = compile_c(build, source, *_links(source))
    done = subprocess.run([program, name], capture_output=True, text=True, check=False, timeout=120)
    assert (done.returncode, done.stdout) == (0, ""), done.stdout + done.stderr


def test_every_function_is_in_its_table() -> None:
    """Each C test function is named once more, in the table that main runs."""
    missing = [name for source, name in _cases() if f"GS_TEST({name})" not in source.read_text(encoding="utf-8")]
    assert missing == []
