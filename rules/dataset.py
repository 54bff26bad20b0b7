"""The rule `dataset`: a file of data, checked, and made by its script where it is missing.

In: a call in a BUILD file; then, when its step runs, the file. Out: a target; None or a message. Invariant: a check is
keyed by the file's bytes and what was declared of it, so a file is read number by number once.
"""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

from rules import dataset_formats
from rules.action import Action, digest
from rules.attribute import NAME, Attribute
from rules.cache import Cache, open_cache, silent
from rules.dataset_formats import FORMATS, check_format
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
    format_ = values.text("format")
    sizes = {name: values.optional_integer(name) for name in ("rows", "columns", "bytes")}
    wanted = ("bytes",) if format_ == "text" else ("rows", "columns")
    for name, size in sizes.items():
        if (size is not None) != (name in wanted):
            raise ValueError(f"a dataset of format {format_} has {' and '.join(wanted)}")
    info = DatasetInfo(path, sizes["rows"] or 0, sizes["columns"] or 0, script, format_, sizes["bytes"] or 0)
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
    doc="A file of data; its label is that of the file, too.",
    attributes={
        "name": NAME,
        "src": Attribute("label", "the file", required=True, stands_for=True),
        "format": Attribute("text", "what is in it: csv, npy or text", "csv", choices=FORMATS),
        "rows": Attribute("integer", "how many rows a CSV or an array has"),
        "columns": Attribute("integer", "how many numbers a row of it has"),
        "bytes": Attribute("integer", "how long a text is"),
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
        check_format(info, (root / info.path).read_bytes())
        cache.store(action.key, action.name, {})


def _action(info: DatasetInfo, root: Path) -> Action | None:
    """The check as an action; None if there is no file."""
    try:
        data = (root / info.path).read_bytes()
    except OSError:
        return None
    parts = {
        "rule": digest(Path(__file__).read_bytes() + Path(dataset_formats.__file__).read_bytes()),
        "input": digest(data),
        "arguments": json.dumps([info.format, info.rows, info.columns, info.bytes]),
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
    if not (root / info.path).exists():
        raise BuildError(
            f"{script} ended without an error, but wrote no {info.path}\n"
            "help: the path that it is to write is its first argument, from the folder it runs in, the workspace's root"
        )
