"""The rule `geode_run`: one run of a program with settings of its own.

In: a call in a BUILD file. Out: a target with the step train, whose files lie in `runs/NAME/`. Invariant: a run is made
again only if its binary, options or data change; what those are is told by the store alone.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path

from rules.attribute import NAME, Attribute
from rules.cache import open_cache, silent
from rules.providers import ProgramInfo, RunInfo
from rules.rule import Context, Made, Rule
from rules.run_program import FAILED, LOG, METRICS, run_is_known, run_program
from rules.run_settings import settings_to_options
from rules.step import Step, step_name
from rules.target import Target

RUN_ATTRIBUTES: Mapping[str, Attribute] = {
    "name": NAME,
    "program": Attribute("label", "the program that runs", required=True, accepts=("geode_program",), files=False),
    "settings": Attribute("table", "settings words and values that replace the program's", {}),
    "model": Attribute("text", "the file in the run's folder that gets the weights; without it none does"),
}


def run_of(context: Context) -> RunInfo:
    """The run that a call describes. Raises ValueError with what is wrong."""
    (program,) = context.named("program")
    assert isinstance(program.provider, ProgramInfo)
    model = context.values.optional_text("model")
    if model is not None and ("/" in model or model in {LOG, METRICS, FAILED, ".", ".."}):
        raise ValueError(f"`model` cannot be `{model}`: wanted a file name of its own, such as model.safetensors")
    options = settings_to_options(context.values.table("settings"))
    return RunInfo(str(context.label), program.provider, f"runs/{context.label.name}", options, model)


def needs_of(info: RunInfo) -> tuple[str, ...]:
    """The steps before a run: its program built, its data checked."""
    return step_name("build", info.program.label), *(step_name("data", label) for label in info.program.data)


def _implement(context: Context) -> Made:
    info = run_of(context)
    return Made((info.folder,), info)


def _steps(target: Target, _root: Path) -> Iterator[Step]:
    info = target.provider
    assert isinstance(info, RunInfo)
    doc = f"run {info.program.label}{''.join(f' {option}' for option in info.options if option != '--set')}"
    yield Step("train", info.label, doc, _run, _is_known, info, needs=needs_of(info), outputs=(info.folder,))


def _run(step: Step, root: Path) -> str:
    assert isinstance(step.info, RunInfo)
    said: list[str] = []
    run_program(step.info, root, open_cache(root / "build" / ".cache", said.append))
    return "\n".join([*said, f"{step.info.folder}: done"])


def _is_known(step: Step, root: Path) -> bool:
    assert isinstance(step.info, RunInfo)
    return run_is_known(step.info, root, open_cache(root / "build" / ".cache", silent))


RULE = Rule(
    name="geode_run",
    doc="A run of a program with settings of its own: its lines, metrics and weights in `runs/NAME/`.",
    attributes=RUN_ATTRIBUTES,
    implement=_implement,
    steps=_steps,
    groups={},
)
