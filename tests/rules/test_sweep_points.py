"""The trials of a sweep file are those of an independent enumerator, typed by the setting and never by YAML."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from rules.cache import Cache
from rules.errors import BuildError
from rules.sweep.command import dry_run_lines, report_command
from rules.sweep.plan_sweep import Sweep, plan_sweep
from rules.sweep.run_sweep import Choice
from rules.sweep.store import Store
from tests.harness.sweep_oracle import enumerate_trials, norm
from tests.harness.sweeps import OWN, Place, make_place, random_sweep


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Place:
    """A folder for sweep files."""
    return make_place(tmp_path_factory.mktemp("points"))


@pytest.fixture(scope="module")
def cache(place: Place) -> Cache:
    """A store of these tests' own, in which no trial is done."""
    return Cache(place.root / "cache", lambda _: None)


@pytest.fixture(autouse=True)
def _there(place: Place, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(place.root)


def plan(place: Place, cache: Cache, text: str) -> Sweep:
    """Plan a sweep file of this text."""
    return plan_sweep(place.write(text), cache)


def listed(sweep: Sweep, cache: Cache) -> list[tuple[dict[str, str], int]]:
    """What --dry-run lists as JSON: points and seeds."""
    (text,) = dry_run_lines(sweep, Store(Path("nowhere"), cache), Choice(), as_json=True)
    return [({k: norm(k, v) for k, v in trial["point"].items()}, trial["seed"]) for trial in json.loads(text)]


def refused(place: Place, cache: Cache, text: str) -> list[str]:
    """The lines of the error that planning raises, without the file's name."""
    with pytest.raises(BuildError) as caught:
        plan(place, cache, text)
    return [line.removeprefix("s.sweep.yaml:") for line in caught.value.message.splitlines()]


@pytest.mark.parametrize("seed", range(300))
def test_dry_run_lists_what_the_enumerator_finds(place: Place, cache: Cache, seed: int) -> None:
    """300 random files: the same trials in the same order."""
    text = random_sweep(seed)
    expected = enumerate_trials(text, OWN, 7)
    if not expected:
        assert refused(place, cache, text)[0].startswith("1: no trial is left")
        return
    found = listed(plan(place, cache, text), cache)
    assert found == [
        ({k.replace("BETA1", "BETA1!") if k == "ADAM-BETA1" else k: v for k, v in p.items()}, s) for p, s in expected
    ]


def test_random_files_use_every_part() -> None:
    """Among the 300 files each part stands in many."""
    texts = [random_sweep(seed) for seed in range(300)]
    for part in (
        "set:",
        "matrix:",
        "choices:",
        "zip:",
        "when:",
        "exclude:",
        "include:",
        "replicates:",
        "1_000",
        "12:30",
    ):
        assert sum(part in text for text in texts) >= 20, part


def test_equal_numbers_are_one_trial_with_a_note(place: Place, cache: Cache) -> None:
    """`1e-3` and `0.001` of a real setting are one value; of a text CONSTANT they are two."""
    sweep = plan(place, cache, "matrix: {ALPHA: [1e-3, 0.001]}\n")
    assert [dict(trial.point) for trial in sweep.trials] == [{"ALPHA": "0.001"}]
    assert sweep.notes == ["s.sweep.yaml:2: `ALPHA` has 0.001 more than once; equal values are one"]
    texts = plan(place, cache, "matrix: {FILE: [1e-3, 0.001]}\n")
    assert [trial.point["FILE"] for trial in texts.trials] == ["1e-3", "0.001"]


@pytest.mark.parametrize(
    "value", ["no", "on", "1_000", "12:30", "0x10", "0o7", "1e3", "~", "null", "true", "4.0", "1_0"]
)
def test_no_text_becomes_an_integer(place: Place, cache: Cache, value: str) -> None:
    """What YAML 1.1 would read as a flag, a null or another number is refused where an integer is wanted."""
    for name in ("EPOCHS", "SIZE"):
        (line,) = refused(place, cache, f"matrix:\n  {name}: [{value}]\n")
        assert line.startswith("3: `" if name == "EPOCHS" else "3: the CONSTANT `SIZE`")
        assert f"not `{value}`" in line or "has no value" in line


@pytest.mark.parametrize("value", ["no", "on", "1_000", "12:30"])
def test_texts_stay_texts(place: Place, cache: Cache, value: str) -> None:
    """The same texts are values of a text CONSTANT as they stand, and reach the program so."""
    (trial,) = plan(place, cache, f"matrix: {{FILE: [{value}]}}\n").trials
    assert trial.defines == (("FILE", value),)
    assert trial.facts.constants["FILE"] == value


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("matrix:\n  ALPA: [0.1]\n", "3: `ALPA` is no setting and no CONSTANT of the program: did you mean `ALPHA`?"),
        ("matrix:\n  SIEZ: [1]\n", "3: `SIEZ` is no setting and no CONSTANT of the program: did you mean `SIZE`?"),
        ("matrx: {ALPHA: [1]}\n", "2: a sweep has no part `matrx`: did you mean `matrix`?"),
        ("matrix: {ALPHA: 0.1}\n", "2: `ALPHA` wants a list, [0.1]; a fixed value stands under `set`"),
        ("set: {ALPHA: [0.1]}\n", "2: `ALPHA` under `set` has one value; several stand under `matrix`"),
        ("set: {ALPHA: fast}\n", "2: `ALPHA` is a number at least 0, not `fast`"),
        ("set: {ALPHA: 1_0.5}\n", "2: `ALPHA` is a number at least 0, not `1_0.5`: write 10.5"),
        ("set: {ALPHA: 0.1, ALPHA: 0.2}\n", "2: `ALPHA` stands twice, first in line 2"),
        ("set: {ALPHA: 0.1}\nmatrix: {ALPHA: [0.2]}\n", "3: `ALPHA` is given twice, first in line 2"),
        ("set: {OBJECTIVE: loss}\n", "2: `OBJECTIVE`: whether a program minimises or maximises is its own"),
        ("set: {METRICS-FILE: x}\n", "2: `METRICS-FILE`: every trial writes its metrics to metrics.jsonl"),
        ("set: {UPDATES: adam}\n", "2: `UPDATES` is chosen by program text: `updates` under `choices`"),
        ("choices: {update: [x]}\n", "2: `choices` has no kind `update`: did you mean `updates`?"),
        ("choices: {updates: [ADAM]}\n", "2: `ADAM` is no word for `updates`; known: SGD-UPDATES"),
        (
            "choices: {updates: [ADAM-UPDATE]}\n",
            "2: `ADAM-UPDATE` is no word for `updates`: did you mean `ADAM-UPDATES`?",
        ),
        ("choices: {updates: [ANTITHETIC]}\n", "2: `ANTITHETIC` belongs under `sampling`, not `updates`"),
        ("choices: {perturbation: [0.1]}\n", "2: no word takes `0.1`"),
        ("choices: {perturbation: ['4 EGGROLL']}\n", "2: `EGGROLL` takes 2 values, not 1"),
        ("matrix: {updates: [ADAM-UPDATES]}\n", "2: `updates` stands under `choices`, which holds program text"),
        (
            "matrix: {RANK: [2]}\n",
            "2: RANK=2: `RANK` is the rank of EGGROLL's noise, and the perturbation here is gaussian",
        ),
        ("matrix: {POPULATION: [7]}\n", "2: POPULATION=7: ANTITHETIC needs an even POPULATION, not 7"),
        ("matrix: {SIZE: [0]}\n", "2: with SIZE=0 the program is wrong: p.gs:5:"),
        ("matrix: {SEED: [1, 2]}\nreplicates: 2\n", "2: `SEED` can't be an axis beside `replicates`"),
        ("include: [{SEED: 3}]\nreplicates: 2\n", "2: `SEED` can't be an axis beside `replicates`"),
        (
            "zip: {ALPHA: [1, 2], EPOCHS: [3]}\n",
            "2: the lists of one `zip` go in step and must be equally long: ALPHA has 2",
        ),
        (
            "matrix: {ALPHA: [1]}\nexclude: [{EPOCHS: 3}]\n",
            "3: `exclude` names `EPOCHS`, which is no axis; known: ALPHA",
        ),
        ("matrix: {ALPHA: {values: [1], when: {SCALE: 2}}}\n", "2: `when` names `SCALE`, which is no axis"),
        ("goal: {metric: centre}\n", "2: `goal` knows no metric `centre`: did you mean `center`?"),
        ("goal: {metric: grad}\n", "2: `grad` is not what the program trains for: say `direction: min` or `max`"),
        ("matrix:\n  ALPHA: [0.1, 0.2]\n  SIZE: [2, 0, 5]\n", "4: with SIZE=0 the program is wrong: p.gs:5:"),
        ("matrix:\n  ALPHA: [0.1]\n  SIZE:\n    - 2\n    - 0\n", "6: with SIZE=0 the program is wrong: p.gs:5:"),
        ("set: {SIZE: 0}\nmatrix:\n  ALPHA: [0.1]\n", "2: with SIZE=0 the program is wrong: p.gs:5:"),
        ("matrix:\n  ALPHA: [0.1]\n  POPULATION: [8, 7]\n", "4: ALPHA=0.1 POPULATION=7: ANTITHETIC needs"),
        (
            "set: {SEED: 18446744073709551615}\nreplicates: 2\n",
            "3: `replicates` counts `SEED` up from 1844674407370955",
        ),
        (
            "matrix: {ALPHA: [0.1, 0.2]}\nreplicates: 50001\n",
            "3: the sweep has 2 points of 50001 replicates each, 100000",
        ),
        ("replicates: 1000000000\n", "2: the sweep has 1 points of 1000000000 replicates each, 100000 trials are"),
        (
            "search: {trials: 100001, space: {ALPHA: [1]}}\n",
            "2: the sweep has 100001 points, 100000 trials are the most",
        ),
        (
            "goal:\n  metric: center\n  at: 50\n",
            "4: the goal is a value after 50 epochs, which no trial has: EPOCHS is 4",
        ),
        (
            "goal: {metric: mean, at: 4}\n",
            "2: the goal is a value after 4 epochs, which no trial has: EPOCHS is 4, and",
        ),
        (
            "set: {EVALUATE-EVERY: 2}\ngoal: {at: 3}\n",
            "3: the goal is a value after 3 epochs, which no trial has: EVALUATE-EVERY is 2",
        ),
        ("set: {ALPHA: 1e39}\n", "2: `ALPHA` is a number at least 0 and at most 3.40282347e+38, not `1e39`"),
        (
            "set: {EPOCHS: 99999999999999999}\n",
            "2: `EPOCHS` is an integer at least 1 and at most 9007199254740992, not",
        ),
        (
            "matrix: {ALPHA: [[1]]}\n",
            "2: `ALPHA` of `matrix` is a list of values: a value is a number, a text or a flag",
        ),
        ("goal: {at: end}\n", "2: `at` is last, best or a number of epochs, not `end`"),
        ("run: {timeout: soon}\n", "2: `timeout` is a time such as 90s, 10m or 1.5h, not `soon`"),
        ("run: {parallel: 0}\n", "2: `parallel` is an integer of at least 1, not `0`"),
        (
            "matrix: {ALPHA: [1, 2]}\nexclude: [{ALPHA: [1, 2]}]\n",
            "1: no trial is left: `exclude` takes out all of them",
        ),
        ("matrix: [1, 2\n", "3: this is no YAML:"),
        ("program: network.gs\n", "1: there is no file network.gs; known: p.gs"),
        ("program: pp.gs\n", "1: there is no file pp.gs: did you mean `p.gs`?"),
        (
            "matrix: {ALPHA: [1], replicates: 3}\n",
            "2: `replicates` is a part of the file and no axis: write it at the margin, beside `matrix`",
        ),
        ("matrix:\n\tALPHA: [1]\n", "3: this is no YAML: while scanning for the next token found character '\\t'"),
        (
            "matrix: {ALPHA: {values: [1], when: {updates: X}}}\n",
            "2: `when` names `updates`, which is no axis; there is none",
        ),
        ("set: {}\nprogram: [p.gs]\n", "2: `program` is the name of a .gs file"),
        ("- program: p.gs\n", "1: a sweep file starts with `program: FILE.gs`"),
        ("search: {trials: 3}\n", "2: `search` needs a `space`"),
        ("search: {trials: 3, space: {ALPHA: {low: 1}}}\n", "2: `ALPHA` needs `low` and `high`, or a list of values"),
        ("search: {trials: 3, space: {ALPHA: [1]}}\nmatrix: {ALPHA: [1]}\n", "3: `search` stands in place of a matrix"),
    ],
)
def test_mistake_is_told_at_its_line(place: Place, cache: Cache, text: str, message: str) -> None:
    """What is wrong, where, and what was probably meant."""
    assert any(line.startswith(message) for line in refused(place, cache, text)), refused(place, cache, text)


def test_goal_that_some_trials_miss_is_noted(place: Place, cache: Cache) -> None:
    """Those with fewer epochs; `center` after the last one is a score that every run has."""
    sweep = plan(place, cache, "matrix: {EPOCHS: [3, 5, 9]}\ngoal: {at: 5}\n")
    told = "s.sweep.yaml:3: the goal is a value after 5 epochs, which 1 of 3 trials have not: EPOCHS is 3"
    assert sweep.notes == [told]
    assert plan(place, cache, "matrix: {EPOCHS: [5, 9]}\ngoal: {at: 5}\n").notes == []


def test_largest_seed_may_be_the_last_replicate(place: Place, cache: Cache) -> None:
    """One more is refused."""
    sweep = plan(place, cache, "set: {SEED: 18446744073709551614}\nreplicates: 2\n")
    assert [trial.seed for trial in sweep.trials] == [2**64 - 2, 2**64 - 1]


def test_number_that_float32_makes_0_is_noted(place: Place, cache: Cache) -> None:
    """At its line; the smallest float32 is none of them."""
    sweep = plan(place, cache, "matrix:\n  ALPHA:\n    - 0\n    - 1e-50\n    - 1e-45\n")
    assert len(sweep.trials) == 3
    assert sweep.notes == ["s.sweep.yaml:5: `ALPHA` 1e-50 is 0 as a float32, so it does what 0 does"]


def test_suggested_commands_are_quoted(place: Place, cache: Cache) -> None:
    """A blank in the file's name."""
    sweep = plan_sweep(place.write("set: {}\n", "a b.sweep.yaml"), cache)
    store = Store(place.root / "other runs", cache)
    assert report_command(sweep, store) == "geode sweep report -o 'other runs' 'a b.sweep.yaml'"


def test_all_mistakes_are_told_at_once(place: Place, cache: Cache) -> None:
    """One run names every line."""
    lines = refused(place, cache, "set: {EPOCS: 3}\nmatrix:\n  ALPHA: [fast]\nreplicats: 2\n")
    assert [line.split(":")[0] for line in lines] == ["2", "4", "5"]


def test_missing_data_is_told_before_anything_runs(place: Place, cache: Cache) -> None:
    """The program's data file, by the name that it has there."""
    with pytest.raises(BuildError, match=r"p\.gs reads absent\.csv, which cannot be read"):
        plan(place, cache, "set: {FILE: absent.csv}\n")


def test_key_is_of_the_numbers_alone(place: Place, cache: Cache) -> None:
    """WORKERS, comments and the place of the data do not enter the key; EPOCHS, stop rules, seeds and rows do."""

    def key(text: str) -> str:
        (trial,) = plan(place, cache, text).trials
        return trial.key

    first = key("set: {}\n")
    assert key("set: {WORKERS: 3, METRICS-EVERY: 2}\n") == first
    others = [
        key(f"set: {{{s}}}\n") for s in ("EPOCHS: 5", "PATIENCE: 3", "SEED: 8", "FILE: no", "SIZE: 3", "ALPHA: 0.06")
    ]
    assert len({first, *others}) == 7
    program = place.root / "p.gs"
    text = program.read_text()
    try:
        program.write_text(text.replace("TARGET-CPU\n", "TARGET-CPU  \\ a comment\n\n"))
        assert key("set: {}\n") == first
        program.write_text(text.replace("RELU ;", "ABS ;"))
        assert key("set: {}\n") != first
    finally:
        program.write_text(text)
    rows = place.root / "rows.csv"
    content = rows.read_text()
    try:
        rows.write_text(content.replace("0.5,-1", "0.5,-1.5"))
        os.utime(rows, ns=(1, 1))
        assert key("set: {}\n") != first
    finally:
        rows.write_text(content)


def test_compiled_half_is_constants_and_the_perturbation(place: Place, cache: Cache) -> None:
    """Run-time settings share one binary; the noise of the program itself is the plain one."""
    text = (
        "matrix: {ALPHA: [0.1, 0.2], SIZE: [2, 3]}\n"
        'choices: {updates: [ADAM-UPDATES, MUON-UPDATES], perturbation: ["0.3 ES-GAUSSIAN", "0.1 2 EGGROLL"]}\n'
    )
    sweep = plan(place, cache, text)
    assert len(sweep.trials) == 16
    assert {trial.defines for trial in sweep.trials} == {
        (("SIZE", "2"),),
        (("SIZE", "3"),),
        (("PERTURBATION", "eggroll:2"), ("SIZE", "2")),
        (("PERTURBATION", "eggroll:2"), ("SIZE", "3")),
    }


def test_a_setting_of_its_own_goes_before_a_choices_number(place: Place, cache: Cache) -> None:
    """SIGMA as an axis replaces the σ that stands in the perturbation's text."""
    text = 'choices: {perturbation: ["0.3 ES-GAUSSIAN"]}\nzip: {SIGMA: [0.2, 0.4], EPOCHS: [5, 6]}\n'
    assert [trial.settings[0]["sigma"] for trial in plan(place, cache, text).trials] == [0.2, 0.4]
