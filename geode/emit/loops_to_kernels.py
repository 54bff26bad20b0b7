"""Loops -> the kernels of a program for a GPU, in one language.

In: the units and entries of a program. Out: one text: the runtime's headers for kernels, the units, a set of kernels for
each trained word, and the kernels of the generation.
Invariant: functions stand before their callers, as Metal wants it; the text depends on the program and the dialect alone.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import field

from geode.emit.dialect import Dialect
from geode.emit.headers import headers_of
from geode.emit.kernel_statements import address, kernel_function, kernel_slots, kernel_statements
from geode.emit.kernel_text import headers_text
from geode.emit.kernel_tiles import Tiles, find_tiles
from geode.emit.literals import comment_text
from geode.emit.passes_to_c import BATCH_OP
from geode.emit.program_to_c import Entry, ProgramText, stream_hash
from geode.emit.statement import CallExpr, Declare, Expr, Member, Name, Return, Stmt, Subscript, number
from geode.emit.template import render_template
from geode.emit.writer import statements_to_text
from geode.graph.graph import Level
from geode.graph.values import TableFile
from geode.loops.loop import Finish, Function, UnitLoops
from geode.loops.specialise import Place
from geode.record import dataclass

LANES = 32  # of a tile: threads side by side, whose numbers stand side by side
_FLOAT, _CONST = "GS_GLOBAL float *", "GS_GLOBAL const float *"
_TILE = "GS_THREAD const struct gs_tile_context *tile"
_COMMON = (_TILE, "uint self", f"{_FLOAT}run", f"{_FLOAT}epoch", f"{_FLOAT}pair", f"{_FLOAT}scratch")
_RESULTS = f"{_CONST}reduced, GS_THREAD const gs_f64 *sums, uint rows"
_BASE = ("gs_stream.h", "gs_context.h", "gs_layers.h", "gs_batch.h", "gs_view.h")
_GENERATION = ("gs_noise_kernels.h", "gs_shape_kernels.h", "gs_update_kernels.h", "gs_muon_kernels.h")
# By header of C: the one that kernels have in its place. What is not named here stands in _BASE.
KERNEL_HEADERS = {
    "gs_flags.h": "gs_flags.h",
    "gs_math.h": "gs_math.h",
    "gs_math_wide.h": "gs_math_wide.h",
    "kernels/gs_activation.h": "kernels/gs_activation.h",
    "kernels/gs_embed.h": "kernels/gs_embed.h",
    "kernels/gs_index.h": "kernels/gs_index.h",
    "kernels/gs_matmul_block.h": "kernels/gs_matmul.h",
    "kernels/gs_order.h": "kernels/gs_order.h",
    "kernels/gs_pooling.h": "kernels/gs_pooling.h",
}
# What functions of several passes read of the tile.
_SHARED = (("reduced", "GS_GLOBAL const float *const"), ("kept", "GS_GLOBAL float *const"))


@dataclass(slots=True)
class _Instances:
    """The places of the call trees as lists of numbers: a place's own parameters and tables, and the places it calls."""

    parameters: dict[str, int]
    files: dict[TableFile, int]
    slots: list[int] = field(default_factory=list)
    tables: list[int] = field(default_factory=list)
    calls: list[int] = field(default_factory=list)
    slots_at: list[int] = field(default_factory=list)
    tables_at: list[int] = field(default_factory=list)
    calls_at: list[int] = field(default_factory=list)

    def add(self, place: Place) -> int:
        """The number of a place, and numbers for all below it."""
        called = [self.add(call) for call in place.calls]
        self.slots_at.append(len(self.slots))
        self.tables_at.append(len(self.tables))
        self.calls_at.append(len(self.calls))
        self.slots.extend(self.parameters[p.name] for p in place.parameters)
        self.tables.extend(self.files[table] for table in place.tables)
        self.calls.extend(called)
        return len(self.slots_at) - 1

    def text(self) -> str:
        """The lists; a language has no empty ones."""
        lists = {
            "gs_slots": self.slots,
            "gs_tables": self.tables,
            "gs_calls": self.calls,
            "gs_slots_at": self.slots_at,
            "gs_tables_at": self.tables_at,
            "gs_calls_at": self.calls_at,
        }
        return "".join(
            f"GS_WORD_TABLE {name}[] = {{{', '.join(f'{n}u' for n in numbers or [0])}}};\n"
            for name, numbers in lists.items()
        )


def program_to_kernels(program: ProgramText, units: Iterable[UnitLoops], dialect: Dialect) -> str:
    """The text. Only what is trained has kernels: EVALUATE and PREDICT run on the processor."""
    runs = zip(program.stages, program.entry_of_stage, strict=True)
    trained = sorted({entry for stage, entry in runs if stage.kind == "train"})
    instances = _Instances(
        {parameter.name: place for place, parameter in enumerate(program.parameters)},
        {table: place for place, table in enumerate(program.tables)},
    )
    used = {symbol for number_ in trained for symbol in _symbols(program.entries[number_].root)}
    needed = [unit for unit in units if unit.interface.symbol in used]
    tiles = find_tiles(needed, [program.entries[number_].root.unit.interface.symbol for number_ in trained])
    functions = "".join(_unit(unit, tiles) for unit in needed)
    roots = [instances.add(program.entries[number_].root) for number_ in trained]
    kernels = "".join(_entry(n, program.entries[n], root, tiles) for n, root in zip(trained, roots, strict=True))
    extra = [KERNEL_HEADERS[header] for header in headers_of(functions) if header in KERNEL_HEADERS]
    layers = ["gs_layer_tiles.h"] if tiles.together else []
    numbers, unused = ("gs_double.h", "gs_float64.h") if dialect.double else ("gs_float64.h", "gs_double.h")
    body = (
        headers_text(["gs_args.h", "gs_tile.h", numbers, *_BASE, *layers, *extra, *_GENERATION], without=[unused])
        + instances.text()
        + "\n"
        + functions
        + kernels
    )
    return render_template(dialect.prelude, name=comment_text(program.name), lanes=LANES) + dialect.text(body)


def _symbols(place: Place) -> set[str]:
    return {place.unit.interface.symbol}.union(*map(_symbols, place.calls))


# --- units


def _unit(unit: UnitLoops, tiles: Tiles) -> str:
    """The forms of its functions that are called."""
    text = ""
    for function in unit.functions:
        key = (unit.interface.symbol, function.level, function.number)
        text += _function(unit, function, None) if key in tiles.plain else ""
        text += _function(unit, function, tiles) if key in tiles.together else ""
    return text + ("" if unit.finish is None else _finish(unit.interface.symbol, unit.finish))


def _function(unit: UnitLoops, function: Function, tiles: Tiles | None) -> str:
    arguments = [
        *_COMMON,
        *(f"{_CONST}in{position}, uint in{position}_step" for position in function.inputs),
        *(f"{_FLOAT}out{position}" for position in function.outputs),
    ]
    body = kernel_statements(function.statements, function.scratch, tiles)
    text = statements_to_text([*kernel_slots(function.statements), *body])
    names = set(re.findall(r"\w+", text))
    shared = [Declare(type_, name, Member(Name("tile"), name)) for name, type_ in _SHARED if name in names]
    name = kernel_function(unit.interface.symbol, function.level, function.number, together=tiles is not None)
    return f"GS_INLINE void {name}({', '.join(arguments)}) {{\n{statements_to_text(shared)}{text}}}\n\n"


def _finish(symbol: str, finish: Finish) -> str:
    head = f"GS_INLINE gs_f64 {symbol}_finish({_TILE}, uint self, {_FLOAT}scratch, {_RESULTS})"
    statements: list[Stmt] = []
    if finish.direct is not None:
        statements.append(Return(_sum(finish, finish.direct)))
    else:
        assert finish.result is not None
        statements += [
            *kernel_slots((*finish.statements, finish.result)),
            *kernel_statements(finish.statements, finish.scratch),
        ]
        value = Subscript(address(finish.result), number(0))
        statements.append(Return(CallExpr("gs_f64_of", (value,))))
    return f"{head} {{\n{statements_to_text(statements)}}}\n\n"


def _sum(finish: Finish, place: int) -> Expr:
    total = Subscript(Name("sums"), number(place))
    if finish.ops[place] != "mean":
        return total
    return CallExpr("gs_f64_mean", (total, Name("rows")))


# --- entries


def _entry(number_: int, entry: Entry, root: int, tiles: Tiles) -> str:
    unit = entry.root.unit
    present = {level for level, _, _ in unit.interface.functions} | {level for level, *_ in unit.interface.later}
    ops = () if unit.finish is None else tuple(BATCH_OP[op] for op in unit.finish.ops)
    symbol = unit.interface.symbol
    adapters = "".join(_adapter(number_, unit, level, root, tiles) for level in Level)
    return (
        adapters
        + _finish_adapter(number_, unit, root)
        + render_template(
            "entry_kernels.j2",
            entry=number_,
            word=comment_text(entry.word),
            streams=", ".join(f"0x{stream_hash(site):016x}ul" for site in entry.sites),
            levels=[level.name.lower() for level in (Level.RUN, Level.EPOCH) if level in present],
            outputs=entry.outputs,
            ops=ops or ("GS_BATCH_SUM",),
            prepare_shared=tiles.root(symbol, (Level.RUN, Level.EPOCH)),
            members_shared=tiles.root(symbol, Level),
        )
        + "\n"
    )


def _adapter(number_: int, unit: UnitLoops, level: Level, root: int, tiles: Tiles) -> str:
    """A root's functions of one level under one signature: passes `from` up to `to`. Without work there it does nothing."""
    head = (
        f"GS_INLINE void gs_level_{level.name.lower()}_{number_}({_TILE}, {_FLOAT}run, {_FLOAT}epoch, {_FLOAT}pair, "
        f"{_FLOAT}scratch, {_CONST}row, {_FLOAT}out, uint rows, uint from, uint to) {{"
    )
    symbol = unit.interface.symbol
    lines = [head]
    functions = [(0, inputs, outputs) for at, inputs, outputs in unit.interface.functions if at == level]
    functions += [(place, inputs, outputs) for at, place, inputs, outputs in unit.interface.later if at == level]
    for place, inputs, outputs in functions:
        arguments = ["tile", f"{root}u", "run", "epoch", "pair", "scratch"]
        arguments += ["row, GS_LANES" for _ in inputs]
        arguments += [f"out + {k}u * rows" for k in outputs]
        when = "from == 0u" if place == 0 else f"from <= {place}u && to > {place}u"
        condition = f"if ({when}) " if unit.reductions else ""
        name = kernel_function(symbol, level, place, together=(symbol, level, place) in tiles.shared)
        lines.append(f"    {condition}{name}({', '.join(arguments)});")
    return "\n".join([*lines, "}", ""])


def _finish_adapter(number_: int, unit: UnitLoops, root: int) -> str:
    """The score of a word of single rows is its mean over the batch."""
    head = f"GS_INLINE gs_f64 gs_finish_{number_}({_TILE}, {_FLOAT}scratch, {_RESULTS}) {{\n"
    if unit.finish is None:
        return f"{head}    return gs_f64_mean(sums[0], rows);\n}}\n\n"
    return f"{head}    return {unit.interface.symbol}_finish(tile, {root}u, scratch, reduced, sums, rows);\n}}\n\n"
