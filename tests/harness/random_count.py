"""How many random cases a test tries: few by default, more with --slow, as many as GEODE_RANDOM says in a long run.

In: the environment. Out: seeds. Invariant: the seeds of a short run are the first of a long one.
"""

from __future__ import annotations

import os
from collections.abc import Iterable
from typing import Any

import pytest

_ASKED = "GEODE_RANDOM"


def seeds(default: int, *, step: int = 1) -> range:
    """The first seed of each group of `step` cases; `default` cases where GEODE_RANDOM says nothing."""
    return range(0, int(os.environ.get(_ASKED, default)), step)


def one_by_default(groups: Iterable[int]) -> list[Any]:
    """The groups as parameters of a test, of which all but the first are slow where GEODE_RANDOM says nothing."""
    first, *others = groups
    return [
        first,
        *(other if _ASKED in os.environ else pytest.param(other, marks=pytest.mark.slow) for other in others),
    ]
