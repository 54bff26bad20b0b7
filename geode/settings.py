"""The settings of a training program: one table that drives the compiler, the emitted C and the binary's options.

In: nothing. Out: `SETTINGS`, a record for every field of the runtime's `struct gs_settings`, and `SETTING_WORDS`, the
words of the language that set them. `python -m geode.settings` writes the runtime's tables from them, `--check` says
whether those are fresh. Invariant: every word names fields that stand in `SETTINGS`, every default is in its range.
"""

from __future__ import annotations

import math
import sys
from typing import TYPE_CHECKING, Literal

from geode.record import dataclass

if TYPE_CHECKING:
    from collections.abc import Mapping

Kind = Literal["integer", "real", "text", "flag", "choice"]
Value = int | float | str | bool | None

FLOAT32_MAX = 3.4028234663852886e38
FLOAT32_TINY = 1.1754943508222875e-38  # the smallest normal float32
_LARGE = 2**53  # integers up to here survive a trip through JSON and float64
_SEEDS = 2**64 - 1
OFF = math.inf  # the value of a real setting that is switched off


@dataclass(frozen=True, slots=True)
class Setting:
    """One field of `struct gs_settings`.

    `word` is the name in messages and, in lower case without `!` and `.`, the option of the binary; `minimum` and
    `maximum` bound integers and reals (`above`: the minimum itself is not allowed, `below`: nor is the maximum).
    `off` is the value that means "not in use", written `off` in listings. `values` are a choice's values, the first
    of them 0 in C. A setting with `run_time` false is compiled in. One with `fingerprint` false may differ in a run that is
    resumed.
    """

    word: str
    field: str
    kind: Kind
    default: Value
    help: str
    group: str
    minimum: float = 0
    maximum: float = FLOAT32_MAX
    above: bool = False
    below: bool = False
    off: float | None = None
    unit: str = ""
    values: tuple[str, ...] = ()
    run_time: bool = True
    fingerprint: bool = True  # a run that is resumed must have the same value, or --resume-changed must name it
    exclusive: bool = False  # choosing twice without a TRAIN between is an error

    @property
    def range_text(self) -> str:
        """The allowed values, as error messages and `--help` write them."""
        if self.kind == "choice":
            return " or ".join(self.values)
        if self.kind == "flag":
            return "0 or 1"
        if self.kind == "text":
            return "a text"
        noun = "an integer" if self.kind == "integer" else "a number"
        limits = []
        if self.minimum != -FLOAT32_MAX:
            limits.append(f"{'above' if self.above else 'at least'} {_number(self.minimum)}")
        if self.maximum not in (FLOAT32_MAX, _LARGE, _SEEDS):
            limits.append(f"{'below' if self.below else 'at most'} {_number(self.maximum)}")
        return f"{noun} {' and '.join(limits)}".rstrip()

    @property
    def limits_text(self) -> str:
        """The allowed numbers with the limits that `range_text` leaves out, since hardly anybody meets them."""
        text = self.range_text
        if self.minimum == -FLOAT32_MAX:
            text += f" from {_number(self.minimum)}"
        return text if " at most " in text or " below " in text else f"{text} and at most {_number(self.maximum)}"


@dataclass(frozen=True, slots=True)
class SettingWord:
    """A word of the language that sets fields.

    It takes values for `takes` from the stack (the last one on top) and gives the fields of `fixes` the values there.
    """

    word: str
    help: str
    takes: tuple[str, ...] = ()
    fixes: tuple[tuple[str, Value], ...] = ()


def _number(x: float) -> str:
    return str(x) if isinstance(x, int) else f"{x:.9g}"


SETTINGS: tuple[Setting, ...] = (
    Setting("OBJECTIVE", "direction", "choice", "loss", "whether scores are minimised or maximised", "objective",
            values=("loss", "reward"), run_time=False, exclusive=True),
    Setting("EPOCHS", "epochs", "integer", 100, "rounds of this stage", "search", 1, _LARGE, unit="epochs",
            fingerprint=False),
    Setting("POPULATION", "population", "integer", 256, "members in each epoch", "search", 2, 2**30, unit="members"),
    Setting("SEED", "seed", "integer", 0, "seed of every random stream", "search", 0, _SEEDS),
    Setting("WORKERS", "workers", "integer", 0, "threads, 0: one per core", "search", 0, 1024, unit="threads",
            fingerprint=False),
    Setting("SAMPLING", "sampling", "choice", "independent", "members in +/- pairs, or each on its own", "search",
            values=("independent", "antithetic")),
    Setting("PERTURBATION", "perturbation", "choice", "gaussian", "how members differ from the mean", "search",
            values=("gaussian", "eggroll", "omelette-r1"), run_time=False, exclusive=True),
    Setting("RANK", "rank", "integer", 1, "rank of EGGROLL's perturbation of a matrix", "search", 1, 2**16,
            run_time=False),
    Setting("BF16", "bf16", "flag", False, "wide layers multiply bfloat16 numbers", "search", run_time=False),
    Setting("SIGMA", "sigma", "real", 0.01, "standard deviation of the perturbation", "search", FLOAT32_TINY),
    Setting("SIGMA-SCHEDULE", "sigma_schedule", "choice", "constant", "how sigma changes", "search",
            values=("constant", "cosine", "decay"), exclusive=True),
    Setting("SIGMA-FACTOR", "sigma_factor", "real", 1.0, "factor of SIGMA-DECAY", "search", above=True,
            unit="per epoch"),
    Setting("NOISE-REUSE", "noise_reuse", "integer", 1, "epochs that share one draw of noise", "search", 1, _LARGE,
            unit="epochs"),
    Setting("SCORE", "shaping", "choice", "rank-shaped", "how scores become weights", "search",
            values=("rank-shaped", "raw", "zscore", "sign", "utility"), exclusive=True),
    Setting("UPDATES", "optimizer", "choice", "sgd", "the optimizer", "update",
            values=("sgd", "sgdm", "rmsprop", "adam", "muon"), exclusive=True),
    Setting("ALPHA", "alpha", "real", 0.01, "step size", "update"),
    Setting("ALPHA-SCHEDULE", "alpha_schedule", "choice", "constant", "how alpha changes", "update",
            values=("constant", "cosine", "decay"), exclusive=True),
    Setting("ALPHA-FACTOR", "alpha_factor", "real", 1.0, "factor of ALPHA-DECAY", "update", above=True,
            unit="per epoch"),
    Setting("WEIGHT-DECAY", "weight_decay", "real", 0.0, "decoupled weight decay, times alpha", "update"),
    Setting("UPDATE-CLIP", "update_clip", "real", OFF, "largest norm of the estimate", "update", above=True, off=OFF),
    Setting("SGDM-BETA!", "sgdm_beta", "real", 0.9, "momentum of SGDM", "update", 0, 1, below=True),
    Setting("RMSPROP-BETA!", "rmsprop_beta", "real", 0.99, "decay of RMSPROP's squares", "update", 0, 1, below=True),
    Setting("RMSPROP-EPSILON!", "rmsprop_epsilon", "real", 1e-8, "added to RMSPROP's root", "update", above=True),
    Setting("ADAM-BETA1!", "adam_beta1", "real", 0.9, "decay of ADAM's mean", "update", 0, 1, below=True),
    Setting("ADAM-BETA2!", "adam_beta2", "real", 0.999, "decay of ADAM's squares", "update", 0, 1, below=True),
    Setting("ADAM-EPSILON!", "adam_epsilon", "real", 1e-8, "added to ADAM's root", "update", above=True),
    Setting("MUON-BETA!", "muon_beta", "real", 0.95, "momentum of MUON", "update", 0, 1, below=True),
    Setting("MUON-WARMUP!", "muon_warmup", "integer", 0, "epochs in which MUON's alpha rises", "update", 0, _LARGE,
            unit="epochs"),
    Setting("MUON-KAPPA!", "muon_kappa", "real", 0.2, "root mean square of MUON's step, times alpha", "update",
            above=True),
    Setting("MUON-STEPS!", "muon_steps", "integer", 5, "Newton-Schulz steps of MUON", "update", 1, 100, unit="steps"),
    Setting("STOP-BELOW", "stop_below", "real", -OFF, "stop when the score is below", "stop", -FLOAT32_MAX, off=-OFF,
            fingerprint=False),
    Setting("STOP-ABOVE", "stop_above", "real", OFF, "stop when the score is above", "stop", -FLOAT32_MAX, off=OFF,
            fingerprint=False),
    Setting("PATIENCE", "patience", "integer", 0, "stop after this long without a new best", "stop", 0, _LARGE,
            off=0, unit="epochs", fingerprint=False),
    Setting("TIME-LIMIT", "time_limit", "real", OFF, "stop after this long", "stop", above=True, off=OFF,
            unit="seconds", fingerprint=False),
    Setting("LOOP-LIMIT", "loop_limit", "integer", 1_000_000, "turns after which a loop gives a row up", "stop", 1,
            2**24, unit="turns"),
    Setting("EVALUATE-EVERY", "evaluate_every", "integer", 0, "score the unperturbed weights this often", "metrics", 0,
            _LARGE, off=0, unit="epochs"),
    Setting(".METRICS", "metrics", "flag", False, "print a line for each epoch", "metrics", fingerprint=False),
    Setting("METRICS-EVERY", "metrics_every", "integer", 1, "epochs from one line to the next", "metrics", 1, _LARGE,
            unit="epochs", fingerprint=False),
    Setting("METRICS-FILE", "metrics_file", "text", None, "file that gets the metrics as JSON lines", "metrics",
            fingerprint=False),
    Setting("SAVE-MODEL", "save_model", "text", None, "file that gets the weights at the end", "files",
            fingerprint=False),
    Setting("SAVE-MODEL-ALL", "save_model_all", "text", None, "file that gets all that an exact resume needs", "files",
            fingerprint=False),
    Setting("SAVE-EVERY", "save_every", "integer", 0, "write SAVE-MODEL-ALL's file this often, and at the end", "files",
            1, _LARGE, off=0, unit="epochs", fingerprint=False),
    Setting("RESUME-MODEL", "resume_model", "text", None, "file to go on from: a state, or weights alone", "files",
            fingerprint=False),
)  # fmt: skip

FIELDS: Mapping[str, Setting] = {setting.field: setting for setting in SETTINGS}

# Fields that no word of their own sets: ES-GAUSSIAN takes sigma, EGGROLL also the rank, ALPHA-DECAY its factor, .METRICS
# takes nothing.
_NO_OWN_WORD = frozenset({"sigma", "rank", "sigma_factor", "alpha_factor", "metrics", "bf16"})

_OTHER_WORDS: tuple[SettingWord, ...] = (
    SettingWord("OBJECTIVE-LOSS", "minimise the scores", fixes=(("direction", "loss"),)),
    SettingWord("OBJECTIVE-REWARD", "maximise the scores", fixes=(("direction", "reward"),)),
    SettingWord("ANTITHETIC", "members 2k and 2k+1 are a +/- pair", fixes=(("sampling", "antithetic"),)),
    SettingWord("INDEPENDENT", "every member has noise of its own", fixes=(("sampling", "independent"),)),
    SettingWord("ES-GAUSSIAN", "dense normal noise", ("sigma",), (("perturbation", "gaussian"), ("rank", 1))),
    SettingWord("EGGROLL-R1", "normal noise of rank 1", ("sigma",), (("perturbation", "eggroll"), ("rank", 1))),
    SettingWord("EGGROLL", "normal noise of rank r", ("sigma", "rank"), (("perturbation", "eggroll"),)),
    SettingWord(
        "OMELETTE-R1", "noise of rank 1 from random signs", ("sigma",), (("perturbation", "omelette-r1"), ("rank", 1))
    ),
    SettingWord("SIGMA-CONSTANT", "sigma stays", fixes=(("sigma_schedule", "constant"),)),
    SettingWord("SIGMA-COSINE", "sigma falls to a tenth along a cosine", fixes=(("sigma_schedule", "cosine"),)),
    SettingWord("SIGMA-DECAY", "sigma times d each epoch", ("sigma_factor",), (("sigma_schedule", "decay"),)),
    SettingWord("ALPHA-CONSTANT", "alpha stays", fixes=(("alpha_schedule", "constant"),)),
    SettingWord("ALPHA-COSINE", "alpha falls to 0 along a cosine", fixes=(("alpha_schedule", "cosine"),)),
    SettingWord("ALPHA-DECAY", "alpha times d each epoch", ("alpha_factor",), (("alpha_schedule", "decay"),)),
    SettingWord("SCORE-RAW", "weights are the scores", fixes=(("shaping", "raw"),)),
    SettingWord("SCORE-ZSCORE", "weights are standardised scores", fixes=(("shaping", "zscore"),)),
    SettingWord("SCORE-RANK-SHAPED", "weights are centred ranks", fixes=(("shaping", "rank-shaped"),)),
    SettingWord("SCORE-SIGN", "the better half of a pair wins", fixes=(("shaping", "sign"),)),
    SettingWord("SCORE-UTILITY", "weights are utilities of ranks", fixes=(("shaping", "utility"),)),
    SettingWord("SGD-UPDATES", "plain ascent", fixes=(("optimizer", "sgd"),)),
    SettingWord("SGDM-UPDATES", "ascent with momentum", fixes=(("optimizer", "sgdm"),)),
    SettingWord("RMSPROP-UPDATES", "RMSPROP", fixes=(("optimizer", "rmsprop"),)),
    SettingWord("ADAM-UPDATES", "ADAM", fixes=(("optimizer", "adam"),)),
    SettingWord("MUON-UPDATES", "MUON for matrices, ADAM for the rest", fixes=(("optimizer", "muon"),)),
    SettingWord("BF16", "wide layers multiply bfloat16 numbers", fixes=(("bf16", True),)),
    SettingWord("FLOAT32", "all layers multiply float32 numbers", fixes=(("bf16", False),)),
    SettingWord(".METRICS", "print a line for each epoch", fixes=(("metrics", True),)),
)

SETTING_WORDS: Mapping[str, SettingWord] = {
    word.word: word
    for word in (
        *(
            SettingWord(s.word, s.help, (s.field,))
            for s in SETTINGS
            if s.kind != "choice" and s.field not in _NO_OWN_WORD
        ),
        *_OTHER_WORDS,
    )
}


def defaults() -> dict[str, Value]:
    """Every field with its default."""
    return {setting.field: setting.default for setting in SETTINGS}


def option_name(word: str) -> str:
    """The binary's option for a settings word: lower case, `!` and a leading `.` dropped."""
    return word.lower().rstrip("!").lstrip(".")


def check_value(setting: Setting, value: Value) -> str | None:
    """What is wrong with one value of one setting, or None; the value that means `off` is right."""
    wrong = f"{setting.word} takes {setting.range_text}, not {value!r}"
    if setting.off is not None and type(value) in (int, float) and value == setting.off:
        return None
    if setting.kind == "choice":
        return None if value in setting.values else wrong
    if setting.kind == "flag":
        return None if isinstance(value, bool) else wrong
    if setting.kind == "text":
        return None if value is None or (isinstance(value, str) and value != "") else wrong
    if isinstance(value, bool) or not isinstance(value, int if setting.kind == "integer" else (int, float)):
        return wrong
    assert isinstance(value, (int, float))
    low = value > setting.minimum if setting.above else value >= setting.minimum
    high = value < setting.maximum if setting.below else value <= setting.maximum
    if low and not high and setting.maximum in (_LARGE, _SEEDS, FLOAT32_MAX):  # limits that a range's text leaves out
        return f"{setting.word} takes {setting.range_text} and at most {_number(setting.maximum)}, not {value!r}"
    return None if low and high else wrong


def check_given(setting: Setting, value: Value) -> str | None:
    """The same for a value that a program, a call or an option names: `off` is no number outside of the range there."""
    if setting.kind == "integer" and type(value) is int and value == setting.off and value < setting.minimum:
        return f"{setting.word} takes {setting.range_text}, not {value!r}"
    return check_value(setting, value)


def check_values(values: Mapping[str, Value]) -> str | None:
    """What is wrong with the values of one stage taken together, or None. `values` holds every field."""
    for name, value in values.items():
        if name not in FIELDS:
            return f"there is no setting field {name}"
        message = check_value(FIELDS[name], value)
        if message is not None:
            return message
    population = values["population"]
    assert isinstance(population, int)
    if values["sampling"] == "antithetic" and population % 2 == 1:
        return f"ANTITHETIC needs an even POPULATION, not {population}"
    if values["sampling"] != "antithetic" and values["shaping"] == "sign":
        return "SCORE-SIGN compares the two members of a pair: it needs ANTITHETIC"
    if values["bf16"] and values["perturbation"] == "gaussian":
        return (
            "BF16 is for noise of low rank (EGGROLL, OMELETTE-R1): dense noise would be lost in the rounding; "
            "FLOAT32 switches it off"
        )
    return None


def main(arguments: list[str]) -> int:
    """Write the runtime's tables, or with `--check` say whether they are what this table gives."""
    from geode.emit.settings_to_c import settings_to_files

    check = arguments == ["--check"]
    if arguments and not check:
        sys.stderr.write("usage: python -m geode.settings [--check]\n")
        return 2
    stale = [path for path, text in settings_to_files() if not path.exists() or path.read_text("utf-8") != text]
    if check:
        for path in stale:
            sys.stderr.write(f"{path.name} is not what geode/settings.py gives: run python -m geode.settings\n")
        return 1 if stale else 0
    for path, text in settings_to_files():
        if path in stale:
            path.write_text(text, "utf-8")
            sys.stdout.write(f"wrote {path.name}\n")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
