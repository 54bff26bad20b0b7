"""Scales, ticks and paths for drawings in SVG.

In: numbers. Out: text of attributes and elements. Invariant: coordinates are rounded to a tenth of a unit, so equal data
give equal text.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from html import escape

from geode.record import dataclass

_SUPERSCRIPT = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")
_THIN = "\u2009"


@dataclass(frozen=True, slots=True)
class Scale:
    """Maps `low` … `high` to `start` … `end`, on a logarithmic axis if `log`."""

    low: float
    high: float
    start: float
    end: float
    log: bool = False

    def __call__(self, value: float) -> float:
        """Where `value` lies; on a logarithmic axis what is not positive lies at the start."""
        low, high, x = (self._bend(v) for v in (self.low, self.high, value))
        return self.start + (x - low) / (high - low) * (self.end - self.start) if high > low else self.start

    def _bend(self, value: float) -> float:
        return math.log10(max(value, self.low, 1e-300)) if self.log else value

    def ticks(self, count: int = 5) -> list[float]:
        """About `count` round values within the scale."""
        return _log_ticks(self.low, self.high, count) if self.log else _linear_ticks(self.low, self.high, count)


def scale_over(values: Iterable[float], start: float, end: float, *, log: bool = False, room: float = 0.04) -> Scale:
    """A scale that holds all values with some room at both ends."""
    known = list(values)
    low, high = min(known), max(known)
    if log:
        factor = (high / low) ** room if high > low else 1.5
        return Scale(low / factor, high * factor, start, end, log=True)
    pad = (high - low) * room or abs(high) * 0.1 or 1.0
    return Scale(low - pad, high + pad, start, end)


def wants_log(values: Iterable[float], ratio: float) -> bool:
    """Whether values are all positive and more than `ratio` apart."""
    known = list(values)
    return bool(known) and min(known) > 0 and max(known) / min(known) > ratio


def _linear_ticks(low: float, high: float, count: int) -> list[float]:
    if high <= low:
        return [low]
    raw = (high - low) / max(1, count)
    power = 10.0 ** math.floor(math.log10(raw))
    step = next(step for step in (power, 2 * power, 2.5 * power, 5 * power, 10 * power) if step >= raw * 0.999)
    first = math.ceil(low / step - 1e-9)
    return [round(k * step, 12) for k in range(first, math.floor(high / step + 1e-9) + 1)]


def _log_ticks(low: float, high: float, count: int) -> list[float]:
    decades = range(math.floor(math.log10(low)), math.ceil(math.log10(high)) + 1)
    for marks in ((1, 1.5, 2, 3, 4, 5, 6, 7, 8, 9), (1, 2, 3, 5, 7), (1, 2, 5), (1, 3), (1,)):
        found = [mark * 10.0**decade for decade in decades for mark in marks]
        inside = [value for value in found if low <= value <= high]
        if 2 <= len(inside) <= count + 2:
            return inside
    every = max(1, len(decades) // count)
    inside = [10.0**decade for decade in decades[::every] if low <= 10.0**decade <= high]
    return inside or [low, high]


def path(points: Sequence[tuple[float, float]]) -> str:
    """The data of a polyline."""
    return "M" + "L".join(f"{x:.1f} {y:.1f}" for x, y in points) if points else ""


def band(upper: Sequence[tuple[float, float]], lower: Sequence[tuple[float, float]]) -> str:
    """The data of the area between two lines over the same places."""
    return path([*upper, *reversed(lower)]) + "Z" if upper else ""


def text(x: float, y: float, content: str, *, anchor: str = "middle", kind: str = "") -> str:
    """A text element."""
    class_ = f' class="{kind}"' if kind else ""
    return f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}"{class_}>{escape(content)}</text>'


def line(x1: float, y1: float, x2: float, y2: float, kind: str) -> str:
    """A straight line."""
    return f'<line class="{kind}" x1="{x1:.1f}" y1="{y1:.1f}" x2="{x2:.1f}" y2="{y2:.1f}"/>'


def number(value: float | None, digits: int = 5) -> str:
    """A number for people: thousands apart by thin spaces, powers of ten where it is large or small."""
    if value is None:
        return "—"
    if value == 0:
        return "0"
    size = math.floor(math.log10(abs(float(f"{value:.{digits - 1}e}"))))
    if -4 <= size < 7:
        shown = f"{value:,.{max(0, digits - 1 - size)}f}".replace(",", _THIN)
        shown = shown.rstrip("0").rstrip(".") if "." in shown else shown
    else:
        mantissa = f"{value / 10.0**size:.{digits - 1}f}".rstrip("0").rstrip(".")
        power = f"10{str(size).translate(_SUPERSCRIPT)}"
        shown = power if mantissa == "1" else f"{mantissa}·{power}"
    return shown.replace("-", "−")
