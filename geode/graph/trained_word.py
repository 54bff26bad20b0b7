"""The word of a stage: interpreted on the rows that the stage gives it, its effect checked.

In: an environment, the training program and one of its stages. Out: the call tree of the stage's word.
Invariant: a trained word leaves one number: ( r:b:k -- r ), or ( r:k -- r ) whose mean over rows is the score.
"""

from __future__ import annotations

from dataclasses import field

from geode.diagnostics import CompileError, Diagnostic, Sink
from geode.graph.call_tree import Application
from geode.graph.environment import Environment
from geode.graph.machine import MOST_WORDS
from geode.graph.training_program import Stage, TrainingProgram
from geode.graph.types import row, shape_text
from geode.graph.values import Parameter
from geode.graph.words_to_graph import AlreadyReported, Interpreter
from geode.record import dataclass
from geode.syntax.word import Definition


@dataclass(slots=True)
class Weights:
    """What the stages so far have made: the parameters by name, and where each word was called in the trained words."""

    parameters: dict[str, Parameter] = field(default_factory=dict)
    sites: dict[str, set[tuple[str, ...]]] = field(default_factory=dict)
    trained: bool = False


def interpret_stage(
    environment: Environment, training: TrainingProgram, stage: Stage, weights: Weights, sink: Sink
) -> Application:
    """The tree of the stage's word; its parameters join `weights`, where equal names mean equal weights."""
    definition = environment.definitions.get(stage.word)
    if definition is None:
        help_text = "a stage runs a word defined with `:` in this program"
        message = f"`{stage.word}` is no word that can be trained"
        raise CompileError(Diagnostic("GS606", message, stage.span, help=help_text))
    data = stage.batch.data
    row_type = None if data is None else row(training.files[data.file].shape, batched=True)
    if environment.words_run > MOST_WORDS:  # what is wrong with an earlier stage is wrong with all of the same words
        raise AlreadyReported
    environment.words_run = 0
    interpreter = Interpreter(environment, sink)
    root = interpreter.root(definition, row_type, stage.span, _instance(environment, stage, weights))
    if stage.kind == "predict":
        _check_prediction(root, definition, stage)
    else:
        _check_result(root, definition, stage)
    for name, parameter in interpreter.registry.items():
        _join(name, parameter, stage, weights)
    if stage.kind == "train":
        weights.trained = True
        weights.sites.setdefault(definition.name, set()).add(())
        for word, paths in interpreter.sites.items():
            weights.sites.setdefault(word, set()).update(paths)
    return root


def _instance(environment: Environment, stage: Stage, weights: Weights) -> tuple[str, ...]:
    """The call sites that lead to the word's one instance in the trained words; none of them is its own name."""
    if stage.word in environment.shared:
        return (f"={stage.word}",)
    paths = weights.sites.get(stage.word, set())
    if len(paths) <= 1:
        return next(iter(paths), ())
    places = ", ".join("/".join(path) or "the trained word itself" for path in sorted(paths))
    raise CompileError(
        Diagnostic(
            "GS505",
            f"`{stage.word}` stands in the trained program {len(paths)} times, each with weights of its own: {places}",
            stage.span,
            help=f"mark it SHARED, or let this stage run a word that calls the one `{stage.word}` that is meant",
        )
    )


def _join(name: str, parameter: Parameter, stage: Stage, weights: Weights) -> None:
    """A parameter of a stage's word, taken over by name or new."""
    earlier = weights.parameters.get(name)
    if earlier is None:
        if stage.kind != "train" and weights.trained:
            raise CompileError(
                Diagnostic(
                    "GS506",
                    f"no earlier stage has trained `{name}`, which `{stage.word}` reads here",
                    stage.span,
                    help="a stage takes over weights by name: mark the word that makes them SHARED, in both stages",
                    notes=(("the parameter is made here", parameter.span),),
                )
            )
        weights.parameters[name] = parameter
        return
    if earlier is parameter:
        return
    if earlier.shape != parameter.shape:
        first, second = shape_text(earlier.shape), shape_text(parameter.shape)
        raise CompileError(
            Diagnostic(
                "GS504",
                f"the parameter `{name}` of `{stage.word}` is {second} in this stage and {first} in an earlier one",
                stage.span,
                help="a stage takes over the weights of the same name: give both stages rows of one shape, "
                "or the words other names",
                notes=(("the parameter is made here", parameter.span),),
            )
        )
    # What a stage may train is decided where the word is trained: a later one only reads what it finds.
    earlier.trainable = parameter.trainable = earlier.trainable or parameter.trainable


def _check_result(root: Application, definition: Definition, stage: Stage) -> None:
    types = [root.nodes[output].type for output in root.outputs]
    one_number = len(types) == 1 and types[0].shape == () and types[0].dtype == "r"
    if one_number and (not types[0].batched or root.row_word):
        return
    outputs = definition.signature.outputs
    found = " ".join(map(str, types if len(types) == len(outputs) else outputs)) or "nothing"
    raise CompileError(
        Diagnostic(
            "GS606",
            f"{stage.kind.upper()} wants a word that leaves one number, but `{definition.name}` leaves {found}",
            stage.span,
            wanted="( r:b:k -- r ) or ( r:k -- r )",
            help="end the word with SUM or MEAN",
        )
    )


def _check_prediction(root: Application, definition: Definition, stage: Stage) -> None:
    types = [root.nodes[output].type for output in root.outputs]
    if len(types) == 1 and (types[0].batched or root.row_word) and types[0].dtype == "r":
        return
    found = " ".join(map(str, types)) or "nothing"
    raise CompileError(
        Diagnostic(
            "GS606",
            f"PREDICT wants a word that leaves one value for every row, but `{definition.name}` leaves {found}",
            stage.span,
            wanted="( r:k -- r:n )",
            help="a flag becomes a number by 1 *; CONCAT joins several values",
        )
    )
