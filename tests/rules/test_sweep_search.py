"""`search:`: one seed gives one set of trials, in ranges, resumed where it was left."""

from __future__ import annotations

import os
import re
from pathlib import Path

import pytest

from rules.cache import Cache
from rules.errors import BuildError
from rules.sweep.plan_sweep import plan_sweep
from rules.sweep.search import space_of
from tests.harness.sweeps import PROGRAM, Place, make_place, run_now

pytest.importorskip("optuna", reason="Optuna is not installed")
pytestmark = pytest.mark.native
SEARCH = """search:
  sampler: {sampler}
  trials: {trials}
  seed: 3
  space:
    ALPHA: {{low: 1e-3, high: 0.5, log: true}}
    SIZE: [2, 3]
    POPULATION: {{low: 8, high: 32, step: 8}}
    updates: [SGD-UPDATES, ADAM-UPDATES]
run: {{parallel: 2}}
"""


@pytest.fixture
def place(tmp_path: Path) -> Place:
    """A folder of the test's own; its seed differs from other tests', which share the store."""
    place = make_place(tmp_path / "place")
    seed = int.from_bytes(os.urandom(6), "little")
    (place.root / "p.gs").write_text(PROGRAM.replace("7 SEED", f"{seed} SEED"))
    return place


def search(trials: int, sampler: str = "tpe") -> str:
    """A sweep file that searches."""
    return SEARCH.format(trials=trials, sampler=sampler)


def test_search_is_resumed_and_reproducible(place: Place) -> None:
    """Six trials, then more of the same search: the first six are those; another order of running changes nothing."""
    place.write(search(6))
    assert len(place.dry_run()) == 2  # a batch is what can be told before it has run
    assert run_now(place.sweep("run"))[0] == 6
    first = [trial["trial"] for trial in place.status()]
    assert len(first) == 6
    place.write(search(10))
    assert place.dry_run()[:2] != first[:2]
    assert run_now(place.sweep("run", "--parallel", "1"))[0] == 4
    assert [trial["trial"] for trial in place.status()][:6] == first
    assert run_now(place.sweep("run", "--fresh", "--parallel", "3"))[0] == 10
    assert [trial["trial"] for trial in place.status()][:6] == first


def test_chosen_values_lie_in_the_space(place: Place) -> None:
    """Ranges, steps and lists are kept, and a number has six digits at most; the sampler's choices differ."""
    place.write(search(8, "random"))
    assert place.sweep("run").status == 0
    points = [trial["point"] for trial in place.status()]
    assert all(0.001 <= float(point["ALPHA"]) <= 0.5 for point in points)
    assert all(len(re.sub(r"e.*|^0\.0*|\.", "", point["ALPHA"])) <= 6 for point in points)
    assert {point["POPULATION"] for point in points} <= {"8", "16", "24", "32"}
    assert {point["SIZE"] for point in points} == {"2", "3"}
    assert {point["updates"] for point in points} == {"SGD-UPDATES", "ADAM-UPDATES"}
    assert len({point["ALPHA"] for point in points}) == 8


def test_failed_points_do_not_stop_a_search(place: Place) -> None:
    """Where every trial fails the search goes on to its end, and the status counts them."""
    place.write("set: {EPOCHS: 30}\nsearch: {trials: 3, space: {ALPHA: {low: 1e38, high: 2e38}}}\nreplicates: 2\n")
    done = place.sweep("run")
    assert done.status == 6, done.out + done.err
    assert "6 failed:" in done.out


@pytest.mark.parametrize(
    ("space", "message"),
    [
        ("ALPA: [1]", "`ALPA` is no setting and no CONSTANT of the program: did you mean `ALPHA`?"),
        ("ALPHA: {low: 2, high: 1}", "`ALPHA` goes from `low` up to `high`, not from 2.0 to 1.0"),
        ("ALPHA: {low: 0, high: 1, log: true}", "`ALPHA` goes from `low` above 0 for `log: true`"),
        ("EPOCHS: {low: 1, high: 9, step: 0.5}", "`step` of `EPOCHS` is an integer of at least 1"),
        ("EPOCHS: {low: 1, high: 9.5}", "`EPOCHS` is an integer at least 1, not `9.5`"),
        ("FILE: {low: 1, high: 2}", "`FILE` is no number: give a list of values"),
        ("ALPHA: {low: 0.1, high: 1, step: 0}", "`step` is a number above 0, not `0`"),
        ("updates: [SGD]", "`SGD` is no word for `updates`"),
    ],
)
def test_mistake_in_a_space_is_told_at_its_line(
    place: Place, monkeypatch: pytest.MonkeyPatch, space: str, message: str
) -> None:
    """Before anything runs."""
    monkeypatch.chdir(place.root)
    path = place.write(f"search:\n  trials: 3\n  space:\n    {space}\n")
    sweep = plan_sweep(path, Cache(place.root / "cache", lambda _: None))
    assert sweep.file.search is not None
    with pytest.raises(BuildError) as caught:
        space_of(sweep.file.search, sweep.fields, sweep.mistakes)
    assert f"s.sweep.yaml:5: {message}" in caught.value.message


def test_without_optuna_the_message_names_it(place: Place, monkeypatch: pytest.MonkeyPatch) -> None:
    """The extra that brings it."""
    monkeypatch.chdir(place.root)
    monkeypatch.setitem(__import__("sys").modules, "optuna", None)
    from rules.sweep.search import known_trials
    from rules.sweep.store import Store

    cache = Cache(place.root / "cache", lambda _: None)
    sweep = plan_sweep(place.write(search(2)), cache)
    with pytest.raises(
        BuildError, match=r"`search` needs Optuna: \S*pip install -e '.*\[sweep\]', or pip install optuna"
    ):
        known_trials(sweep, Store(place.root / "runs", cache))
