"""The shape of a row that a word reads, for an array whose rows are given.

In: a program, a word's name, the shape of the array's rows. Out: the shape in which the word is to get them. Invariant: an
array that the word can't read is a `GeodeError` in terms of the call; all that is wrong with the program itself is left to
the compiler, which tells it better.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from pathlib import Path

from geode.api.errors import GeodeError
from geode.diagnostics import CompileErrors, Sink
from geode.graph.concrete import evaluate_constants
from geode.graph.environment import environment_of
from geode.pipeline import parse_text
from geode.syntax.file_to_text import file_to_text
from geode.syntax.word import BATCH, TypeText

Shape = tuple[int, ...]


def row_shape(path: Path, defines: Mapping[str, str], word: str, given: Shape) -> Shape:
    """`given`, or as many numbers in the axes that the signature of `word` has. Raises GeodeError."""
    declared = _input_of(path, defines, word)
    if declared is None:
        return given
    dims, star = declared
    if len(dims) == len(given) or (star and len(dims) < len(given)):
        found = given if _fits(dims, given) else None
    else:
        found = _filled(dims, math.prod(given))
    if found is None:
        text = ":".join(["r", *map(str, dims), *(["*"] if star else [])])
        raise GeodeError(f"`{word}` reads rows of {text}, which {shown_shape(given)} is not")
    return found


def shown_shape(shape: Shape) -> str:
    """A row's shape in a message."""
    return ":".join(["r", *map(str, shape)])


def _input_of(path: Path, defines: Mapping[str, str], word: str) -> tuple[Sequence[int | str], bool] | None:
    """The axes of the one value that `word` reads, without the batch's, and whether any may follow; None if there is no
    such word."""
    sink = Sink()
    try:
        program = parse_text(file_to_text(str(path)), sink)
    except CompileErrors:
        return None
    environment = environment_of(program)
    evaluate_constants(program, environment, defines, sink)
    definition = environment.definitions.get(word)
    if definition is None or sink.has_errors or len(definition.signature.inputs) != 1:
        return None
    type_: TypeText = definition.signature.inputs[0].type
    if type_.kind != "r":
        return None
    dims = type_.dims[1:] if type_.dims[:1] == (BATCH,) else type_.dims
    sizes = [environment.constants.get(dim, dim) if isinstance(dim, str) else dim for dim in dims]
    return [size if isinstance(size, int | str) else 0 for size in sizes], type_.star


def _fits(dims: Sequence[int | str], shape: Shape) -> bool:
    """True if every size is the declared one, and one name stands for one size; axes behind the declared ones are free."""
    names: dict[str, int] = {}
    for dim, size in zip(dims, shape, strict=False):
        if (names.setdefault(dim, size) if isinstance(dim, str) else dim) != size:
            return False
    return True


def _filled(dims: Sequence[int | str], numbers: int) -> Shape | None:
    """The declared axes with the one that is free, if any, as long as `numbers` needs it; None if that can't be."""
    known = math.prod(dim for dim in dims if isinstance(dim, int))
    free = [dim for dim in dims if isinstance(dim, str)]
    if len(free) > 1 or known == 0 or numbers % known or (not free and numbers != known):
        return None
    return tuple(dim if isinstance(dim, int) else numbers // known for dim in dims)
