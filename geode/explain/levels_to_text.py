"""Levels -> text for a terminal, and records for a machine.

In: a `CheckedProgram`. Out: lines, or plain values for JSON. Invariant: the records hold every node of every unit; the
text leaves out literals and the steps inside a word.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import asdict
from pathlib import PurePath
from typing import Any

from geode.explain.levels import ParameterForms, UnitLevels, ValueLevel, program_levels
from geode.explain.step_size import stage_title, step_size_lines
from geode.pipeline import CheckedProgram

_LEGEND = (
    "levels: a value is computed once a run, once an epoch, once a pair of perturbations, or for every member",
    "width: one value a row, or uniform, one for all rows",
)
_NUMBERS = "#1, #2: a word is compiled once for each set of shapes and levels; a call names the one that it runs"
_FORM_TEXT = {
    "materialised": "materialised: the member's own W + s E",
    "factored": "factored: W x and A (B'x), E is never made",
    "bf16": "W x of bfloat16 numbers",
}
_SPLIT = (("W x", "W x"), ("E x", "E x"), ("W x + s E x", "joined"))
_ONCE = {"run": "once a run", "epoch": "once an epoch", "pair": "once a pair", "member": "for each member"}


def levels_to_text(program: CheckedProgram) -> str:
    """The program's stages, then its units with a line for each value that a word leaves."""
    units = program_levels(program)
    several = {unit.word for unit in units if unit.form > 1}
    lines = [f"program {program.name}", *_LEGEND, *([_NUMBERS] if several else [])]
    for number, item in enumerate(program.stages, 1):
        lines += ["", f"stage {number}: {stage_title(item.stage, program.training.files)}"]
        lines += [f"  {line}" for line in step_size_lines(item.stage)]
    for unit in units:
        lines += ["", *_unit_lines(unit, program.name, several)]
    return "\n".join(lines) + "\n"


def levels_to_record(program: CheckedProgram) -> dict[str, Any]:
    """The same as plain values: `stages`, and `units` with `parameters`, `places` and `values`."""
    stages = [
        {
            "kind": item.stage.kind,
            "word": item.stage.word,
            "title": stage_title(item.stage, program.training.files),
            "step_size": step_size_lines(item.stage),
        }
        for item in program.stages
    ]
    return {"program": program.name, "stages": stages, "units": [asdict(unit) for unit in program_levels(program)]}


def _unit_lines(unit: UnitLevels, main: str, several: Collection[str]) -> list[str]:
    """`several` are the words that have more than one unit: these, and calls of them, bear a number."""
    number = f" #{unit.form}" if unit.word in several else ""
    lines = [f"{unit.word}{number} ( {' '.join([*unit.inputs, '--', *unit.outputs])} )"]
    lines += [f"  at {place.root}{'/' if place.path else ''}{place.path}" for place in unit.places]
    for position, parameter in enumerate(unit.parameters):
        names = [place.parameters[position] for place in unit.places]
        values = [value for value in unit.values if value.parameter == position]
        lines += _parameter_lines(parameter, names, values)
    shown = [value for value in unit.values if value.left or value.parameter is not None]
    return lines + _table([_row(unit, value, main, several) for value in shown])


def _parameter_lines(parameter: ParameterForms, names: Sequence[str], values: Sequence[ValueLevel]) -> list[str]:
    if not parameter.trained:
        form = "not trained: known once a run"
    else:
        texts = {**_FORM_TEXT, "split": _split_text(values)}
        form = "; ".join(texts[form] for form in parameter.forms) or "trained, but no value depends on it"
    return [f"  parameter {' '.join(dict.fromkeys(names))} {parameter.shape}, {form}"]


def _split_text(values: Sequence[ValueLevel]) -> str:
    """When a split layer's parts are computed: nothing is taken out of a loop, so that there all have the loop's level."""
    parts = []
    for operation, name in _SPLIT:
        levels = dict.fromkeys(_ONCE[value.level] for value in values if value.operation == operation)
        parts += [f"{name} {' or '.join(levels)}"] if levels else []
    if {value.level for value in values if value.operation == "W x"} == {"member"}:
        return "split: W x and E x apart, but in a loop, out of which nothing is taken: all for each member"
    return f"split: {', '.join(parts)}"


def _row(unit: UnitLevels, value: ValueLevel, main: str, several: Collection[str]) -> tuple[str, ...]:
    """The cells of a value's line; a place in another file than the program's names that."""
    where = ""
    if value.place is not None:
        path, line, column = value.place
        where = f"{line}:{column}" if PurePath(path).stem == main else f"{PurePath(path).name}:{line}:{column}"
    word = value.word or ""
    if value.inside != unit.word:
        word += f" in {value.inside}"
    called = value.operation
    if value.callee is not None and called.removeprefix("call ") in several:
        called += f" #{value.callee}"
    return (where, word, value.type, value.level, value.width, called)


def _table(rows: Sequence[tuple[str, ...]]) -> list[str]:
    if not rows:
        return []
    heading = ("place", "word", "value", "level", "width", "computed as")
    widths = [max(len(row[column]) for row in (heading, *rows)) for column in range(len(heading))]
    return [
        "    " + "  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip()
        for row in (heading, *rows)
    ]
