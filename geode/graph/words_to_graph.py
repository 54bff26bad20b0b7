"""Words to graph: a word is run on a stack of types, its calls inlined or made units of their own.

In: an environment, a word and the types that reach it. Out: the `Application` at the root of its call tree.
Invariant: a failing call is reported once; where its declared outputs are known the caller goes on with them, so that
one run reports several independent mistakes.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from geode.diagnostics import CompileError, Diagnostic, Sink
from geode.graph.call_tree import Application
from geode.graph.effect import Binding
from geode.graph.environment import Environment, names_batch
from geode.graph.graph import CallResult, CallUnit, Input, Known, Node, Trail
from geode.graph.machine import Machine, numbered
from geode.graph.sharing import SharedCalls
from geode.graph.types import TensorType
from geode.graph.values import Number, Parameter, ShapeValue, Tensor, Text, Token, Value, stack_text, type_text
from geode.source import Span
from geode.syntax.word import (
    Body,
    Call,
    CountedLoop,
    Definition,
    If,
    Integer,
    Locals,
    Real,
    ShapeLiteral,
    Store,
    String,
    Tick,
    Until,
    While,
    Word,
)
from geode.vocabulary import WORDS


class AlreadyReported(Exception):  # noqa: N818 -- what it says of a call
    """A call failed, the sink knows why, and nothing can stand in for its results."""


@dataclass(slots=True)
class Interpreter:
    """What one tree's machines share: names, parameters by name, and where errors go."""

    environment: Environment
    sink: Sink
    registry: dict[str, Parameter] = field(default_factory=dict)
    shared_calls: SharedCalls = field(default_factory=SharedCalls)

    def root(self, definition: Definition, data: TensorType | None, span: Span) -> Application:
        """The tree of a stage's word that gets rows of type `data`, or nothing; `span` is where the stage names it.

        Raises CompileError or AlreadyReported.
        """
        unit = Application(definition.name, is_root=True, row_word=not names_batch(definition))
        values: list[Value] = []
        if data is not None:
            values.append(Tensor(unit.add(Node(Input(0), data)), data, closed_by="the data"))
        inputs = definition.signature.inputs
        if len(inputs) != len(values):
            given = f"gets {stack_text(values)}" if values else "gets no data"
            raise CompileError(
                Diagnostic(
                    "GS606",
                    f"`{definition.name}` takes {_values(len(inputs))}, but here it {given}",
                    span,
                    wanted=" ".join(map(str, inputs)) or None,
                )
            )
        results = self.run_word(definition, values, unit, (), (), span, lifted=False, stack=values)
        unit.outputs = tuple(result.node for result in results if isinstance(result, Tensor))
        return unit

    # --- calls

    def run_word(
        self,
        definition: Definition,
        arguments: list[Value],
        unit: Application,
        path: tuple[str, ...],
        trail: Trail,
        span: Span,
        *,
        lifted: bool,
        stack: list[Value] | tuple[Value, ...],
    ) -> list[Value]:
        """Runs a word's body on its arguments, its nodes going to `unit`; its results, checked against its signature.

        `stack` is what the caller's stack held before, for messages.
        """
        signature = definition.signature
        binding = Binding(self.environment.constants)
        problem = binding.bind_inputs(signature, arguments, whole_batch=names_batch(definition))
        if problem is not None:
            raise CompileError(
                Diagnostic(
                    "GS303",
                    f"`{definition.name}` can't take these values: {problem}",
                    span,
                    stack=stack_text(stack),
                    wanted=" ".join(map(str, signature.inputs)) or None,
                    trail=trail[1:],
                )
            )
        machine = Machine(
            self.environment,
            self.registry,
            unit,
            definition,
            path,
            lifted or binding.lifted,
            trail,
            stack=[_entering(definition, i, value) for i, value in enumerate(arguments)],
            dims=dict(binding.dims),
        )
        self.run_body(machine, definition.body)
        return self._results(machine, binding)

    def call(self, machine: Machine, definition: Definition, span: Span) -> None:
        """A call met in a body: takes the arguments, leaves the results."""
        signature = definition.signature
        count = len(signature.inputs)
        if len(machine.stack) < count:
            machine.fail(
                "GS302",
                f"`{definition.name}` takes more values than the stack holds",
                wanted=" ".join(map(str, signature.inputs)),
            )
        arguments = [machine.stack.pop() for _ in range(count)][::-1]
        arguments = [
            _widened(machine, item.type.kind, value) for item, value in zip(signature.inputs, arguments, strict=True)
        ]
        trail = ((definition.name, span), *machine.trail)
        if definition.name in self.environment.shared:
            path: tuple[str, ...] = (f"={definition.name}",)
        else:
            number = self.environment.call_number(machine.definition, span.start)
            path = (*machine.path, numbered(definition.name, number))
        try:
            if definition.name in self.environment.shared:
                self.shared_calls.check(machine, definition, arguments, span)
            if self.environment.is_unit(definition):
                results = self._call_unit(machine, definition, arguments, path, trail, span)
            else:
                results = self.run_word(
                    definition,
                    arguments,
                    machine.unit,
                    path,
                    trail,
                    span,
                    lifted=machine.lifted,
                    stack=machine.before,
                )
        except (CompileError, AlreadyReported) as error:
            if isinstance(error, CompileError):
                self.sink.add(error.diagnostic)
            results = self._stand_ins(machine, definition, arguments)
        for result in results:
            machine.push(result)

    def _call_unit(
        self,
        machine: Machine,
        definition: Definition,
        arguments: list[Value],
        path: tuple[str, ...],
        trail: Trail,
        span: Span,
    ) -> list[Value]:
        """A call of a word that is compiled on its own: what is known while compiling becomes part of it."""
        callee = Application(definition.name)
        inner: list[Value] = []
        passed: list[int] = []
        constants: list[str] = []
        for argument in arguments:
            if not isinstance(argument, Tensor):
                inner.append(argument)
                constants.append(repr(argument))
                continue
            operation = machine.unit.nodes[argument.node].operation
            if isinstance(operation, Known):
                constants.append(operation.value.hex())
            else:
                operation = Input(len(passed))
                passed.append(argument.node)
                constants.append("input")
            inner.append(
                Tensor(callee.add(Node(operation, argument.type)), argument.type, argument.layer, argument.closed_by)
            )
        results = self.run_word(
            definition, inner, callee, path, trail, span, lifted=machine.lifted, stack=machine.before
        )
        tensors = [result for result in results if isinstance(result, Tensor)]
        callee.outputs = tuple(result.node for result in tensors)
        callee.constants = tuple(constants)
        machine.unit.calls.append(callee)
        nodes: list[int] = []
        for position, result in enumerate(tensors):
            call = CallUnit(len(machine.unit.calls) - 1, tuple(passed))
            nodes.append(machine.add(CallResult(nodes[0], position) if nodes else call, result.type))
        places = iter(nodes)
        return [
            Tensor(next(places), result.type, result.layer, result.closed_by) if isinstance(result, Tensor) else result
            for result in results
        ]

    def _results(self, machine: Machine, binding: Binding) -> list[Value]:
        """What the body left, against the declared outputs."""
        definition = machine.definition
        outputs = definition.signature.outputs
        whole_batch = names_batch(definition)
        left = list(machine.stack)
        problem: str | None = None
        if len(left) != len(outputs):
            problem = f"`{definition.name}` leaves {_values(len(left))}, its signature says {len(outputs)}"
        results: list[Value] = []
        for item, value in zip(outputs, left, strict=False):
            problem = problem or binding.match_output(item, _of_a_row(machine, value), whole_batch=whole_batch)
            if problem is None:
                widened = _widened(machine, item.type.kind, value)
                results.append(widened if item.type.kind == "layer" else machine.closed(widened, definition.name))
        if problem is None:
            return results
        before = " ".join(map(str, definition.signature.inputs))
        raise CompileError(
            Diagnostic(
                "GS301",
                f"the body does not leave what the signature of `{definition.name}` declares",
                definition.signature.span,
                declared=_effect(before, " ".join(map(str, outputs))),
                inferred=_effect(before, " ".join(type_text(_of_a_row(machine, value)) for value in left)),
                help=problem,
                trail=machine.trail,
            )
        )

    def _stand_ins(self, machine: Machine, definition: Definition, arguments: list[Value]) -> list[Value]:
        """Values of the declared types in place of a failed call's results; AlreadyReported if they aren't known."""
        binding = Binding(self.environment.constants)
        if binding.bind_inputs(definition.signature, arguments, whole_batch=names_batch(definition)) is not None:
            raise AlreadyReported
        results: list[Value] = []
        for item in definition.signature.outputs:
            type_ = binding.output_type(item, batched=binding.lifted or machine.lifted)
            if type_ is None:
                raise AlreadyReported
            results.append(Tensor(machine.add(Input(-1), type_), type_, closed_by=definition.name))
        return results

    # --- bodies

    def run_body(self, machine: Machine, body: Body) -> None:
        """Runs the words of a body in order."""
        for word in body:
            self._run(machine, word)

    def _run(self, machine: Machine, word: Word) -> None:
        match word:
            case Call(name, span):
                machine.begin(name, span)
                self._run_name(machine, name, span)
            case Integer(value, span):
                machine.begin(str(value), span)
                machine.push(Number(value))
            case Real(value, text, span):
                machine.begin(text, span)
                machine.push(machine.known(value))
            case String(value, span):
                machine.begin("a string", span)
                machine.push(Text(value))
            case ShapeLiteral(dims, span):
                machine.begin("a shape", span)
                self._shape(machine, dims)
            case Tick(name, span):
                machine.begin("[']", span)
                machine.push(Token(name))
            case Locals(names, span):
                machine.begin("{", span)
                self._locals(machine, names)
            case Store(name, span):
                machine.begin("TO", span)
                self._store(machine, name)
            case If(span=span) | CountedLoop(span=span) | Until(span=span) | While(span=span):
                keyword = word.keywords[0]
                machine.begin(keyword.text, keyword)
                machine.fail(
                    "GS450",
                    f"`{keyword.text}` is not compiled yet",
                    help="words run straight through; MIN, MAX and CLAMP choose between numbers",
                )

    def _run_name(self, machine: Machine, name: str, span: Span) -> None:
        if name in machine.locals:
            machine.push(machine.locals[name])
        elif name in machine.dims:
            machine.push(Number(machine.dims[name]))
        elif name in self.environment.constants:
            constant = self.environment.constants[name]
            match constant:
                case int():
                    machine.push(Number(constant))
                case float():
                    machine.push(machine.known(constant))
                case str():
                    machine.push(Text(constant))
        elif name in self.environment.definitions:
            self.call(machine, self.environment.definitions[name], span)
        else:
            entry = WORDS[name]
            if entry.apply is None:
                machine.fail(
                    "GS608",
                    f"`{name}` is a {entry.group} word: it stands in MAIN and the words that MAIN calls",
                    help=f"a word that computes, like `{machine.definition.name}`, can't change the training program",
                )
            entry.apply(machine)

    def _shape(self, machine: Machine, dims: tuple[int | str, ...]) -> None:
        if not dims and "r" in machine.locals:
            machine.push(machine.locals["r"])
            return
        sizes: list[int] = []
        for dim in dims:
            size = dim if isinstance(dim, int) else machine.dims.get(dim, self.environment.constants.get(dim))
            if not isinstance(size, int) or size < 1:
                machine.fail("GS305", f"`{dim}` is no size: a shape takes integers, CONSTANTs and dimensions above 0")
            sizes.append(size)
        machine.push(ShapeValue(tuple(sizes)))

    def _locals(self, machine: Machine, names: tuple[str, ...]) -> None:
        if len(machine.stack) < len(names):
            wanted = " ".join(names)
            machine.fail("GS302", f"`{{ {wanted} }}` takes more values than the stack holds", wanted=wanted)
        for name in reversed(names):
            machine.locals[name] = machine.closed(machine.stack.pop(), f"the local `{name}`")

    def _store(self, machine: Machine, name: str) -> None:
        if name not in machine.locals:
            machine.fail("GS209", f"`{name}` is no local here", help=f"take it first: {{ {name} }}")
        value = machine.closed(machine.pop(name), f"`TO {name}`")
        held = machine.locals[name]
        numbers = (Number, Tensor)
        if isinstance(held, numbers) and isinstance(value, numbers):
            if not (_is_flag(held) and _is_flag(value)):
                held, value = _widened(machine, "r", held), _widened(machine, "r", value)
            fits = isinstance(held, Tensor) and isinstance(value, Tensor) and held.type.shape == value.type.shape
        else:
            fits = type(held) is type(value) and not isinstance(held, Token)
        if not fits:
            help_text = "a choice of word is made while compiling" if isinstance(held, Token) else None
            machine.fail(
                "GS307",
                f"`TO {name}` stores {type_text(value)} in a local of type {type_text(held)}",
                wanted=type_text(held),
                help=help_text,
            )
        machine.locals[name] = value


def _entering(definition: Definition, position: int, value: Value) -> Value:
    """An argument inside the callee: only a declared <layer> stays open."""
    item = definition.signature.inputs[position]
    if isinstance(value, Tensor) and value.layer is not None and item.type.kind != "layer":
        return Tensor(value.node, value.type, None, definition.name)
    return value


def _widened(machine: Machine, kind: str, value: Value) -> Value:
    """An `n` or `f` where the signature says `r`."""
    if kind in ("r", "layer"):
        if isinstance(value, Number):
            return machine.known(float(value.value))
        if isinstance(value, Tensor) and value.type.dtype == "f":
            return machine.flag_to_number(value)
    return value


def _of_a_row(machine: Machine, value: Value) -> Value:
    """A value as the signature of a word that works on one row speaks of it."""
    if machine.lifted and isinstance(value, Tensor) and value.type.batched and not names_batch(machine.definition):
        type_ = TensorType(value.type.dtype, value.type.shape, batched=False)
        return Tensor(value.node, type_, value.layer, value.closed_by)
    return value


def _is_flag(value: Value) -> bool:
    return isinstance(value, Tensor) and value.type.dtype == "f"


def _values(count: int) -> str:
    return "no value" if count == 0 else "one value" if count == 1 else f"{count} values"


def _effect(before: str, after: str) -> str:
    return " ".join(part for part in (before, "--", after) if part)
