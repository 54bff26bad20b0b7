"""Signatures against values: what the names in one stand for, and what does not fit."""

from __future__ import annotations

import pytest

from geode.graph.effect import Binding
from geode.graph.types import TensorType, row
from geode.graph.values import Flag, Number, ShapeValue, Tensor, Text, Token, Value
from tests.harness.front_end import body_of


def value(type_: str) -> Value:
    """A value of the type that a signature writes so."""
    kinds: dict[str, Value] = {
        "n": Number(3),
        "flag": Flag(True),
        "s": Text("x"),
        "xt": Token("F"),
        "shape": ShapeValue((3,)),
    }
    if type_ in kinds:
        return kinds[type_]
    kind, *dims = type_.split(":")
    sizes = tuple(int(dim) for dim in dims if dim != "b")
    return Tensor(0, TensorType("f" if kind == "f" else "r", sizes, batched="b" in dims))


def bind(inputs: str, values: str, *, whole_batch: bool = False) -> tuple[Binding, str | None]:
    """The inputs of a signature bound to values."""
    signature = body_of(f": F ( {inputs} -- ) ;").signature
    binding = Binding({"N": 4, "WIDTH": 2})
    return binding, binding.bind_inputs(signature, [value(v) for v in values.split()], whole_batch=whole_batch)


@pytest.mark.parametrize(
    ("inputs", "values", "dims"),
    [
        ("r:k", "r:4", {"k": 4}),
        ("r:k r:k", "r:4 r:4", {"k": 4}),
        ("r:h:w r:w", "r:2:3 r:3", {"h": 2, "w": 3}),
        ("r:N:k", "r:4:7", {"k": 7}),
        ("r n s xt", "r n s xt", {}),
        ("r r", "n flag", {}),
        ("r:4", "f:4", {}),
        ("f:k f", "f:4 flag", {"k": 4}),
        ("<layer> <layer>", "r:2:3 n", {}),
    ],
)
def test_inputs_that_fit_bind_their_variables(inputs: str, values: str, dims: dict[str, int]) -> None:
    """An n and a flag count as an r; a CONSTANT is a size, a variable is bound by the first value that has it."""
    binding, problem = bind(inputs, values)
    assert problem is None
    assert binding.dims == dims


@pytest.mark.parametrize(
    ("inputs", "values"),
    [
        ("r:k r:k", "r:4 r:3"),
        ("r:N", "r:3"),
        ("r:4", "r"),
        ("r", "r:1"),
        ("r:h:w", "r:4"),
        ("n", "r"),
        ("n", "flag"),
        ("f", "r"),
        ("f", "n"),
        ("s", "n"),
        ("xt", "s"),
        ("r", "shape"),
        ("r:* r:*", "r:4 r:3"),
        ("r:* r:*", "r:4 r"),
    ],
)
def test_inputs_that_do_not_fit_are_named(inputs: str, values: str) -> None:
    """The message holds the item of the signature."""
    _, problem = bind(inputs, values)
    assert problem is not None
    assert f"`{inputs.rsplit(maxsplit=1)[-1]}`" in problem


def test_all_stars_stand_for_one_shape() -> None:
    """r:* takes any row shape, scalars too."""
    for values in ("r r", "r:4 r:4", "r:2:3 r:2:3"):
        binding, problem = bind("r:* r:*", values)
        assert problem is None
        assert binding.star == tuple(int(d) for d in values.split()[0].split(":")[1:])


def test_a_word_of_one_row_is_lifted_by_a_batched_value() -> None:
    """A word that names the batch axis is not, and takes one value for all rows as just that."""
    assert bind("r:4 r", "r:b:4 r")[0].lifted
    assert not bind("r:4 r", "r:4 r")[0].lifted
    assert not bind("r:b:4", "r:b:4", whole_batch=True)[0].lifted
    assert bind("r:b:4 r", "r:b:4 r:b", whole_batch=True)[1] is not None
    assert bind("r:b:4", "r:4", whole_batch=True)[1] is not None


def test_outputs_take_their_sizes_from_the_inputs() -> None:
    """Where a name in an output is bound, its type is known before the body has run."""
    signature = body_of(": F ( r:k r:* -- r:k:WIDTH r:* f:k r:j ) ;").signature
    binding = Binding({"WIDTH": 2})
    assert binding.bind_inputs(signature, [value("r:b:4"), value("r:3")], whole_batch=False) is None
    types = [binding.output_type(item, batched=True) for item in signature.outputs]
    assert types == [row((4, 2), batched=True), row((3,), batched=True), TensorType("f", (4,), batched=True), None]
