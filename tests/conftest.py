"""Options and markers of the whole test run.

In: `--update-golden`, `--slow`, and the markers `native`, `slow` and `isa(name)`. Out: tests chosen, or skipped with
what is missing. Invariant: expected text is never rewritten where the environment has CI set.
"""

from __future__ import annotations

import os
import platform
import shutil
import signal
from functools import cache
from pathlib import Path

import pytest

from tests.harness.made_once import FOLDER


def pytest_addoption(parser: pytest.Parser) -> None:
    """Adds the options."""
    parser.addoption("--update-golden", action="store_true", help="rewrite the expected sections of tests/cases")
    parser.addoption("--slow", action="store_true", help="also run the tests marked slow")


def pytest_configure(config: pytest.Config) -> None:
    """Refuses to rewrite expected text in continuous integration."""
    if config.getoption("--update-golden") and os.environ.get("CI"):
        message = "--update-golden is refused where CI is set: expected text changes in a commit, not in a test run"
        raise pytest.UsageError(message)


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Skips what was not chosen or cannot run here."""
    for item in items:
        if item.get_closest_marker("slow") and not config.getoption("--slow"):
            item.add_marker(pytest.mark.skip(reason="a long run: choose it with --slow"))
        if item.get_closest_marker("native") and not any(map(shutil.which, ("cc", "gcc", "clang"))):
            item.add_marker(pytest.mark.skip(reason="no C compiler (cc, gcc, clang) on PATH"))
        for marker in item.iter_markers("isa"):
            if marker.args[0] not in _instruction_sets():
                item.add_marker(pytest.mark.skip(reason=f"this processor has no {marker.args[0]}"))


@pytest.fixture(scope="session", autouse=True)
def _cache_of_the_session(tmp_path_factory: pytest.TempPathFactory) -> None:
    """Builds share one cache that starts empty and is the session's own, also among parallel workers; commands that tests
    start share their compiled modules, even where Python is told to keep none."""
    base = tmp_path_factory.getbasetemp()
    root = base.parent if "PYTEST_XDIST_WORKER" in os.environ else base
    os.environ["GEODE_CACHE"] = str(root / "geode-cache")
    os.environ[FOLDER] = str(root / "made")
    os.environ["PYTHONPYCACHEPREFIX"] = str(root / "bytecode")
    os.environ.pop("PYTHONDONTWRITEBYTECODE", None)


@pytest.fixture(scope="session", autouse=True)
def _signals_of_a_terminal() -> None:
    """Programs that tests start end by signals even where the tests themselves run in the background, under `nohup`."""
    for number, handler in ((signal.SIGHUP, signal.SIG_DFL), (signal.SIGINT, signal.default_int_handler)):
        if signal.getsignal(number) == signal.SIG_IGN:
            signal.signal(number, handler)


@pytest.fixture
def update_golden(request: pytest.FixtureRequest) -> bool:
    """True if expected text is to be rewritten rather than compared."""
    return bool(request.config.getoption("--update-golden"))


@cache
def _instruction_sets() -> frozenset[str]:
    """The names that the operating system gives to what this processor can do."""
    cpuinfo = Path("/proc/cpuinfo")
    text = cpuinfo.read_text(encoding="utf-8", errors="replace") if cpuinfo.exists() else ""
    lines = [line for line in text.splitlines() if line.lower().startswith(("flags", "features"))]
    names = {name for line in lines[:1] for name in line.partition(":")[2].split()}
    if platform.machine() in {"arm64", "aarch64"}:
        names.add("neon")
    return frozenset(names)
