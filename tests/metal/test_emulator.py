"""The emulator as a guest: signals, folders with odd names, a machine with little memory; nothing of it is left behind."""

from __future__ import annotations

import os
import resource
import shutil
import signal
import subprocess
import time
from pathlib import Path

import pytest

from rules import emulator as rule
from tests.harness.metal import SMALL_BUILD, emulated_once, emulator, for_metal, needs_cxx, told
from tests.harness.native import ROOT, build, start
from tests.metal.small import SETTINGS, SMALL

pytestmark = [pytest.mark.native, needs_cxx]

# In the C++ compiler's place: says who it is, starts a process of its own as compilers do, and never ends.
ENDLESS = """#!/bin/sh
sleep 600 &
echo $! > {folder}/part
echo unfinished > "$TMPDIR/kernels-1.o"
echo $$ > {folder}/begun
wait
"""


def fast(**environment: str) -> dict[str, str]:
    """The environment of a run whose kernels are compiled fast, and not kept."""
    return {**os.environ, rule.VARIABLE: str(emulator()), "GEODE_EMULATOR_FLAGS": "-O0", **environment}


def is_there(process: int) -> bool:
    """Whether a process lives."""
    try:
        return Path(f"/proc/{process}/stat").read_text("ascii").rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


@pytest.mark.parametrize(
    ("number", "whole_group"), [(signal.SIGINT, True), (signal.SIGTERM, False), (signal.SIGHUP, False)]
)
def test_a_signal_ends_a_run_while_kernels_are_compiled(
    number: signal.Signals, whole_group: bool, metal: Path, tmp_path: Path
) -> None:
    """Its own status, one line, and neither the compiler nor the temporary folder stays."""
    temporary, compiler = tmp_path / "tmp", tmp_path / "compiler"
    temporary.mkdir()
    compiler.write_text(ENDLESS.format(folder=tmp_path), encoding="utf-8")
    compiler.chmod(0o700)
    process = subprocess.Popen(
        [metal],
        cwd=ROOT,
        env=fast(TMPDIR=str(temporary), GEODE_EMULATOR_CXX=str(compiler)),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )
    try:
        begun = tmp_path / "begun"
        while not (begun.is_file() and begun.read_text("ascii").endswith("\n")):
            assert process.poll() is None
            time.sleep(0.02)
        assert len(list(temporary.iterdir())) == 1
        if whole_group:  # as a terminal does
            os.killpg(process.pid, number)
        else:
            process.send_signal(number)
        _, err = process.communicate(timeout=20)
    finally:
        process.kill()
    assert process.returncode == 128 + number
    assert err == "stopping at once: no epoch is running\n"
    assert list(temporary.iterdir()) == []
    parts = [int((tmp_path / name).read_text("ascii")) for name in ("begun", "part")]
    limit = time.monotonic() + 10
    while any(map(is_there, parts)) and time.monotonic() < limit:
        time.sleep(0.02)
    assert not any(map(is_there, parts))


def test_a_compiler_that_fails_is_quoted(metal: Path) -> None:
    """Its name, how it ended and its words: a reason is never empty."""
    failed = start([metal], **fast(GEODE_EMULATOR_CXX="false"))
    assert failed.status == 5
    assert "false ended with status 1" in failed.err
    absent = start([metal], **fast(GEODE_EMULATOR_CXX="no-such-compiler"))
    assert absent.status == 1
    assert "cannot start the C++ compiler no-such-compiler: No such file or directory" in absent.err
    assert "fault of Geode" not in absent.err


def test_folders_may_have_any_name(metal: Path, tmp_path: Path) -> None:
    """Temporary files where no shell would find them."""
    folder = tmp_path / "t'm $(p)"
    folder.mkdir()
    done = start([metal, "--epochs", "1"], **fast(TMPDIR=str(folder)))
    assert told(done)
    assert list(folder.iterdir()) == []


@pytest.mark.slow
def test_geode_itself_may_stand_in_any_folder(metal: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The emulator out of such a folder, where the kernels find its header."""
    geode = tmp_path / 'O\'Brien "x"' / "geode"
    for folder in ("emulator", "runtime/gpu"):
        shutil.copytree(ROOT / "geode" / folder, geode / folder)
    monkeypatch.setattr(rule, "FOLDER", geode / "emulator")
    library = rule.emulator_library(tmp_path)
    done = start([metal, "--epochs", "1"], **{**fast(), rule.VARIABLE: str(library)})
    assert told(done) == told(emulated_once(metal, "--epochs", "1"))


def test_a_temporary_folder_that_is_not_there_is_told(metal: Path) -> None:
    """It is the user's setting and is called so."""
    done = start([metal], **fast(TMPDIR="/nonexist"))
    assert done.status == 1
    assert done.err == (
        "emulator: error: cannot make a folder for temporary files in /nonexist: No such file or directory\n"
        "  help: TMPDIR names a folder that can be written to\n"
    )


def test_a_buffer_that_memory_has_no_room_for_is_told(tmp_path: Path) -> None:
    """As on a Mac: no buffer comes, and the host says which one it wanted. 10000 pairs of 41402 numbers of noise, padded."""
    text = for_metal(SMALL.format(settings=SETTINGS["sgd"], batch="ALL"))
    text = text.replace("12 POPULATION", "20000 POPULATION")
    text = text.replace("4 AFFINE TRAINABLE", "200 AFFINE TRAINABLE TANH 200 LINEAR TRAINABLE")
    (tmp_path / "p.gs").write_text(text, encoding="utf-8")
    program = build(tmp_path / "p.gs", tmp_path / "out", *SMALL_BUILD)
    limit = 1 << 30  # bytes of addresses
    done = subprocess.run(
        [program],
        cwd=ROOT,
        env=fast(GEODE_DEVICE_ROOM="8000000000", GEODE_DEVICE_FLOPS="1e18"),
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_AS, (limit, limit)),
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 3, done.stderr
    assert "need a buffer of 16" in done.stderr
    assert "bytes, for which there is no memory left" in done.stderr
    assert "epoch=" not in done.stdout
