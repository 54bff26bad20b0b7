"""Learning curves of a sweep's points as one drawing.

In: rows, best first. Out: SVG text: for each row a line, the mean over its replicates, and an area from their least to their
largest value, once on a linear and once on a logarithmic axis. Invariant: a group carries the number of its row, so that
the page can colour it and raise it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from html import escape

from geode.report.runs_to_table import Row, spread_of
from geode.report.svg import Scale, band, line, number, path, scale_over, text

WIDTH, HEIGHT = 960.0, 440.0
_LEFT, _RIGHT, _TOP, _BOTTOM = 76.0, 16.0, 14.0, 46.0
MOST = 60  # curves that can still be told apart, more or less
_SAMPLES = 160  # places of a curve that are drawn

Spread = list[tuple[float, float, float, float]]


@dataclass(frozen=True, slots=True)
class Curves:
    """The drawing, whether a logarithmic axis suits it better, whether it can have one, and what it leaves out."""

    svg: str
    log: bool
    both: bool
    note: str


def draw_curves(rows: Sequence[Row], metric: str) -> Curves | None:
    """The drawing of the best rows' curves of `metric`; None where no run wrote two epochs."""
    drawn = [(number_, _thin(spread)) for number_, row in enumerate(rows[:MOST]) if len(spread := spread_of(row)) > 1]
    if not drawn:
        return None
    values = sorted(value for _, spread in drawn for _, _, least, largest in spread for value in (least, largest))
    epochs = [epoch for _, spread in drawn for epoch, _, _, _ in spread]
    x = Scale(min(epochs), max(epochs), _LEFT, WIDTH - _RIGHT)
    top = _cut(values)
    both = values[0] > 0
    parts = [_frame("lin", scale_over([values[0], top], HEIGHT - _BOTTOM, _TOP), x, drawn, metric)]
    if both:
        parts.append(_frame("log", scale_over(values, HEIGHT - _BOTTOM, _TOP, log=True), x, drawn, metric))
    notes = []
    if len(rows) > MOST:
        notes.append(f"The {MOST} best of {len(rows)} points are drawn.")
    if top < values[-1]:
        notes.append(f"On the linear axis what lies above {number(top, 3)} is cut off.")
    label = escape(f"Learning curves of {len(drawn)} points: {metric} by epoch")
    svg = (
        f'<svg viewBox="0 0 {WIDTH:.0f} {HEIGHT:.0f}" role="img" aria-label="{label}">'
        f'<defs><clipPath id="inside"><rect x="{_LEFT}" y="{_TOP}" width="{WIDTH - _LEFT - _RIGHT}" '
        f'height="{HEIGHT - _TOP - _BOTTOM}"/></clipPath></defs>{"".join(parts)}</svg>'
    )
    return Curves(svg, both and values[-1] / values[0] > 20, both, " ".join(notes))


def _thin(spread: Spread) -> Spread:
    if len(spread) <= _SAMPLES:
        return spread
    last = len(spread) - 1
    return [spread[round(k * last / (_SAMPLES - 1))] for k in range(_SAMPLES)]


def _cut(values: Sequence[float]) -> float:
    """The top of the linear axis: the largest value, or lower where a few diverge so far that they hide the others."""
    low, usual, high = values[0], values[int(0.93 * (len(values) - 1))], values[-1]
    return usual + 0.15 * (usual - low) if high - low > 4 * (usual - low) > 0 else high


def _frame(kind: str, y: Scale, x: Scale, drawn: Sequence[tuple[int, Spread]], metric: str) -> str:
    """Axes and curves on one kind of axis."""
    parts = []
    for tick in y.ticks(6):
        parts += [
            line(_LEFT, y(tick), WIDTH - _RIGHT, y(tick), "grid"),
            text(_LEFT - 10, y(tick) + 4, number(tick, 4), anchor="end"),
        ]
    for tick in x.ticks(8):
        parts.append(text(x(tick), HEIGHT - _BOTTOM + 20, number(tick)))
    parts.append(line(_LEFT, HEIGHT - _BOTTOM, WIDTH - _RIGHT, HEIGHT - _BOTTOM, "axis"))
    parts.append(text((_LEFT + WIDTH - _RIGHT) / 2, HEIGHT - 8, "epoch", kind="title"))
    parts.append(
        f'<text class="title" transform="translate(14 {(HEIGHT - _BOTTOM) / 2:.0f}) rotate(-90)" text-anchor="middle">'
        f"{escape(metric)}</text>"
    )
    parts.append('<g clip-path="url(#inside)">')
    parts += [_curve(number_, spread, x, y) for number_, spread in reversed(drawn)]  # the best on top
    return f'<g class="{kind}">{"".join(parts)}</g></g>'


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
