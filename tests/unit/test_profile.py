"""What `geode profile` makes of a binary's profile file."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from geode.report.profile import PHASES, profile_to_text, read_profile
from tests.harness.native import QUICK_START, geode

LINE = {
    "stage": 1,
    "kind": "train",
    "word": "OBJECTIVE",
    "workers": 2,
    "rows": 10,
    "population": 4,
    "epochs": 5,
    "total": 1.0,
    "phases": dict.fromkeys(PHASES, 0.0) | {"population": 0.8, "update": 0.2},
    "busy": 1.7,
    "noise": 0.1,
    "waiting": 0.1,
    "peak": 4000.0,
    "units": [
        {"path": "OBJECTIVE/NET", "level": "member", "members": False, "ticks": 60, "calls": 1, "flops": 6.0},
        {"path": "OBJECTIVE/NET", "level": "pair", "members": False, "ticks": 20, "calls": 1, "flops": 6.0},
        {"path": "OBJECTIVE", "level": "member", "members": False, "ticks": 20, "calls": 1, "flops": 0.0},
    ],
}


def test_units_share_what_the_workers_did() -> None:
    """1.6 seconds of two workers in units, less the noise; the rate counts all rows of all members."""
    (stage,) = read_profile(json.dumps(LINE) + "\n")
    net, root = stage.units
    assert net.seconds == pytest.approx({"member": 0.6 * 1.5, "pair": 0.2 * 1.5})
    assert root.total == pytest.approx(0.3)
    assert net.rate == pytest.approx(6.0 * 10 * 4 * 5 / 1.2)
    text = profile_to_text(stage)
    assert "update                                  0.2000   20.0%" in text
    assert "25%" in text  # of peak: 1000 of 4000


@pytest.mark.native
def test_a_profile_accounts_for_all_of_a_run(tmp_path: Path) -> None:
    """The phases add up to the stage, and each of the program's units has its time."""
    data = QUICK_START.parents[1] / "datasets" / "sine-1000.csv"
    options = ("--epochs", "5", "--workers", "2", "--data", str(data))
    done = geode("profile", "--json", QUICK_START, *options, cwd=tmp_path)
    (stage,) = json.loads(done.out)
    assert done.status == 0
    assert sum(stage["phases"].values()) == pytest.approx(stage["total"], rel=0.01)
    assert stage["epochs"] == 5
    assert 0 < stage["noise"] < stage["busy"] <= 2 * stage["total"] * 1.01
    assert {unit["path"] for unit in stage["units"]} == {"OBJECTIVE", "OBJECTIVE/NEURON", "OBJECTIVE/LINO"}
    assert stage["peak"] > 1e8
