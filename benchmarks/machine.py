"""What the measurements ran on: processor, cores, compiler, load. No host name, no user, no path."""

from __future__ import annotations

import datetime as dt
import os
import platform
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from rules.tool import Tool


def describe(tool: Tool) -> dict[str, str | int | float]:
    """The machine and the compiler as a flat record for the results' head."""
    return {
        "date": dt.datetime.now(tz=dt.timezone.utc).date().isoformat(),
        "processor": _processor(),
        "system": f"{platform.system()} {platform.machine()}",
        "cores": len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1,
        "compiler": tool.version.splitlines()[0],
        "lanes": tool.lanes,
        "vector": tool.vector,
        "load": round(os.getloadavg()[0], 2),
    }


def warning(machine: Mapping[str, str | int | float]) -> str | None:
    """What makes the numbers doubtful, or None."""
    load, cores = float(machine["load"]), int(machine["cores"])
    if load > 0.3:
        return f"the machine is not idle (load {load:.2f} on {cores} cores): ratios hold roughly, times do not"
    return None


def verdict(row: Mapping[str, Any], machine: Mapping[str, str | int | float]) -> str:
    """What the table says of a row's limit: yes, no, or no for want of a feature that this processor does not have."""
    if row["holds"]:
        return "yes"
    wanted = row.get("hardware", "")
    return "no" if not wanted or wanted in str(machine["processor"]) else f"no: without {wanted}"


def _processor() -> str:
    try:
        lines = Path("/proc/cpuinfo").read_text().splitlines()
    except OSError:
        return platform.processor() or "unknown"
    facts = dict(line.split(":", 1) for line in lines if ":" in line)
    facts = {key.strip(): value.strip() for key, value in facts.items()}
    name = facts.get("model name", "unknown")
    numbers = [facts[key] for key in ("cpu family", "model", "stepping") if key in facts]
    flags = facts.get("flags", "").split()
    wide = [flag for flag in ("avx2", "avx512f", "avx512_bf16", "amx_bf16") if flag in flags]
    return f"{name} ({'/'.join(numbers)}; {' '.join(wide)})" if numbers else name
