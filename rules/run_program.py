"""One run of a built program as an action: known by its binary, options and data, its files kept in the store.

In: a `RunInfo`. Out: `runs/NAME/log.txt` (what the program printed), `metrics.jsonl` and, where it is asked for, the file
with the weights. Invariant: the folder holds the files of one whole run or none; a run that fails is not kept, and its log
is then `failed.txt` there.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterable
from pathlib import Path

from rules.action import Action, digest
from rules.cache import Cache, restore
from rules.death import dies_with_this
from rules.errors import BuildError
from rules.program_steps import program_path
from rules.providers import RunInfo

LOG, METRICS, FAILED = "log.txt", "metrics.jsonl", "failed.txt"
_DATA = re.compile(r'^\s*\{"((?:[^"\\\n]|\\.)*)", GS_DATA_', re.MULTILINE)  # a data file in program.c
_UNFINISHED = ".unfinished"
_SHOWN = 5  # lines of a failed run's log that its message repeats


def run_is_known(info: RunInfo, root: Path, cache: Cache) -> bool:
    """Whether this run was made before, and its files are in place as it left them."""
    action = _action(info, root)
    outputs = cache.outputs(action.key) if action else None
    return outputs is not None and all(_digest(root / info.folder / name) == value for name, value in outputs.items())


def run_program(info: RunInfo, root: Path, cache: Cache) -> Path:
    """Run the program, unless the store has this run's files; the folder with them.

    What it prints goes to stdout as it comes. Raises BuildError if it fails or reads a file that is not declared.
    """
    folder = root / info.folder
    action = _action(info, root)
    if action is None:
        raise BuildError(f"{program_path(info.program)} or a file in its `data` is missing: build {info.program.label}")
    outputs = cache.outputs(action.key)
    if outputs is not None:
        found = {name: cache.blob(content) for name, content in outputs.items()}
        if None not in found.values():
            _put(folder, {name: data for name, data in found.items() if data is not None})
            return folder
    _refuse_undeclared(info, root)
    _remove_abandoned(folder)
    made = folder.parent / f".{folder.name}.{os.getpid()}{_UNFINISHED}"
    made.mkdir(parents=True)
    try:
        files = _run(info, root, made)
    finally:
        shutil.rmtree(made, ignore_errors=True)
    cache.store(action.key, action.name, files)
    cache.publish([action.key])
    _put(folder, files)
    return folder


def _action(info: RunInfo, root: Path) -> Action | None:
    """The run as an action; None if the binary or a data file is missing."""
    inputs = {"the program": root / program_path(info.program)}
    inputs |= {f"input {path}": root / path for path in info.program.data_files}
    parts = {name: _digest(path) for name, path in inputs.items()}
    if "" in parts.values():
        return None
    rule = {"rule": digest(Path(__file__).read_bytes()), "arguments": json.dumps([info.options, info.model])}
    return Action(f"run {info.label}", info.folder, {**rule, **parts})


def files_read(program_c: Path) -> list[str]:
    """The data files that a built program names, from its C text."""
    return _DATA.findall(program_c.read_text(encoding="utf-8"))


def _refuse_undeclared(info: RunInfo, root: Path) -> None:
    """Check that the data files named in the program are among the inputs of the run."""
    known = {os.path.normpath(path) for path in info.program.data_files}
    for path in files_read(root / info.program.folder / "c" / "program.c"):
        if os.path.normpath(path) not in known:
            raise BuildError(
                f"{info.program.label} reads {path}, which is not in its `data`, so this run could not be told from one "
                "with other rows\nhelp: name the file, or its dataset, in `data`"
            )


def _digest(path: Path) -> str:
    try:
        return digest(path.read_bytes())
    except OSError:
        return ""


def _run(info: RunInfo, root: Path, made: Path) -> dict[str, bytes]:
    """Run the program with its files in the folder `made`; their bytes by name."""
    command = [str(root / program_path(info.program)), *info.options, "--metrics-file", str(made / METRICS)]
    if info.model is not None:
        command += ["--save-model", str(made / info.model)]
    lines: list[str] = []
    try:
        with subprocess.Popen(
            command,
            cwd=root,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            stdin=subprocess.DEVNULL,
            text=True,
            errors="replace",
            preexec_fn=dies_with_this(),  # noqa: PLW1509 -- it calls the kernel and nothing else
        ) as process:
            assert process.stdout is not None
            for line in process.stdout:
                lines.append(line.replace(str(made) + "/", ""))
                sys.stdout.write(lines[-1])
                sys.stdout.flush()
    except OSError as error:
        raise BuildError(f"cannot start {command[0]}: {error.strerror}") from None
    if process.returncode != 0:
        _put(root / info.folder, {FAILED: "".join(lines).encode()})
        last = "".join(f"\n  {line.rstrip()}" for line in lines[-_SHOWN:])
        raise BuildError(f"{info.label}: the program ended with status {process.returncode}{last}")
    files = {LOG: "".join(lines).encode()}
    for name in (METRICS, info.model):
        if name is not None and (made / name).is_file():
            files[name] = (made / name).read_bytes()
    return files


def _remove_abandoned(folder: Path) -> None:
    """Remove what runs left that were killed."""
    for path in folder.parent.glob(f".{folder.name}.*{_UNFINISHED}"):
        process = path.name.removesuffix(_UNFINISHED).rpartition(".")[2]
        try:
            os.kill(int(process), 0)
        except ProcessLookupError:
            shutil.rmtree(path, ignore_errors=True)
        except (ValueError, PermissionError):
            continue  # of another user's process, or none of ours


def _put(folder: Path, files: dict[str, bytes]) -> None:
    """Make `folder` hold `files` and no others of a run."""
    _remove(path for path in folder.glob("*") if path.is_file() and path.name not in files)
    for name, data in files.items():
        if _digest(folder / name) != digest(data):
            restore(folder / name, data, executable=False)


def _remove(paths: Iterable[Path]) -> None:
    for path in paths:
        path.unlink(missing_ok=True)
