"""Missing actions -> build.ninja -> ninja.

In: command lines as words, edges for the misses. Out: None, or the log of what failed. Invariant: every word reaches
the compiler as it is (quoted for the shell and for ninja); the environment is the one given and nothing else.
"""

from __future__ import annotations

import contextlib
import os
import shlex
import shutil
import signal
import subprocess
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from geode.emit.template import render_template
from geode.record import dataclass
from rules.cache import write_if_changed
from rules.errors import BuildError
from rules.progress import Watch

_LOG = Path("o/.ninja_log")
_PAUSE = 0.2  # seconds between two looks at how far ninja is
_GRACE = 0.5  # seconds that ninja has to end its compilers after a Ctrl-C
_INTERRUPTED = (130, -signal.SIGINT, -signal.SIGTERM, -signal.SIGHUP)
_BY_USER = "interrupted by user"  # in ninja's words


@dataclass(frozen=True, slots=True)
class Edge:
    """One compile: a source file, as told to the compiler, the object it gives, whether it is for any processor, and what
    it gets beside the flags of all, quoted for the shell."""

    source: str
    output: str
    plain: bool
    defines: str = ""


def run_ninja(
    template: Path,
    folder: Path,
    commands: Mapping[str, Sequence[str]],
    *,
    edges: Sequence[Edge],
    objects: Sequence[str],
    program: str,
    environment: Mapping[str, str],
    lock: int,
    watch: Watch | None = None,
) -> str | None:
    """Write `folder`/build.ninja with `edges` and the link of `objects` to `program`, and run it there.

    `environment` is all that the compilers see; they keep the file `lock` open. `watch` is told how far the edges are.
    Returns None, or ninja's output if an action failed. Raises BuildError (status 130) if a signal ended ninja.
    """
    text = render_template(
        template,
        **{name: _escape(shlex.join(words)) for name, words in commands.items()},
        compiles=[_escape_edge(edge) for edge in edges],
        objects=" ".join(map(_escape_path, objects)),
        program=_escape_path(program),
    )
    write_if_changed(folder / "build.ninja", text.encode())
    (folder / _LOG).unlink(missing_ok=True)  # from here on it tells of this run alone
    process = subprocess.Popen(
        [_ninja(), "-j", str(_cores()), "--quiet", program],
        cwd=folder,
        env=dict(environment),
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        errors="replace",
        pass_fds=(lock,),
        stdin=subprocess.DEVNULL,
    )
    said = _until_it_ends(
        process, lambda: watch(min(len(finished(folder)), len(edges)), len(edges)) if watch and edges else None
    )
    if process.returncode in _INTERRUPTED or (process.returncode != 0 and _BY_USER in said):
        # Where this process ignores SIGINT, as a shell's background job does, ninja and the compilers still heed it.
        raise BuildError("interrupted: what was compiled until then is kept", status=130)
    return None if process.returncode == 0 else said.strip()


def _until_it_ends(process: subprocess.Popen[str], look: Callable[[], None]) -> str:
    """What ninja prints; `look` is called while it runs. It does not outlive an exception here, such as a Ctrl-C."""
    with process:
        try:
            while True:
                try:
                    return process.communicate(timeout=_PAUSE)[0]
                except subprocess.TimeoutExpired:
                    look()
        except BaseException:
            with contextlib.suppress(subprocess.TimeoutExpired):
                process.wait(_GRACE)  # a Ctrl-C is for ninja, too, which ends its compilers
            process.kill()
            raise


def finished(folder: Path) -> set[str]:
    """The outputs of the edges that succeeded in the last run in `folder`, be it that the run failed or was killed."""
    try:
        lines = (folder / _LOG).read_text(encoding="utf-8", errors="replace").splitlines()
    except OSError:
        return set()
    fields = [line.split("\t") for line in lines if not line.startswith("#")]
    return {words[3] for words in fields if len(words) == 5}  # start, end, time stamp, output, digest of the command


def _escape_edge(edge: Edge) -> Edge:
    return Edge(_escape_path(edge.source), _escape_path(edge.output), edge.plain, _escape(edge.defines))


def _escape(text: str) -> str:
    return text.replace("$", "$$")


def _escape_path(path: str) -> str:
    return path.replace("$", "$$").replace(" ", "$ ").replace(":", "$:")


def _cores() -> int:
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def _ninja() -> str:
    """The ninja of the installed package, else the one on PATH."""
    from importlib.util import find_spec

    spec = find_spec("ninja")
    for folder in spec.submodule_search_locations or () if spec else ():
        for candidate in (Path(folder) / "data" / "bin" / "ninja", Path(folder) / "ninja"):
            if candidate.is_file():
                return str(candidate)
    import sys

    beside = Path(sys.executable).parent / "ninja"
    found = str(beside) if beside.is_file() else shutil.which("ninja")
    if found is None:
        raise BuildError("ninja is not installed: pip install ninja")
    return found
