"""What a run takes of the machine and what it does when there is no more: peak memory, a disk that fills."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.harness.checkpoint import arrays_of
from tests.harness.compile_c import ROOT, Build
from tests.harness.runtime_program import runtime_program

BUILD = Build("gcc", "-O2", "native")
SINE = ROOT / "tests" / "runtime" / "program.c"
OPTIONS = ("--data", str(ROOT / "datasets" / "sine-1000.csv"), "--workers", "1")

pytestmark = [
    pytest.mark.native,
    pytest.mark.skipif(BUILD.missing() is not None, reason=str(BUILD.missing())),
    pytest.mark.skipif(sys.platform != "linux", reason="asks Linux for memory, and for a file system of its own"),
]


def peak_bytes(data: Path, population: str) -> tuple[int, int]:
    """The most memory that a run had by its first epoch's end, as Linux counts it, and what it said before that epoch."""
    program = runtime_program(BUILD, SINE, 48, 8)
    options = ("--data", str(data), "--workers", "1", "--epochs", "1000000", "--population", population)
    told = 0
    with subprocess.Popen([program, *options], stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        for line in process.stdout:
            if line.startswith("memory bytes="):
                told = int(line.partition("=")[2])
            if line.startswith("epoch=0 "):
                break
        status = Path(f"/proc/{process.pid}/status").read_text(encoding="utf-8")
        process.kill()
    (peak,) = re.findall(r"^VmHWM:\s+(\d+) kB$", status, re.MULTILINE)
    return 1024 * int(peak), told


def test_peak_memory_hardly_grows_with_the_population(tmp_path: Path) -> None:
    """65 536 members take less than 3 MB more than 256, scores and noise and all, and what is printed before is near it."""
    rows = (ROOT / "datasets" / "sine-1000.csv").read_text(encoding="utf-8").splitlines(keepends=True)
    (tmp_path / "rows.csv").write_text("".join(rows[:100]), encoding="utf-8")
    few, told_few = peak_bytes(tmp_path / "rows.csv", "256")
    many, told_many = peak_bytes(tmp_path / "rows.csv", "65536")
    assert 40 * 60_000 < told_many - told_few < 3_000_000
    assert many - few < 3_000_000
    for peak, told in ((few, told_few), (many, told_many)):
        assert told < peak < told + 4_000_000  # beside it: the program's text, the C library, stacks


@pytest.mark.parametrize("room", ["24k", "40k"])
def test_a_disk_that_fills(room: str, tmp_path: Path) -> None:
    """On a file system too small for a second file beside the first: a message, the old file whole, nothing else left."""
    if shutil.which("unshare") is None or subprocess.run(["unshare", "-m", "true"], check=False).returncode:
        pytest.skip("no file system can be mounted here")
    program = runtime_program(BUILD, SINE, 48, 8)
    run = [program, *OPTIONS, "--population", "4", "--sgd-updates", "--set", "EPOCHS=40"]
    saving = " ".join(map(str, [*run, "--save-model-all", "s.safetensors", "--save-every", "1"]))
    script = f"""
        mount -t tmpfs -o size={room} none disk && cd disk || exit 99
        {saving} --stop-at-epoch 1 || exit 98
        cp s.safetensors ../before.safetensors
        head -c 1000000 /dev/zero > filler 2>/dev/null
        {saving} 2> ../message
        echo $? > ../status
        cp s.safetensors ../after.safetensors
        ls > ../names
    """
    (tmp_path / "disk").mkdir()
    done = subprocess.run(["unshare", "-m", "sh", "-c", script], cwd=tmp_path, check=False, stdout=subprocess.DEVNULL)
    if done.returncode == 99:
        pytest.skip("no file system can be mounted here")
    assert done.returncode == 0
    assert (tmp_path / "status").read_text(encoding="utf-8") == "1\n"
    message = (tmp_path / "message").read_text(encoding="utf-8")
    assert "s.safetensors: can't be written: No space left on device; an earlier save there is as it was" in message
    assert (tmp_path / "after.safetensors").read_bytes() == (tmp_path / "before.safetensors").read_bytes()
    assert (tmp_path / "names").read_text(encoding="utf-8").split() == ["filler", "s.safetensors"]
    assert len(arrays_of(tmp_path / "after.safetensors")) > 2
