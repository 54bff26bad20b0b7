"""The comparison's record -> tables in Markdown.

In: the record that `measure.compare` made, with its machine. Out: text. Invariant: every number is the record's.
"""

from __future__ import annotations

from typing import Any

from benchmarks.machine import verdict

_UNITS = {"epoch": "ms an epoch", "steps": "M steps/s", "inference": "ms an epoch", "alone": "ms for 256 × 1000 rows"}


def to_tables(record: dict[str, Any]) -> str:
    """What Geode reaches, and what every side did."""
    lines = ["| work | | best peer | Geode is | must be | holds |", "|---|---|---|---|---|---|"]
    lines += [
        f"| {row['key']} | {row['what']} | {row['against']} | {row['value']:.3g} × (minima {row['minima']:.3g}) "
        f"| ≥ {row['limit']:g} | {verdict(row, record['machine'])} |"
        for row in record["rows"]
    ]
    lines += [
        "",
        "| work | side | median | best | first score | last | same work | version | differs |",
        "|" + "---|" * 9,
    ]
    for side in record["sides"]:
        same = {None: "", True: "yes", False: "no"}[side["same work"]]
        median = f"{_speed(side, 'median')} {_UNITS[side['kind']]}{_inference(side)}"
        scores = f"{side['first']:.4g} | {side['last']:.4g} | {same}"
        lines.append(
            f"| {side['work']} | {side['name']} | {median} | {_speed(side, 'least')} | {scores} "
            f"| {side['version']} | {side['differs']} |"
        )
    return "\n".join(lines) + "\n"


HOW = (
    "Beside other libraries, all sides have two threads. In each round every side runs once, a process of its own, in a "
    "changing order, and gives the median of five measurements after warming up; compiling is not counted. The ratio is "
    "the median of the rounds' ratios; that of the least measurements is in brackets. "
    "All sides of a work begin with the same weights and rows and do the same number of epochs: those with the same "
    "algorithm must agree in the first and the last epoch's mean score within 5 %. In W4 the last alone counts, since each "
    "draws its games' starts by itself, Geode one an epoch for all members, the others one a pair. W4's peers are "
    "credited with every step they simulate, those of JAX after a fall included, Geode with the games' own. In W5 a "
    "system is measured against itself: seconds of the inference of 256 × 1000 rows in memory by seconds of an epoch of "
    "training over as many. Geode's inference is its fastest, a program of the same network whose weights nothing "
    "trains; in Geode it includes the loss, in JAX the outputs' sum of squares. With own rows every member sees the "
    "1000 rows with numbers of its own added. `geode bench --peers` measures again.\n"
)


def to_section(record: dict[str, Any]) -> str:
    """The part of a processor's section in docs/benchmarks.md."""
    machine = record["machine"]
    return (
        "\n### Beside other libraries\n\n"
        f"{machine['date']}, {machine['compiler']}; {record['rounds']} rounds, load {machine['load']} at the start.\n\n"
        + to_tables(record)
    )


def _inference(side: dict[str, Any]) -> str:
    if side["inference"] is None:
        return ""
    return f", inference {1e3 * side['inference']:.3g} ms: {side['inference'] / side['median']:.3g}"


def _speed(side: dict[str, Any], which: str) -> str:
    cost = float(side[which])
    value = 1e-6 / cost if side["kind"] == "steps" else 1e3 * cost
    return f"{value:.3g}"
