"""Where a sweep's trials lie, and what became of each.

In: trials. Out: `Record`s. Layout of a sweep's folder: `trials/NAME/` with settings.json, metrics.jsonl, log.txt, what the
program saved, and result.json; `programs/VARIANT/` the binaries; `.work/` what runs now. Invariant: a folder under
`trials/` gets its name when it is complete, so a trial that was killed at any moment is missing, never half there. A
folder that cannot be written is a BuildError.
"""

from __future__ import annotations

import contextlib
import json
import shutil
from collections.abc import Iterator, Mapping
from dataclasses import asdict
from pathlib import Path
from typing import Any

from geode.record import dataclass
from geode.report.metrics import Metrics, Results, parse_metrics, read_metrics
from geode.settings import FIELDS
from rules.action import digest
from rules.cache import Cache
from rules.errors import BuildError
from rules.sweep.goal import Aim, value_of
from rules.sweep.trial import Trial
from rules.sweep.value import setting_text

RESULT, METRICS, LOG, SETTINGS = "result.json", "metrics.jsonl", "log.txt", "settings.json"
_FORM = "trial 1"  # what the files of a trial look like
_SAVED = ("save_model", "save_model_all")


@dataclass(frozen=True, slots=True)
class Made:
    """With what a trial's numbers were made: the binary's digest, its toolchain, compiler, profile and lanes."""

    binary: str
    toolchain: str
    compiler: str
    profile: str
    lanes: int


@dataclass(frozen=True, slots=True)
class Record:
    """What became of a trial: `state` is done or failed, `why` tells how it failed; `seconds` are of the last try, `last` is
    the last epoch's line, `files` what it saved.
    """

    key: str
    state: str
    why: str
    status: int
    tries: int
    seconds: float
    workers: int
    results: Results
    made: Made
    files: tuple[str, ...]
    last: Mapping[str, float | None]


@contextlib.contextmanager
def writing(folder: Path) -> Iterator[None]:
    """What is written in a sweep's folder within the block: an OSError there becomes a BuildError that names the folder."""
    try:
        yield
    except OSError as error:
        raise BuildError(f"cannot keep the sweep in {folder}: {error.strerror or error}") from None


@dataclass(frozen=True, slots=True)
class Store:
    """The folder of a sweep, and the cache that keeps results beside it. `looks` writes nothing."""

    folder: Path
    cache: Cache
    looks: bool = False

    def place(self, trial: Trial) -> Path:
        """The folder of a trial that ended."""
        return self.folder / "trials" / trial.name

    def work(self, trial: Trial) -> Path:
        """The folder of a trial that runs."""
        return self.folder / ".work" / trial.name

    def find(self, trial: Trial) -> Record | None:
        """What became of the trial, from the folder or from the cache; None if it has not ended, or lacks a file that it
        must save.
        """
        record = _read(self.place(trial))
        if record is not None and record.key == trial.key:
            if record.state != "done" or saved_files(trial) <= set(record.files):
                return record
            return None
        return self._restore(trial)

    def keep(self, trial: Trial, record: Record) -> None:
        """Give a finished trial its folder, and the cache its results if it is done. Raises BuildError."""
        place = self.place(trial)
        with writing(self.folder):
            text = json.dumps(asdict(record), indent=1, sort_keys=True) + "\n"
            (self.work(trial) / RESULT).write_text(text, encoding="utf-8")
            self._put(trial)
            if record.state == "done" and self.cache.outputs(_cache_key(trial)) is None:
                names = (RESULT, METRICS, LOG, SETTINGS, *record.files)
                self.cache.store(
                    _cache_key(trial), f"trial {trial.name}", {name: (place / name).read_bytes() for name in names}
                )

    def _put(self, trial: Trial) -> None:
        """What lies ready in the trial's working folder becomes its folder, in place of whatever stands there."""
        place = self.place(trial)
        place.parent.mkdir(parents=True, exist_ok=True)
        if place.is_dir() and not place.is_symlink():
            shutil.rmtree(place)
        else:
            place.unlink(missing_ok=True)
        self.work(trial).replace(place)

    def _restore(self, trial: Trial) -> Record | None:
        outputs = self.cache.outputs(_cache_key(trial))
        if outputs is None or not ({RESULT, METRICS} | saved_files(trial)) <= outputs.keys():
            return None
        if self.looks:
            data = self.cache.blob(outputs[RESULT])
            return None if data is None else _parse(data)
        files = {name: self.cache.blob(content) for name, content in outputs.items()}
        record = _parse(files[RESULT] or b"")
        if record is None or None in files.values():
            return None
        work = self.work(trial)
        shutil.rmtree(work, ignore_errors=True)
        with writing(self.folder):
            try:
                for name, data in files.items():
                    (work / name).parent.mkdir(parents=True, exist_ok=True)
                    (work / name).write_bytes(data or b"")
                self._put(trial)
            except OSError:
                shutil.rmtree(work, ignore_errors=True)  # on a full disk, of all places
                raise
        return record

    def goal(self, trial: Trial, record: Record, aim: Aim) -> float | None:
        """The goal's value of a trial that is done; at the end of the run its record tells it."""
        if aim.at == "last":
            return value_of(aim, Metrics({}, (record.last,) if record.last else ()), record.results)
        metrics = self.metrics(trial)
        return None if metrics is None else value_of(aim, metrics, record.results)

    def metrics(self, trial: Trial) -> Metrics | None:
        """The epochs of a trial that has ended, from its folder or from the cache; None if it wrote none."""
        record = _read(self.place(trial))
        try:
            if record is not None and record.key == trial.key:
                return read_metrics(self.place(trial) / METRICS)
        except OSError:
            return None
        outputs = self.cache.outputs(_cache_key(trial))
        data = self.cache.blob(outputs[METRICS]) if outputs is not None and METRICS in outputs else None
        return None if data is None else parse_metrics(data.decode(errors="replace"))

    def clear_work(self) -> None:
        """Remove what a run that was killed has left. The sweep's lock must be held."""
        shutil.rmtree(self.folder / ".work", ignore_errors=True)


def _cache_key(trial: Trial) -> str:
    """The key of a trial's results, and of the form in which they are kept."""
    return digest(f"{_FORM} {trial.key}".encode())


def saved_files(trial: Trial) -> set[str]:
    """The files that the trial saves, by their names in its folder."""
    return {
        saved_name(str(path)) for values in trial.settings for field in _SAVED if (path := values[field]) is not None
    }


def saved_name(path: str) -> str:
    """Where a trial saves what the program would save at `path`: below its own folder."""
    return Path(path).name if Path(path).is_absolute() or ".." in Path(path).parts else path


def describe(trial: Trial) -> dict[str, Any]:
    """The trial as settings.json tells it."""
    stages = [
        {"stage": number, "kind": stage.kind, "word": stage.word, **_texts(values)}
        for number, (stage, values) in enumerate(zip(trial.facts.stages, trial.settings, strict=True), 1)
    ]
    return {
        "key": trial.key,
        "point": dict(trial.point),
        "seed": trial.seed,
        "replicate": trial.replicate,
        "defines": dict(trial.defines),
        "options": list(trial.options),
        "stages": stages,
        "data": dict(trial.data),
        "graph": trial.facts.graph,
    }


def _texts(values: Mapping[str, Any]) -> dict[str, str]:
    return {FIELDS[field].word: setting_text(FIELDS[field], value) for field, value in values.items()}


def _read(folder: Path) -> Record | None:
    try:
        return _parse((folder / RESULT).read_bytes())
    except OSError:
        return None  # it has not ended


def _parse(data: bytes) -> Record | None:
    try:
        fields: dict[str, Any] = json.loads(data)
        results = fields.pop("results")
        scores = {name: (pair[0], int(pair[1])) for name, pair in results["scores"].items()}
        made = Made(**fields.pop("made"))
        files = tuple(fields.pop("files"))
        return Record(
            results=Results(scores, results["evaluated"], results["stopped"]), made=made, files=files, **fields
        )
    except (ValueError, KeyError, TypeError, IndexError):
        return None  # not written by this version: run again
