"""How many random cases a test tries: few by default, as many as GEODE_RANDOM says in a long run.

In: the environment. Out: seeds. Invariant: the seeds of a short run are the first of a long one.
"""

from __future__ import annotations

import os


def seeds(default: int, *, step: int = 1) -> range:
    """The first seed of each group of `step` cases; `default` cases where GEODE_RANDOM says nothing."""
    return range(0, int(os.environ.get("GEODE_RANDOM", default)), step)
