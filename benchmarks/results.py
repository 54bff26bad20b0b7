"""Results -> JSON, a table in Markdown, a plot; and the comparison with the committed ones.

In: `Outcome`s. Out: text or files. Invariant: nothing here measures; the table and the plot show what the JSON holds; a
processor's results are a file of their own in machines/, so that measuring on one leaves the others' as they are.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from benchmarks.comparison.page import HOW, to_section
from benchmarks.machine import verdict
from benchmarks.row import Result, Row

COMMITTED = Path(__file__).resolve().parent / "machines"
PAGE = Path(__file__).resolve().parent.parent / "docs" / "benchmarks.md"
ALLOWED_LOSS = 0.15


@dataclass(frozen=True, slots=True)
class Outcome:
    """A row and what was measured for it in this run."""

    row: Row
    result: Result

    @property
    def holds(self) -> bool:
        """True if the row's limit is kept."""
        return self.row.holds(self.result)


def to_record(machine: dict[str, str | int | float], outcomes: Sequence[Outcome]) -> dict[str, Any]:
    """All of a run as JSON."""
    return {
        "machine": machine,
        "rows": [
            {
                "key": outcome.row.key,
                "what": outcome.row.what,
                "against": outcome.row.against,
                "limit": outcome.row.limit,
                "at_most": outcome.row.at_most,
                "unit": outcome.row.unit,
                "value": round(outcome.result.value, 4),
                "median": None if outcome.result.median is None else round(outcome.result.median, 4),
                "holds": outcome.holds,
                "hardware": outcome.row.hardware,
                "detail": {name: round(value, 4) for name, value in outcome.result.detail.items()},
            }
            for outcome in outcomes
        ],
    }


def to_table(record: dict[str, Any]) -> str:
    """The rows as a Markdown table."""
    lines = ["| what | against | measured | must be | holds | behind it |", "|---|---|---|---|---|---|"]
    for row in record["rows"]:
        unit = f" {row['unit']}" if row["unit"] else ""
        middle = "" if row["median"] is None else f" (median {row['median']:.3g})"
        sign = "≤" if row["at_most"] else "≥"
        detail = ", ".join(f"{name} {value:.4g}" for name, value in row["detail"].items())
        lines.append(
            f"| {row['what']} | {_code(row['against'])} | {row['value']:.3g}{unit}{middle} | {sign} {row['limit']:g}{unit} "
            f"| {verdict(row, record['machine'])} | {detail} |"
        )
    return "\n".join(lines) + "\n"


def to_page(records: Sequence[dict[str, Any]]) -> str:
    """docs/benchmarks.md: for each processor the rows, and the peers beside them, of what its record holds."""
    text = "<!-- made by `geode bench --write`; do not edit -->\n\n# Benchmarks\n\n" + _HOW
    for record in records:
        text += f"\n## {record['machine']['processor']}\n"
        text += _rows_section(record) if record["rows"] else ""
        text += to_section(record["peers"]) if "peers" in record else ""
    return text


_HOW = (
    "Each row is a ratio to something timed in turn with it in the same run, or a time or size by itself. The best "
    "measurement of each side counts; the median is in brackets. A ratio is hand-written time over Geode's unless the "
    "limit is an upper one, where it is Geode's over the other. `geode bench` measures again, `geode bench --check` "
    "compares with these. Only the machines named here were measured, each on its date.\n\n" + HOW
)


def _rows_section(record: dict[str, Any]) -> str:
    machine = record["machine"]
    head = ", ".join(str(machine[key]) for key in ("date", "system", "compiler"))
    cores = f"{machine['cores']} cores, tiles of {machine['lanes']} lanes, load {machine['load']} at the start"
    return f"\n{head}; {cores}.\n\n{to_table(record)}"


def losses(record: dict[str, Any], committed: dict[str, Any]) -> list[str]:
    """One line for each ratio that is worse than the committed one by more than ALLOWED_LOSS."""
    before = {row["key"]: row for row in committed["rows"]}
    found = []
    for row in record["rows"]:
        old = before.get(row["key"])
        if old is None or row["unit"]:  # times and sizes by themselves depend on the machine
            continue
        worse = row["value"] / old["value"] if row["at_most"] else old["value"] / row["value"]
        if worse > 1.0 + ALLOWED_LOSS:
            found.append(f"{row['key']}: {row['value']:.3g}, was {old['value']:.3g} ({100 * (worse - 1):.0f} % worse)")
    return found


def committed_file(machine: Mapping[str, str | int | float], folder: Path = COMMITTED) -> Path:
    """Where the results of this kind of processor are, or would be."""
    return folder / (re.sub(r"[^a-z0-9]+", "-", str(machine["processor"]).lower()).strip("-") + ".json")


def read_committed(machine: Mapping[str, str | int | float], folder: Path = COMMITTED) -> dict[str, Any] | None:
    """The committed results of this kind of processor, or None where there are none."""
    path = committed_file(machine, folder)
    return _read(path) if path.is_file() else None


def read_all(folder: Path = COMMITTED) -> list[dict[str, Any]]:
    """The committed results of every processor, by name."""
    return [_read(path) for path in sorted(folder.glob("*.json"))]


def comparable(machine: Mapping[str, str | int | float], folder: Path = COMMITTED) -> dict[str, Any] | None:
    """The results to compare with: this processor's, else those of one with as many lanes, else any; None for none."""
    same = read_committed(machine, folder)
    if same is not None:
        return same
    others = read_all(folder)
    return next((r for r in others if r["machine"]["lanes"] == machine["lanes"]), others[0] if others else None)


def _read(path: Path) -> dict[str, Any]:
    record: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    return record


def merged(committed: dict[str, Any] | None, record: dict[str, Any], *, peers: bool) -> dict[str, Any]:
    """The record to commit: new rows with the committed comparison with peers, or the other way round."""
    if peers:
        return (committed or {"machine": record["machine"], "rows": []}) | {"peers": record}
    return record | ({"peers": committed["peers"]} if committed is not None and "peers" in committed else {})


def commit(record: dict[str, Any], *, peers: bool) -> None:
    """Make a whole run's results the committed ones of its processor, and the page of all."""
    machine = record["machine"]
    write(merged(read_committed(machine), record, peers=peers), committed_file(machine))
    PAGE.write_text(to_page(read_all()), encoding="utf-8")


def write(record: dict[str, Any], path: Path) -> None:
    """Write the record as JSON."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(record, indent=1, ensure_ascii=False) + "\n")


def _code(text: str) -> str:
    return f"`{text}`" if "/" in text else text
