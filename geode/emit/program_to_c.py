"""The whole program -> program.c and settings.c.

In: the places of the call trees, the parameters and the training program. Out: the text of both files.
Invariant: paths of call sites, offsets, INIT and data files stand here alone, so changing them recompiles no unit.
"""

from __future__ import annotations

import hashlib
import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import field

from geode.emit.entry_adapter import adapter, lanes
from geode.emit.literals import comment_text, float64_literal, string_literal
from geode.emit.loops_to_c import finish_prototype, root_prototypes, unit_prototypes
from geode.emit.members_to_c import members_form
from geode.emit.names import function_name
from geode.emit.passes_to_c import BATCH_OP, passes_to_c
from geode.emit.settings_to_c import choice_name
from geode.emit.template import render_template
from geode.graph.graph import Level
from geode.graph.training_program import DataFile, Stage
from geode.graph.types import Shape
from geode.graph.values import Parameter, TableFile
from geode.loops.loop import UnitLoops
from geode.loops.specialise import Place
from geode.record import dataclass
from geode.settings import FIELDS, Value

_ALIGNED = 16  # floats: every parameter starts at a cache line
_INIT = {
    "constant": "GS_INIT_CONSTANT",
    "normal": "GS_INIT_NORMAL",
    "uniform": "GS_INIT_UNIFORM",
    "orthogonal": "GS_INIT_ORTHOGONAL",
}
_KIND = {"matrix": "GS_KIND_MATRIX", "table": "GS_KIND_TABLE", "vector": "GS_KIND_VECTOR"}
_FORM = {
    "split": "GS_FORM_SPLIT",
    "materialised": "GS_FORM_MATERIALISED",
    "factored": "GS_FORM_FACTORED",
    "bf16": "GS_FORM_BF16",
}
_BATCH = {"all": "GS_BATCH_ALL", "sample": "GS_BATCH_SAMPLE", "episodes": "GS_BATCH_EPISODES"}


@dataclass(frozen=True, slots=True)
class Entry:
    """A word that a stage runs: the root of its tree, numbers per data row, values per row that it gives; `predicted` if
    it is these values that are wanted, not a score."""

    word: str
    root: Place
    row_floats: int
    outputs: int
    predicted: bool
    sites: tuple[str, ...] = ()  # the streams of its random call sites
    members: Place | None = None  # the root of its form for tiles of many members


@dataclass(frozen=True, slots=True)
class ProgramText:
    """What program.c is made of. `forms` by parameter name, `entry_of_stage` an index into `entries` per stage."""

    name: str
    entries: tuple[Entry, ...]
    parameters: tuple[Parameter, ...]
    forms: Mapping[str, frozenset[str]]
    files: tuple[DataFile, ...]
    tables: tuple[TableFile, ...]
    stages: tuple[Stage, ...]
    entry_of_stage: tuple[int, ...]
    device: bool = False  # device.c says where it trains


@dataclass(slots=True)
class _Instances:
    """The instances of the call trees, numbered in the order in which they must stand."""

    slots: Mapping[str, int]
    tables: Mapping[TableFile, int]
    lines: list[str] = field(default_factory=list)
    count: int = 0

    def add(self, place: Place) -> int:
        calls = [self.add(call) for call in place.calls]
        mine = self.count
        self.count += 1
        slots = ", ".join(f"{self.slots[p.name]}u" for p in place.parameters)
        if slots:
            self.lines.append(f"static const uint32_t slots_{mine}[] = {{{slots}}};")
        if calls:
            pointers = ", ".join(f"&instance_{call}" for call in calls)
            self.lines.append(f"static const struct gs_instance *const calls_{mine}[] = {{{pointers}}};")
        tables = ", ".join(f"{self.tables[table]}u" for table in place.tables)
        if tables:
            self.lines.append(f"static const uint32_t tables_{mine}[] = {{{tables}}};")
        self.lines.append(
            f"static const struct gs_instance instance_{mine} = {{&{place.unit.interface.symbol}, {len(calls)}, "
            f"{f'slots_{mine}' if slots else 'NULL'}, {f'calls_{mine}' if calls else 'NULL'}, {len(place.parameters)}, "
            f"{f'tables_{mine}' if tables else 'NULL'}, {len(place.tables)}}};"
        )
        return mine


def program_to_c(program: ProgramText) -> str:
    """The text of program.c."""
    instances = _Instances(
        {parameter.name: place for place, parameter in enumerate(program.parameters)},
        {table: place for place, table in enumerate(program.tables)},
    )
    roots = [instances.add(entry.root) for entry in program.entries]
    reaches = [_reaches(entry.root, program.parameters) for entry in program.entries]
    members = [None if entry.members is None else instances.add(entry.members) for entry in program.entries]
    entries = [_entry(n, entry, (roots[n], members[n]), reaches[n]) for n, entry in enumerate(program.entries)]
    rows, floats = _parameters(program)
    runs = zip(program.stages, program.entry_of_stage, strict=True)
    return render_template(
        "program.c.j2",
        name=comment_text(program.name),
        name_literal=string_literal(program.name),
        prototypes="".join(f"{line};\n" for line in _prototypes(program.entries)),
        instances="".join(f"{line}\n" for line in instances.lines),
        entries="\n".join(entries),
        parameters=_array("static const struct gs_parameter parameters[]", rows),
        parameter_count=len(rows),
        parameter_floats=floats,
        data_files=_array("static const struct gs_data_file data_files[]", map(_data_file, program.files)),
        data_file_count=len(program.files),
        tables=_array("static const struct gs_table_file tables[]", map(_table, program.tables)),
        table_count=len(program.tables),
        stages=_array("static const struct gs_stage stages[]", (_stage(s, n) for s, n in runs)),
        stage_count=len(program.stages),
        device=program.device,
    )


def settings_to_c(name: str, stages: Sequence[Stage]) -> str:
    """The text of settings.c."""
    rows = "".join(f"    {{\n{_settings(stage.settings)}    }},\n" for stage in stages)
    return render_template("settings.c.j2", name=comment_text(name), rows=rows)


def stream_hash(name: str) -> int:
    """The first 8 bytes, little endian, of SHA-256 of a stream's name (engine.md, "Random streams")."""
    return int.from_bytes(hashlib.sha256(name.encode("utf-8")).digest()[:8], "little")


# --- parts of program.c


def _prototypes(entries: Iterable[Entry]) -> list[str]:
    lines: dict[str, None] = {}

    def visit(place: Place) -> None:
        lines.setdefault(f"extern const struct gs_unit {place.unit.interface.symbol}")
        for call in place.calls:
            visit(call)

    for entry in entries:
        unit = entry.root.unit
        for line in unit_prototypes(unit.interface):
            lines.setdefault(line)
        if unit.finish is not None:
            lines.setdefault(finish_prototype(unit.interface.symbol))
        visit(entry.root)
        if entry.members is not None:
            for line in root_prototypes(entry.members.unit):
                lines.setdefault(line)
            visit(entry.members)
    return list(lines)


def _reaches(place: Place, parameters: Sequence[Parameter]) -> list[bool]:
    """For every parameter whether a call leads to it."""
    names: set[str] = set()

    def visit(place: Place) -> None:
        names.update(parameter.name for parameter in place.parameters)
        for call in place.calls:
            visit(call)

    visit(place)
    return [parameter.name in names for parameter in parameters]


def _entry(number: int, entry: Entry, roots: tuple[int, int | None], reaches: Sequence[bool]) -> str:
    """The adapters of a root's level functions to the boundary's one signature, and the record that names them; `roots`
    are the instances of the root and of that of its other form."""
    unit = entry.root.unit
    functions = [(level, 0, i, o) for level, i, o in unit.interface.functions] + list(unit.interface.later)
    names = {(level, at): function_name(f"entry_{number}", level, at) for level, at, _, _ in functions}
    adapters = [
        adapter(names[level, at], function_name(unit.interface.symbol, level, at), i, o)
        for level, at, i, o in functions
    ]
    several = bool(unit.reductions)
    fields = [
        f"    .word = {string_literal(entry.word)},",
        f"    .number = {number},",
        f"    .root = &instance_{roots[0]},",
    ]
    for level in Level:
        name = names.get((level, 0)) if level == Level.PAIR or not several else None
        fields.append(f"    .{level.name.lower()} = {name or 'NULL'},")
    finish = "NULL"
    if unit.finish is not None:
        finish = f"{unit.interface.symbol}_finish"
    elif not entry.predicted:
        finish = f"entry_{number}_finish"
        adapters.append(_mean_over_rows(number))
    interface = unit.interface
    fields += [
        f"    .finish = {finish},",
        f"    .run_floats = {lanes(interface.run)},",
        f"    .epoch_floats = {lanes(interface.epoch)},",
        f"    .pair_floats = {lanes(interface.pair)},",
        f"    .row_floats = {entry.row_floats},",
        f"    .outputs = {entry.outputs},",
        f"    .ops = {_ops(number, unit, adapters)},",
        f"    .streams = {_streams(number, entry, adapters)},",
        f"    .passes = {f'&entry_{number}_passes' if several else 'NULL'},",
        f"    .reaches = {'NULL' if all(reaches) else f'reaches_{number}'},",
    ]
    if entry.members is not None and roots[1] is not None:
        fields.append(f"    .members_form = &entry_{number}_members_form,")
        adapters.append(members_form(f"entry_{number}", entry.root, entry.members, roots[1]))
    if several:
        adapters.append(passes_to_c(f"entry_{number}", unit, names))
    record = "\n".join([f"static const struct gs_entry entry_{number} = {{", *fields, "};"])
    if not all(reaches):
        flags = ", ".join("true" if reached else "false" for reached in reaches)
        adapters.append(f"static const bool reaches_{number}[] = {{{flags}}};\n")
    return "\n".join([*adapters, record, ""])


def _streams(number: int, entry: Entry, adapters: list[str]) -> str:
    """The table of the random call sites' streams, added to what stands before the entry."""
    if not entry.sites:
        return "NULL"
    hashes = ", ".join(f"UINT64_C(0x{stream_hash(site):016x})" for site in entry.sites)
    adapters.append(f"static const uint64_t entry_{number}_streams[] = {{{hashes}}};\n")
    return f"entry_{number}_streams"


def _ops(number: int, unit: UnitLoops, adapters: list[str]) -> str:
    """The table of how the outputs are reduced, added to what stands before the entry; NULL where all are sums."""
    ops = [reduction.op for reduction in unit.reductions]
    if unit.finish is not None and not ops:
        ops = ["sum" if op == "mean" else op for op in unit.finish.ops]
    if all(op == "sum" for op in ops):
        return "NULL"
    names = ", ".join(BATCH_OP[op] for op in ops)
    adapters.append(f"static const enum gs_batch_op entry_{number}_ops[] = {{{names}}};\n")
    return f"entry_{number}_ops"


def _mean_over_rows(number: int) -> str:
    """The score of a word of single rows: its mean over the batch."""
    return (
        f"static double entry_{number}_finish(const struct gs_tile_context *tile, const struct gs_instance *self, "
        "float *scratch, const double *sums, uint64_t rows) {\n"
        "    (void)tile;\n    (void)self;\n    (void)scratch;\n    return sums[0] / (double)rows;\n}\n"
    )


def _parameters(program: ProgramText) -> tuple[list[str], int]:
    """A row per parameter, and the length of the flat vector of all of them."""
    rows: list[str] = []
    offset = 0
    for parameter in program.parameters:
        shape = parameter.shape
        m, n = (1, math.prod(shape)) if len(shape) < 2 else (shape[0], math.prod(shape[1:]))
        forms = " | ".join(_FORM[f] for f in sorted(program.forms.get(parameter.name, frozenset()))) or "0"
        rows.append(
            f"{{.name = {string_literal(parameter.name)}, .axes = {len(shape)}, "
            f".shape = {{{', '.join(map(str, shape)) or '0'}}}, .m = {m}, .n = {n}, .offset = {offset}, "
            f".trainable = {'true' if parameter.trainable else 'false'}, .kind = {_KIND[parameter.kind]}, "
            f".forms = {forms}, .init = {_INIT[parameter.init]}, "
            f".init_value = {float64_literal(parameter.init_value)}, "
            f".stream = UINT64_C(0x{stream_hash(parameter.name):016x}), "
            f".init_stream = UINT64_C(0x{stream_hash('init:' + parameter.name):016x})}}"
        )
        offset += -(-m * n // _ALIGNED) * _ALIGNED
    return rows, offset


def _data_file(file: DataFile) -> str:
    shape = _shape(file.shape)
    return f"{{{string_literal(file.path)}, GS_DATA_{file.kind.upper()}, {shape}, {file.row_floats}}}"


def _table(table: TableFile) -> str:
    return f"{{{string_literal(table.path)}, {_shape(table.shape)}, {math.prod(table.shape)}}}"


def _shape(shape: Shape) -> str:
    """How many axes, and their sizes."""
    return f"{len(shape)}, {{{', '.join(map(str, shape)) or '0'}}}"


def _stage(stage: Stage, entry: int) -> str:
    data = stage.batch.data
    return (
        f"{{.kind = GS_STAGE_{stage.kind.upper()}, .entry = &entry_{entry}, "
        f".batch = {_BATCH[stage.batch.kind]}, .batch_rows = {stage.batch.rows}, "
        f".data = {-1 if data is None else data.file}, .first_row = {0 if data is None else data.first}, "
        f".row_count = {0 if data is None or data.count is None else data.count}, "
        f".predict_path = {'NULL' if stage.path is None else string_literal(stage.path)}}}"
    )


def _array(declaration: str, rows: Iterable[str]) -> str:
    """An array of records; C has no empty ones, so an empty table has one record of zeros that nobody counts."""
    lines = [f"    {row}," for row in rows] or ["    {0},"]
    return "\n".join([f"{declaration} = {{", *lines, "};", ""])


# --- settings


def _settings(values: Mapping[str, Value]) -> str:
    return "".join(f"        .{name} = {_setting(name, value)},\n" for name, value in values.items())


def _setting(name: str, value: Value) -> str:
    kind = FIELDS[name].kind
    match value:
        case None:
            return "NULL"
        case bool():
            return "true" if value else "false"
        case str():
            return choice_name(name, value) if kind == "choice" else string_literal(value)
        case int() if kind == "integer":
            return f"UINT64_C({value})"
        case _:
            return float64_literal(float(value))


__all__ = ["Entry", "ProgramText", "program_to_c", "settings_to_c", "stream_hash"]
