"""Settings of MAIN that no stage uses: those behind the last TRAIN, and those that the chosen optimizer has no part for.

In: MAIN as it ran, told of every stage. Out: GS613, GS615 and GS616 in its sink.
Invariant: what is reported stands at a place that no stage has ever had a use for; a word in a loop may stand behind the
last TRAIN in its last turn only.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import field

from geode.diagnostics import Diagnostic, Sink
from geode.graph.call_tree import Application
from geode.graph.training_program import Stage
from geode.record import dataclass
from geode.settings import Value
from geode.source import Span

Places = Mapping[str, tuple[str, Span]]

_OF_FILES = frozenset({"save_model", "save_model_all", "save_every", "metrics_file"})  # files that only TRAIN writes
_OF_EVERY_STAGE = frozenset({"seed", "workers", "loop_limit", "bf16", "resume_model"})
# MUON leaves what is no matrix to ADAM.
_USED_BY = {"sgdm": ("sgdm",), "rmsprop": ("rmsprop",), "adam": ("adam", "muon"), "muon": ("muon",)}


@dataclass(slots=True)
class IdleSettings:
    """The settings words that wait for a stage, and the places that a stage has used."""

    waiting: dict[str, tuple[str, Span]] = field(default_factory=dict)  # by field: set since the last TRAIN
    used: set[Span] = field(default_factory=set)
    trained: bool = False
    constants: dict[Span, tuple[str, str]] = field(default_factory=dict)  # word, the optimizer that did without it
    served: set[Span] = field(default_factory=set)  # constants that an optimizer has used
    saves: dict[Span, bool] = field(default_factory=dict)  # SAVE-EVERY, and whether a TRAIN had the file for it

    def stage(self, stage: Stage, places: Places) -> None:
        """Takes notice of a stage. `places` are the words that set each field last, whichever stage came between."""
        if stage.kind != "train":
            for name in _OF_EVERY_STAGE & self.waiting.keys():
                self.used.add(self.waiting.pop(name)[1])
            return
        self.trained = True
        self.used.update(span for _, span in self.waiting.values())
        self.waiting.clear()
        optimizer = str(stage.settings["optimizer"])
        for name, (word, span) in places.items():
            users = _USED_BY.get(name.split("_", maxsplit=1)[0])
            if users is not None and optimizer in users:
                self.served.add(span)
            elif users is not None:
                self.constants.setdefault(span, (word, optimizer))
        if "save_every" in places:
            span = places["save_every"][1]
            self.saves[span] = self.saves.get(span, False) or not _saves_nowhere(stage.settings)

    def report(self, sink: Sink) -> None:
        """Puts what no stage has used in `sink`."""
        for name, (word, span) in self.waiting.items():
            if span not in self.used and (self.trained or name in _OF_FILES):
                message = f"`{word}` stands after the last TRAIN and so does nothing"
                sink.error(
                    "GS613", message, span, help="settings hold for the stages behind them: write it before TRAIN"
                )
        for span, (word, optimizer) in self.constants.items():
            if span not in self.served:
                message = f"`{word}` does nothing: no TRAIN behind it has the optimizer that it belongs to"
                users = _USED_BY[word.split("-", maxsplit=1)[0].lower()]
                wanted = " or ".join(f"{user.upper()}-UPDATES" for user in users)
                help_text = f"write {wanted}, or leave it out; {optimizer.upper()}-UPDATES holds here"
                sink.add(Diagnostic("GS615", message, span, help=help_text, severity="warning"))
        for span, named in self.saves.items():
            if not named:
                message = "`SAVE-EVERY` is how often SAVE-MODEL-ALL writes its file, which this program does not name"
                help_text = 'write "state.safetensors" SAVE-MODEL-ALL, or give the binary --save-model-all'
                sink.add(Diagnostic("GS615", message, span, help=help_text, severity="warning"))


def _saves_nowhere(settings: Mapping[str, Value]) -> bool:
    return bool(settings["save_every"]) and settings["save_model_all"] is None


def warn_of_untrained(stages: Iterable[tuple[Stage, Application]], sink: Sink) -> None:
    """GS616 for each TRAIN whose word reaches no trained parameter."""
    for stage, root in stages:
        if stage.kind == "train" and not any(parameter.trainable for parameter in root.all_parameters()):
            message = f"nothing that `{stage.word}` reaches is TRAINABLE, so this TRAIN changes no weights"
            help_text = "TRAINABLE behind a layer or PARAM lets its weights be trained: 8 LINEAR TRAINABLE"
            sink.add(Diagnostic("GS616", message, stage.span, help=help_text, severity="warning"))
