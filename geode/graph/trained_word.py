"""The word of a stage: interpreted on the rows that the stage gives it, its effect checked.

In: an environment, the training program and one of its stages. Out: the call tree of the stage's word.
Invariant: a trained word leaves one number: ( r:b:k -- r ), or ( r:k -- r ) whose mean over rows is the score.
"""

from __future__ import annotations

from geode.diagnostics import CompileError, Diagnostic, Sink
from geode.graph.call_tree import Application
from geode.graph.environment import Environment
from geode.graph.main_to_stages import Stage, TrainingProgram
from geode.graph.types import row, shape_text
from geode.graph.values import Parameter
from geode.graph.words_to_graph import Interpreter
from geode.syntax.word import Definition


def interpret_stage(
    environment: Environment,
    training: TrainingProgram,
    stage: Stage,
    parameters: dict[str, Parameter],
    sink: Sink,
) -> Application:
    """The tree of the stage's word; its parameters join `parameters`, where equal names mean equal weights."""
    definition = environment.definitions.get(stage.word)
    if definition is None:
        help_text = "a stage runs a word defined with `:` in this program"
        message = f"`{stage.word}` is no word that can be trained"
        raise CompileError(Diagnostic("GS606", message, stage.span, help=help_text))
    data = stage.batch.data
    row_type = None if data is None else row((training.files[data.file].row_floats,), batched=True)
    interpreter = Interpreter(environment, sink)
    root = interpreter.root(definition, row_type, stage.span)
    _check_result(root, definition, stage)
    for name, parameter in interpreter.registry.items():
        earlier = parameters.setdefault(name, parameter)
        if earlier is not parameter and earlier.shape != parameter.shape:
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
    return root


def _check_result(root: Application, definition: Definition, stage: Stage) -> None:
    types = [root.nodes[output].type for output in root.outputs]
    if len(types) == 1 and types[0].shape == () and types[0].dtype == "r":
        if not types[0].batched or root.row_word:
            return
    outputs = definition.signature.outputs
    found = " ".join(map(str, types if len(types) == len(outputs) else outputs)) or "nothing"
    raise CompileError(
        Diagnostic(
            "GS606",
            f"TRAIN wants a word that leaves one number, but `{definition.name}` leaves {found}",
            stage.span,
            wanted="( r:b:k -- r ) or ( r:k -- r )",
            help="end the word with SUM or MEAN",
        )
    )
