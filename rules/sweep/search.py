"""`search:` -> points that Optuna chooses, a batch at a time.

In: a sweep with a space and a sampler. Out: trials and their records, or the trials that are known. Invariant: points are
asked in batches of the file's `run: {parallel: …}` and told in the order in which they were asked, so one seed gives one
set of trials, whatever runs first, and a search that was interrupted asks for the same points again and finds their
results.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from geode.report.runs_to_table import Row, runs_to_rows
from geode.settings import FIELDS
from rules.errors import BuildError
from rules.install import install_extra
from rules.sweep.attempt import Program
from rules.sweep.collect import collect_runs
from rules.sweep.expand import Point
from rules.sweep.file_parts import Range, Search
from rules.sweep.mistakes import Mistakes
from rules.sweep.names import Field, find_field, read_value
from rules.sweep.plan_sweep import Sweep, trials_of
from rules.sweep.run_sweep import BuildWith, Choice, Defines, Watcher, run_trials
from rules.sweep.store import Record, Store
from rules.sweep.trial import Trial
from rules.sweep.value import Value
from rules.sweep.yaml_nodes import Scalar

if TYPE_CHECKING:
    import optuna

Suggest = Callable[["optuna.Trial"], Value]
Ask = Callable[[Sequence[Trial]], Mapping[str, Record] | None]


def run_search(
    sweep: Sweep, store: Store, build: BuildWith, choice: Choice, watcher: Watcher
) -> tuple[Sequence[Trial], dict[str, Record]]:
    """Run a search to its end; its trials in the order in which they were asked, and their records."""
    records: dict[str, Record] = {}
    programs: dict[Defines, Program] = {}

    def run(trials: Sequence[Trial]) -> Mapping[str, Record] | None:
        found = run_trials(sweep, trials, store, build, choice, watcher, programs)
        records.update(found)
        failed = any(record.state == "failed" for record in found.values())
        return None if len(found) < len(trials) or (failed and choice.fail_fast) else found

    return list(_search(sweep, store, run)), records


def known_trials(sweep: Sweep, store: Store) -> list[Trial]:
    """The trials that have ended, and the batch that comes next."""

    def look(trials: Sequence[Trial]) -> Mapping[str, Record] | None:
        found = {trial.key: store.find(trial) for trial in trials}
        known = {key: record for key, record in found.items() if record is not None}
        return known if len(known) == len(found) else None

    return list(_search(sweep, store, look))


def _search(sweep: Sweep, store: Store, ask: Ask) -> Iterator[Trial]:
    """The trials in order; a batch for which `ask` has not all records is the last one."""
    search = sweep.file.search
    assert search is not None
    space = space_of(search, sweep.fields, sweep.mistakes)
    study = _study(search, largest=sweep.aim.largest)
    size = sweep.file.run.parallel or 1
    seen: set[str] = set()
    for first in range(0, search.trials, size):
        asked = [study.ask() for _ in range(min(size, search.trials - first))]
        points = [Point({name: suggest(one) for name, suggest in space.items()}, search.line) for one in asked]
        of_points = [trials_of(sweep, [point]) for point in points]
        batch = [trial for trials in of_points for trial in trials]
        new = list({trial.key: trial for trial in batch if trial.key not in seen}.values())
        seen |= {trial.key for trial in new}
        records = ask(list({trial.key: trial for trial in batch}.values()))
        yield from new
        if records is None:
            return
        for one, trials in zip(asked, of_points, strict=True):
            runs = collect_runs(trials, records, store, sweep.aim)
            _tell(study, one, runs_to_rows(runs, largest=sweep.aim.largest))


def _tell(study: optuna.Study, asked: optuna.Trial, rows: list[Row]) -> None:
    """The mean over the replicates; a point that gave no number has failed."""
    import optuna

    mean = rows[0].mean if rows else None
    if mean is None:
        study.tell(asked, state=optuna.trial.TrialState.FAIL)
    else:
        study.tell(asked, mean)


def _study(search: Search, *, largest: bool) -> optuna.Study:
    try:
        import optuna
    except ImportError:
        raise BuildError(f"`search` needs Optuna: {install_extra('sweep')}, or pip install optuna") from None
    optuna.logging.set_verbosity(optuna.logging.WARNING)
    samplers = {"tpe": optuna.samplers.TPESampler, "random": optuna.samplers.RandomSampler}
    sampler = samplers[search.sampler](seed=search.seed)
    return optuna.create_study(direction="maximize" if largest else "minimize", sampler=sampler)


def space_of(search: Search, fields: Mapping[str, Field], mistakes: Mistakes) -> dict[str, Suggest]:
    """For each name of the space how a point gets its value. Raises BuildError with all mistakes."""
    space: dict[str, Suggest] = {}
    for one in search.space:
        field = find_field(one.name, fields, mistakes)
        if field is None:
            continue
        suggest = _listed(field, one, mistakes) if one.values else _ranged(field, one, mistakes)
        if suggest is not None:
            space[field.name] = suggest
    mistakes.fail_if_any()
    return space


def _listed(field: Field, one: Range, mistakes: Mistakes) -> Suggest | None:
    values = [read_value(field, scalar, mistakes) for scalar in one.values]
    known = {value.text: value for value in values if value is not None}
    return lambda trial: known[trial.suggest_categorical(field.name, list(known))]


def _ranged(field: Field, one: Range, mistakes: Mistakes) -> Suggest | None:
    """A range of numbers, whole ones where the name takes those."""
    assert one.low is not None
    assert one.high is not None
    kind = field.setting.kind if field.setting is not None else type(field.constant).__name__
    if kind not in ("integer", "real", "int", "float"):
        mistakes.add(one.name.line, f"`{field.name}` is no number: give a list of values")
        return None
    low, high = (read_value(field, scalar, mistakes) for scalar in (one.low, one.high))
    step = None if one.step is None else _step(one.step, mistakes)
    if low is None or high is None or (one.step is not None and step is None):
        return None
    if float(low.text) > float(high.text) or (one.log and float(low.text) <= 0):
        wrong = "`low` above 0 for `log: true`" if one.log else "`low` up to `high`"
        mistakes.add(one.low.line, f"`{field.name}` goes from {wrong}, not from {low.text} to {high.text}")
        return None
    if kind in ("integer", "int"):
        if step is not None and (step < 1 or step != int(step)):
            mistakes.add(one.name.line, f"`step` of `{field.name}` is an integer of at least 1")
            return None
        whole: dict[str, Any] = {"log": one.log, "step": int(step or 1)}
        lowest, highest = int(low.text), int(high.text)
        return lambda trial: _as_value(field, str(trial.suggest_int(field.name, lowest, highest, **whole)))
    low_real, high_real = float(low.text), float(high.text)
    return lambda trial: _as_value(
        field,
        _shorten(trial.suggest_float(field.name, low_real, high_real, log=one.log, step=step), low_real, high_real),
    )


def _shorten(value: float, low: float, high: float) -> str:
    """A chosen number with six digits, within its range."""
    return repr(min(max(float(f"{value:.6g}"), low), high))


def _step(scalar: Scalar, mistakes: Mistakes) -> float | None:
    alpha = Field("step", setting=FIELDS["alpha"])
    value = read_value(alpha, scalar, mistakes)
    if value is not None and float(value.text) > 0:
        return float(value.text)
    mistakes.add(scalar.line, f"`step` is a number above 0, not `{scalar.text}`")
    return None


def _as_value(field: Field, text: str) -> Value:
    """A number that the sampler chose, which lies in the range that was checked."""
    wrong = Mistakes("search")
    value = read_value(field, Scalar(text, 1), wrong)
    wrong.fail_if_any()
    assert value is not None
    return value
