"""The form of a word for tiles of many members -> its record in program.c.

In: the places of the word's root in both forms. Out: the adapters of its functions, the tables and the record.
Invariant: run and epoch slices are those of the form of one member a tile, element by element.
"""

from __future__ import annotations

from geode.emit.entry_adapter import adapter, lanes
from geode.emit.names import function_name, part_name
from geode.loops.loop import Part, Space
from geode.loops.slice_parts import slice_parts
from geode.loops.specialise import Place


def members_form(name: str, root: Place, members: Place, instance: int) -> str:
    """The text of `NAME_members_form` and of all that it points to; `instance` is that of the form's root."""
    unit = members.unit
    symbol = unit.interface.symbol
    texts: list[str] = []
    fields = [f"    .root = &instance_{instance},"]
    for function in unit.functions:
        called = function_name(symbol, function.level)
        texts.append(adapter(f"{name}_members", called, function.inputs, function.outputs))
        fields.append(f"    .member = {name}_members,")
    if unit.rollout is not None:
        cut = unit.rollout
        for part_of, part in cut.parts:
            texts.append(adapter(f"{name}_{part_of}", part_name(symbol, part_of), (), part.function.outputs))
            fields.append(f"    .{part_of} = {_part(f'{name}_{part_of}', part)},")
        fields += [
            f"    .state_floats = {lanes(cut.state)},",
            f"    .alive = {'SIZE_MAX' if cut.alive is None else cut.alive},",
            f"    .turns = {cut.turns or 0},",
            f"    .nested = {'true' if cut.nested else 'false'},",
        ]
    spaces: tuple[Space, Space] = ("run", "epoch")
    for space in spaces:
        stretches = slice_parts(root, space)
        if stretches:
            rows = ", ".join(f"{{{first}, {count}}}" for first, count in stretches)
            texts.append(f"static const struct gs_stretch {name}_{space}_stretches[] = {{{rows}}};\n")
        fields.append(f"    .{space}_stretches = {f'{name}_{space}_stretches' if stretches else 'NULL'},")
        fields.append(f"    .{space}_stretch_count = {len(stretches)},")
    record = [f"static const struct gs_members_form {name}_members_form = {{", *fields, "};", ""]
    return "\n".join([*texts, *record])


def _part(function: str, part: Part) -> str:
    weights, slices = ("true" if flag else "false" for flag in (part.reads_weights, part.reads_slices))
    return f"{{{function}, {weights}, {slices}}}"
