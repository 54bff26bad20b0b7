"""`python -m geode` and the installed command `geode`: hand the arguments to the command line."""

from __future__ import annotations

import gc
import sys

_OBJECTS = 50_000  # made between two looks for garbage; Python's own 700 cost a command a twentieth of its time


def main() -> None:
    """Run the command line and leave with its status."""
    gc.set_threshold(_OBJECTS)  # before the imports, which make most objects of a short command
    from geode.cli import run_command_line
    from geode.cli.stdout import guard_stdout

    guard_stdout()
    status = run_command_line(sys.argv[1:])
    gc.freeze()  # the process ends: nothing needs to be looked through again
    sys.exit(status)


if __name__ == "__main__":
    main()
