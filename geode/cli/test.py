"""`geode test`: the project's own tests."""

from __future__ import annotations

import importlib.util
import os
import subprocess
import sys
from pathlib import Path

import click

from rules.errors import BuildError

ROOT = Path(__file__).resolve().parents[2]
_NEEDED = ("pytest", "hypothesis", "numpy", "xdist")


@click.command(
    context_settings={"ignore_unknown_options": True, "help_option_names": ["--help"]},
    epilog="\b\nExamples:\n  geode test                 the default run\n  geode test --slow          the long ones too"
    "\n  geode test -k parser -x    any option of pytest",
)
@click.argument("arguments", nargs=-1, type=click.UNPROCESSED)
def command(arguments: tuple[str, ...]) -> None:
    """Run the tests of the checkout this command was installed from, two at a time; ARGUMENTS go to pytest."""
    if not (ROOT / "tests").is_dir():
        raise BuildError("the tests are not installed with Geode; run this from a checkout")
    missing = [name for name in _NEEDED if importlib.util.find_spec(name) is None]
    if missing:
        _install(missing)
    os.chdir(ROOT)
    command = [sys.executable, "-m", "pytest", *_parallel(arguments), *arguments]
    os.execv(sys.executable, command)  # noqa: S606 -- pytest's status is ours


def _parallel(arguments: tuple[str, ...]) -> list[str]:
    """Two workers where there are two cores, a module's tests on one of them, so that its fixtures are made once."""
    chosen = any(argument.startswith(("-n", "--pdb", "--trace")) for argument in arguments)
    return [] if chosen or (os.cpu_count() or 1) < 2 else ["-n", "2", "--dist", "loadscope"]


def _install(missing: list[str]) -> None:
    """Install what the tests need into the private environment that geode.sh made; elsewhere only say what to do."""
    if Path(sys.prefix).resolve() != ROOT / ".venv":
        raise BuildError(f"the tests need {', '.join(missing)}: pip install -e '{ROOT}[test]'")
    click.echo("geode: installing what the tests need", err=True)
    command = [sys.executable, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", "-e", f"{ROOT}[test]"]
    if subprocess.run(command, check=False, stdout=sys.stderr).returncode != 0:
        raise BuildError("pip could not install what the tests need")
