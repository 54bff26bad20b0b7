"""What tests/device/cuda.sh makes of a machine, and of what its programs say: with stand-ins for Python and the toolkit."""

from __future__ import annotations

import shutil
import sys
from pathlib import Path

import pytest

from tests.harness.native import ROOT, Finished, start

pytestmark = pytest.mark.skipif(shutil.which("bash") is None, reason="no bash")
SAME = "selftest epochs=5 members=12 weights=26 same"

# In Python's place: finds a device, passes all tests, and builds programs that say $SAID and end with $ENDED.
PYTHON = """#!/bin/sh
case "$*" in
-) cat > /dev/null; [ -z "$MISSING" ] || { echo "$MISSING"; exit 1; } ;;
"-m geode build -o "*)
    mkdir -p "$5/out"
    printf '#!/bin/sh\\necho "device CUDA: a stand-in"\\necho "%s"\\nexit %s\\n' "$SAID" "$ENDED" > "$5/out/program"
    chmod +x "$5/out/program" ;;
esac
"""


@pytest.fixture
def tools(tmp_path: Path) -> Path:
    """A folder for PATH with what the script calls, but no toolkit."""
    folder = tmp_path / "tools"
    folder.mkdir()
    for name in ("bash", "sh", "dirname", "basename", "mktemp", "rm", "sed", "grep", "tail", "cat", "mkdir", "chmod"):
        found = shutil.which(name)
        assert found is not None
        (folder / name).symlink_to(found)
    (tmp_path / "python").write_text(PYTHON, encoding="utf-8")
    (tmp_path / "python").chmod(0o700)
    return folder


def run(tools: Path, *, nvcc: bool = True, **given: str) -> Finished:
    """The script with these tools."""
    if nvcc:
        (tools / "nvcc").symlink_to("/bin/true")
    python = str(tools.parent / "python")
    environment = {"PATH": str(tools), "PYTHON": python, "SAID": SAME, "ENDED": "0", "MISSING": "", **given}
    command = ["env", *(f"{name}={value}" for name, value in environment.items()), "bash", "tests/device/cuda.sh"]
    return start(command)


@pytest.mark.parametrize(
    ("nvcc", "given", "message"),
    [
        (False, {}, "no nvcc on PATH: the CUDA toolkit is needed"),
        (True, {"MISSING": "no GPU that CUDA can use"}, "no GPU that CUDA can use"),
        (True, {"PYTHON": "no-python"}, "no no-python, which PYTHON names"),
    ],
)
def test_what_a_machine_lacks_is_told_in_one_line(tools: Path, nvcc: bool, given: dict[str, str], message: str) -> None:
    """Before any test."""
    done = run(tools, nvcc=nvcc, **given)
    assert (done.status, done.out, done.err) == (3, "", f"cuda.sh: {message}\n")


@pytest.mark.skipif(Path("/dev/nvidiactl").exists(), reason="this machine has a device")
def test_the_driver_is_asked(tools: Path) -> None:
    """By the interpreter itself: here there is no device."""
    done = run(tools, PYTHON=sys.executable)
    assert (done.status, done.out) == (3, "")
    assert done.err.startswith(("cuda.sh: no NVIDIA driver", "cuda.sh: no GPU", "cuda.sh: the NVIDIA driver does not"))
    assert done.err.count("\n") == 1


@pytest.mark.parametrize(
    ("said", "ended", "good"),
    [
        (SAME, "0", True),
        ("result last score=1 at=5", "0", False),
        (SAME.replace("=5", "=0"), "0", False),
        (SAME, "5", False),
    ],
)
def test_an_example_counts_where_it_was_compared(tools: Path, said: str, ended: str, good: bool) -> None:
    """The line of the self-test is wanted, and the status."""
    done = run(tools, SAID=said, ENDED=ended)
    lines = [line for line in done.out.splitlines() if line.startswith("xor: ")]
    assert lines == [f"xor: device CUDA: a stand-in, {SAME}" if good else "xor: FAILED"]
    assert done.status == (0 if good else 1)


def test_the_workflow_for_macs_wants_the_line_too() -> None:
    """As the script does."""
    wanted = "grep -q '^selftest epochs=[1-9].* same$'"
    for name in (".github/workflows/macos.yml", "tests/device/cuda.sh"):
        assert wanted in (ROOT / name).read_text(encoding="utf-8")


def test_an_interpreter_that_does_not_run_is_named(tools: Path, tmp_path: Path) -> None:
    """One that ends without a word, as a launcher that misses what it launches."""
    broken = tmp_path / "broken"
    broken.write_text("#!/bin/sh\nexit 127\n", encoding="utf-8")
    broken.chmod(0o700)
    done = run(tools, PYTHON=str(broken))
    assert (done.status, done.err) == (3, f"cuda.sh: {broken} does not run\n")
