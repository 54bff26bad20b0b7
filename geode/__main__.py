"""`python -m geode` and the installed command `geode`: hand the arguments to the command line."""

from __future__ import annotations

import sys

from geode.cli import run_command_line
from geode.cli.stdout import guard_stdout


def main() -> None:
    """Run the command line and leave with its status."""
    guard_stdout()
    sys.exit(run_command_line(sys.argv[1:]))


if __name__ == "__main__":
    main()
