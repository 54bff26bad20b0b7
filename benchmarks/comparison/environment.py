"""The peers' own Python: made once from `../peers/requirements.txt`, or one that the caller names.

In: a folder. Out: the path of a Python that has all peers. Invariant: the environment is used only if it was completed with
the requirements as they are now.
"""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

from rules.errors import BuildError

PEERS = Path(__file__).resolve().parent.parent / "peers"
REQUIREMENTS = PEERS / "requirements.txt"
_MODULES = "import cma, evosax, evotorch, jax, numpy, safetensors, threadpoolctl, torch"


def peers_python(folder: Path, given: Path | None, show: Callable[[str], None]) -> Path:
    """`given` if it has the peers, else the one in `folder`, made if need be. Raises BuildError with what pip said."""
    if given is not None:
        _check(given)
        return given.absolute()  # not resolved: a link into an environment is what makes it that environment's
    home = folder / "venv"
    python = (home / "bin" / "python").absolute()
    stamp, wanted = home / "complete.txt", REQUIREMENTS.read_text()
    if stamp.is_file() and stamp.read_text() == wanted and python.is_file():
        return python
    show("making an environment for the peers, once; a gigabyte comes over the network, minutes")
    _do([sys.executable, "-m", "venv", "--clear", str(home)], "make an environment")
    for number, packages in enumerate(steps(wanted), start=1):
        show(f"installing {number}/2: {' '.join(packages)}")
        _do([str(python), "-m", "pip", "install", "--no-input", "--disable-pip-version-check", *packages], "install")
    _check(python)
    stamp.write_text(wanted)
    return python


def steps(requirements: str) -> tuple[list[str], list[str]]:
    """PyTorch, whose build is chosen by the index, then the others, which are content with what is there."""
    lines = [line.split("#")[0].strip() for line in requirements.splitlines()]
    first = [line for line in lines if line.split("==")[0] == "torch"]
    return first, [line for line in lines if line and line not in first]


def _check(python: Path) -> None:
    try:
        done = subprocess.run([str(python), "-c", _MODULES], capture_output=True, text=True, check=False)
    except OSError as error:
        raise BuildError(f"the peers' Python {python}: {error.strerror}") from None
    if done.returncode != 0:
        raise BuildError(f"the peers' Python {python} lacks a library: {_words(done.stderr)}")


def _do(command: list[str], what: str) -> None:
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise BuildError(
            f"the peers' environment: could not {what} (status {done.returncode}): {_words(done.stderr or done.stdout)}\n"
            "  help: it wants a network and some gigabytes; --peers-python PATH names a Python that has them already"
        )


def _words(text: str) -> str:
    lines = [line for line in text.strip().splitlines() if line]
    errors = [line for line in lines if line.startswith("ERROR")]
    return (errors[:1] or lines[-1:] or ["it said nothing"])[0]
