"""Words to graph: a word is run on a stack of types, its calls inlined or made units of their own.

In: an environment, a word and the types that reach it. Out: the `Application` at the root of its call tree.
Invariant: a failing call is reported once; where its declared outputs are known the caller goes on with them, so that
one run reports several independent mistakes.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import field

from geode.diagnostics import CompileError, Diagnostic, Sink
from geode.graph.body import run_body, widened
from geode.graph.call_tree import Application
from geode.graph.effect import Binding
from geode.graph.environment import Environment, names_batch
from geode.graph.graph import CallResult, CallUnit, Elementwise, Input, Known, Node, Trail
from geode.graph.machine import ExhaustedError, Machine, Site, numbered
from geode.graph.sharing import SharedCalls
from geode.graph.state import as_tensor, hidden_of
from geode.graph.types import SCALAR, TensorType
from geode.graph.values import NO_RUNAWAY, RUNAWAY, Parameter, Tensor, Token, Value, stack_text, type_text
from geode.record import dataclass
from geode.source import Span
from geode.syntax.word import Definition, SignatureItem

DEEPEST_CALLS = 100


class AlreadyReported(Exception):  # noqa: N818 -- what it says of a call
    """A call failed, the sink knows why, and nothing can stand in for its results."""


@dataclass(slots=True)
class Interpreter:
    """What one tree's machines share: names, parameters by name, and where errors go."""

    environment: Environment
    sink: Sink
    registry: dict[str, Parameter] = field(default_factory=dict)
    shared_calls: SharedCalls = field(default_factory=SharedCalls)
    sites: dict[str, set[tuple[str, ...]]] = field(default_factory=dict)  # where each word is called
    uniform: set[str] = field(default_factory=set)  # the words that gave one value for all rows to the root

    def root(
        self, definition: Definition, data: TensorType | None, span: Span, path: tuple[str, ...] = ()
    ) -> Application:
        """The tree of a stage's word that gets rows of type `data`, or nothing; `span` is where the stage names it, `path`
        the call sites that its parameters' names start with.

        Raises CompileError or AlreadyReported.
        """
        unit = Application(definition.name, path, is_root=True, row_word=not names_batch(definition))
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
        results, hidden = self.run_word(definition, values, unit, path, (), span)
        runaway = hidden[RUNAWAY]
        unit.outputs = tuple(
            _unless_runaway(unit, result, runaway).node for result in results if isinstance(result, Tensor)
        )
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
        caller: Machine | None = None,
        mask: Tensor | None = None,
        hidden: dict[str, Value] | None = None,
    ) -> tuple[list[Value], dict[str, Value]]:
        """Runs a word's body on its arguments, its nodes going to `unit`.

        `mask` are the rows that make the call (None: all), `hidden` what no program names: the flag of rows past
        LOOP-LIMIT and the counts of draws. Gives the results, checked against the signature, and these as they are now.
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
                    stack=stack_text(arguments if caller is None else caller.before),
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
            binding.lifted or (caller is not None and caller.lifted),
            trail,
            stack=[_entering(definition, i, value) for i, value in enumerate(arguments)],
            dims=dict(binding.dims),
            locals=dict(hidden or {RUNAWAY: NO_RUNAWAY}),
            mask=mask,
            inside_control=0 if caller is None else caller.inside_control,
            call=self.call,
        )
        run_body(machine, definition.body)
        return self._results(machine, binding), hidden_of(machine)

    def call(self, machine: Machine, definition: Definition, span: Span, site: Site = None) -> None:
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
            widened(machine, item.type.kind, value) for item, value in zip(signature.inputs, arguments, strict=True)
        ]
        if len(machine.trail) >= DEEPEST_CALLS:
            machine.exhaust(f"at `{definition.name}` calls stand more than {DEEPEST_CALLS} deep in each other")
        trail = ((definition.name, span), *machine.trail)
        if definition.name in self.environment.shared:
            path: tuple[str, ...] = (f"={definition.name}",)
        elif isinstance(site, tuple):
            path = site
        else:
            number = machine.call_number(definition.name, span.start) if site is None else site
            path = (*machine.path, numbered(definition.name, number))
        self.sites.setdefault(definition.name, set()).add(path)
        try:
            if definition.name in self.environment.shared or isinstance(site, tuple):
                self.shared_calls.check(machine, "/".join(path), arguments, span)
            results: list[Value] | None = None
            if self._is_unit(machine, definition, arguments):
                results = self._call_unit(machine, definition, arguments, path, trail, span)
            if results is None:
                results, now = self.run_word(
                    definition,
                    arguments,
                    machine.unit,
                    path,
                    trail,
                    span,
                    caller=machine,
                    mask=machine.mask,
                    hidden=hidden_of(machine),
                )
                machine.locals.update(now)
        except (CompileError, AlreadyReported) as error:
            if isinstance(error, ExhaustedError):
                raise
            if isinstance(error, CompileError):
                self.sink.add(error.diagnostic)
            results = self._stand_ins(machine, definition, arguments)
        for result in results:
            machine.push(result)

    def _is_unit(self, machine: Machine, definition: Definition, arguments: list[Value]) -> bool:
        """True if this call is compiled as a unit of its own. What gives one value for all rows to a word that reduces
        the batch is inlined: it may be needed behind the last reduction, where no rows are left."""
        tokens = [argument.word for argument in arguments if isinstance(argument, Token)]
        called = [self.environment.definitions[word] for word in tokens if word in self.environment.definitions]
        if any(map(self.environment.draws, called)):
            return False
        if not self.environment.is_unit(definition):
            return False
        batched = any(isinstance(argument, Tensor) and argument.type.batched for argument in arguments)
        return not _may_end(machine.unit) or (batched and definition.name not in self.uniform)

    def _call_unit(
        self,
        machine: Machine,
        definition: Definition,
        arguments: list[Value],
        path: tuple[str, ...],
        trail: Trail,
        span: Span,
    ) -> list[Value] | None:
        """A call of a word that is compiled on its own: what is known while compiling becomes part of it. None, and
        nothing done, if the call has to be inlined."""
        callee = Application(definition.name, path)
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
        mask = machine.mask if self.environment.has_loops(definition) else None
        inner_mask = None
        if mask is not None:
            inner_mask = Tensor(callee.add(Node(Input(len(passed)), mask.type)), mask.type)
            passed.append(mask.node)
            constants.append("mask")
        results, hidden = self.run_word(definition, inner, callee, path, trail, span, caller=machine, mask=inner_mask)
        runaway = hidden[RUNAWAY]
        tensors = [result for result in (*results, runaway) if isinstance(result, Tensor)]
        if not tensors:
            return results
        if _may_end(machine.unit) and not all(result.type.batched for result in tensors):
            self.uniform.add(definition.name)
            return None
        callee.outputs = tuple(result.node for result in tensors)
        callee.constants = tuple(constants)
        machine.unit.calls.append(callee)
        nodes: list[int] = []
        for position, result in enumerate(tensors):
            call = CallUnit(len(machine.unit.calls) - 1, tuple(passed))
            nodes.append(machine.add(CallResult(nodes[0], position) if nodes else call, result.type))
        places = iter(nodes)
        returned = [
            Tensor(next(places), result.type, result.layer, result.closed_by) if isinstance(result, Tensor) else result
            for result in results
        ]
        if isinstance(runaway, Tensor):
            passed_limit = Tensor(nodes[-1], runaway.type)
            before = as_tensor(machine, machine.locals[RUNAWAY])
            assert before is not None
            machine.locals[RUNAWAY] = machine.elementwise("or", (before, passed_limit), "f")
        return returned

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
                result = widened(machine, item.type.kind, value)
                results.append(result if item.type.kind == "layer" else machine.closed(result, definition.name))
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
                help=f"{problem}{_one_more(left, outputs)}",
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


def _may_end(unit: Application) -> bool:
    """True if a reduction of the batch may stand in this unit, and its score be computed from uniform values."""
    return unit.is_root and not unit.row_word


def _entering(definition: Definition, position: int, value: Value) -> Value:
    """An argument inside the callee: only a declared <layer> stays open."""
    item = definition.signature.inputs[position]
    if isinstance(value, Tensor) and value.layer is not None and item.type.kind != "layer":
        return Tensor(value.node, value.type, None, definition.name)
    return value


def _unless_runaway(unit: Application, result: Tensor, runaway: Value) -> Tensor:
    """A root's result, NaN for the rows that a loop gave up on; what is not per row has met them already."""
    if not isinstance(runaway, Tensor) or not result.type.batched:
        return result
    nan = unit.add(Node(Known(float("nan")), SCALAR))
    chosen = Elementwise("choose", (runaway.node, nan, result.node))
    return Tensor(unit.add(Node(chosen, result.type)), result.type)


def _of_a_row(machine: Machine, value: Value) -> Value:
    """A value as the signature of a word that works on one row speaks of it."""
    if machine.lifted and isinstance(value, Tensor) and value.type.batched and not names_batch(machine.definition):
        type_ = TensorType(value.type.dtype, value.type.shape, batched=False)
        return Tensor(value.node, type_, value.layer, value.closed_by)
    return value


def _values(count: int) -> str:
    return "no value" if count == 0 else "one value" if count == 1 else f"{count} values"


def _effect(before: str, after: str) -> str:
    return " ".join(part for part in (before, "--", after) if part)


def _one_more(left: Sequence[Value], outputs: Sequence[SignatureItem]) -> str:
    """What is wanting where one value a row stands for a number of all rows, to end a help line."""
    if len(left) != 1 or len(outputs) != 1 or not isinstance(left[0], Tensor):
        return ""
    scalar = (
        left[0].type.batched and not left[0].type.shape and outputs[0].type.kind == "r" and not outputs[0].type.dims
    )
    return "; one more MEAN (or SUM) reduces the batch" if scalar else ""
