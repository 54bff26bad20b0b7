"""Files that a program would write over another that it reads or writes, by the names that MAIN gives them.

In: the stages with their call trees, the data files. Out: GS617 in a sink, once for each word that names such a file.
Invariant: the binary refuses every pair that is told here, unless its options name other files; it looks further, at where
names lead.
"""

from __future__ import annotations

import posixpath
from collections.abc import Iterator, Sequence

from geode.diagnostics import Diagnostic, Sink
from geode.graph.call_tree import Application
from geode.graph.training_program import Stage, TrainingProgram
from geode.record import dataclass
from geode.source import Span

_WRITERS = {"save_model": "SAVE-MODEL", "save_model_all": "SAVE-MODEL-ALL", "metrics_file": "METRICS-FILE"}
_HELP = "give the file another name, here or by an option of the binary, which refuses to run so"


@dataclass(frozen=True, slots=True)
class _Output:
    writer: str
    path: str
    stage: int
    span: Span


def warn_of_files(training: TrainingProgram, trees: Sequence[tuple[Stage, Application]], sink: Sink) -> None:
    """GS617 for each file that would take the place of another one of the run."""
    told: set[Span] = set()
    outputs = [output for number, (stage, _) in enumerate(trees) for output in _outputs(stage, number)]
    for place, output in enumerate(outputs):
        problem = _clash(output, outputs[:place]) or _lost(output, training, trees)
        if problem is not None and output.span not in told:
            told.add(output.span)
            sink.add(Diagnostic("GS617", problem, output.span, help=_HELP, severity="warning"))


def _outputs(stage: Stage, number: int) -> Iterator[_Output]:
    """What a stage writes, with the files beside a model and the names under which files are written first."""
    if stage.kind == "predict":
        for name in (stage.path or "", f"{stage.path}.unfinished"):
            yield _Output("PREDICT", posixpath.normpath(name), number, stage.span)
    if stage.kind != "train":
        return
    for field, writer in _WRITERS.items():
        path = stage.settings[field]
        if not isinstance(path, str) or field not in stage.places:
            continue
        paths = [path]
        if field == "save_model":
            stem, extension = posixpath.splitext(path)
            paths += [f"{stem}.best-{kind}{extension}" for kind in ("weights", "member")]
        if field != "metrics_file":
            paths += [f"{each}.unfinished" for each in paths]
        for each in paths:
            yield _Output(writer, posixpath.normpath(each), number, stage.places[field])


def _clash(output: _Output, earlier: Sequence[_Output]) -> str | None:
    """Another word that writes the same file."""
    for other in earlier:
        if other.writer != output.writer and other.path == output.path:
            return f"`{other.writer}` and `{output.writer}` would both write {output.path}"
    return None


def _lost(output: _Output, training: TrainingProgram, trees: Sequence[tuple[Stage, Application]]) -> str | None:
    """A file that the run reads; a prediction may be what only later stages read, a model what the run goes on from."""
    for number, (stage, tree) in enumerate(trees):
        read = [table.path for table in tree.all_tables()]
        if stage.batch.data is not None and (output.writer != "PREDICT" or number <= output.stage):
            read.append(training.files[stage.batch.data.file].path)
        if output.writer in ("PREDICT", "METRICS-FILE") and stage.settings["resume_model"] is not None:
            read.append(str(stage.settings["resume_model"]))
        if output.path in map(posixpath.normpath, read):
            return f"`{output.writer}` would overwrite {output.path}, which this program reads"
    return None
