"""A command that outruns its limit is killed with what it started."""

from __future__ import annotations

import os
import subprocess
import time
from pathlib import Path

import pytest

from tests.harness.native import start


def test_a_limit_kills_what_the_command_started(tmp_path: Path) -> None:
    """The child of a shell is gone soon after."""
    with pytest.raises(subprocess.TimeoutExpired):
        start(["sh", "-c", "sleep 60 & echo $! > child; wait"], cwd=tmp_path, limit=1)
    child = int((tmp_path / "child").read_text(encoding="ascii"))
    for _ in range(100):
        if not runs(child):
            return
        time.sleep(0.05)
    pytest.fail(f"process {child} still runs")


def runs(process: int) -> bool:
    """True if there is such a process that has not ended; one that nobody waited for has."""
    try:
        os.kill(process, 0)
        state = Path(f"/proc/{process}/stat").read_text(encoding="ascii").rpartition(")")[2].split()[0]
    except (ProcessLookupError, FileNotFoundError):
        return False
    return state != "Z"
