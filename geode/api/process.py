"""One process of a binary: started, read line by line, ended.

In: a command, a folder to run in. Out: its lines of standard output, one by one, then its end. Invariant: the process has
ended when the iteration has, however it ended; an interrupt is passed on once, so that the run saves first.
"""

from __future__ import annotations

import re
import signal
import subprocess
from collections.abc import Generator, Sequence
from pathlib import Path
from tempfile import TemporaryFile

from geode.api.errors import RunError, warn

_SIGNALLED = (128 + signal.SIGINT, 128 + signal.SIGTERM)  # the run has ended after its epoch, in good order


def lines_of(program: Path, options: Sequence[str], folder: Path) -> Generator[str, None, None]:
    """The lines that a run prints, without line feeds. RunError at their end if the run ended with an error.

    Closing the iterator asks the run to end after its epoch, and waits for that.
    """
    command = [str(program.resolve()), *options]
    with TemporaryFile() as messages:
        try:
            # A session of its own: an interrupt reaches this process alone, which passes it on.
            process = subprocess.Popen(
                command,
                cwd=folder,
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=messages,
                text=True,
                errors="replace",
                start_new_session=True,
            )
        except OSError as error:
            raise RunError(f"cannot start {command[0]} in {folder}: {error.strerror}", 1) from None
        with process:
            assert process.stdout is not None
            try:
                for line in process.stdout:
                    yield line.rstrip("\n")
            except BaseException:  # an interrupt, or the reader has closed us
                process.send_signal(signal.SIGINT)
                for _ in process.stdout:
                    pass  # the run goes on to its epoch's end, and must not wait for a reader
                process.wait()
                raise
            status = process.wait()
        messages.seek(0)
        _tell(messages.read().decode("utf-8", errors="replace"), status)


def _tell(text: str, status: int) -> None:
    """Warns of warnings; RunError for an error."""
    if status and status not in _SIGNALLED:
        message = re.sub(r"^\S+: error: ", "", text.strip(), flags=re.MULTILINE)
        raise RunError(message or f"the run was ended by signal {-status}", status)
    for line in text.splitlines():
        if ": warning: " in line:
            warn(line.partition(": warning: ")[2])
