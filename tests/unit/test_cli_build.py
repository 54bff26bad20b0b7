"""The commands that build and run, on the quick start: outputs, times, options, signals."""

from __future__ import annotations

import json
import os
import pty
import re
import resource
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tests.harness.native import QUICK_START, ROOT, Finished, geode, geode_here, start

pytestmark = pytest.mark.native


@pytest.fixture
def place(tmp_path: Path) -> Path:
    """A working directory with the quick start and its data."""
    shutil.copy(QUICK_START, tmp_path / "sine-ae.gs")
    (tmp_path / "datasets").symlink_to(ROOT / "datasets")
    return tmp_path


def edit(path: Path, old: str, new: str) -> None:
    """Replace `old`, which stands in the file."""
    text = path.read_text(encoding="utf-8")
    assert old in text
    path.write_text(text.replace(old, new), encoding="utf-8")


def explained(done: Finished) -> set[str]:
    """The actions that `geode build --explain` says ran, units by word."""
    assert done.status == 0, done.err
    names = {line.split(": ")[0].removeprefix("run  ") for line in done.out.splitlines() if line.startswith("run  ")}
    return {re.sub(r"c/gs_u_([A-Z]+)_\w+", r"\1", name) for name in names}


def test_build_writes_the_program_where_it_says(place: Path) -> None:
    """`build/NAME/out/program` under the working directory, or DIR/out/program."""
    done = geode_here("build", "sine-ae.gs", cwd=place)
    assert done.status == 0, done.err
    assert done.out.startswith("build/sine-ae/out/program (")
    assert geode_here("build", "-o", "here/there", "sine-ae.gs", cwd=place).out.startswith("here/there/out/program (")
    for folder in ("build/sine-ae", "here/there"):
        assert os.access(place / folder / "out" / "program", os.X_OK)


@pytest.mark.parametrize(
    ("old", "new", "actions"),
    [
        ("\\ 200 rounds", "\\ two hundred rounds", {"emit sine-ae"}),
        ("200 EPOCHS", "300 EPOCHS", {"emit sine-ae", "compile c/settings", "link"}),
        (" RELU ;", " ABS ;", {"emit sine-ae", "compile NEURON", "link"}),
        (
            "8 NEURON",
            "9 NEURON",
            {"emit sine-ae", "compile NEURON", "compile LINO", "compile OBJECTIVE", "compile c/program", "link"},
        ),
    ],
    ids=["comment", "setting", "inside-of-a-word", "shape"],
)
def test_edit_compiles_what_it_touches(place: Path, old: str, new: str, actions: set[str]) -> None:
    """A comment compiles nothing, a setting its table, the inside of a word that word, a shape all that see it."""
    geode_here("build", "sine-ae.gs", cwd=place)
    edit(place / "sine-ae.gs", old, new)
    assert explained(geode_here("build", "--explain", "sine-ae.gs", cwd=place)) == actions
    assert explained(geode_here("build", "--explain", "sine-ae.gs", cwd=place)) == set()


def test_nothing_to_do_takes_a_third_of_a_second(place: Path) -> None:
    """A build of an unchanged program, Python's start included: processor time, since other tests run beside it."""
    geode_here("build", "sine-ae.gs", cwd=place)
    times = []
    for _ in range(3):
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        done = geode_here("build", "--json", "sine-ae.gs", cwd=place)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        times.append(after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime)
        assert {action["status"] for action in json.loads(done.out)["actions"]} == {"hit"}
    assert min(times) < 0.35


def test_build_as_json_describes_it(place: Path) -> None:
    """The binary, the tool, the units in call order and every action."""
    record = json.loads(geode_here("build", "--lanes", "8", "--json", "sine-ae.gs", cwd=place).out)
    assert record["program"] == "build/sine-ae/out/program"
    assert record["toolchain"] in {"clang", "gcc", "zig"}
    assert (record["profile"], record["lanes"]) == ("fast", 8)
    assert [unit["word"] for unit in record["units"]] == ["NEURON", "LINO", "OBJECTIVE"]
    assert {action["status"] for action in record["actions"]} <= {"hit", "run"}
    assert record["actions"][-1]["name"] == "link"


def test_run_in_a_pipe_passes_the_program_through(place: Path) -> None:
    """The lines are the program's own, everything after SOURCE is the program's, its status is ours."""
    done = geode("run", "sine-ae.gs", "--epochs", "3", cwd=place)
    assert done.status == 0, done.err
    direct = start([place / "build/sine-ae/out/program", "--epochs", "3"], cwd=place)
    assert done.epoch_lines == direct.epoch_lines
    assert len(done.epoch_lines) == 3
    assert [line.split()[0] for line in done.out.splitlines()] == [line.split()[0] for line in direct.out.splitlines()]
    wrong = geode("run", "sine-ae.gs", "--epoch", "3", cwd=place)
    assert wrong.status == 2
    assert "--epochs" in wrong.err
    assert geode("run", "sine-ae.gs", "--help", cwd=place).out.count("--population") == 1


def test_interrupt_reaches_the_program(place: Path) -> None:
    """SIGINT to `geode run` in a pipe ends the program with status 130."""
    geode_here("build", "sine-ae.gs", cwd=place)
    command = [sys.executable, "-m", "geode", "run", "sine-ae.gs", "--epochs", "1000000"]
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    with subprocess.Popen(command, cwd=place, env=environment, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        next(line for line in process.stdout if line.startswith("epoch="))
        process.send_signal(signal.SIGINT)
        process.stdout.read()
        assert process.wait(20) == 130


def on_terminal(command: list[str], cwd: Path, *, interrupt_at: bytes | None = None) -> tuple[int, str]:
    """Run a command whose output is a terminal, and interrupt it once it has shown `interrupt_at`."""
    leader, follower = pty.openpty()
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "TERM": "xterm", "COLUMNS": "120", "LINES": "40"}
    process = subprocess.Popen(command, cwd=cwd, env=environment, stdout=follower, stderr=follower, stdin=follower)
    os.close(follower)
    shown = b""
    while True:
        try:
            chunk = os.read(leader, 65536)
        except OSError:
            break  # the last writer closed the terminal
        if not chunk:
            break
        shown += chunk
        if interrupt_at is not None and interrupt_at in shown:
            process.send_signal(signal.SIGINT)
            interrupt_at = None
    os.close(leader)
    return process.wait(20), re.sub(r"\x1b\[[0-9;?]*[A-Za-z]", "", shown.decode("utf-8", errors="replace"))


def test_run_on_a_terminal_shows_a_bar_and_the_last_lines(place: Path) -> None:
    """Epochs are counted to the end on a bar; the last epoch's line and the results remain, the others don't."""
    command = [sys.executable, "-m", "geode", "run", "sine-ae.gs", "--epochs", "12"]
    status, shown = on_terminal(command, place)
    assert status == 0
    assert "12/12" in shown
    assert "epoch=11 " in shown
    assert "epoch=3 " not in shown
    assert "program sine-ae" in shown
    assert "result last" in shown


def test_interrupt_on_a_terminal_is_passed_on(place: Path) -> None:
    """Ctrl-C ends the program at the end of its epoch, with its status 130 kept."""
    command = [sys.executable, "-m", "geode", "run", "sine-ae.gs", "--epochs", "1000000"]
    status, shown = on_terminal(command, place, interrupt_at=b"best=")
    assert status == 130
    assert "Traceback" not in shown


def test_interrupted_build_says_so(place: Path, tmp_path: Path) -> None:
    """A Ctrl-C while files compile: one line and status 130."""
    command = [sys.executable, "-m", "geode", "build", "--profile", "debug", "-o", "apart", "sine-ae.gs"]
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "GEODE_CACHE": str(tmp_path / "cache")}
    with subprocess.Popen(command, cwd=place, env=environment, stderr=subprocess.PIPE, text=True) as process:
        end = time.monotonic() + 60
        while not (place / "apart" / "o" / ".ninja_log").exists():
            assert time.monotonic() < end
            time.sleep(0.02)
        process.send_signal(signal.SIGINT)
        said = process.communicate()[1]
    assert process.returncode == 130
    assert said.splitlines()[-1] == "geode: interrupted"
    assert "Traceback" not in said


def test_asm_prints_the_units_and_nothing_of_the_runtime(place: Path) -> None:
    """Each unit's member function stands under its label; --unit picks one."""
    done = geode_here("asm", "sine-ae.gs", cwd=place)
    assert done.status == 0, done.err
    labels = re.findall(r"<(\w+)>:", done.out)
    assert {label.split("_")[2] for label in labels} == {"NEURON", "LINO", "OBJECTIVE"}
    assert all(label.startswith("gs_u_") for label in labels)
    one = geode_here("asm", "--unit", "LINO", "sine-ae.gs", cwd=place).out
    assert {label.split("_")[2] for label in re.findall(r"<(\w+)>:", one)} == {"LINO"}


def test_binary_runs_without_python_and_links_the_c_library_alone(place: Path) -> None:
    """With an empty PATH the program trains; ldd names libc, libm, pthread and the loader."""
    program = place / "build/sine-ae/out/program"
    geode_here("build", "sine-ae.gs", cwd=place)
    assert len(start([program, "--epochs", "2"], cwd=place, PATH="/nonexistent").epoch_lines) == 2
    names = {Path(library).name for library in re.findall(r"(\S+?)\.so", start(["ldd", program]).out)}
    assert "libc" in names
    assert names <= {"linux-vdso", "libc", "libm", "libpthread", "ld-linux-x86-64", "ld-linux-aarch64"}


def test_a_line_feed_in_a_name_is_told_before_anything_is_built(place: Path) -> None:
    """As the user's to mend, with another folder by -o too; nothing is written."""
    (place / "sine-ae.gs").rename(place / "sine\nae.gs")
    for options in ((), ("-o", "other\nfolder")):
        done = geode_here("build", *options, "sine\nae.gs", cwd=place)
        assert done.status == 2
        assert "holds a line feed; rename the program, or choose a folder with -o" in done.err
        assert "fault" not in done.err
    assert not (place / "build").exists()
