"""The rule `geode_test`: one run of a program, and what its metrics must be.

In: a call in a BUILD file. Out: a target with the step test, whose files lie in `runs/NAME/`. Invariant: a test that passed
is done until its binary, options, data or expectations change; one that failed is not, but its run is not made twice.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

from rules.attribute import Attribute
from rules.cache import open_cache, silent
from rules.errors import BuildError
from rules.expectation import metrics_of, parse_expectation, unfulfilled
from rules.geode_run import RUN_ATTRIBUTES, needs_of, run_of
from rules.providers import RunTestInfo
from rules.rule import Context, Made, Rule
from rules.run_program import LOG, run_is_known, run_program
from rules.step import Step
from rules.target import Target


def _implement(context: Context) -> Made:
    run = run_of(context)
    expect = context.values.texts("expect")
    if not expect:
        raise ValueError("`expect` of geode_test is empty: a test without an expectation cannot fail")
    for text in expect:
        parse_expectation(text)
    return Made((run.folder,), RunTestInfo(run, expect))


def _steps(target: Target, root: Path) -> Iterator[Step]:
    info = target.provider
    assert isinstance(info, RunTestInfo)
    info = _with_center(info, root)
    doc = f"run {info.run.program.label}, expect {', '.join(info.expect)}"
    yield Step(
        "test", info.run.label, doc, _test, _has_passed, info, needs=needs_of(info.run), outputs=(info.run.folder,)
    )


def _with_center(info: RunTestInfo, root: Path) -> RunTestInfo:
    """The same with EVALUATE-EVERY on, if `center` is expected and neither the test nor the program says how often."""
    program = info.run.program
    expected = any(parse_expectation(text).name == "center" for text in info.expect)
    if not expected or any("EVALUATE-EVERY" in option.upper() for option in info.run.options):
        return info
    for path in (program.source, *program.libraries):
        try:
            if "EVALUATE-EVERY" in (root / path).read_text(encoding="utf-8").upper():
                return info
        except (OSError, UnicodeDecodeError):
            continue  # the front end says what is wrong
    options = (*info.run.options, "--set", "EVALUATE-EVERY=1")
    return replace(info, run=replace(info.run, options=options))


def _test(step: Step, root: Path) -> str:
    info = step.info
    assert isinstance(info, RunTestInfo)
    said: list[str] = []
    folder = run_program(info.run, root, open_cache(root / "build" / ".cache", said.append))
    wrong = _wrong(info, folder)
    if wrong:
        raise BuildError("\n".join([*said, *(f"{info.run.label}: {line}" for line in wrong)]))
    return "\n".join([*said, f"{info.run.label}: passed"])


def _has_passed(step: Step, root: Path) -> bool:
    info = step.info
    assert isinstance(info, RunTestInfo)
    cache = open_cache(root / "build" / ".cache", silent)
    return run_is_known(info.run, root, cache) and not _wrong(info, root / info.run.folder)


def _wrong(info: RunTestInfo, folder: Path) -> list[str]:
    lines = (folder / LOG).read_text(encoding="utf-8", errors="replace").splitlines()
    return unfulfilled([parse_expectation(text) for text in info.expect], metrics_of(lines))


RULE = Rule(
    name="geode_test",
    doc="A run of a program with expectations on its metrics.",
    attributes={
        **RUN_ATTRIBUTES,
        "expect": Attribute("texts", "what must hold of the metrics, such as `center < 0.05`", required=True),
    },
    implement=_implement,
    steps=_steps,
    groups={"test": "Run every test of the BUILD files."},
)
