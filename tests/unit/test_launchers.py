"""geode.sh, compile.sh and assembly.sh, with stand-ins for Python and for the installed command."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]

# A stand-in for python3: answers the launcher's questions, and "makes" an environment whose commands note their use.
PYTHON = """#!/bin/sh
case "$*" in
*version_info*) exit ${OLD:-0} ;;
*ensurepip*) exit ${NO_ENSUREPIP:-0} ;;
-V) echo "Python 3.8.0"; exit 0 ;;
"-m venv --clear "*)
    echo "venv" >> "$LOG"
    mkdir -p "$4/bin"
    printf '#!/bin/sh\\necho "pip $*" >> "$LOG"\\nexit ${PIP_FAILS:-0}\\n' > "$4/bin/python"
    printf '#!/bin/sh\\nfor a in "$@"; do printf "[%%s]" "$a"; done\\nexit 7\\n' > "$4/bin/geode"
    chmod +x "$4/bin/python" "$4/bin/geode" ;;
esac
"""


class Checkout:
    """A copy of the launchers in a folder with a blank in its name, and the log of what they started."""

    def __init__(self, root: Path) -> None:
        self.root = root / "a checkout"
        self.root.mkdir()
        self.elsewhere = root / "elsewhere"
        self.elsewhere.mkdir()
        for name in ("geode.sh", "compile.sh", "assembly.sh", "pyproject.toml"):
            shutil.copy(ROOT / name, self.root / name)
        self.python = root / "python3"
        self.python.write_text(PYTHON)
        self.python.chmod(0o755)
        self.log = root / "log"

    def run(self, script: str, *arguments: str, **environment: str) -> subprocess.CompletedProcess[str]:
        """Run a launcher from another folder."""
        return subprocess.run(
            [self.root / script, *arguments],
            cwd=self.elsewhere,
            env={"PATH": os.environ["PATH"], "PYTHON": str(self.python), "LOG": str(self.log), **environment},
            capture_output=True,
            text=True,
            check=False,
        )

    def notes(self) -> list[str]:
        """What was made and installed so far."""
        return self.log.read_text().splitlines() if self.log.exists() else []


@pytest.fixture
def checkout(tmp_path: Path) -> Checkout:
    """Launchers that have never run."""
    return Checkout(tmp_path)


def test_first_use_makes_the_environment_and_later_ones_only_start(checkout: Checkout) -> None:
    """Arguments and the status pass through as they are; the second call installs nothing and says nothing."""
    first = checkout.run("geode.sh", "run", "my file.gs", "", "--x=*")
    assert (first.returncode, first.stdout) == (7, "[run][my file.gs][][--x=*]")
    assert "making a private Python environment" in first.stderr
    notes = checkout.notes()
    assert notes[0] == "venv"
    assert notes[1].startswith("pip -m pip install")
    again = checkout.run("geode.sh", "words")
    assert (again.returncode, again.stdout, again.stderr) == (7, "[words]", "")
    assert checkout.notes() == notes


def test_half_made_or_outdated_environment_is_made_again(checkout: Checkout) -> None:
    """After a pip that failed, and after an edit of pyproject.toml, the next call starts over."""
    failed = checkout.run("geode.sh", "words", PIP_FAILS="1")
    assert (failed.returncode, failed.stdout) == (1, "")
    assert "pip could not install Geode" in failed.stderr
    assert checkout.run("geode.sh", "words").returncode == 7
    assert checkout.notes().count("venv") == 2
    with (checkout.root / "pyproject.toml").open("a") as file:
        file.write("# more\n")
    assert checkout.run("geode.sh", "words").returncode == 7
    assert checkout.notes().count("venv") == 3


def test_moved_checkout_is_installed_again(checkout: Checkout) -> None:
    """An environment holds absolute paths, so it does not move with the folder."""
    checkout.run("geode.sh", "words")
    checkout.root = checkout.root.rename(checkout.root.with_name("moved"))
    assert checkout.run("geode.sh", "words").returncode == 7
    assert checkout.notes().count("venv") == 2


@pytest.mark.parametrize(
    ("environment", "message"),
    [
        ({"NO_ENSUREPIP": "1"}, "apt-get install python3-venv"),
        ({"OLD": "1"}, "Python 3.10 or newer is needed"),
        ({"PYTHON": "/nonexistent/python3"}, "apt-get install python3 python3-venv"),
    ],
)
def test_missing_python_is_told_with_what_to_install(
    checkout: Checkout, environment: dict[str, str], message: str
) -> None:
    """Status 1, one line on stderr, nothing made."""
    done = checkout.run("geode.sh", "words", **environment)
    assert (done.returncode, done.stdout) == (1, "")
    assert message in done.stderr
    assert done.stderr.count("\n") == 1
    assert not (checkout.root / ".venv").exists()


def test_zig_is_installed_only_where_no_compiler_is_found(checkout: Checkout, tmp_path: Path) -> None:
    """With no cc, gcc or clang on PATH the ziglang package joins the environment."""
    tools = tmp_path / "tools"
    tools.mkdir()
    for name in ("sh", "dirname", "cksum", "cat", "mkdir", "chmod"):
        found = shutil.which(name)
        assert found is not None
        (tools / name).symlink_to(found)
    done = checkout.run("geode.sh", "words", PATH=str(tools))
    assert done.returncode == 7, done.stderr
    assert any("ziglang" in note for note in checkout.notes())
    (tools / "gcc").symlink_to("/bin/true")
    shutil.rmtree(checkout.root / ".venv")
    checkout.log.unlink()
    checkout.run("geode.sh", "words", PATH=str(tools))
    assert not any("ziglang" in note for note in checkout.notes())


@pytest.mark.parametrize(
    ("script", "arguments", "passed"),
    [
        ("compile.sh", ["my.gs"], "[build][--profile][fast][-o][build][--][my.gs]"),
        ("compile.sh", ["--fast", "my file.gs", "out put"], "[build][--profile][fast][-o][out put][--][my file.gs]"),
        ("assembly.sh", ["my.gs"], "[asm][my.gs]"),
        ("assembly.sh", ["--unit", "LINO", "my.gs"], "[asm][--unit][LINO][my.gs]"),
    ],
)
def test_launchers_are_commands_with_their_arguments(
    checkout: Checkout, script: str, arguments: list[str], passed: str
) -> None:
    """compile.sh is `geode build -o DIR`, assembly.sh `geode asm`, from any folder."""
    done = checkout.run(script, *arguments)
    assert (done.returncode, done.stdout) == (7, passed)


@pytest.mark.parametrize("arguments", [[], ["--slow", "my.gs"], ["a.gs", "b", "c"]])
def test_compile_with_wrong_usage_is_status_2(checkout: Checkout, arguments: list[str]) -> None:
    """No source, an unknown option, too many words."""
    done = checkout.run("compile.sh", *arguments)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith("usage: compile.sh")
