"""Tries every mutant of the C engine: `python -m tests.mutants [--list] [--jobs N] [TEXT ...]`.

In: texts that choose the mutants whose descriptions hold one of them, all without any. Out: a line a mutant, and if each
was noticed their rows in the table of tests/mutants/README.md. Status 0 if each was noticed, 1 if one was not, 2 usage.
Invariant: a row of the table is what the latest run of its mutant gave.
"""

from __future__ import annotations

import argparse
import re
import sys
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from queue import SimpleQueue
from tempfile import TemporaryDirectory

from tests.mutants.mutant import Mutant, MutantError
from tests.mutants.table import MUTANTS
from tests.mutants.try_mutant import Trial, copy_repository, try_mutant

README = Path(__file__).with_name("README.md")
_MARK = "<!-- results -->\n"


def main(arguments: Sequence[str]) -> int:
    """Tries the mutants that the arguments choose; returns the status."""
    parser = argparse.ArgumentParser(prog="python -m tests.mutants", description="Try mutants of the C engine.")
    parser.add_argument("text", nargs="*", help="only mutants whose description holds one of these texts")
    parser.add_argument("--jobs", type=_at_least_one, default=1, help="mutants tried at a time (default 1)")
    parser.add_argument("--list", action="store_true", help="show the mutants, try none")
    options = parser.parse_args(arguments)
    chosen = [m for m in MUTANTS if not options.text or any(text in m.what for text in options.text)]
    if not chosen:
        parser.error(f"no mutant's description holds {' or '.join(map(repr, options.text))}; --list shows them all")
    if options.list:
        sys.stdout.writelines(f"{m.file}: {m.what}\n" for m in chosen)
        return 0
    found = _try_all(chosen, options.jobs)
    trials = [trial for trial in found if isinstance(trial, Trial)]
    survivors = [trial.mutant.what for trial in trials if trial.killed_by is None]
    sys.stdout.write(f"{len(trials) - len(survivors)} of {len(found)} mutants were noticed\n")
    sys.stdout.writelines(f"not noticed: {what}\n" for what in survivors)
    sys.stderr.writelines(f"mutants: {error}\n" for error in found if isinstance(error, MutantError))
    if len(trials) - len(survivors) < len(chosen):
        return 1
    write_results(trials)
    return 0


def _at_least_one(text: str) -> int:
    """An option that counts something. ArgumentTypeError if it doesn't."""
    if not text.isdecimal() or int(text) < 1:
        raise argparse.ArgumentTypeError(f"wanted an integer at least 1, not {text!r}")
    return int(text)


def _try_all(mutants: Sequence[Mutant], jobs: int) -> list[Trial | MutantError]:
    """Every mutant in one of `jobs` copies of the repository, and what came of it."""
    with TemporaryDirectory(prefix="geode-mutants-") as folder, ThreadPoolExecutor(jobs) as pool:
        copies: SimpleQueue[Path] = SimpleQueue()
        for number in range(jobs):
            copies.put(copy_repository(Path(folder) / str(number)))

        def attempt(mutant: Mutant) -> Trial | MutantError:
            copy = copies.get()
            try:
                trial = try_mutant(mutant, copy)
            except MutantError as error:
                return error
            finally:
                copies.put(copy)
            verdict = trial.killed_by or "NOT NOTICED"
            sys.stdout.write(f"{trial.seconds:5.0f} s  {mutant.file}: {mutant.what}: {verdict}\n")
            sys.stdout.flush()
            return trial

        return list(pool.map(attempt, mutants))


def write_results(trials: Sequence[Trial]) -> None:
    """The table of who noticed what in the README: rows of what was tried now, as they were for the others."""
    head, _, table = README.read_text(encoding="utf-8").partition(_MARK)
    rows = {row.rpartition("|")[0].rpartition("|")[0]: row for row in table.splitlines() if row.startswith("| `")}
    for trial in trials:
        start = f"| `{trial.mutant.file}` | {trial.mutant.what} "
        rows[start] = f"{start}| {_test_name(trial)} |"
    known = [rows[start] for m in MUTANTS if (start := f"| `{m.file}` | {m.what} ") in rows]
    text = "\n".join(["| file | mutant | noticed by |", "|---|---|---|", *known])
    README.write_text(
        f"{head}{_MARK}{len(known)} of {len(MUTANTS)} mutants tried, all noticed.\n\n{text}\n", encoding="utf-8"
    )


def _test_name(trial: Trial) -> str:
    """The test without its parameters, whose order is an accident."""
    assert trial.killed_by is not None
    path, _, test = trial.killed_by.partition("::")
    in_c = re.match(r"test_runtime\[(\w+)-(\w+)-", test)
    if in_c:
        return f"`{in_c[1]}.c::{in_c[2]}`"
    return f"`{Path(path).name}::{test.partition('[')[0]}`"


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
