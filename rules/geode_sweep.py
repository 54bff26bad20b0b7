"""The rule `geode_sweep`: many trials of a program, as a YAML file describes them.

In: a call in a BUILD file. Out: a target with the step sweep, whose trials lie in `runs/NAME/`. Invariant: a trial is run
once; the step is done when the store says so of each.
"""

from __future__ import annotations

import signal
from collections.abc import Iterator
from pathlib import Path

from rules.attribute import NAME, Attribute
from rules.errors import BuildError, tell_error
from rules.providers import ProgramInfo, SweepInfo
from rules.rule import Context, Made, Rule
from rules.step import Step, step_name
from rules.target import Target


def _implement(context: Context) -> Made:
    (program,) = context.named("program")
    matrix = context.file("matrix")
    assert isinstance(program.provider, ProgramInfo)
    assert matrix is not None
    folder = f"runs/{context.label.name}"
    return Made((folder,), SweepInfo(str(context.label), program.provider, matrix, folder))


def _steps(target: Target, _root: Path) -> Iterator[Step]:
    info = target.provider
    assert isinstance(info, SweepInfo)
    needs = (step_name("parse", info.program.label), *(step_name("data", label) for label in info.program.data))
    yield Step("sweep", info.label, f"run {info.matrix}", _run, _is_done, info, needs=needs, outputs=(info.folder,))


def _run(step: Step, root: Path) -> str:
    """Run what is missing, which may be nothing; what runs is told as it goes. Raises BuildError if trials failed."""
    from geode.diagnostics import CompileErrors
    from rules.sweep.command import MOST_FAILED, run_command
    from rules.sweep.open_sweep import open_target
    from rules.sweep.run_sweep import Choice

    assert isinstance(step.info, SweepInfo)
    said: list[str] = []
    try:
        opened = open_target(step.info, root, said.append)
        failed = run_command(opened.sweep, opened.store, opened.build, Choice())
    except CompileErrors as error:
        raise BuildError(tell_error(error)) from None
    if failed > MOST_FAILED:
        what = f"stopped by {signal.Signals(failed - 128).name}; the next run goes on with what is missing"
        raise BuildError("\n".join([*said, f"{step.info.label}: {what}"]), status=failed)
    if failed:
        trials = "1 trial" if failed == 1 else f"{failed} trials"
        raise BuildError("\n".join([*said, f"{step.info.label}: {trials} failed"]), status=failed)
    return "\n".join(said)


def _is_done(step: Step, root: Path) -> bool:
    """Whether every trial of the sweep is done."""
    from geode.diagnostics import CompileErrors
    from rules.sweep.command import all_records, planned_trials
    from rules.sweep.open_sweep import open_target

    assert isinstance(step.info, SweepInfo)
    try:
        opened = open_target(step.info, root, lambda _: None)
        trials = planned_trials(opened.sweep, opened.store)
        records = all_records(trials, opened.store)
    except (BuildError, CompileErrors):
        return False  # the step tells what is wrong
    return all(trial.key in records and records[trial.key].state == "done" for trial in trials)


RULE = Rule(
    name="geode_sweep",
    doc="Many trials of a program, as a YAML file describes them: `runs/NAME/`, see docs/sweeps.md.",
    attributes={
        "name": NAME,
        "program": Attribute("label", "the program that runs", required=True, accepts=("geode_program",), files=False),
        "matrix": Attribute("label", "the file that says what trials there are, a .sweep.yaml", required=True),
    },
    implement=_implement,
    steps=_steps,
    groups={"sweep": "Run what is missing of every sweep."},
)
