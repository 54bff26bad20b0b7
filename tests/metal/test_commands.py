"""What commands say of programs for Apple GPUs where something is missing: at once, and with what to do."""

from __future__ import annotations

import sys
from dataclasses import replace
from importlib.util import find_spec
from pathlib import Path

import pytest

from geode.cli import run_command_line
from rules import tool as tool_module
from rules.cache import open_cache, silent
from rules.tool import find_tool
from rules.toolchain import data_folder
from tests.harness.metal import for_metal
from tests.harness.native import ROOT, geode
from tests.metal.small import SETTINGS, SMALL


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with a program for Metal and one for the processor, and a cache of its own, to work in."""
    text = SMALL.format(settings=SETTINGS["sgd"], batch="ALL")
    (tmp_path / "metal.gs").write_text(for_metal(text), encoding="utf-8")
    (tmp_path / "cpu.gs").write_text(text, encoding="utf-8")
    monkeypatch.setenv("GEODE_CACHE", str(tmp_path / "cache"))
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture
def no_zig(monkeypatch: pytest.MonkeyPatch) -> None:
    """No ziglang package."""
    monkeypatch.setattr(
        "importlib.util.find_spec", lambda name, *more: None if name == "ziglang" else find_spec(name, *more)
    )


LACKS = "geode: the toolchain macos needs the Python package ziglang, which is not installed here\nhelp: {} install ziglang\n"


@pytest.mark.usefixtures("no_zig")
@pytest.mark.parametrize("warm", [False, True])
def test_a_toolchain_that_is_not_installed(
    warm: bool, place: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The same two lines whether or not the cache knows the compiler from elsewhere; pip is that of Geode's environment."""
    python = place / "my clone" / ".venv" / "bin" / "python"
    monkeypatch.setattr(sys, "executable", str(python))
    if warm:
        cache = open_cache(place / "other", silent)
        tool = find_tool(data_folder() / "toolchains", cache, toolchain="gcc", profile="fast", lanes=32)
        elsewhere = replace(tool, toolchain="macos", version="22.1.8", command=())
        monkeypatch.setattr(tool_module, "load_record", lambda *_: elsewhere)
    assert run_command_line(["build", "--toolchain", "macos", "metal.gs"]) == 1
    assert capsys.readouterr().err == LACKS.format("'my clone/.venv/bin/python' -m pip")


@pytest.mark.usefixtures("no_zig", "place")
def test_pip_is_called_pip_where_it_is(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    """That on PATH, if it belongs to the Python that runs Geode."""
    monkeypatch.setattr("shutil.which", lambda name: f"{Path(sys.executable).parent}/{name}" if name == "pip" else None)
    assert run_command_line(["build", "--toolchain", "macos", "metal.gs"]) == 1
    assert capsys.readouterr().err == LACKS.format("pip")


def test_help_names_the_toolchain_for_macs(capsys: pytest.CaptureFixture[str]) -> None:
    """With the others."""
    assert run_command_line(["build", "--help"]) == 0
    assert "macos" in capsys.readouterr().out


def test_the_emulator_is_told_to_be_missing_before_anything_is_built(
    place: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """No C++ compiler, or a program for another target: nothing was compiled for it."""
    assert run_command_line(["run", "--emulate", "cpu.gs"]) == 2
    assert "--emulate is for programs with TARGET-APPLE-METAL; this one has TARGET-CPU" in capsys.readouterr().err
    monkeypatch.setattr("shutil.which", lambda _: None)
    assert run_command_line(["run", "--emulate", "metal.gs"]) == 1
    assert capsys.readouterr().err == (
        "geode: the emulator needs a C++ compiler: looked for clang++, g++, c++\nhelp: apt-get install g++\n"
    )
    assert not list(place.glob("build/*/o"))


@pytest.mark.native
@pytest.mark.slow
def test_a_profile_without_the_device_says_how_to_get_one(place: Path) -> None:
    """The program's message, and how to profile it here."""
    done = geode("profile", "metal.gs", "--data", ROOT / "datasets" / "xor.csv", cwd=place)
    assert done.status == 3
    assert "cannot load Metal" in done.err
    assert "help: TARGET-CPU in place of TARGET-APPLE-METAL in its first line" in done.err
