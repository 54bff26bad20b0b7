"""Learning curves of a sweep's points as one drawing.

In: rows, best first. Out: SVG text: for each row a line, the mean over its replicates, and an area from their least to their
largest value, once on a linear and once on a logarithmic axis, in a wide form and in one for phones. Invariant: a group
carries the number of its row, so that the page can colour it and raise it.
"""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

from geode.record import dataclass
from geode.report.runs_to_table import Row, spread_of
from geode.report.svg import Scale, band, line, number, path, scale_over, text

_LEFT, _RIGHT, _TOP, _BOTTOM = 72.0, 30.0, 14.0, 46.0
MOST = 60  # curves that can still be told apart, more or less
_NAMED = 5  # of the best, whose rank stands at the end of the curve
_APART = 13.0  # least distance of two such ranks

Spread = list[tuple[float, float, float, float]]


@dataclass(frozen=True, slots=True)
class _Form:
    """A size of the drawing: its class in the style sheet, how many places of a curve are drawn, ticks on each axis."""

    name: str
    width: float
    height: float
    samples: int
    ticks: tuple[int, int]

    @property
    def right(self) -> float:
        return self.width - _RIGHT

    @property
    def bottom(self) -> float:
        return self.height - _BOTTOM


_FORMS = (_Form("wide-form", 960.0, 440.0, 160, (8, 6)), _Form("narrow-form", 400.0, 340.0, 60, (4, 5)))


@dataclass(frozen=True, slots=True)
class Curves:
    """The drawing in its forms, whether a logarithmic axis suits it better, whether it can have one, and what it leaves out."""

    svg: str
    log: bool
    both: bool
    note: str


def draw_curves(rows: Sequence[Row], metric: str) -> Curves | None:
    """The drawing of the best rows' curves of `metric`; None where no run wrote two epochs."""
    drawn = [(number_, spread) for number_, row in enumerate(rows[:MOST]) if len(spread := spread_of(row)) > 1]
    if not drawn:
        return None
    values = sorted(value for _, spread in drawn for _, _, least, largest in spread for value in (least, largest))
    top = _cut(values)
    both = values[0] > 0
    notes = []
    if len(rows) > MOST:
        notes.append(f"The {MOST} best of {len(rows)} points are drawn.")
    if top < values[-1]:
        notes.append(f"On the linear axis what lies above {number(top, 3)} is cut off.")
    svg = "".join(_drawing(form, drawn, metric, values, top) for form in _FORMS)
    return Curves(svg, both and values[-1] / values[0] > 20, both, " ".join(notes))


def _drawing(form: _Form, drawn: Sequence[tuple[int, Spread]], metric: str, values: Sequence[float], top: float) -> str:
    """One form of it, with both axes where all `values` are positive."""
    epochs = [epoch for _, spread in drawn for epoch, _, _, _ in spread]
    x = Scale(min(epochs), max(epochs), _LEFT, form.right)
    thin = [(number_, _thin(spread, form.samples)) for number_, spread in drawn]
    parts = [_frame("lin", scale_over([values[0], top], form.bottom, _TOP), x, thin, metric, form)]
    if values[0] > 0:
        parts.append(_frame("log", scale_over(values, form.bottom, _TOP, log=True), x, thin, metric, form))
    label = escape(f"Learning curves of {len(drawn)} points: {metric} by epoch")
    return (
        f'<svg class="{form.name}" style="--thick:{_thickness(len(drawn))}" '
        f'viewBox="0 0 {form.width:.0f} {form.height:.0f}" role="img" aria-label="{label}">'
        f'<defs><clipPath id="{form.name}"><rect x="{_LEFT}" y="{_TOP}" width="{form.right - _LEFT}" '
        f'height="{form.bottom - _TOP}"/></clipPath></defs>{"".join(parts)}</svg>'
    )


def _thickness(curves: int) -> float:
    """How opaque bands are: many lie upon one another, and must not hide the lines."""
    return round(min(0.16, max(0.03, 1.6 / curves)), 3)


def _thin(spread: Spread, samples: int) -> Spread:
    if len(spread) <= samples:
        return spread
    last = len(spread) - 1
    return [spread[round(k * last / (samples - 1))] for k in range(samples)]


def _cut(values: Sequence[float]) -> float:
    """The top of the linear axis: the largest value, or lower where a few diverge so far that they hide the others."""
    low, usual, high = values[0], values[int(0.93 * (len(values) - 1))], values[-1]
    return usual + 0.15 * (usual - low) if high - low > 4 * (usual - low) > 0 else high


def _frame(kind: str, y: Scale, x: Scale, drawn: Sequence[tuple[int, Spread]], metric: str, form: _Form) -> str:
    """Axes and curves on one kind of axis."""
    parts = []
    for tick in y.ticks(form.ticks[1]):
        parts += [
            line(_LEFT, y(tick), form.right, y(tick), "grid"),
            text(_LEFT - 10, y(tick) + 4, number(tick, 4), anchor="end"),
        ]
    for tick in x.ticks(form.ticks[0]):
        parts.append(text(x(tick), form.bottom + 20, number(tick)))
    parts.append(line(_LEFT, form.bottom, form.right, form.bottom, "axis"))
    parts.append(text((_LEFT + form.right) / 2, form.height - 8, "epoch", kind="title"))
    parts.append(
        f'<text class="title" transform="translate(14 {form.bottom / 2:.0f}) rotate(-90)" text-anchor="middle">'
        f"{escape(metric)}</text>"
    )
    parts.append(f'<g clip-path="url(#{form.name})">')
    parts += [_curve(number_, spread, x, y) for number_, spread in reversed(drawn)]  # the best on top
    return f'<g class="{kind}">{"".join(parts)}</g>{_ranks(drawn, x, y)}</g>'


def _ranks(drawn: Sequence[tuple[int, Spread]], x: Scale, y: Scale) -> str:
    """The ranks of the best beside the ends of their curves, where they don't fall upon one another."""
    taken: list[float] = []
    parts = []
    for number_, spread in drawn[:_NAMED]:
        epoch, value, _, _ = spread[-1]
        place = y(value)
        if _TOP <= place <= y.start and all(abs(place - other) >= _APART for other in taken):
            taken.append(place)
            parts.append(
                f'<g data-p="{number_}">{text(x(epoch) + 7, place + 4, str(number_ + 1), anchor="start", kind="rank")}</g>'
            )
    return "".join(parts)


def _curve(number_: int, spread: Spread, x: Scale, y: Scale) -> str:
    mean = path([(x(epoch), y(value)) for epoch, value, _, _ in spread])
    area = ""
    if any(least < largest for _, _, least, largest in spread):
        upper = [(x(epoch), y(largest)) for epoch, _, _, largest in spread]
        lower = [(x(epoch), y(least)) for epoch, _, least, _ in spread]
        area = f'<path class="band" d="{band(upper, lower)}"/>'
    return (
        f'<g class="curve" data-p="{number_}">{area}<path class="hit" d="{mean}"/><path class="mean" d="{mean}"/></g>'
    )
