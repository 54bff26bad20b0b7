"""A point of a sweep -> trials: what to compile, which options to run with, and a key that is the same for equal runs.

In: a point, fixed settings, the program's facts. Out: `Trial`s, one for each replicate. Invariant: the key covers what
decides a run's numbers (graph, resolved settings with EPOCHS and the stop rules, data) and nothing else: not the
compiler, not WORKERS, not the profile, not where files lie.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping

from geode.record import dataclass
from geode.settings import FIELDS, Setting, check_values, option_name
from geode.settings import Value as SettingValue
from rules.action import digest
from rules.sweep.program_facts import Facts
from rules.sweep.value import Value, setting_text

NUMBERS = "geode-normal-1 geode-arith-1"  # the two sets of choices that fix a run's numbers
_COMPILED = ("perturbation", "rank")  # settings that are compiled in and may differ between trials
_OUTSIDE = frozenset(  # settings that change no number
    {
        "workers",
        "metrics",
        "metrics_every",
        "metrics_file",
        "save_model",
        "save_model_all",
        "save_every",
        "resume_model",
    }
)
_BY_WORD = {"sampling": "--{}", "shaping": "--score-{}", "optimizer": "--{}-updates"}


@dataclass(frozen=True, slots=True)
class Trial:
    """One run: `defines` is its compiled half, `options` its other half; `settings` has every stage's, resolved.

    `point` holds the values that the sweep chose, as text; `data` the digests of the files that the run reads, by path.
    """

    key: str
    point: Mapping[str, str]
    replicate: int
    seed: int
    defines: tuple[tuple[str, str], ...]
    options: tuple[str, ...]
    settings: tuple[Mapping[str, SettingValue], ...]
    data: Mapping[str, str]
    facts: Facts
    line: int

    @property
    def name(self) -> str:
        """The name of its folder."""
        return self.key[:16]

    @property
    def label(self) -> str:
        """The trial in one line."""
        shown = {**self.point, "SEED": str(self.seed)}
        return " ".join(f"{name}={text}" for name, text in shown.items())


@dataclass(frozen=True, slots=True)
class Half:
    """What values do to a program: settings by field, CONSTANTs by name. A setting named on its own comes last."""

    settings: Mapping[str, SettingValue]
    defines: Mapping[str, str]
    named: frozenset[str]  # fields that are named on their own, not in a choice's text


def combine(values: Iterable[tuple[str, Value]], kinds: Iterable[str]) -> Half:
    """All values together: choices first, settings named on their own after them."""
    pairs = list(values)
    chosen = set(kinds)
    in_order = [value for name, value in pairs if name in chosen] + [v for name, v in pairs if name not in chosen]
    settings = {field: item for value in in_order for field, item in value.settings}
    defines = {name: text for value in in_order for name, text in value.defines}
    named = frozenset(field for name, value in pairs if name not in chosen for field, _ in value.settings)
    return Half(settings, defines, named)


def compiled_half(half: Half, program: Facts) -> dict[str, str]:
    """The `-D` values of a point: CONSTANTs, and the perturbation where it differs from the program's."""
    defines = dict(half.defines)
    if any(
        stage.settings[field] != half.settings.get(field, stage.settings[field])
        for stage in program.stages
        for field in _COMPILED
    ):  # the two belong together: the rank is of the perturbation
        last = program.stages[-1].settings
        kind, rank = (half.settings.get(field, last[field]) for field in _COMPILED)
        defines["PERTURBATION"] = f"{kind}:{rank}"
    return defines


def check_rank(half: Half, program: Facts) -> str | None:
    """What is wrong with a rank that is named on its own, or None."""
    kinds = {str(half.settings.get("perturbation", stage.settings["perturbation"])) for stage in program.stages}
    if "rank" in half.named and kinds != {"eggroll"}:
        return f"`RANK` is the rank of EGGROLL's noise, and the perturbation here is {' and '.join(sorted(kinds))}"
    return None


def check_point(half: Half, facts: Facts) -> str | None:
    """What is wrong with a point's settings taken together, or None."""
    for stage in facts.stages:
        values = {**stage.settings, **half.settings}
        if half.settings.get("save_every") and values["save_model_all"] is None:
            return "`SAVE-EVERY` says how often SAVE-MODEL-ALL's file is written, and there is none"
        problem = check_values(values)
        if problem is not None:
            return problem
    return None


def make_trial(
    point: Mapping[str, str],
    half: Half,
    facts: Facts,
    *,
    defines: Mapping[str, str],
    replicate: int | None,
    center: bool,
    digests: Callable[[str], str],
    line: int,
) -> Trial:
    """One trial. `replicate` None: the seed stays; `center` switches EVALUATE-EVERY on where it is off.

    `digests` gives the digest of a file that the run reads, by its path from the working directory.
    """
    trained = facts.trained
    assert trained is not None
    changed = dict(half.settings)
    seed = int({**trained.settings, **changed}["seed"] or 0)
    if replicate is not None:
        seed += replicate
        changed["seed"] = seed
    settings = [{**stage.settings, **changed} for stage in facts.stages]
    options = list(_options(changed, settings))
    for number, (stage, values) in enumerate(zip(facts.stages, settings, strict=True), 1):
        if center and stage.kind == "train" and values["evaluate_every"] == 0:
            values["evaluate_every"] = 1
            options += ["--set", f"{number}:EVALUATE-EVERY=1"]
    resumed = settings[0]["resume_model"]
    read = [*facts.files, *facts.tables, *([str(resumed)] if resumed else [])]
    data = {path: digests(path) for path in read}
    return Trial(
        _key(facts, settings, list(data.values())),
        dict(point),
        replicate or 0,
        seed,
        tuple(sorted(defines.items())),
        tuple(options),
        tuple(settings),
        data,
        facts,
        line,
    )


def _key(facts: Facts, settings: list[dict[str, SettingValue]], data: list[str]) -> str:
    stages = [
        {field: setting_text(FIELDS[field], value) for field, value in values.items() if field not in _OUTSIDE}
        for values in settings
    ]
    parts = {"numbers": NUMBERS, "graph": facts.graph, "stages": stages, "data": data}
    return digest(json.dumps(parts, sort_keys=True, separators=(",", ":")).encode())


def _options(changed: Mapping[str, SettingValue], settings: list[dict[str, SettingValue]]) -> Iterable[str]:
    """The binary's options that make these settings, in all stages."""
    for field, value in changed.items():
        setting = FIELDS[field]
        if not setting.run_time or field in ("alpha_factor", "sigma_factor", "resume_model"):
            continue  # compiled in; given with its schedule; or a path, which depends on where the trial runs
        yield from _option(setting, value, settings[-1])
    for name in ("alpha", "sigma"):
        if f"{name}_factor" in changed and f"{name}_schedule" not in changed:
            yield from _option(FIELDS[f"{name}_schedule"], settings[-1][f"{name}_schedule"], settings[-1])


def _option(setting: Setting, value: SettingValue, values: Mapping[str, SettingValue]) -> Iterable[str]:
    match setting.kind:
        case "choice" if setting.field in _BY_WORD:
            yield _BY_WORD[setting.field].format(value)
        case "choice":  # a schedule: --alpha-cosine, --alpha-decay FACTOR
            yield f"--{setting.field.partition('_')[0]}-{value}"
            if value == "decay":
                yield repr(values[setting.field.replace("schedule", "factor")])
        case "flag":
            yield from ("--set", f"{setting.word}={int(bool(value))}")
        case _:
            yield from (f"--{option_name(setting.word)}", setting_text(setting, value))
