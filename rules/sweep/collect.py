"""Trials and what became of them -> the runs that tables and reports are made of.

In: trials in order, their records. Out: `Run`s, `Results`. Invariant: goals that a record tells by itself need no file of
metrics, so a sweep of many trials is ranked without reading them.
"""

from __future__ import annotations

import shlex
from collections.abc import Mapping, Sequence

from geode.report.runs_to_report import Results
from geode.report.runs_to_table import Curve, Run
from geode.settings import FIELDS
from rules.sweep.goal import Aim
from rules.sweep.plan_sweep import Sweep
from rules.sweep.store import LOG, Record, Store
from rules.sweep.trial import Trial
from rules.sweep.value import setting_text

_OWN = ("seed", "metrics_file", "workers")  # differ from trial to trial, or change nothing


def collect_runs(
    trials: Sequence[Trial], records: Mapping[str, Record], store: Store, aim: Aim, *, curves: bool = False
) -> list[Run]:
    """A run for each trial, with its learning curve if `curves`."""
    return [_run(trial, records.get(trial.key), store, aim, curves=curves) for trial in trials]


def _run(trial: Trial, record: Record | None, store: Store, aim: Aim, *, curves: bool) -> Run:
    point = dict(trial.point)
    if record is None:
        return Run(trial.name, point, trial.seed, "missing")
    done = record.state == "done"
    return Run(
        trial.name,
        point,
        trial.seed,
        record.state,
        store.goal(trial, record, aim) if done else None,
        record.why,
        "" if done else last_line(store, trial),
        record.seconds,
        record.tries,
        {**record.last, **record.results.evaluated},
        {
            "toolchain": record.made.toolchain,
            "compiler": record.made.compiler,
            "profile": record.made.profile,
            "binary": record.made.binary[:16],
        },
        _curve(trial, record, store, aim) if curves and done else (),
    )


def _curve(trial: Trial, record: Record, store: Store, aim: Aim) -> Curve:
    """The goal's metric by epoch; where EVALUATE gives the goal, the center if it was scored, else the mean."""
    metrics = store.metrics(trial)
    if metrics is None:
        return ()
    epochs = metrics.epochs
    name = curve_metric(aim, [epoch.keys() for epoch in epochs[:1]])
    points = [(float(epoch["epoch"] or 0), epoch.get(name)) for epoch in epochs if name in epoch]
    last = record.results.scores.get("last")
    return (*points, (float(last[1]), last[0])) if name == "center" and last is not None else tuple(points)


def curve_metric(aim: Aim, known: Sequence[object] = ()) -> str:
    """The metric that learning curves show."""
    if not aim.evaluated:
        return aim.metric
    return "center" if any("center" in keys for keys in known if hasattr(keys, "__contains__")) else "mean"


def last_line(store: Store, trial: Trial) -> str:
    """What a trial said last: the first line of its error if it told one."""
    try:
        text = (store.place(trial) / LOG).read_text(encoding="utf-8", errors="replace")
    except OSError:
        return "its log is gone"
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    told = [line for line in lines if "error" in line]
    return (told or lines or ["it said nothing"])[-1]


def collect_results(sweep: Sweep, trials: Sequence[Trial], runs: Sequence[Run]) -> Results:
    """All that the page tells."""
    axes = tuple(dict.fromkeys(name for trial in trials for name in trial.point))
    chosen = {given.name: given.value.text for given in sweep.resolved.fixed}
    if sweep.file.replicates is not None:
        chosen["replicates"] = str(sweep.file.replicates)
    graphs = dict.fromkeys(trial.facts.graph for trial in trials)
    digests = {f"graph {n}" if len(graphs) > 1 else "graph": graph for n, graph in enumerate(graphs, 1)}
    digests |= {path: content for trial in trials for path, content in trial.data.items()}
    return Results(
        sweep.name,
        sweep.source,
        str(sweep.aim),
        sweep.aim.metric,
        sweep.aim.largest,
        axes,
        tuple(runs),
        _shared(trials),
        chosen,
        digests,
        f"geode sweep run {shlex.quote(sweep.file.path)}",
    )


def _shared(trials: Sequence[Trial]) -> dict[str, str]:
    """The settings of the last stage that trains, where all trials agree, and the program's CONSTANTs likewise."""
    found: list[dict[str, str]] = []
    for trial in trials:
        last = max(n for n, stage in enumerate(trial.facts.stages) if stage.kind == "train")
        values = trial.settings[last]
        told = {FIELDS[f].word: setting_text(FIELDS[f], v) for f, v in values.items() if f in FIELDS and f not in _OWN}
        found.append({**told, **{name: str(value) for name, value in trial.facts.constants.items()}})
    first = found[0] if found else {}
    return {name: text for name, text in first.items() if all(other.get(name) == text for other in found)}
