"""The comparison's record -> tables in Markdown.

In: the record that `measure.compare` made, with its machine. Out: text. Invariant: every number is the record's.
"""

from __future__ import annotations

from typing import Any

_UNITS = {"epoch": "ms an epoch", "steps": "M steps/s", "inference": "of its inference's speed"}


def to_tables(record: dict[str, Any]) -> str:
    """What Geode reaches, and what every side did."""
    lines = ["| work | | best peer | Geode is | must be | holds |", "|---|---|---|---|---|---|"]
    lines += [
        f"| {row['key']} | {row['what']} | {row['against']} | {row['value']:.3g} × (minima {row['minima']:.3g}) "
        f"| ≥ {row['limit']:g} | {'yes' if row['holds'] else 'no'} |"
        for row in record["rows"]
    ]
    lines += [
        "",
        "| work | side | median | best | first score | last | same work | version | differs |",
        "|" + "---|" * 9,
    ]
    for side in record["sides"]:
        same = {None: "", True: "yes", False: "no"}[side["same work"]]
        lines.append(
            f"| {side['work']} | {side['name']} | {_speed(side, 'median')} {_UNITS[side['kind']]} | {_speed(side, 'least')} "
            f"| {side['first']:.4g} | {side['last']:.4g} | {same} | {side['version']} | {side['differs']} |"
        )
    return "\n".join(lines) + "\n"


def to_section(record: dict[str, Any]) -> str:
    """The part of docs/benchmarks.md."""
    machine = record["machine"]
    return (
        "\n## Beside other libraries\n\n"
        f"{machine['date']}, {machine['processor']}, {machine['compiler']}; two threads each side, load {machine['load']} at the "
        f"start. {record['rounds']} rounds: in each, every side runs once, a process of its own, in a changing order, and "
        "gives the median of five measurements after warming up; compiling is not counted. The ratio is the median of the "
        "rounds' ratios; that of the least measurements is in brackets.\n\n"
        "All sides of a work begin with the same weights and rows and do the same number of epochs: those with the same "
        "algorithm must agree in the first and the last epoch's mean score within 5 %. In W4 the last alone counts, since each "
        "draws its games' starts by itself, Geode one an epoch for all members, the others one a pair. W4's peers are "
        "credited with every step they simulate, those of JAX after a fall included, Geode with the games' own. In W5 a "
        "system is measured against itself: the inference is of 256 × 1000 rows in memory with the unperturbed weights, "
        "in Geode with the loss, in JAX with the outputs' sum of squares; own rows are drawn in Geode, by training and by "
        "inference alike, and lie in memory in JAX.\n\n"
        + to_tables(record)
        + "\n`geode bench --peers` measures again.\n"
    )


def _speed(side: dict[str, Any], which: str) -> str:
    cost = float(side[which])
    value = {"epoch": 1e3 * cost, "steps": 1e-6 / cost, "inference": 1.0 / cost}[side["kind"]]
    return f"{value:.3g}"
