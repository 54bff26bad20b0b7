"""An object file -> its machine code as text, with symbol labels.

In: an object made with a `Tool`. Out: the disassembler's text, without the path of the object. Invariant: what is
printed is the object's code as it is, never a second compilation.
"""

from __future__ import annotations

import subprocess
from pathlib import Path

from rules.errors import BuildError
from rules.tool import Tool


def disassemble(tool: Tool, path: Path) -> str:
    """The disassembly of `path`, relocations included. Raises BuildError if no disassembler is there."""
    if not tool.disassembler:
        raise BuildError("no disassembler found: apt-get install binutils")
    command = [*tool.disassembler, "--disassemble", "--reloc", "--no-show-raw-insn", path.name]
    done = subprocess.run(command, cwd=path.parent, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise BuildError(f"{tool.disassembler[0]} failed: {done.stderr.strip()}")
    return done.stdout
