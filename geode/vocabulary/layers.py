"""Activations and losses."""

from __future__ import annotations

from collections.abc import Callable

from geode.graph.machine import Machine
from geode.graph.values import Tensor
from geode.vocabulary.arithmetic import elementwise_entry
from geode.vocabulary.entry import Counter, Entry, Example
from geode.vocabulary.reductions import divided, log_sum_exp, reduce_all, reduce_last

ACTIVATIONS = "activations"
LOSSES = "losses"


def _pair(machine: Machine) -> tuple[Tensor, Tensor]:
    """The two operands of a loss, of one row shape."""
    y, x = machine.pop_tensor("x y"), machine.pop_tensor("x y")
    if x.type.shape != y.type.shape:
        machine.fail(
            "GS304", f"`{machine.word}` wants two values of one row shape, not {x.type} and {y.type}", wanted="x y"
        )
    return x, y


def _squares(machine: Machine) -> tuple[Tensor, int]:
    """Σ(x−y)² over all axes of the row, and how many terms there are."""
    x, y = _pair(machine)
    error = machine.elementwise("sub", (x, y))
    return reduce_all(machine, "dot", (error, error)), x.type.size


def _euclidean(machine: Machine) -> None:
    machine.push(_squares(machine)[0])


def _mean_square(machine: Machine) -> None:
    total, count = _squares(machine)
    machine.push(divided(machine, total, count))


def _absolute(machine: Machine) -> None:
    x, y = _pair(machine)
    error = machine.elementwise("abs", (machine.elementwise("sub", (x, y)),))
    machine.push(reduce_all(machine, "sum", (error,)))


def _huber(machine: Machine) -> None:
    """½d² where |d| ≤ 1, else |d| − ½."""
    x, y = _pair(machine)
    error = machine.elementwise("abs", (machine.elementwise("sub", (x, y)),))
    half = machine.known(0.5)
    square = machine.elementwise("mul", (half, machine.elementwise("mul", (error, error))))
    near = machine.elementwise("is_le", (error, machine.known(1.0)), "f")
    term = machine.elementwise("choose", (near, square, machine.elementwise("sub", (error, half))))
    machine.push(reduce_all(machine, "sum", (term,)))


def _label_help(*found: Tensor) -> str | None:
    """What makes a scalar of a vector of one number, if one was found."""
    vectors = [tensor for tensor in found if tensor.type.shape == (1,)]
    return f"`0 AT` makes a scalar of {vectors[-1].type}" if vectors else None


def _label(machine: Machine, wanted: str) -> tuple[Tensor, Tensor]:
    """Scores and a label: a scalar that names one of them."""
    label, scores = machine.pop_tensor(wanted), machine.pop_tensor(wanted)
    if label.type.shape or len(scores.type.shape) != 1:
        machine.fail(
            "GS304",
            f"`{machine.word}` wants a vector and a label, not {scores.type} and {label.type}",
            wanted=wanted,
            help=_label_help(label),
        )
    return scores, label


def _cross_entropy(machine: Machine) -> None:
    """ln Σ exp(logits) minus the label's logit."""
    logits, label = _label(machine, "logits:r:k label:r")
    total = log_sum_exp(machine, logits)[0]
    chosen = machine.kernel("at", (logits, label), (logits.type.shape[0], 1), ())
    machine.push(machine.elementwise("sub", (total, chosen)))


def _accuracy(machine: Machine) -> None:
    """1 where the place of the largest score is the label, floored; NaN for a label outside the range."""
    scores, label = _label(machine, "scores:r:k label:r")
    count = scores.type.shape[0]
    place = machine.kernel("argmax", (scores,), (1, count), ())
    floor = machine.elementwise("floor", (label,))
    hit = machine.elementwise("number", (machine.elementwise("is_eq", (place, floor), "f"),))
    inside = machine.elementwise(
        "and",
        (
            machine.elementwise("is_le", (machine.known(0.0), label), "f"),
            machine.elementwise("is_lt", (label, machine.known(float(count))), "f"),
        ),
        "f",
    )
    machine.push(machine.elementwise("choose", (inside, hit, machine.known(float("nan")))))


def _binary(machine: Machine) -> None:
    """Cross entropy of a logit z with label y in {0, 1}: softplus(z) − z where y is 1, softplus(z) where it is 0."""
    wanted = "logit:r label:r"
    label, logit = machine.pop_tensor(wanted), machine.pop_tensor(wanted)
    if label.type.shape or logit.type.shape:
        message = f"`LOSS-BINARY` wants two scalars, not {logit.type} and {label.type}"
        machine.fail("GS304", message, wanted=wanted, help=_label_help(logit, label))
    floor = machine.elementwise("floor", (label,))
    zero = machine.elementwise("is_eq", (floor, machine.known(0.0)), "f")
    one = machine.elementwise("is_eq", (floor, machine.known(1.0)), "f")
    soft = machine.elementwise("softplus", (logit,))
    outside = machine.elementwise(
        "choose", (one, machine.elementwise("sub", (soft, logit)), machine.known(float("nan")))
    )
    machine.push(machine.elementwise("choose", (zero, soft, outside)))


def _cosine(machine: Machine) -> None:
    """1 − x·y / (‖x‖ ‖y‖)."""
    x, y = (machine.flatten(v) for v in _pair(machine))
    norms = [machine.elementwise("sqrt", (reduce_last(machine, "dot", (v, v)),)) for v in (x, y)]
    cosine = machine.elementwise(
        "div", (reduce_last(machine, "dot", (x, y)), machine.elementwise("mul", (norms[0], norms[1])))
    )
    machine.push(machine.elementwise("sub", (machine.known(1.0), cosine)))


def _activation(name: str, op: str, summary: str) -> Entry:
    return elementwise_entry(ACTIVATIONS, name, op, f"( x -- {name.lower()} x )", summary, name, None, "( r:4 -- r:4 )")


def _loss(
    name: str,
    effect: str,
    summary: str,
    lowering: str,
    example: Example,
    counter: Example,
    apply: Callable[[Machine], None],
) -> Entry:
    return Entry(name, LOSSES, effect, summary, lowering, example, Counter("GS304", counter), apply)


def _pairwise(name: str, summary: str, lowering: str, apply: Callable[[Machine], None]) -> Entry:
    example = Example(name, "( r:4 r:4 -- r )")
    return _loss(name, "( x y -- r )", summary, lowering, example, Example(name, "( r:4 r:3 -- r )"), apply)


ENTRIES: tuple[Entry, ...] = (
    _activation("RELU", "relu", "zero where x ≤ 0, else x; a NaN stays"),
    _activation("LEAKY-RELU", "leaky_relu", "x where x > 0, else 0.01 x"),
    _activation("ELU", "elu", "x where x > 0, else eˣ − 1"),
    _activation("GELU", "gelu", "½x (1 + tanh(√(2/π)(x + 0.044715x³)))"),
    _activation("SILU", "silu", "x times its sigmoid"),
    _activation("SIGMOID", "sigmoid", "1/(1+e⁻ˣ)"),
    _activation("SOFTPLUS", "softplus", "ln(1+eˣ), for large x without overflow"),
    _pairwise("LOSS-EUCLIDEAN", "Σ(x−y)² over all axes of the row", "sub dot", _euclidean),
    _pairwise("LOSS-MSE", "the mean of (x−y)² over all axes of the row", "sub dot div", _mean_square),
    _pairwise("LOSS-L1", "Σ|x−y| over all axes of the row", "sub abs sum", _absolute),
    _pairwise("LOSS-HUBER", "Σ of ½d² where |d| ≤ 1, else |d|−½, d = x−y", "sub abs choose sum", _huber),
    _pairwise("LOSS-COSINE", "1 − the cosine of the angle between x and y", "dot sqrt div", _cosine),
    _loss("LOSS-CROSS-ENTROPY", "( logits:r:k label:r -- r )", "−ln of the label's softmax; a label outside gives NaN",
          "amax exp sum ln at", Example("ABS 3 MIN LOSS-CROSS-ENTROPY", "( r:4 r -- r )"),
          Example("LOSS-CROSS-ENTROPY", "( r:4 r:4 -- r )"), _cross_entropy),
    _loss("LOSS-BINARY", "( logit:r label:r -- r )", "the cross entropy of a logit with label 0 or 1",
          "softplus choose", Example("0> LOSS-BINARY", "( r r -- r )"), Example("LOSS-BINARY", "( r:4 r:4 -- r )"),
          _binary),
    _loss("ACCURACY", "( scores:r:k label:r -- r )", "1 where the largest score is the label's, else 0",
          "argmax floor is_eq", Example("ABS 3 MIN ACCURACY", "( r:4 r -- r )"),
          Example("ACCURACY", "( r:4 r:4 -- r )"), _accuracy),
)  # fmt: skip
