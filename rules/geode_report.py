"""The rule `geode_report`: a sweep as a page and as tables.

In: a call in a BUILD file. Out: a target with the step report, which writes `runs/NAME/report.html`, `results.csv` and,
where pyarrow is installed, `results.parquet`. Invariant: the sweep's step comes before; equal results give equal bytes.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from rules.attribute import NAME, Attribute
from rules.providers import ReportInfo, SweepInfo
from rules.rule import Context, Made, Rule
from rules.step import Step, never, step_name
from rules.target import Target


def _implement(context: Context) -> Made:
    (sweep,) = context.named("sweep")
    assert isinstance(sweep.provider, SweepInfo)
    folder = f"runs/{context.label.name}"
    return Made((folder,), ReportInfo(str(context.label), sweep.provider, folder))


def _steps(target: Target, _root: Path) -> Iterator[Step]:
    info = target.provider
    assert isinstance(info, ReportInfo)
    needs = (step_name("sweep", info.sweep.label),)
    doc = f"report on {info.sweep.label}"
    yield Step("report", info.label, doc, _report, never, info, needs=needs, outputs=(info.folder,))


def _report(step: Step, root: Path) -> str:
    from rules.sweep.open_sweep import open_target
    from rules.sweep.report_sweep import report_sweep

    assert isinstance(step.info, ReportInfo)
    said: list[str] = []
    opened = open_target(step.info.sweep, root, lambda _: None)  # the sweep's step tells its notes
    paths = report_sweep(opened.sweep, opened.store, root / step.info.folder, said.append)
    return "\n".join([*said, *(path.relative_to(root).as_posix() for path in paths)])


RULE = Rule(
    name="geode_report",
    doc="A sweep as one page that works offline, and as tables: `report.html`, `results.csv`, `results.parquet`.",
    attributes={
        "name": NAME,
        "sweep": Attribute("label", "the sweep that it tells of", required=True, accepts=("geode_sweep",), files=False),
    },
    implement=_implement,
    steps=_steps,
    groups={"report": "Write the page of every sweep."},
)
