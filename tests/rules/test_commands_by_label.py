"""Commands that take labels: what they need to be installed, which options they refuse, how they end."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tests.harness.native import ROOT, geode, start

from .test_doit import PROGRAM

_WITHOUT_NUMPY = """import sys
class Hidden:
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] == "numpy":
            raise ModuleNotFoundError("No module named 'numpy'", name="numpy")
sys.meta_path.insert(0, Hidden())
"""
_TELL_BUILD = """import sys
def tell(event, arguments):
    if event == "open" and str(arguments[0]).endswith("/BUILD"):
        print("opened BUILD", file=sys.stderr)
sys.addaudithook(tell)
"""
BUILD = """geode_program(name = "one", src = "one.gs", data = [":d"])
dataset(name = "d", src = "d.csv", rows = 1, columns = 2)
geode_test(name = "learns", program = ":one", expect = ["mean < 9"])
"""


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """A workspace with a program, its data and a test."""
    root = tmp_path / "work"
    root.mkdir()
    (root / "BUILD").write_text(BUILD)
    (root / "one.gs").write_text(PROGRAM)
    (root / "d.csv").write_text("1,2\n")
    return root


@pytest.mark.native
def test_numpy_is_needed_for_arrays_alone(root: Path, tmp_path: Path) -> None:
    """A plain installation has none: targets are listed, built and tested; the check of an npy file asks for it."""
    hidden = tmp_path / "hidden"
    hidden.mkdir()
    (hidden / "sitecustomize.py").write_text(_WITHOUT_NUMPY)
    (root / "a.npy").write_bytes(b"")
    (root / "BUILD").write_text(BUILD + 'dataset(name = "a", src = "a.npy", format = "npy", rows = 1, columns = 1)\n')
    path = f"{hidden}{os.pathsep}{ROOT}"
    assert start([sys.executable, "-c", "import numpy"], cwd=root, PYTHONPATH=path).status == 1
    for arguments in (("query", "//..."), ("build", "//..."), ("build", "//:one"), ("test", "//...")):
        done = geode(*arguments, cwd=root, PYTHONPATH=path)
        assert done.status == 0, done.err
    (root / "dodo.py").write_text((ROOT / "dodo.py").read_text())
    done = start([sys.executable, "-m", "doit", "data"], cwd=root, PYTHONPATH=path)
    assert re.search(r"to check a\.npy, NumPy is needed: \S*pip install -e", done.out + done.err)
    assert "Traceback" not in done.out + done.err


@pytest.mark.native
@pytest.mark.parametrize(
    "option", [("-D", "N=3"), ("--profile", "fast"), ("-o", "x"), ("--explain",), ("--json",), ("--lanes", "8")]
)
def test_option_beside_several_programs_is_refused(root: Path, option: tuple[str, ...]) -> None:
    """It would be left out, for each is built as its BUILD file says."""
    done = geode("build", *option, "//...", cwd=root)
    assert done.status == 2
    assert f"{option[0]} does not go with `//...`: its programs are built as their BUILD files say" in done.err
    assert not (root / "build").exists()


@pytest.mark.parametrize("command", ["build", "query", "test", "run"])
def test_folder_without_targets_is_told(tmp_path: Path, command: str) -> None:
    """With what makes some."""
    done = geode(command, "//...", cwd=tmp_path)
    assert done.status == 1
    assert done.err.startswith(f"geode: no BUILD file in {tmp_path} or below it declares a target\nhelp: `geode init")


@pytest.mark.native
@pytest.mark.skipif(sys.platform != "linux", reason="the kernel ends children of a killed process on Linux alone")
def test_killed_command_leaves_no_process(root: Path) -> None:
    """`kill -9` of a test that runs ends its program and what runs it."""
    (root / "one.gs").write_text(PROGRAM.replace("3 EPOCHS", "100000000 EPOCHS"))
    assert geode("build", "//:one", cwd=root).status == 0
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    command = [sys.executable, "-m", "geode", "test", "//..."]
    with subprocess.Popen(
        command, cwd=root, env=environment, stdout=subprocess.DEVNULL, start_new_session=True
    ) as process:
        try:
            _wait(lambda: len(_session(process.pid)) > 1)
            process.send_signal(signal.SIGKILL)
            process.wait()
            _wait(lambda: not _session(process.pid))
        finally:
            for left in _session(process.pid):
                os.kill(left, signal.SIGKILL)


def _wait(reached: object) -> None:
    assert callable(reached)
    end = time.monotonic() + 30
    while not reached():
        assert time.monotonic() < end
        time.sleep(0.05)


def _session(number: int) -> list[int]:
    """The processes of a session that run the program or Python; zombies are none."""
    found = []
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            fields = (folder / "stat").read_text().rpartition(")")[2].split()
        except OSError:
            continue  # it has ended
        if int(fields[3]) == number and fields[0] != "Z":
            found.append(int(folder.name))
    return found


@pytest.mark.native
@pytest.mark.parametrize(
    "arguments", [("build", "//:one"), ("build", "//..."), ("run", "//:one"), ("test", "//:learns")]
)
def test_build_files_are_loaded_once(root: Path, tmp_path: Path, arguments: tuple[str, ...]) -> None:
    """Whatever a command asks of the workspace: Python tells of each time a BUILD file is opened."""
    hook = tmp_path / "hook"
    hook.mkdir()
    (hook / "sitecustomize.py").write_text(_TELL_BUILD)
    done = geode(*arguments, cwd=root, PYTHONPATH=f"{hook}{os.pathsep}{ROOT}")
    assert done.status == 0, done.err
    assert done.err.count("opened BUILD") == 1, done.err


def test_same_name_in_two_packages_is_an_error(tmp_path: Path) -> None:
    """Their outputs would overwrite each other: the second is refused, the first builds on."""
    for package in ("a", "b"):
        (tmp_path / package).mkdir()
        (tmp_path / package / "one.gs").write_text(PROGRAM)
        (tmp_path / package / "BUILD").write_text('geode_program(name = "one", src = "one.gs")\n')
    done = geode("build", "//b:one", cwd=tmp_path)
    assert done.status != 0
    assert "b/BUILD:1: //b:one has the output build/one, and so has //a:one at a/BUILD:1; give one" in done.err
    assert not (tmp_path / "build").exists()
