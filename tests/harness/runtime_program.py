"""A hand-written program and the whole runtime -> an executable, with the runtime compiled once for each `Build`.

In: a C file and a `Build`. Out: the path of an executable, made once a session. Invariant: what is linked was compiled
with the project's own strict flags, the runtime without any definition of a program's lanes.
"""

from __future__ import annotations

import subprocess
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

from tests.harness.compile_c import RUNTIME, Build

# The folder lives as long as the test process; its finaliser removes it.
_FOLDER = TemporaryDirectory(prefix="geode-runtime-")


@cache
def runtime_program(build: Build, source: Path, lanes: int, vector: int, *, leave_out: tuple[str, ...] = ()) -> Path:
    """Return the executable of `source` at `lanes` lanes in vectors of `vector` floats; what `leave_out` names of the
    runtime it has itself.
    """
    program = Path(_FOLDER.name) / f"{len(list(Path(_FOLDER.name).iterdir()))}-{source.stem}"
    _run(
        build,
        [
            f"-DGS_LANES={lanes}",
            f"-DGS_VEC={vector}",
            f"-I{RUNTIME}",
            source,
            *(made for made in _objects(build) if made.stem not in leave_out),
            *("-o", program, "-lm", "-lpthread"),
        ],
    )
    return program


@cache
def _objects(build: Build) -> tuple[Path, ...]:
    folder = Path(_FOLDER.name) / f"objects-{len(list(Path(_FOLDER.name).iterdir()))}"
    folder.mkdir()
    sources = sorted(RUNTIME.glob("gs_*.c"))
    objects = tuple(folder / f"{source.stem}.o" for source in sources)
    with ThreadPoolExecutor(2) as pool:
        list(pool.map(lambda pair: _run(build, ["-c", pair[0], "-o", pair[1]]), zip(sources, objects, strict=True)))
    return objects


def _run(build: Build, arguments: list[str | Path]) -> None:
    command = [build.compiler, *build.flags(), *map(str, arguments)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, f"{' '.join(command)}\n{done.stderr}"
