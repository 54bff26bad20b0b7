"""Loops -> text, for people: what each function of a unit does.

In: a lowered unit. Out: the `.loops` form.
Invariant: one line per loop, step, kernel or call; buffers print as space+offset[elements].
"""

from __future__ import annotations

from collections.abc import Iterable

from geode.graph.graph import Level
from geode.loops.loop import (
    Accumulate,
    Apply,
    Buffer,
    ConvKernel,
    CopyBlocks,
    Draw,
    Element,
    ElementLoop,
    ElementNumber,
    Expression,
    FactoredKernel,
    Fixed,
    Index,
    KernelCall,
    LayerLoop,
    Let,
    LinearKernel,
    Load,
    Repeat,
    Repeated,
    RowReduce,
    SettingValue,
    SlotScale,
    Statement,
    Step,
    Store,
    Strided,
    Temp,
    UnitCall,
    UnitLoops,
    Value,
)


def loops_to_text(unit: UnitLoops) -> str:
    """The whole unit."""
    interface = unit.interface
    lines = [f"unit {interface.symbol} slices run={interface.run} epoch={interface.epoch} pair={interface.pair}"]
    for place, reduction in enumerate(unit.reductions):
        lines.append(f"  reduced{place} = {reduction.op} after {_pass(reduction.level, reduction.number)}")
    for function in unit.functions:
        lines.append(f"  {_pass(function.level, function.number)} scratch={function.scratch}")
        lines += [f"    {line}" for statement in function.statements for line in _statement(statement)]
    for name, part in unit.rollout.parts if unit.rollout else ():
        lines.append(f"  {name} scratch={part.function.scratch}")
        lines += [f"    {line}" for statement in part.function.statements for line in _statement(statement)]
    if unit.finish is not None:
        lines.append(f"  finish scratch={unit.finish.scratch}")
        lines += [f"    {line}" for statement in unit.finish.statements for line in _statement(statement)]
        result = unit.finish.result
        score = f"reduced{unit.finish.direct}" if result is None else _buffer(result)
        lines.append(f"    score {score}")
    return "\n".join(lines) + "\n"


def _pass(level: Level, number: int) -> str:
    return level.name.lower() + (f" pass {number}" if number else "")


def _statement(statement: Statement) -> Iterable[str]:
    match statement:
        case ElementLoop(extent, uniform, steps, after):
            yield f"for {extent} elements{' (uniform)' if uniform else ''}"
            yield from (f"  {_step(step)}" for step in steps)
            yield from (f"  then {_step(store)}" for store in after)
        case RowReduce(outer, inner, _, op, first, args, result):
            yield f"{_buffer(result)} = {outer} chains of {inner} {op} from {first} over {' '.join(map(_buffer, args))}"
        case LinearKernel(parameter, source, x, y, outputs, inputs, rows, by_lane):
            lanes = " by lane" if by_lane else ""
            yield f"{_buffer(y)} = linear{lanes} p{parameter}.{source} {_buffer(x)} {outputs}x{inputs} rows={rows}"
        case FactoredKernel(parameter, x, factor, y, outputs, inputs, rank, rows, positions, by_lane, bf16):
            verb, size = ("factored", f"{outputs}x{inputs}") if inputs else ("correct", f"{outputs}x{positions}")
            verb += (" by lane" if by_lane else "") + (" bf16" if bf16 else "")
            yield f"{_buffer(y)} = {verb} p{parameter} {_buffer(x)} {_buffer(factor)} {size} rank={rank} rows={rows}"
        case LayerLoop(node, parameter, source, x, factor, outputs, inputs, rank, steps, after, by_lane, bf16):
            layer = f"linear{' by lane' if by_lane else ''} p{parameter}.{source} {_buffer(x)}"
            if factor is not None:
                layer = f"factored{' bf16' if bf16 else ''} p{parameter} {_buffer(x)} {_buffer(factor)} rank={rank}"
            yield f"for {outputs} outputs t{node} = {layer} {outputs}x{inputs}"
            yield from (f"  {_step(step)}" for step in steps)
            yield from (f"  then {_step(store)}" for store in after)
        case ConvKernel(parameter, source, x, y, sizes):
            yield f"{_buffer(y)} = conv2d p{parameter}.{source} {_buffer(x)} {'x'.join(map(str, sizes))}"
        case CopyBlocks(result, blocks):
            for block in blocks:
                copied = repr(block.source.value) if isinstance(block.source, Value) else _buffer(block.source)
                dims = " ".join(f"{count}({s},{t})" for count, s, t in block.dims)
                yield f"{_buffer(result)}[{block.target}] <- {copied}[{block.start}] {dims}".rstrip()
        case KernelCall(op, result, args, sizes):
            yield f"{_buffer(result)} = {op} {' '.join(map(_buffer, args))} {' '.join(map(str, sizes))}".rstrip()
        case Draw(kind, site, drawn, result):
            yield f"{_buffer(result)} = {kind} {site} {_buffer(drawn)}"
        case Repeat(number, count, alive, body):
            turns = "" if count is None else f" {count} turns"
            yield f"loop {number}:{turns}{'' if alive is None else f' while {_buffer(alive)}'}"
            yield from (f"  {line}" for inner in body for line in _statement(inner))
        case UnitCall(_, symbol, level, slices, inputs_, outputs_):
            given = " ".join(map(_buffer, inputs_))
            back = " ".join(map(_buffer, outputs_))
            yield f"call {symbol}.{level.name.lower()} slices={slices} ({given}) -> ({back})"


def _step(step: Step) -> str:
    match step:
        case Let(node, value):
            return f"t{node} = {_expression(value)}"
        case Store(buffer, index, value):
            return f"{_buffer(buffer)}{_index(index)} = {_expression(value)}"
        case Accumulate(node, op, _, args):
            return f"a{node} = {op}({', '.join(map(_expression, args))}, a{node})"


def _expression(expression: Expression) -> str:
    match expression:
        case Temp(node):
            return f"t{node}"
        case Load(buffer, index):
            return f"{_buffer(buffer)}{_index(index)}"
        case Value(value):
            return repr(value)
        case SlotScale(parameter, by_lane):
            return f"p{parameter}.ss{' by lane' if by_lane else ''}"
        case SettingValue(name):
            return name
        case ElementNumber():
            return "e"
        case Apply(op, args):
            return f"{op}({', '.join(map(_expression, args))})"


def _index(index: Index) -> str:
    match index:
        case Element():
            return "[e]"
        case Fixed(element):
            return f"[{element}]"
        case Repeated(size):
            return f"[e % {size}]"
        case Strided(stride, offset):
            return f"[e * {stride} + {offset}]"


def _buffer(buffer: Buffer) -> str:
    place = buffer.position if buffer.space in ("in", "out", "reduced", "weights", "tables") else f"+{buffer.offset}"
    if buffer.skip:
        place = f"{place}+{buffer.skip}"
    return f"{buffer.space}{place}({buffer.elements}{'u' if buffer.uniform else ''})"
