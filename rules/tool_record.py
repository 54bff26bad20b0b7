"""What a machine with a compiler tells one without: which tool it found, so that the other can look up its results.

In: what was asked for, and what decides the answer beside the compiler: tables of toolchains, system, processor, C library.
Out: the tool without its command, kept as `toolchains/KEY.json` in the store and in the remote one. Invariant: a record is used
only where no compiler is found, and the last one written wins, so a fleet that changes its compiler goes with it.
"""

from __future__ import annotations

import json
import platform
import sys
from collections.abc import Sequence
from dataclasses import asdict, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rules.action import digest
from rules.cache import Cache, write_if_changed

if TYPE_CHECKING:
    from rules.tool import Tool

LISTS = ("command", "compile", "plain", "link", "libraries", "features", "scratch", "disassembler")


def record_key(asked: Sequence[object], texts: Sequence[bytes], *, native: bool) -> str:
    """The key of what was `asked` for; `texts` are the tables, `native` is whether the processor's features matter."""
    machine = [sys.platform, platform.machine(), platform.libc_ver(), _features() if native else ""]
    return digest(json.dumps([asked, machine, [digest(text) for text in texts]]).encode())


def save_record(tool: Tool, key: str, cache: Cache) -> None:
    """Keep what is found here, for machines without a compiler."""
    bare = replace(tool, command=(), disassembler=(), environment={})
    data = json.dumps(asdict(bare), sort_keys=True, indent=1).encode()
    name = _name(key)
    try:
        write_if_changed(cache.root / name, data)
    except OSError as error:
        cache.warn(f"cannot remember the compiler in {cache.root / name} ({error.strerror})")
    remote = cache.remote
    if remote is not None and remote.upload and remote.get(name) != data:
        remote.put(name, data)


def load_record(key: str, cache: Cache) -> Tool | None:
    """The tool that another build found, None if none did."""
    name = _name(key)
    local, remote = cache.root / name, cache.remote
    data = remote.get(name) if remote is not None else None
    try:
        return tool_from_fields(json.loads(data if data is not None else local.read_bytes()))
    except (OSError, ValueError, KeyError, TypeError):
        return None  # not there, or of another form


def tool_from_fields(fields: dict[str, Any]) -> Tool:
    """The tool that `asdict` took apart. Raises KeyError or TypeError if it is of another form."""
    from rules.tool import Tool

    arguments: dict[str, Any] = {name: tuple(value) if name in LISTS else value for name, value in fields.items()}
    return Tool(**arguments)


def _name(key: str) -> str:
    return f"toolchains/{key}.json"


def _features() -> str:
    """What this processor can do, as the system names it: equal on machines that give equal binaries."""
    try:
        text = Path("/proc/cpuinfo").read_text(encoding="utf-8", errors="replace")
    except OSError:
        return f"{platform.processor()} {platform.release()}"
    lines = [line for line in text.splitlines() if line.lower().startswith(("flags", "features"))]
    return " ".join(sorted(set(lines[0].partition(":")[2].split()))) if lines else ""
