"""The rule `dataset`: a CSV file of numbers, checked, and made by its script where it is missing.

In: a call in a BUILD file; then, when its step runs, the file. Out: a target; None or a message. Invariant: a check is
keyed by the file's bytes and what was declared of it, so a file is read number by number once.
"""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

from rules.action import Action, digest
from rules.attribute import NAME, Attribute
from rules.cache import Cache, open_cache, silent
from rules.errors import BuildError
from rules.providers import DatasetInfo
from rules.rule import Context, Made, Rule
from rules.step import Step, step_name
from rules.target import Target


def _implement(context: Context) -> Made:
    values = context.values
    path = context.file("src")
    assert path is not None
    script = context.file("script")
    info = DatasetInfo(path, values.integer("rows"), values.integer("columns"), script)
    return Made((path,), info)


def _steps(target: Target, _root: Path) -> Iterator[Step]:
    info = target.provider
    assert isinstance(info, DatasetInfo)
    doc = f"check {info.path}" if info.script is None else f"check {info.path}, made by {info.script}"
    needs = tuple(step_name("data", str(label)) for label in target.needs)
    yield Step("data", str(target.label), doc, _make, _is_checked, info, needs=needs)


def _make(step: Step, root: Path) -> str:
    assert isinstance(step.info, DatasetInfo)
    said: list[str] = []
    make_dataset(step.info, root, open_cache(root / "build" / ".cache", said.append))
    return "\n".join(said)


def _is_checked(step: Step, root: Path) -> bool:
    assert isinstance(step.info, DatasetInfo)
    return dataset_is_checked(step.info, root, open_cache(root / "build" / ".cache", silent))


RULE = Rule(
    name="dataset",
    doc="A CSV file of numbers; its label is that of the file, too.",
    attributes={
        "name": NAME,
        "src": Attribute("label", "the CSV file, one row a line", required=True, stands_for=True),
        "rows": Attribute("integer", "how many rows it has", required=True),
        "columns": Attribute("integer", "how many numbers a row has", required=True),
        "script": Attribute("label", "a Python script that writes the file named by its argument"),
        "data": Attribute("labels", "what the script reads", (), accepts=("dataset",)),
    },
    implement=_implement,
    steps=_steps,
    groups={"data": "Check every data set, and make those that are missing."},
)


def dataset_is_checked(info: DatasetInfo, root: Path, cache: Cache) -> bool:
    """Whether the file's bytes were found good before."""
    action = _action(info, root)
    return action is not None and cache.outputs(action.key) is not None


def make_dataset(info: DatasetInfo, root: Path, cache: Cache) -> None:
    """Write the file if it is missing and has a script; then check it. Raises BuildError with its place."""
    if info.script is not None and not (root / info.path).exists():
        _write(info, root, info.script)
    action = _action(info, root)
    if action is None:
        raise BuildError(f"{info.path} is missing, and no script makes it")
    if cache.outputs(action.key) is None:
        _check(info, (root / info.path).read_bytes())
        cache.store(action.key, action.name, {})


def _action(info: DatasetInfo, root: Path) -> Action | None:
    """The check as an action; None if there is no file."""
    try:
        data = (root / info.path).read_bytes()
    except OSError:
        return None
    parts = {
        "rule": digest(Path(__file__).read_bytes()),
        "input": digest(data),
        "arguments": json.dumps([info.rows, info.columns]),
    }
    return Action(f"check {info.path}", info.path, parts)


def _write(info: DatasetInfo, root: Path, script: str) -> None:
    done = subprocess.run(
        [sys.executable, script, info.path],
        cwd=root,
        capture_output=True,
        text=True,
        errors="replace",
        check=False,
        stdin=subprocess.DEVNULL,
    )
    if done.returncode != 0:
        last = (done.stderr or done.stdout).strip().splitlines()[-1:]
        raise BuildError(f"{script} could not write {info.path}: {''.join(last) or 'it said nothing'}")


def _check(info: DatasetInfo, data: bytes) -> None:
    lines = data.decode("utf-8", errors="replace").splitlines()
    header = bool(lines) and not _is_number(lines[0].partition(",")[0])  # skipped, as by CSV-INPUT
    rows = [(number, line) for number, line in enumerate(lines, 1) if line.strip() and not (header and number == 1)]
    if len(rows) != info.rows:
        raise BuildError(f"{info.path} has {len(rows)} rows, its BUILD file says {info.rows}")
    for number, line in rows:
        fields = line.split(",")
        if len(fields) != info.columns:
            raise BuildError(f"{info.path}:{number}: {len(fields)} columns, its BUILD file says {info.columns}")
        for column, field in enumerate(fields, 1):
            if not _is_number(field):
                raise BuildError(f"{info.path}:{number}: column {column}: `{field.strip()}` is not a number")


def _is_number(field: str) -> bool:
    try:
        float(field)
    except ValueError:
        return False
    return "_" not in field
