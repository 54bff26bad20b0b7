"""Loops -> C text of one unit.

In: a unit's functions. Out: the text of its file, through the statement model.
Invariant: the text depends on the unit alone (no paths, positions, lanes or settings), and uses nothing but gs_tile.h and
the kernels.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable, Sequence

from geode.diagnostics import InternalError
from geode.emit.element_steps import address
from geode.emit.headers import headers_of
from geode.emit.literals import comment_text, float64_literal, size_literal, string_literal
from geode.emit.loop_statements import loop_statements, slot_declarations, table_declarations
from geode.emit.names import function_name, part_name
from geode.emit.split_functions import Part, Split, split, whole
from geode.emit.statement import (
    Assign,
    Binary,
    CallExpr,
    Declare,
    Evaluate,
    Expr,
    Member,
    Name,
    Return,
    Stmt,
    Subscript,
    number,
)
from geode.emit.template import render_template
from geode.emit.writer import statements_to_text
from geode.graph.graph import Level
from geode.loops.loop import Finish, Function, Interface, UnitLoops

# What functions of several passes read of the tile.
_SHARED = (("reduced", "const float *const"), ("kept", "float *const"))
_NAMES = re.compile(r"[A-Za-z_]\w*")
_NAMED_LAST = re.compile(r"(\w+)(?=,|$)")
_COMMON = (
    "const struct gs_tile_context *tile",
    "const struct gs_instance *self",
    "float *restrict run",
    "float *restrict epoch",
    "float *restrict pair",
    "float *restrict scratch",
)


def unit_to_c(unit: UnitLoops, graph: str, callees: Iterable[Interface]) -> str:
    """The file of one unit; `graph` is its graph's text, for the reader."""
    symbol = unit.interface.symbol
    scratch = max((function.scratch for function in unit.functions), default=0)
    scratch = max(scratch, unit.finish.scratch if unit.finish else 0)
    parts = unit.rollout.parts if unit.rollout else ()
    scratch = max(scratch, *(part.function.scratch for _, part in parts), 0)
    own = root_prototypes(unit)
    if unit.finish is not None:
        own.append(finish_prototype(symbol))
    called = [p for callee in callees for p in unit_prototypes(callee)]
    texts = [_function_text(_prototype_of(unit.interface, f), f) for f in unit.functions]
    texts += [_function_text(_part_prototype(symbol, name, p.function), p.function) for name, p in parts]
    if unit.finish is not None:
        texts.append(_finish_text(symbol, unit.finish))
    functions = "".join(f"\n{text}" for text in texts)
    return (
        render_template(
            "unit.c.j2",
            headers=headers_of(functions),
            symbol=symbol,
            word=comment_text(unit.word),
            graph=[comment_text(line) for line in graph.splitlines()],
            name=string_literal(unit.word),
            prototypes="".join(
                f"{p};\n" for p in dict.fromkeys([f"extern const struct gs_unit {symbol}", *own, *called])
            ),
            scratch=_size(scratch),
            digest=string_literal(hashlib.sha256(graph.encode()).hexdigest()),
            flops=float64_literal(unit.flops),
            functions=functions,
        ).rstrip("\n")
        + "\n"
    )


def unit_prototypes(interface: Interface) -> list[str]:
    """The prototypes of a unit's level functions, as another file declares them."""
    first = [
        prototype(interface.symbol, *function) for function in interface.functions if function[0] in interface.callable
    ]
    return first + [prototype(interface.symbol, level, i, o, number) for level, number, i, o in interface.later]


def prototype(symbol: str, level: Level, inputs: Sequence[int], outputs: Sequence[int], number: int = 0) -> str:
    """`void gs_u_X_member(…)`, without the semicolon."""
    arguments = [
        *_COMMON,
        *(f"const float *restrict in{position}" for position in inputs),
        *(f"float *restrict out{position}" for position in outputs),
    ]
    return f"void {function_name(symbol, level, number)}({', '.join(arguments)})"


def root_prototypes(unit: UnitLoops) -> list[str]:
    """The prototypes of all functions of a unit, the parts of a rollout too."""
    parts = unit.rollout.parts if unit.rollout else ()
    levels = [_prototype_of(unit.interface, function) for function in unit.functions]
    return levels + [_part_prototype(unit.interface.symbol, name, part.function) for name, part in parts]


def _prototype_of(interface: Interface, function: Function) -> str:
    return prototype(interface.symbol, function.level, function.inputs, function.outputs, function.number)


def _part_prototype(symbol: str, name: str, function: Function) -> str:
    outputs = [f"float *restrict out{position}" for position in function.outputs]
    return f"void {part_name(symbol, name)}({', '.join([*_COMMON, *outputs])})"


def finish_prototype(symbol: str) -> str:
    """The prototype of what follows the last batch reduction."""
    return (
        f"double {symbol}_finish(const struct gs_tile_context *tile, const struct gs_instance *self, "
        "float *restrict scratch, const double *sums, uint64_t rows)"
    )


# --- functions


def _function_text(head: str, function: Function) -> str:
    name, listed = head.removeprefix("void ").removesuffix(")").split("(")
    arguments = _NAMED_LAST.findall(listed)
    statements, parts = split(function.statements)

    def call(part: Part) -> Stmt:
        """A part is given what the function has been given."""
        return Evaluate(CallExpr(f"{name}_part{part.number}", tuple(map(Name, arguments))))

    def text(head: str, statements: Sequence[Split], before: Sequence[Stmt], after: Sequence[Stmt]) -> str:
        own = whole(statements)
        named = [*slot_declarations(own), *table_declarations(own)]
        body = [*before, *named, *loop_statements(statements, function.scratch, call), *after]
        return f"{head} {{\n{_with_unused(body, arguments, _SHARED)}}}\n"

    # Clocks for `geode profile`; nothing elsewhere.
    clocks = Evaluate(Name("GS_ENTER")), Evaluate(CallExpr("GS_LEAVE", (number(function.level),)))
    texts = [text(f"GS_PART void {name}_part{part.number}({listed})", part.statements, (), ()) for part in parts]
    return "\n".join([*texts, text(head, statements, clocks[:1], clocks[1:])])


def _finish_text(symbol: str, finish: Finish) -> str:
    statements: list[Stmt] = []
    if finish.direct is not None:
        statements.append(Return(_sum(finish, finish.direct)))
    else:
        statements.append(Declare("float", f"reduced[{len(finish.ops)}]"))
        statements += [
            Assign(Subscript(Name("reduced"), number(place)), CallExpr("(float)", (_sum(finish, place),)))
            for place in range(len(finish.ops))
        ]
        assert finish.result is not None
        statements += [
            *slot_declarations((*finish.statements, finish.result)),
            *table_declarations((*finish.statements, finish.result)),
            *loop_statements(finish.statements, finish.scratch, _no_part),
        ]
        statements.append(Return(CallExpr("(double)", (Subscript(address(finish.result), number(0)),))))
    body = _with_unused(statements, ("tile", "self", "scratch", "sums", "rows"))
    return f"{finish_prototype(symbol)} {{\n{body}}}\n"


def _no_part(part: Part) -> Stmt:
    raise InternalError(f"part {part.number} stands in what follows the last batch reduction")


def _sum(finish: Finish, place: int) -> Expr:
    total = Subscript(Name("sums"), number(place))
    return Binary("/", total, CallExpr("(double)", (Name("rows"),))) if finish.ops[place] == "mean" else total


def _with_unused(statements: Sequence[Stmt], arguments: Sequence[str], shared: Sequence[tuple[str, str]] = ()) -> str:
    """The body's text; what it uses of `shared`, names and types of the tile's, is declared before it, and an argument
    that it does not use is said to be unused."""
    text = statements_to_text(statements)
    names = set(_NAMES.findall(text))
    used = [Declare(type_, name, Member(Name("tile"), name)) for name, type_ in shared if name in names]
    if used:
        names.add("tile")
    unused = [name for name in arguments if name not in names]
    return "".join(f"    (void){name};\n" for name in unused) + statements_to_text(used) + text


def _size(elements: int) -> str:
    return f"{size_literal(elements)} * GS_LANES" if elements else "0"
