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
from geode.emit.kernels_apart import kernels_of
from geode.emit.literals import comment_text, float64_literal, size_literal, string_literal
from geode.emit.loop_statements import loop_statements, slot_declaration, table_declaration
from geode.emit.names import function_name, part_name
from geode.emit.shared_loops import SharedLoops, share_loops
from geode.emit.split_functions import Part, Split, is_large, only_calls, split
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
from geode.emit.whole_steps import operations_of, temps_of
from geode.emit.writer import statements_to_text
from geode.graph.graph import Level
from geode.loops.loop import Finish, Function, Interface, UnitLoops

# What functions of several passes read of the tile.
_SHARED = (("reduced", "const float *const"), ("kept", "float *const"))
_LONG_GRAPH = "(a long graph: geode emit --emit=graph prints it)"
_POINTERS = re.compile(r"\b(slot|table)(\d+)\b")
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
    bodies = [f.statements for f in (*unit.functions, *(part.function for _, part in parts))]
    large = share_loops(bodies) if is_large(bodies) else None
    texts = [_function_text(_prototype_of(unit.interface, f), f, large) for f in unit.functions]
    texts += [_function_text(_part_prototype(symbol, name, p.function), p.function, large) for name, p in parts]
    if unit.finish is not None:
        texts.append(_finish_text(symbol, unit.finish))
    functions = "".join(f"\n{text}" for text in texts)
    operations = [*operations_of(functions), *kernels_of(functions)] if large else []
    functions = large.functions() + functions if large else functions
    headers = headers_of("\n".join([functions, *(line.replace(",", "(", 1).partition("(")[2] for line in operations)]))
    return (
        render_template(
            "unit.c.j2",
            headers=[*headers, *(["gs_whole.h"] if large else [])],
            operations=operations,
            symbol=symbol,
            word=comment_text(unit.word),
            graph=[_LONG_GRAPH] if large else [comment_text(line) for line in graph.splitlines()],
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


def _function_text(head: str, function: Function, large: SharedLoops | None) -> str:
    name, listed = head.removeprefix("void ").removesuffix(")").split("(")
    arguments = _NAMED_LAST.findall(listed)
    statements, parts = split(function.statements)

    def call(part: Part) -> Stmt:
        """A part is given what the function has been given."""
        return Evaluate(CallExpr(f"{name}_part{part.number}", tuple(map(Name, arguments))))

    def text(head: str, statements: Sequence[Split], before: Sequence[Stmt], after: Sequence[Stmt]) -> str:
        body = loop_statements(statements, function.scratch, call, large=large)
        return f"{head} {{\n{_body(body, arguments, _SHARED, before, after)}}}\n"

    # Clocks for `geode profile`; nothing elsewhere.
    clocks = Evaluate(Name("GS_ENTER")), Evaluate(CallExpr("GS_LEAVE", (number(function.level),)))
    texts = [
        text(f"{_part_kind(part, large)} void {name}_part{part.number}({listed})", part.statements, (), ())
        for part in parts
    ]
    return "\n".join([*texts, text(head, statements, clocks[:1], clocks[1:])])


def _part_kind(part: Part, large: SharedLoops | None) -> str:
    """Where a part does nothing but call, no compiler needs to think about it."""
    return "GS_PART_OF_CALLS" if large and only_calls(part.statements) else "GS_PART"


def _finish_text(symbol: str, finish: Finish) -> str:
    before: list[Stmt] = []
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
        before, statements = statements, list(loop_statements(finish.statements, finish.scratch, _no_part))
        statements.append(Return(CallExpr("(double)", (Subscript(address(finish.result), number(0)),))))
    body = _body(statements, ("tile", "self", "scratch", "sums", "rows"), (), before)
    return f"{finish_prototype(symbol)} {{\n{body}}}\n"


def _no_part(part: Part) -> Stmt:
    raise InternalError(f"part {part.number} stands in what follows the last batch reduction")


def _sum(finish: Finish, place: int) -> Expr:
    total = Subscript(Name("sums"), number(place))
    return Binary("/", total, CallExpr("(double)", (Name("rows"),))) if finish.ops[place] == "mean" else total


def _body(
    statements: Sequence[Stmt],
    arguments: Sequence[str],
    shared: Sequence[tuple[str, str]] = (),
    before: Sequence[Stmt] = (),
    after: Sequence[Stmt] = (),
) -> str:
    """The body's text. What it names is declared: of `shared`, names and types of the tile's, at its head, slots, tables and
    temps behind `before`. An argument that it does not use is said to be unused."""
    inner = statements_to_text(statements)
    found = sorted({(name, int(place)) for name, place in _POINTERS.findall(inner)})
    declared = [slot_declaration(place) for name, place in found if name == "slot"]
    declared += [table_declaration(place) for name, place in found if name == "table"]
    text = statements_to_text([*before, *declared, *temps_of(inner)]) + inner + statements_to_text(after)
    names = {name for name in (*arguments, *(name for name, _ in shared)) if _has_name(text, name)}
    used = [Declare(type_, name, Member(Name("tile"), name)) for name, type_ in shared if name in names]
    if used:
        names.add("tile")
    unused = [name for name in arguments if name not in names]
    return "".join(f"    (void){name};\n" for name in unused) + statements_to_text(used) + text


def _has_name(text: str, name: str) -> bool:
    """Whether a C text has the identifier; a regular expression takes ten times as long over a megabyte."""
    at = text.find(name)
    while at >= 0:
        end = at + len(name)
        if not _is_letter(text[at - 1 : at]) and not _is_letter(text[end : end + 1]):
            return True
        at = text.find(name, end)
    return False


def _is_letter(char: str) -> bool:
    return char == "_" or char.isalnum()


def _size(elements: int) -> str:
    return f"{size_literal(elements)} * GS_LANES" if elements else "0"
