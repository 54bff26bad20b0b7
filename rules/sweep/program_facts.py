"""A program -> what a sweep has to know of it, without a compiler: CONSTANTs, stages, data files, a digest of its graph.

In: a `.gs` path and `-D` values. Out: `Facts`, remembered in the cache by the source with what it includes, the values and
the front end.
Invariant: the digest covers what a run computes (graphs, parameters, stages) and neither the emitted text nor positions,
so editing a comment or the emitter leaves every trial's result valid.
"""

from __future__ import annotations

import functools
import hashlib
import json
import sys
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

from geode.record import dataclass
from geode.settings import Value as SettingValue
from rules.action import Action, digest
from rules.cache import Cache
from rules.gs_inputs import included_files

if TYPE_CHECKING:
    from geode.graph.call_tree import Application
    from geode.graph.values import TableFile
    from geode.pipeline import CheckedProgram

_PACKAGE = Path(__file__).resolve().parents[2] / "geode"
_FRONT = ("syntax", "vocabulary", "graph")  # folders of geode/ that decide what a program means
_OUTPUT = "facts.json"


@dataclass(frozen=True, slots=True)
class StageFacts:
    """A stage: `train`, `evaluate` or `predict`, its word, and every setting by field."""

    kind: str
    word: str
    settings: Mapping[str, SettingValue]


@dataclass(frozen=True, slots=True)
class Facts:
    """A program: CONSTANTs with their values, stages, paths of data files and of TABLE's files in order, and the digest of
    what it computes.
    """

    name: str
    constants: Mapping[str, int | float | str]
    stages: tuple[StageFacts, ...]
    files: tuple[str, ...]
    tables: tuple[str, ...]
    graph: str

    @property
    def trained(self) -> StageFacts | None:
        """The last stage that trains; its settings are those that tables show."""
        return next((stage for stage in reversed(self.stages) if stage.kind == "train"), None)


def program_facts(source: str, defines: Mapping[str, str], cache: Cache) -> Facts:
    """The facts of the program in the file `source`. Raises CompileErrors if it is wrong."""
    from geode.syntax.file_to_text import file_to_text

    text = file_to_text(source)
    included = included_files(source, text.text.encode())
    parts = {
        "kind": "facts",
        "name": Path(source).stem,
        "the program's text": digest(text.text.encode()),
        "included": json.dumps(included),
        "-D": json.dumps(dict(defines), sort_keys=True),
        "rule": digest(Path(__file__).read_bytes()),
        "the front end": _front_end(),
        "Python": f"{sys.version_info.major}.{sys.version_info.minor}",
    }
    action = Action(f"facts {parts['name']}", _OUTPUT, parts)
    known = _recall(action, cache) if included is not None else None
    if known is not None:
        return known
    from geode.pipeline import check_program

    facts = _facts(check_program(text, defines=defines))
    if included is not None:  # what is read is in the key
        cache.store(action.key, action.name, {_OUTPUT: json.dumps(asdict(facts), sort_keys=True).encode()})
    return facts


def _recall(action: Action, cache: Cache) -> Facts | None:
    outputs = cache.outputs(action.key)
    data = cache.blob(outputs[_OUTPUT]) if outputs and _OUTPUT in outputs else None
    if data is None:
        return None
    fields: dict[str, Any] = json.loads(data)
    stages = tuple(StageFacts(**stage) for stage in fields.pop("stages"))
    return Facts(stages=stages, files=tuple(fields.pop("files")), tables=tuple(fields.pop("tables")), **fields)


@functools.cache
def _front_end() -> str:
    """A digest of the files that decide what a program means."""
    found = sorted(_PACKAGE.glob("*.py"))
    for folder in _FRONT:
        found += sorted(path for path in (_PACKAGE / folder).rglob("*") if path.suffix in (".py", ".gs", ".json"))
    return digest(b"".join(path.name.encode() + b"\0" + path.read_bytes() for path in found))


def _facts(checked: CheckedProgram) -> Facts:
    stages = tuple(StageFacts(item.stage.kind, item.stage.word, dict(item.stage.settings)) for item in checked.stages)
    hash_ = hashlib.sha256()
    for parameter in checked.parameters:
        told = (parameter.name, parameter.shape, parameter.kind, parameter.trainable, parameter.init)
        hash_.update(f"{told} {float(parameter.init_value).hex()}\n".encode())
    for file in checked.training.files:
        hash_.update(f"file {file.kind} {file.shape}\n".encode())
    tables = tuple(dict.fromkeys(table for item in checked.stages for table in item.root.all_tables()))
    for table in tables:
        hash_.update(f"table {table.shape}\n".encode())
    for item in checked.stages:
        stage = item.stage
        hash_.update(f"stage {stage.kind} {stage.batch} {stage.path}\n".encode())
        for line in _tree(item.root, tables):
            hash_.update(line.encode())
    files = tuple(file.path for file in checked.training.files)
    paths = tuple(table.path for table in tables)
    return Facts(checked.name, dict(checked.environment.constants), stages, files, paths, hash_.hexdigest())


def _tree(application: Application, tables: Sequence[TableFile]) -> Sequence[str]:
    """The graphs of a call tree with the names of parameters and random call sites and the places of tables, callers first."""
    from geode.graph.graph_to_text import graph_to_text

    names = [parameter.name for parameter in application.parameters]
    callees = [call.word for call in application.calls]
    places = [tables.index(table) for table in application.tables]
    lines = [
        graph_to_text(application.graph(), (), callees),
        f"{application.row_word} {application.constants} {names} {application.sites} {places} {len(callees)}\n",
    ]
    for call in application.calls:
        lines += _tree(call, tables)
    return lines
