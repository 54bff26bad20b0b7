"""A hand-written program and the whole runtime -> an executable, with the runtime compiled once for each `Build`.

In: a C file and a `Build`. Out: the path of an executable, made once a session. Invariant: what is linked was compiled
with the project's own strict flags, the runtime without any definition of a program's lanes.
"""

from __future__ import annotations

from pathlib import Path

from tests.harness.compile_c import RUNTIME, Build, compile_c


def runtime_program(build: Build, source: Path, lanes: int, vector: int, *, leave_out: tuple[str, ...] = ()) -> Path:
    """Return the executable of `source` at `lanes` lanes in vectors of `vector` floats; what `leave_out` names of the
    runtime it has itself.
    """
    runtime = (path for path in sorted(RUNTIME.glob("gs_*.c")) if path.stem not in leave_out)
    return compile_c(build, source, *runtime, defines=(f"-DGS_LANES={lanes}", f"-DGS_VEC={vector}"))
