"""A sweep's records -> report.html, results.csv and results.parquet in a folder.

In: a planned sweep, its store. Out: the paths that were written. Invariant: files are replaced whole, and a report of a
sweep that is not done yet tells what is missing.
"""

from __future__ import annotations

import os
import shlex
import tempfile
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

from geode.report.runs_to_files import columns_to_csv, columns_to_parquet, runs_to_columns
from geode.report.runs_to_report import runs_to_report
from rules.cache import write_if_changed
from rules.errors import BuildError
from rules.install import install_extra
from rules.sweep.collect import collect_results, collect_runs
from rules.sweep.command import all_records, planned_trials
from rules.sweep.plan_sweep import Sweep
from rules.sweep.store import Store

PAGE, CSV, PARQUET = "report.html", "results.csv", "results.parquet"


def report_sweep(sweep: Sweep, store: Store, folder: Path, say: Callable[[str], None]) -> list[Path]:
    """Write the page and the tables in `folder`; their paths.

    Raises BuildError if no trial has ended, or nothing can be written.
    """
    store = replace(store, looks=True)  # what it tells of stays where it is
    trials = planned_trials(sweep, store)
    records = all_records(trials, store)
    if not records:
        raise BuildError(f"no trial of {sweep.file.path} has ended yet: geode sweep run {shlex.quote(sweep.file.path)}")
    runs = collect_runs(trials, records, store, sweep.aim, curves=True)
    results = collect_results(sweep, trials, runs)
    columns = runs_to_columns(runs, results.axes, sweep.aim.metric)
    page, csv, parquet = (folder / name for name in (PAGE, CSV, PARQUET))
    try:
        folder.mkdir(parents=True, exist_ok=True)
        write_if_changed(page, runs_to_report(results).encode())
        write_if_changed(csv, columns_to_csv(columns).encode())
        written = [page, csv]
        handle, temporary = tempfile.mkstemp(dir=folder, prefix=".new-")
        os.close(handle)
        try:
            if columns_to_parquet(columns, Path(temporary)):
                Path(temporary).chmod(0o644)
                Path(temporary).replace(parquet)
                written.append(parquet)
            else:
                say(f"{PARQUET} is not written: it needs pyarrow ({install_extra('sweep')}, or pip install pyarrow)")
        finally:
            Path(temporary).unlink(missing_ok=True)
    except OSError as error:
        raise BuildError(f"cannot write the report in {folder}: {error.strerror}") from None
    return written
