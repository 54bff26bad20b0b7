"""Programs from Python: `Program("x.gs").build().train(epochs=20)`.

In: paths, settings as keywords, rows as arrays. Out: a `Run`, predictions, values. Invariant: builds and numbers are those of
the command line; every mistake is a `GeodeError`.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any

from geode.api.data_files import data_files_of, data_options
from geode.api.errors import BuildFailedError, GeodeError, ProgramError, RunError, SettingError, path_of, shown, warn
from geode.api.options import options_of
from geode.api.process import lines_of
from geode.api.rows import array_of, is_count, need_numpy, save_weights, write_npy
from geode.api.run import Epoch, Record, Run

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from geode.diagnostics import Diagnostic

Weights = Mapping[str, "NDArray[Any]"]


@dataclass(frozen=True, slots=True)
class BuiltProgram:
    """A program's binary, `path`. What it reads and writes by name lies in the folder in which Python runs."""

    program: Program
    path: Path
    _how: Mapping[str, Any] = field(repr=False)

    def train(
        self,
        *,
        data: Any = None,
        stages: Mapping[int, Mapping[str, Any]] | None = None,
        resume: str | os.PathLike[str] | None = None,
        stop_at_epoch: int | None = None,
        on_epoch: Callable[[Epoch], object] | None = None,
        **settings: Any,
    ) -> Run:
        """Runs MAIN to its end; returns weights and metrics.

        `settings` are fields of the settings table for all stages (`epochs=20, optimizer="adam"`), `stages` those of one
        stage (`{2: {"epochs": 5}}`). `data` stands for the program's data file, or a list for its files in order: a path, or
        an array with a row for each row. `resume` is a file to go on from, `stop_at_epoch` the number of epochs, over
        all stages, after which the run ends. `on_epoch` is called with each epoch's numbers as
        they come. Raises SettingError and RunError; an interrupt ends the run after its epoch and is raised again.
        """
        if resume is not None:
            settings["resume_model"] = path_of("resume", resume)
        if on_epoch is not None and not callable(on_epoch):
            raise GeodeError(f"`on_epoch` must be a function of an epoch's numbers, not {shown(on_epoch)}")
        need_numpy()
        options = options_of(settings, stages)
        if stop_at_epoch is not None:
            options.append(f"--stop-at-epoch={_count('stop_at_epoch', stop_at_epoch)}")
        record = Record()
        with TemporaryDirectory(prefix="geode-run-") as folder:
            description = list(lines_of(self.path, ["--describe"], Path()))
            saved = _saved_weights(description, settings, stages or {})
            if saved is None:
                saved = Path(folder) / "weights.safetensors"
                options.append(f"--save-model={saved}")
            options += [*data_options(data, data_files_of(description), Path(folder)), "--metrics"]
            with closing(lines_of(self.path, options, Path())) as lines:
                for line in lines:
                    epoch = record.take(line)
                    if epoch is not None and on_epoch is not None:
                        on_epoch(epoch)
            return record.run(saved if record.results else None)

    def predict(self, word: str, rows: Any, weights: Weights | str | os.PathLike[str], **settings: Any) -> NDArray[Any]:
        """The output of `word` for every row, `[rows, numbers]`, float32.

        `rows` is an array with a row for each row, or a number of episodes for a word that takes none. `weights` are a run's,
        or a file's. `settings` such as `seed` are those of the stage.
        """
        with TemporaryDirectory(prefix="geode-predict-") as folder:
            self._ask(Path(folder), word, rows, weights, settings, '"predictions.csv" PREDICT')
            import numpy as np

            return np.loadtxt(Path(folder) / "predictions.csv", np.float32, delimiter=",", ndmin=2)

    def evaluate(self, word: str, rows: Any, weights: Weights | str | os.PathLike[str], **settings: Any) -> float:
        """The value of an objective, or the mean of a word over the rows; arguments as those of `predict`."""
        with TemporaryDirectory(prefix="geode-evaluate-") as folder:
            record = self._ask(Path(folder), word, rows, weights, settings, "EVALUATE")
        return record.evaluations[0].value

    def _ask(
        self,
        folder: Path,
        word: str,
        rows: Any,
        weights: Weights | str | os.PathLike[str],
        settings: Mapping[str, Any],
        stage: str,
    ) -> Record:
        """Builds the program with one stage as its MAIN and runs it in `folder`."""
        from geode.api.other_main import other_main

        need_numpy()
        if not isinstance(word, str):
            raise GeodeError(f"`word` must be the name of a word, not {shown(word)}")
        if isinstance(weights, Mapping):
            given = save_weights(folder / "weights.safetensors", weights)
        elif isinstance(weights, Run):
            raise GeodeError(
                "`weights` must be arrays by their names, or a path, not a Run: `run.weights` are its arrays"
            )
        else:
            given = Path(path_of("weights", weights, "arrays by their names, or a path"))
        rows_words, kind = self._give_rows(rows, word, folder / "rows.npy")
        words = rows_words + (" ALL" if stage == "EVALUATE" and not is_count(rows) else "")
        text = other_main(self.program.path, f"{words} ['] {word} {stage}")
        source = folder / f"{self.program.path.stem}.gs"
        source.write_text(text, encoding="utf-8")
        kind = re.sub(r"[^a-z0-9-]", "_", f"{word}-{stage}-{kind}".lower())
        binary = _build(source, self.program.defines, self.path.parents[1] / kind, self._how, quiet=True)
        record = Record()
        options = options_of({**settings, "resume_model": given.resolve()})
        try:
            with closing(lines_of(binary, options, folder)) as lines:
                for line in lines:
                    record.take(line)
        except RunError as error:  # of a file that stands for the caller's arrays
            raise RunError(
                str(error).replace(f"{folder.resolve()}/weights.safetensors", "`weights`"), error.status
            ) from None
        return record

    def _give_rows(self, rows: Any, word: str, path: Path) -> tuple[str, str]:
        """Writes an array to `path`; the words that put its rows, or the episodes, on MAIN's stack, and a name for them."""
        from geode.api.row_shape import row_shape, shown_shape

        if is_count(rows):
            return f"{int(rows)} EPISODES", "0"
        table = array_of(rows)
        shape = row_shape(self.program.path, self.program.defines, word, table.shape[1:])
        write_npy(table, shape, path)
        return f'"{path.name}" {shown_shape(shape)} NPY-INPUT', shown_shape(shape)


@dataclass(frozen=True, slots=True)
class Program:
    """A `.gs` file, and values that replace CONSTANTs of it."""

    path: Path
    defines: Mapping[str, str]

    def __init__(self, path: str | os.PathLike[str], defines: Mapping[str, object] | None = None) -> None:
        if defines is not None and not isinstance(defines, Mapping):
            raise GeodeError(f"`defines` must be values by the names of CONSTANTs, not {shown(defines)}")
        object.__setattr__(self, "path", Path(path_of("path", path)))
        object.__setattr__(self, "defines", {name: str(value) for name, value in (defines or {}).items()})

    def build(
        self,
        folder: str | os.PathLike[str] | None = None,
        *,
        profile: str = "fast",
        toolchain: str | None = None,
        lanes: int | None = None,
    ) -> BuiltProgram:
        """Compiles to a binary in `folder` (default `build/NAME`), as `geode build` does, and with its cache.

        Raises ProgramError for mistakes in the program, BuildFailedError for anything else.
        """
        for name, choice in (("profile", profile), ("toolchain", toolchain)):
            if not isinstance(choice, str) and choice is not None:
                raise GeodeError(f"`{name}` must be a name, not {shown(choice)}")
        how = {"profile": profile, "toolchain": toolchain, "lanes": lanes}
        place = Path(path_of("folder", folder)) if folder is not None else Path("build") / self.path.stem
        return BuiltProgram(self, _build(self.path, self.defines, place, how), how)


def _build(
    source: Path, defines: Mapping[str, str], folder: Path, how: Mapping[str, Any], *, quiet: bool = False
) -> Path:
    """The binary. Warnings of the program become GeodeWarnings unless `quiet`."""
    from geode.diagnostics import CompileErrors
    from rules.errors import BuildError
    from rules.source_to_binary import build_source

    def show(diagnostics: Sequence[Diagnostic]) -> None:
        from geode.render import render

        if not quiet:
            warn(render(diagnostics, colour=False).rstrip("\n"))

    try:
        built = build_source(str(source), defines, folder=folder, warn=_ignore, show=show, **how)
    except CompileErrors as error:
        raise ProgramError(error.diagnostics) from None
    except BuildError as error:
        raise BuildFailedError(error.message) from None
    return built.result.program.resolve()


def _count(what: str, value: object) -> int:
    """An argument that counts something. SettingError if it doesn't."""
    number = getattr(value, "item", lambda: value)() if getattr(value, "shape", None) == () else value
    if type(number) is not int or not 0 <= number < 2**64:
        raise SettingError(f"`{what}` must be a number of epochs, not {shown(value)}")
    return number


def _ignore(_: str) -> None:
    """Lines about the build tell nothing that a result doesn't."""


def _saved_weights(
    description: Sequence[str], settings: Mapping[str, Any], stages: Mapping[int, Mapping[str, Any]]
) -> Path | None:
    """Where the last TRAIN stage saves its weights, by the program's own words or by the call's."""
    found = None
    for line in description:
        if line.startswith("settings ") and " kind=train " in line:
            stage = int(line.partition(" stage=")[2].partition(" ")[0])
            written = line.partition(" save-model=")[2].partition(" save-model-all=")[0]
            own = settings.get("save_model", None if written in ("", "none") else written)
            found = stages.get(stage, {}).get("save_model", own)
    return None if found is None else Path(found)
