"""Processes of the test of many builds at once: `python -m tests.harness.chaos build STORE FOLDER ADD` and `gc STORE SEED`.

In: a store, and a folder with `runtime/` beside it, or a seed. Out: a program that prints 2·(4 + ADD) + 10 in FOLDER; or a
store that is cleaned up for ever, its entries made old at random. Invariant: a build goes the way of any other.
"""

from __future__ import annotations

import os
import random
import shutil
import sys
import time
from pathlib import Path

from rules.cache import Cache
from rules.cache_upkeep import collect_garbage
from rules.text_to_binary import build_program
from rules.tool import find_tool
from tests.rules.conftest import ROOT, replace_unit, tiny_text


def main(arguments: list[str]) -> int:
    """Build once, or clean up until somebody ends it."""
    cache = Cache(Path(arguments[1]), lambda line: print(line, file=sys.stderr))
    if arguments[0] == "gc":
        _collect(cache, random.Random(int(arguments[2])))
    folder, add = Path(arguments[2]), arguments[3]
    name = next(name for name in ("gcc", "clang") if shutil.which(name))
    tool = find_tool(ROOT / "toolchains", cache, toolchain=name, profile="fast", lanes=8)
    text = replace_unit(tiny_text(), "A", "x + 1", f"x + {add}")
    build_program(
        text, tool, folder=folder, runtime=folder.parent / "runtime", template=ROOT / "build.ninja.in", cache=cache
    )
    return 0


def _collect(cache: Cache, choice: random.Random) -> None:
    old = time.time() - 7200
    while True:
        for kind in ("actions", "cas"):
            for path in (cache.root / kind).rglob("*"):
                if path.is_file() and choice.random() < 0.5:
                    try:
                        os.utime(path, (old, old))
                    except FileNotFoundError:
                        continue  # a build has just replaced it
        collect_garbage(cache, 0)
        time.sleep(0.01)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
