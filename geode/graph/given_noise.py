"""`-D PERTURBATION=eggroll:4`: a perturbation, with its rank, from outside the program.

In: `-D` values. Out: settings by field that replace what MAIN says. Invariant: these are the settings that are compiled
in and that runs of one program may differ in; all others are options of the binary. A CONSTANT of that name comes first.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

from geode.diagnostics import Sink
from geode.graph.environment import Environment
from geode.names import did_you_mean
from geode.settings import FIELDS, Value, check_value

NOISE = "PERTURBATION"
_RANKED = "eggroll"


def read_noise(defines: Mapping[str, str], environment: Environment, sink: Sink) -> dict[str, Value]:
    """The settings of `-D PERTURBATION=KIND:RANK` (`:RANK` may be left out), none where it is not given."""
    text = defines.get(NOISE)
    if text is None or NOISE in environment.constants:
        return {}
    kind, _, rank = text.partition(":")
    kinds = FIELDS["perturbation"].values
    if kind not in kinds:
        sink.error(
            "GS611",
            f"-D {NOISE}={text}: a perturbation is {FIELDS['perturbation'].range_text}, EGGROLL's with a rank: eggroll:4",
            None,
            help=did_you_mean(kind, kinds),
        )
        return {}
    number = int(rank) if re.fullmatch(r"[0-9]{1,9}", rank) else 1 if not rank else 0
    if check_value(FIELDS["rank"], number) is not None or (number != 1 and kind != _RANKED):
        wanted = FIELDS["rank"].range_text if kind == _RANKED else "1"
        sink.error("GS611", f"-D {NOISE}={text}: the rank of {kind} is {wanted}", None)
        return {}
    return {"perturbation": kind, "rank": number}
