"""An object file -> its machine code as text, with symbol labels.

In: an object made with a `Tool`. Out: the disassembler's text, without the path of the object and without the functions
of units that share the object with those asked for. Invariant: what is printed is the object's code as it is, never a
second compilation.
"""

from __future__ import annotations

import re
import subprocess
from collections.abc import Iterable
from pathlib import Path

from rules.errors import BuildError
from rules.tool import Tool

_HEAD = re.compile(r"^(?:[0-9a-f]+ <([^>]+)>:|Disassembly of .*)$", re.MULTILINE)  # of a function, of a section


def disassemble(tool: Tool, path: Path, *, others: Iterable[str] = ()) -> str:
    """The disassembly of `path`, relocations included, without the functions of the units whose symbols are `others`.

    Raises BuildError if no disassembler is there.
    """
    if not tool.disassembler:
        raise BuildError("no disassembler found: apt-get install binutils")
    command = [*tool.disassembler, "--disassemble", "--reloc", "--no-show-raw-insn", path.name]
    done = subprocess.run(command, cwd=path.parent, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise BuildError(f"{tool.disassembler[0]} failed: {done.stderr.strip()}")
    return _without(done.stdout, tuple(f"{symbol}_" for symbol in others))


def _without(text: str, prefixes: tuple[str, ...]) -> str:
    """`text` without what stands under labels of these beginnings."""
    if not prefixes:
        return text
    heads = list(_HEAD.finditer(text))
    starts = [0, *(head.start() for head in heads)]
    labels = ["", *(head[1] or "" for head in heads)]
    pieces = zip(labels, starts, [*starts[1:], len(text)], strict=True)
    return "".join(text[start:end] for label, start, end in pieces if not label.startswith(prefixes))
