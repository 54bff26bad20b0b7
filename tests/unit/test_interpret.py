"""The interpreter of the typed graph, against formulas written with plain NumPy, and its refusals."""

from __future__ import annotations

import numpy as np
import pytest

from geode.diagnostics import InternalError
from geode.graph.call_tree import Application
from geode.graph.graph import (
    Arrange,
    BatchReduce,
    CallResult,
    CallUnit,
    Elementwise,
    Input,
    Iota,
    Kernel,
    Known,
    Linear,
    LinearMean,
    LoopBegin,
    LoopEnd,
    LoopResult,
    LoopVariable,
    Node,
    Operation,
    ParameterValue,
    Piece,
    Reduce,
    View,
)
from geode.graph.types import SCALAR, TensorType, row
from geode.graph.values import Parameter
from geode.pipeline import check_program
from geode.reference.elementwise import ELEMENTWISE, fused_multiply_add
from geode.reference.initial import Parameter as InitialParameter
from geode.reference.initial import initial_weights
from geode.reference.interpret import Batch, evaluate, score
from geode.reference.reductions import last_dot, last_sum, matrix_product
from geode.source import Source, Span
from geode.vocabulary import WORDS
from geode.vocabulary.example_program import example_text
from tests.harness.fma import fma32

SPAN = Span(Source("t.gs", ""), 0, 0)
ROWS = np.array([[1.0, -2.0, 3.0], [0.5, 4.0, -6.0], [7.0, 8.0, 9.0], [-1.0, 0.0, 2.0]])
X3 = row((3,), batched=True)
PER_ROW = row((), batched=True)
FLAG = TensorType("f", (), batched=True)


def unit(*nodes: tuple[Operation, TensorType], outputs: tuple[int, ...] | None = None, **fields: object) -> Application:
    """A root whose first node is the data row, its last one the output."""
    made = [Node(Input(0), X3), *(Node(operation, type_) for operation, type_ in nodes)]
    return Application("W", is_root=True, nodes=made, outputs=outputs or (len(made) - 1,), **fields)


def value(*nodes: tuple[Operation, TensorType], weights=None, dtype="float64", **fields: object):
    """What the last node gives on ROWS."""
    (result,) = evaluate(unit(*nodes, **fields), weights or {}, Batch(len(ROWS), ROWS), {}, dtype=dtype)
    return result


def parameter(name: str, shape: tuple[int, ...]) -> Parameter:
    """A parameter of a unit."""
    return Parameter(name, shape, "matrix" if len(shape) > 1 else "vector", SPAN)


# --- single operations


NAN, INF = np.nan, np.inf


@pytest.mark.parametrize(
    ("op", "args", "expected"),
    [
        ("add", ([1.0, INF], [2.0, -INF]), [3.0, NAN]),
        ("sub", ([1.0, NAN], [2.0, 1.0]), [-1.0, NAN]),
        ("mul", ([0.0, 3.0], [INF, 2.0]), [NAN, 6.0]),
        ("div", ([1.0, 0.0, -1.0], [0.0, 0.0, 0.0]), [INF, NAN, -INF]),
        ("mod", ([7.0, -7.0, 7.0, 1.0], [3.0, 3.0, -3.0, 0.0]), [1.0, 2.0, -2.0, NAN]),
        ("sign", ([-2.0, 0.0, -0.0, 5.0, NAN],), [-1.0, 0.0, 0.0, 1.0, NAN]),
        ("min", ([1.0, NAN, 1.0], [2.0, 2.0, NAN]), [1.0, NAN, NAN]),
        ("max", ([1.0, NAN, 1.0], [2.0, 2.0, NAN]), [2.0, NAN, NAN]),
        ("relu", ([-1.0, 0.0, 2.0, NAN, -INF, INF],), [0.0, 0.0, 2.0, NAN, 0.0, INF]),
        ("sqrt", ([4.0, -1.0, INF],), [2.0, NAN, INF]),
        ("round", ([0.5, 1.5, 2.5, -0.5],), [0.0, 2.0, 2.0, 0.0]),
        ("trunc", ([1.7, -1.7],), [1.0, -1.0]),
        ("is_lt", ([1.0, NAN, 1.0], [2.0, 1.0, 1.0]), [True, False, False]),
        ("is_ne", ([1.0, NAN, 1.0], [2.0, NAN, 1.0]), [True, True, False]),
        ("is_ge", ([1.0, NAN, 1.0], [2.0, 1.0, 1.0]), [False, False, True]),
        ("xor", ([True, False, True], [True, False, False]), [False, False, True]),
        ("choose", ([True, False], [1.0, NAN], [NAN, 2.0]), [1.0, 2.0]),
        ("number", ([True, False],), [1.0, 0.0]),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_operations_follow_the_definitions(op, args, expected, dtype) -> None:
    """NaN, infinities and zeros, in both types."""
    arrays = [np.array(a, np.bool_ if isinstance(a[0], bool) else dtype) for a in args]
    with np.errstate(all="ignore"):
        got = ELEMENTWISE[op](*arrays)
    np.testing.assert_array_equal(got, expected)


def test_relu_and_zero_have_no_sign() -> None:
    """RELU of -0 and of what is below is +0."""
    assert not np.signbit(ELEMENTWISE["relu"](np.array([-0.0, -3.0]))).any()


def test_fused_multiply_add_rounds_once() -> None:
    """Equal to the tests' own, over magnitudes at which two roundings would differ; infinities and NaN pass."""
    rng = np.random.default_rng(3)
    a, b = (rng.standard_normal(20_000).astype(np.float32) for _ in range(2))
    c = (-a.astype(np.float64) * b * (1 + rng.choice([0, 2**-24, 2**-30], 20_000))).astype(np.float32)
    got = fused_multiply_add(a, b, c)
    assert got.tobytes() == fma32(a, b, c).tobytes()
    assert (got != a * b + c).any()
    with np.errstate(all="ignore"):
        odd = fused_multiply_add(*(np.array(x, np.float32) for x in ([INF, INF, 1e30], [2, -0.0, 1e30], [1, 1, 0])))
    np.testing.assert_array_equal(odd, [INF, NAN, INF])


# --- chains


def test_float32_sums_are_ascending_chains() -> None:
    """A large first number swallows small ones, as it does in the emitted chain; in float64 nothing is lost."""
    x = np.array([2.0**24, 1, 1, 1, -(2.0**24)])
    assert last_sum(x.astype(np.float32)) == 0
    assert last_sum(x) == 3


def test_float32_products_are_fma_chains() -> None:
    """Entry by entry the chain from +0 over the inner index."""
    rng = np.random.default_rng(4)
    x, w = (rng.standard_normal(shape).astype(np.float32) for shape in ((5, 2, 7), (3, 7)))
    got = matrix_product(x, w)
    for place in np.ndindex(5, 2, 3):
        chain = np.float32(0)
        for i in range(7):
            chain = fma32(x[place[:2]][i], w[place[2], i], chain)
        assert got[place] == chain
    np.testing.assert_allclose(matrix_product(x.astype(np.float64), w), x.astype(np.float64) @ w.T, rtol=1e-12)
    np.testing.assert_array_equal(last_dot(x[..., 0, :], x[..., 1, :]).shape, (5,))


@pytest.mark.parametrize(
    ("op", "expected"),
    [("sum", ROWS.sum(1)), ("product", ROWS.prod(1)), ("amax", ROWS.max(1)), ("amin", ROWS.min(1))],
)
def test_reductions_take_the_last_axis(op, expected) -> None:
    """One number a row."""
    np.testing.assert_allclose(value((Reduce(op, (0,)), PER_ROW)), expected)


# --- shapes and the batch axis


def test_operands_meet_row_by_row() -> None:
    """A scalar a row, a uniform vector and a uniform scalar each combine with values of a longer shape."""
    per_row = (Reduce("sum", (0,)), PER_ROW)
    np.testing.assert_allclose(value(per_row, (Elementwise("mul", (0, 1)), X3)), ROWS * ROWS.sum(1)[:, None])
    uniform = (Iota(), row((3,), batched=False))
    np.testing.assert_allclose(value(uniform, (Elementwise("add", (0, 1)), X3)), ROWS + np.arange(3))
    wide = row((2, 3), batched=True)
    np.testing.assert_allclose(value((Elementwise("spread", (0,)), wide)), np.stack([ROWS, ROWS], axis=1))
    np.testing.assert_allclose(value((Known(2.5), SCALAR), (Elementwise("sub", (0, 1)), X3)), ROWS - 2.5)


def test_a_view_is_a_stretch_of_numbers() -> None:
    """From its offset on, under its own shape; a uniform value has no batch axis."""
    np.testing.assert_array_equal(value((View(0, 1), row((2, 1), batched=True))), ROWS[:, 1:].reshape(-1, 2, 1))
    uniform = (Iota(), row((6,), batched=False))
    np.testing.assert_array_equal(value(uniform, (View(1, 2), row((2, 2), batched=False))), [[2, 3], [4, 5]])


def test_pieces_are_put_where_they_say() -> None:
    """A transpose beside a uniform row: strides of the source and of the target."""
    matrix = (View(0), row((3, 1), batched=True))
    pieces = (Piece(1, 0, 0, ((3, 1, 2),)), Piece(2, 2, 1, ((3, -1, 2),)))
    got = value(matrix, (Iota(), row((3,), batched=False)), (Arrange(pieces), row((3, 2), batched=True)))
    np.testing.assert_array_equal(got[..., 0], ROWS)
    np.testing.assert_array_equal(got[..., 1], np.tile([2.0, 1.0, 0.0], (4, 1)))


def test_kernels_reach_nothing_outside_the_axis() -> None:
    """Places are floored; outside or NaN, `at` and `slice` give NaN and `put` changes nothing."""
    place = (View(0, 0), PER_ROW)  # 1, 0.5, 7, -1
    np.testing.assert_array_equal(value(place, (Kernel("at", (0, 1), (3, 1)), PER_ROW)), [-2.0, 0.5, NAN, NAN])
    nine = (Known(9.0), SCALAR)
    got = value(place, nine, (Kernel("put", (0, 2, 1), (3, 1)), X3))
    np.testing.assert_array_equal(got, [[1, 9, 3], [9, 4, -6], [7, 8, 9], [-1, 0, 2]])
    got = value(place, (Kernel("slice", (0, 1), (1, 3, 2)), row((2,), batched=True)))
    np.testing.assert_array_equal(got, [[-2, 3], [0.5, 4], [NAN, NAN], [NAN, -1]])
    nothing = (Elementwise("sqrt", (2,)), SCALAR)
    got = value((Known(-1.0), SCALAR), (Known(-1.0), SCALAR), nothing, (Kernel("at", (0, 3), (3, 1)), PER_ROW))
    assert np.isnan(got).all()


def test_kernels_order_numbers() -> None:
    """The first of equals, NaN last, sums of what stands before."""
    tie = np.array([[2.0, 5.0, 5.0], [NAN, 1.0, 0.0]])

    def run(op: str) -> np.ndarray:
        unit_ = unit((Kernel(op, (0,), (1, 3)), X3 if op in ("sort", "argsort", "cumsum") else PER_ROW))
        return evaluate(unit_, {}, Batch(2, tie), {})[0]

    np.testing.assert_array_equal(run("argmax"), [1, 0])
    np.testing.assert_array_equal(run("argmin"), [0, 0])
    np.testing.assert_array_equal(run("sort"), [[2, 5, 5], [0, 1, NAN]])
    np.testing.assert_array_equal(run("argsort"), [[0, 1, 2], [2, 1, 0]])
    np.testing.assert_array_equal(run("cumsum"), [[2, 7, 12], [NAN, NAN, NAN]])


def test_a_product_of_matrices() -> None:
    """`[t, k]` by `[k, n]`, one of them the same for every row."""
    left, right = (View(0), row((1, 3), batched=True)), (Iota(), row((3,), batched=False))
    square = (Kernel("matmul", (1, 2), (1, 3, 1)), row((1, 1), batched=True))
    np.testing.assert_allclose(value(left, right, square)[:, 0, 0], ROWS @ [0, 1, 2])


# --- parameters, calls, loops


def test_layers_use_the_member_s_weights() -> None:
    """W x along the last axis; a parameter as a value is uniform."""
    w, bias = np.arange(6.0).reshape(2, 3), np.array([10.0, 20.0])
    nodes = [
        (Linear(0, 0), row((2,), batched=True)),
        (ParameterValue(1), row((2,), batched=False)),
        (Elementwise("add", (1, 2)), row((2,), batched=True)),
    ]
    parameters = [parameter("A/weight", (2, 3)), parameter("A/bias", (2,))]
    got = value(*nodes, weights={"A/weight": w, "A/bias": bias}, parameters=parameters)
    np.testing.assert_allclose(got, ROWS @ w.T + bias)


def test_calls_take_arguments_and_give_results_in_order() -> None:
    """Two inputs, two outputs, the deepest first."""
    callee = Application(
        "G",
        nodes=[Node(Input(0), X3), Node(Input(1), PER_ROW), Node(Elementwise("sub", (0, 1)), X3)],
        outputs=(1, 2),
    )
    nodes = [(Reduce("sum", (0,)), PER_ROW), (CallUnit(0, (0, 1)), PER_ROW), (CallResult(2, 1), X3)]
    np.testing.assert_allclose(value(*nodes, calls=[callee]), ROWS - ROWS.sum(1)[:, None])
    np.testing.assert_allclose(value(*nodes, (View(2), PER_ROW), calls=[callee]), ROWS.sum(1))


def test_a_counted_loop_carries_its_values() -> None:
    """x and 1 become x + 1 and 2, then x + 3 and 4, then x + 7 and 8."""
    nodes = [
        (Known(1.0), SCALAR),
        (LoopBegin((0, 1), 3), SCALAR),
        (LoopVariable(2, 0), X3),
        (LoopVariable(2, 1), SCALAR),
        (Elementwise("add", (3, 4)), X3),
        (Elementwise("add", (4, 4)), SCALAR),
        (LoopEnd(2, (5, 6)), SCALAR),
        (LoopResult(7, 0), X3),
        (LoopResult(7, 1), SCALAR),
        (Elementwise("mul", (8, 9)), X3),
    ]
    np.testing.assert_allclose(value(*nodes), (ROWS + 7) * 8)


def test_a_loop_runs_until_every_row_is_done() -> None:
    """Each row is halved while it is above 1; rows that are done stay."""
    nodes = [
        (Reduce("sum", (0,)), PER_ROW),  # 1: 2, -1.5, 24, 1
        (Known(1.0), SCALAR),  # 2
        (Elementwise("is_gt", (1, 2)), FLAG),  # 3
        (LoopBegin((1, 3), None, 1), SCALAR),  # 4
        (LoopVariable(4, 0), PER_ROW),  # 5
        (LoopVariable(4, 1), FLAG),  # 6
        (Known(0.5), SCALAR),  # 7
        (Elementwise("mul", (5, 7)), PER_ROW),  # 8
        (Elementwise("choose", (6, 8, 5)), PER_ROW),  # 9
        (Elementwise("is_gt", (9, 2)), FLAG),  # 10
        (LoopEnd(4, (9, 10)), SCALAR),  # 11
        (LoopResult(11, 0), PER_ROW),  # 12
    ]
    np.testing.assert_allclose(value(*nodes), [1.0, -1.5, 0.75, 1.0])


# --- scores


def test_a_batch_sum_stays_float64_until_a_word_uses_it() -> None:
    """As the score it is the float64 sum of the rows; as an operand it is rounded to float32."""
    data = np.array([[2.0**24, 0, 0], [1.0, 0, 0]], np.float32)
    one = row((), batched=True)
    nodes = [(View(0), one), (BatchReduce("sum", 1), SCALAR)]
    root = unit(*nodes)
    assert score(root, {}, Batch(2, data), {}, dtype="float32") == 2.0**24 + 1
    used = unit(*nodes, (Known(0.0), SCALAR), (Elementwise("add", (2, 3)), SCALAR))
    assert score(used, {}, Batch(2, data), {}, dtype="float32") == 2.0**24
    assert score(unit((View(0), one), (BatchReduce("mean", 1), SCALAR)), {}, Batch(2, data), {}) == (2.0**24 + 1) / 2


def test_a_word_of_one_row_scores_its_mean() -> None:
    """Also where its value is the same for all rows."""
    root = unit((Reduce("sum", (0,)), PER_ROW), row_word=True)
    assert score(root, {}, Batch(4, ROWS), {}) == ROWS.sum(1).mean()
    assert score(unit((Known(2.5), SCALAR), row_word=True), {}, Batch(4, ROWS), {}) == 2.5


# --- what is not known


@pytest.mark.parametrize(
    "operation",
    [Elementwise("nonsense", (0,)), Reduce("nonsense", (0,)), Kernel("nonsense", (0,), ()), LinearMean(0, 0)],
    ids=lambda operation: type(operation).__name__,
)
def test_what_is_not_known_is_refused(operation: Operation) -> None:
    """Never passed over in silence: an unknown name, and a node of a later form."""
    with pytest.raises(InternalError, match=r"the reference"):
        value((operation, X3))


@pytest.mark.parametrize("name", [name for name, entry in WORDS.items() if entry.example.body])
def test_every_word_s_operations_are_known(name: str) -> None:
    """The interpreter evaluates each word's example on a row of ordinary numbers, to a number."""
    checked = check_program(Source("t.gs", example_text(WORDS[name].example)))
    fields = [(p.name, p.shape, p.kind, p.trainable, p.init, p.init_value) for p in checked.parameters]
    weights = initial_weights([InitialParameter(*f) for f in fields], 0)
    data = np.random.default_rng(1).uniform(-2, 2, (5, 4))
    tables = {table: np.ones(table.shape) for stage in checked.stages for table in stage.root.all_tables()}
    batch = Batch(5, data, tables=tables)
    assert all(np.isfinite(score(stage.root, weights, batch, stage.stage.settings)) for stage in checked.stages)
