"""Finding a compiler: explicit features, the right tile, and a memory that lasts no longer than the compiler."""

from __future__ import annotations

import os
import platform
import shutil
import subprocess
from pathlib import Path

import pytest

from rules import tool as tool_module
from rules.cache import Cache
from rules.errors import BuildError
from rules.tool import Tool, find_tool, vector_width
from rules.toolchain import LANES, data_folder, load_profiles

from .conftest import COMPILERS, Workshop

FOLDER = data_folder() / "toolchains"
X86 = pytest.mark.skipif(platform.machine() != "x86_64", reason="an x86-64 processor's features")


@pytest.fixture
def cache(tmp_path: Path) -> Cache:
    """An empty store whose warnings fail the test."""
    return Cache(tmp_path / "store", pytest.fail)


def find(cache: Cache, name: str | None, profile: str = "fast", lanes: int | None = None) -> Tool:
    """The tool with the committed toolchains."""
    return find_tool(FOLDER, cache, toolchain=name, profile=profile, lanes=lanes)


@pytest.mark.parametrize(
    ("lanes", "native", "width"),
    [(48, 16, 16), (48, 8, 8), (24, 16, 8), (24, 8, 8), (32, 16, 16), (16, 4, 4), (8, 16, 8), (8, 4, 4), (1, 16, 1)],
)
def test_vector_is_the_largest_power_of_two_that_divides_the_tile(lanes: int, native: int, width: int) -> None:
    """And is no wider than the target's vectors."""
    assert vector_width(lanes, native) == width


@pytest.mark.parametrize("compiler", COMPILERS)
def test_fast_names_every_feature_instead_of_native(cache: Cache, compiler: str) -> None:
    """The flags hold the machine's features one by one; -march=native is not among them."""
    tool = find(cache, compiler)
    assert not [flag for flag in tool.compile if "native" in flag]
    assert [flag.removeprefix("-m") for flag in tool.compile if flag.removeprefix("-m") in tool.features] == [
        *tool.features
    ]
    assert f"-DGS_LANES={tool.lanes}" in tool.compile
    assert f"-DGS_VEC={tool.vector}" in tool.compile


@X86
@pytest.mark.parametrize("compiler", COMPILERS)
def test_features_are_those_that_the_system_reports(cache: Cache, compiler: str) -> None:
    """The kernel's list of the processor's features agrees with the compiler's, feature by feature."""
    flags = Path("/proc/cpuinfo").read_text(encoding="utf-8").split("flags")[1].split("\n")[0].split()
    spelt = {
        "sse3": "pni",
        "sse4.1": "sse4_1",
        "sse4.2": "sse4_2",
        "bmi": "bmi1",
        "lzcnt": "abm",
        "avx512bf16": "avx512_bf16",
    }
    spelt |= {"amx-tile": "amx_tile", "amx-bf16": "amx_bf16"}
    known = load_profiles(FOLDER).targets["x86_64"].features
    assert set(find(cache, compiler).features) == {name for name in known if spelt.get(name, name) in flags}


@X86
@pytest.mark.parametrize("compiler", COMPILERS)
def test_portable_is_x86_64_v3_whatever_the_machine(cache: Cache, compiler: str) -> None:
    """The portable profile defines the macros of -march=x86-64-v3, no more and no fewer, and has 24 lanes."""
    tool = find(cache, compiler, "portable")
    assert (tool.lanes, tool.vector) == (24, 8)

    def macros(*flags: str) -> set[str]:
        command = [*tool.command, *flags, "-dM", "-E", "-x", "c", os.devnull]
        text = subprocess.run(command, capture_output=True, text=True, check=True).stdout
        names = {line.split()[1] for line in text.splitlines()}
        return names & set(" ".join(load_profiles(FOLDER).targets["x86_64"].features.values()).split())

    assert macros(*tool.compile) == macros("-march=x86-64-v3")


@pytest.mark.parametrize("compiler", COMPILERS)
@pytest.mark.parametrize("lanes", LANES)
def test_every_tile_width_is_accepted(cache: Cache, compiler: str, lanes: int) -> None:
    """--lanes overrides the tile, and the vector follows it."""
    tool = find(cache, compiler, lanes=lanes)
    assert tool.lanes == lanes
    assert lanes % tool.vector == 0


def test_other_widths_and_profiles_are_refused(cache: Cache) -> None:
    """A width that kernels are not made for, and a misspelt profile, are usage errors."""
    with pytest.raises(BuildError, match="--lanes 20: must be one of 1, 8, 16") as width:
        find(cache, "gcc", lanes=20)
    with pytest.raises(BuildError, match="unknown profile `fats`: did you mean `fast`") as profile:
        find(cache, "gcc", "fats")
    with pytest.raises(BuildError, match="zig cannot build the profile `sanitize`"):
        find(cache, "zig", "sanitize")
    assert width.value.status == profile.value.status == 2


def fake_compiler(folder: Path, version: str) -> Path:
    """A program called gcc that answers what is asked of a compiler."""
    folder.mkdir(exist_ok=True)
    path = folder / "gcc"
    path.write_text(
        "#!/bin/sh\ncase $1 in\n--version) echo 'gcc " + version + "' ;;\n-dumpmachine) echo x86_64-linux-gnu ;;\n"
        "-print-prog-name=*) echo none ;;\n*) echo '#define __AVX2__ 1'; echo '#define __FMA__ 1' ;;\nesac\n"
    )
    path.chmod(0o755)
    return path


def test_memory_lasts_until_the_compiler_changes(cache: Cache, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A second call starts no process; another compiler under the same name is noticed, with another identity."""
    path = fake_compiler(tmp_path / "bin", "1")
    monkeypatch.setenv("PATH", f"{path.parent}:/usr/bin:/bin")
    first = find(cache, "gcc")
    assert first.command == (str(path),)
    assert (first.features, first.lanes, first.vector) == (("avx2", "fma"), 24, 8)
    with monkeypatch.context() as patch:
        patch.setattr(tool_module, "_Questions", lambda *_: pytest.fail("asked the compiler again"))
        assert find(cache, "gcc") == first
    fake_compiler(path.parent, "2.0")
    second = find(cache, "gcc")
    assert second.version == "gcc 2.0"
    assert second.identity != first.identity


def test_clang_that_appears_later_is_preferred(cache: Cache, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where no toolchain is named, a remembered gcc gives way to a clang installed since."""
    path = fake_compiler(tmp_path / "bin", "1")
    monkeypatch.setenv("PATH", f"{path.parent}")
    assert find(cache, None).toolchain == "gcc"
    shutil.copy(path, path.parent / "clang")
    assert find(cache, None).toolchain == "clang"


def test_no_compiler_says_what_was_looked_for(cache: Cache, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """An empty PATH and no ziglang package: the names, and what to install."""
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setattr("importlib.util.find_spec", lambda _: None)
    with pytest.raises(
        BuildError, match=r"no C compiler found; looked for clang, .*gcc, .*ziglang(.|\n)*apt-get install gcc"
    ):
        find(cache, None)


def test_damaged_memory_is_found_out_again(cache: Cache, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A memory file that was cut does no harm."""
    path = fake_compiler(tmp_path / "bin", "1")
    monkeypatch.setenv("PATH", f"{path.parent}:/usr/bin:/bin")
    first = find(cache, "gcc")
    (memory,) = (cache.root / "tools").iterdir()
    memory.write_text(memory.read_text()[:40])
    assert find(cache, "gcc") == first


@pytest.mark.native
def test_declared_environment_joins_the_key(
    workshop: Workshop, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """A variable that a toolchain declares is handed on, and its value is part of what is remembered."""
    folder = Path(shutil.copytree(FOLDER, tmp_path / "toolchains"))
    file = folder / f"{workshop.toolchain}.yaml"
    lines = [line for line in file.read_text().splitlines() if not line.startswith("environment:")]
    file.write_text("\n".join([*lines, "environment: [GEODE_TEST_VARIABLE]"]) + "\n")

    def environment() -> dict[str, str]:
        found = find_tool(folder, workshop.cache, toolchain=workshop.toolchain, profile="fast", lanes=None)
        return dict(found.environment)

    assert environment() == {}
    monkeypatch.setenv("GEODE_TEST_VARIABLE", "one")
    assert environment() == {"GEODE_TEST_VARIABLE": "one"}


@pytest.mark.parametrize(("kilobytes", "lanes"), [(0, 32), (32, 32), (48, 48), (64, 48)])
def test_a_wide_tile_wants_a_large_data_cache(
    cache: Cache, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, kilobytes: int, lanes: int
) -> None:
    """With AVX-512 the tile follows the first level data cache; what is remembered is remembered by it."""
    path = fake_compiler(tmp_path / "bin", "1")
    needed = ("AVX2", "FMA", "AVX512F", "AVX512BW", "AVX512DQ", "AVX512VL")
    macros = "; ".join(f"echo '#define __{name}__ 1'" for name in needed)
    path.write_text(path.read_text().replace("echo '#define __AVX2__ 1'; echo '#define __FMA__ 1'", macros))
    monkeypatch.setenv("PATH", f"{path.parent}:/usr/bin:/bin")
    monkeypatch.setattr(tool_module, "_l1_kilobytes", lambda: kilobytes)
    found = find(cache, "gcc")
    assert (found.lanes, found.vector) == (lanes, 16)
