"""`geode test`: the targets of a project that test something, or Geode's own tests."""

from __future__ import annotations

import importlib.util
import os
import subprocess
import sys
from pathlib import Path

import click

from geode.cli.options import is_label
from rules.errors import BuildError

ROOT = Path(__file__).resolve().parents[2]
_NEEDED = ("pytest", "hypothesis", "numpy", "xdist", "safetensors")


@click.command(
    context_settings={"ignore_unknown_options": True, "help_option_names": ["--help"]},
    epilog="\b\nExamples:\n  geode test                 the default run\n  geode test --slow          the long ones too"
    "\n  geode test -k parser -x    any option of pytest"
    "\n  geode test //...           every geode_test of the BUILD files",
)
@click.argument("arguments", nargs=-1, type=click.UNPROCESSED)
def command(arguments: tuple[str, ...]) -> int:
    """Run the tests that labels name (`//...`, `//p:all`, `:learns`), or else Geode's own.

    Without a label, the tests of the checkout that this command was installed from run, two at a time; ARGUMENTS go to
    pytest.
    """
    labels = [argument for argument in arguments if is_label(argument)]
    if labels:
        return _run_targets(labels, [argument for argument in arguments if argument not in labels])
    if not (ROOT / "tests").is_dir():
        raise BuildError("the tests are not installed with Geode; run this from a checkout")
    missing = [name for name in _NEEDED if importlib.util.find_spec(name) is None]
    if missing:
        _install(missing)
    os.chdir(ROOT)
    command = [sys.executable, "-m", "pytest", *_parallel(arguments), *arguments]
    return os.execv(sys.executable, command)  # noqa: S606 -- pytest's status is ours


def _run_targets(labels: list[str], rest: list[str]) -> int:
    from rules.by_label import targets_of
    from rules.doit_tasks import run_tasks

    if rest:
        raise click.UsageError(f"{rest[0]} does not go with labels of targets")
    names: list[str] = []
    for label in labels:
        workspace, targets = targets_of(label, Path.cwd())
        found = [f"test:{target.label}" for target in targets if target.rule == "geode_test"]
        if not found and not label.endswith(("...", ":all")):
            raise BuildError(f"{label} is no geode_test", status=2)
        names += found
    for mistake in workspace.mistakes:
        click.echo(str(mistake), err=True)
    if not names:
        raise BuildError(f"no geode_test in {' '.join(labels)}")
    status = run_tasks(workspace.root, list(dict.fromkeys(names)))
    click.echo(_summary(len(set(names)), len(workspace.mistakes), passed=status == 0))
    return 1 if status or workspace.mistakes else 0


def _summary(tests: int, mistakes: int, *, passed: bool) -> str:
    """The last line: how many tests ran, whether they passed, and that mistakes may have kept others from it."""
    ran = "1 test" if tests == 1 else f"{tests} tests"
    end = ("passed" if tests == 1 else "all passed") if passed else ("failed" if tests == 1 else "some failed")
    if not mistakes:
        return f"{ran}, {end}"
    found = "1 mistake" if mistakes == 1 else f"{mistakes} mistakes"
    return f"{ran}, {end}; {found} in BUILD files (above): tests that depend on them did not run"


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
