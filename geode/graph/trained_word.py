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
        raise CompileError(Diagnostic("GS606", f"`{stage.word}` is no word that can be trained", stage.span))
    data = stage.batch.data
    row_type = None if data is None else row((training.files[data.file].row_floats,), batched=True)
    interpreter = Interpreter(environment, sink)
    root = interpreter.root(definition, row_type, stage.span)
    _check_result(root, definition.name, stage)
    for name, parameter in interpreter.registry.items():
        earlier = parameters.setdefault(name, parameter)
        if earlier is not parameter and earlier.shape != parameter.shape:
            shapes = " and ".join(shape_text(p.shape) for p in (earlier, parameter))
            raise CompileError(
                Diagnostic("GS504", f"`{name}` has two shapes in two stages: {shapes}", parameter.span)
            )
    return root


def _check_result(root: Application, word: str, stage: Stage) -> None:
    types = [root.nodes[output].type for output in root.outputs]
    if len(types) == 1 and types[0].shape == () and types[0].dtype == "r":
        if not types[0].batched or root.row_word:
            return
    found = " ".join(map(str, types)) or "nothing"
    raise CompileError(
        Diagnostic(
            "GS606",
            f"TRAIN wants a word that leaves one number, but `{word}` leaves {found}",
            stage.span,
            wanted="( r:b:k -- r ) or ( r:k -- r )",
            help="end the word with SUM or MEAN",
        )
    )
