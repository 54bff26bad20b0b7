"""The call tree: one `Application` per unit and place where it is called, from the trained word down.

In: nodes and parameters as the machine makes them. Out: a `Graph` per application once the whole tree is known.
Invariant: whether a parameter is trainable, and how it starts, may be settled by a caller after the call, so a graph is
only taken from an application when the root has been interpreted to its end.
"""

from __future__ import annotations

from dataclasses import field

from geode.graph.graph import Graph, Node, UnitParameter
from geode.graph.values import Parameter, TableFile
from geode.record import dataclass


@dataclass(slots=True, eq=False)
class Application:
    """One unit under construction at one place of the tree. `calls` are in source order, as CallUnit counts them."""

    word: str
    path: tuple[str, ...] = ()  # the call sites from the trained word down to this place
    is_root: bool = False
    row_word: bool = False  # a root that works on one row: its score is the mean over rows
    constants: tuple[str, ...] = ()  # the arguments known while compiling, as text
    nodes: list[Node] = field(default_factory=list)
    outputs: tuple[int, ...] = ()
    sites: list[str] = field(default_factory=list)  # the streams of its random call sites: rand:PATH
    parameters: list[Parameter] = field(default_factory=list)
    tables: list[TableFile] = field(default_factory=list)
    calls: list[Application] = field(default_factory=list)

    def add(self, node: Node) -> int:
        """Appends a node and gives its index."""
        self.nodes.append(node)
        return len(self.nodes) - 1

    def own(self, parameter: Parameter) -> int:
        """The place of `parameter` among this unit's own; the same one is kept once."""
        for place, mine in enumerate(self.parameters):
            if mine is parameter:
                return place
        self.parameters.append(parameter)
        return len(self.parameters) - 1

    def table(self, file: TableFile) -> int:
        """The place of `file` among this unit's own tables; the same one is kept once."""
        if file not in self.tables:
            self.tables.append(file)
        return self.tables.index(file)

    def graph(self) -> Graph:
        """The unit's graph with what the whole program decided about its parameters."""
        parameters = tuple(UnitParameter(p.shape, p.kind, p.trainable) for p in self.parameters)
        return Graph(self.word, tuple(self.nodes), self.outputs, parameters)

    def all_tables(self) -> list[TableFile]:
        """The tables of the whole tree in the order of their first call sites, each once."""
        own = dict.fromkeys(self.tables)
        for call in self.calls:
            own |= dict.fromkeys(call.all_tables())
        return list(own)

    def all_parameters(self) -> list[Parameter]:
        """The parameters of the whole tree in the order of their first call sites, each once."""
        found: dict[int, Parameter] = {}

        def visit(application: Application) -> None:
            for parameter in application.parameters:
                found.setdefault(id(parameter), parameter)
            for call in application.calls:
                visit(call)

        visit(self)
        return list(found.values())
