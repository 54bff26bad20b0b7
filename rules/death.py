"""Child processes that end when the process that started them does, also if that is killed.

Invariant: on Linux the kernel sees to it; elsewhere a child of a killed process goes on.
"""

from __future__ import annotations

import ctypes
import os
import signal
import sys
from collections.abc import Callable

_LIBC = ctypes.CDLL(None, use_errno=True) if sys.platform == "linux" else None
_DEATH_SIGNAL = 1  # PR_SET_PDEATHSIG


def dies_with_this() -> Callable[[], None] | None:
    """What a new process is to do first (`preexec_fn` of Popen); None where there is nothing to do."""
    parent = os.getpid()
    return None if _LIBC is None else lambda: die_with(parent)


def die_with(parent: int) -> None:
    """End this process when `parent`, which started it, ends, also if that has happened already."""
    if _LIBC is None:
        return
    _LIBC.prctl(_DEATH_SIGNAL, signal.SIGKILL, 0, 0, 0)
    if os.getppid() != parent:
        os._exit(1)
