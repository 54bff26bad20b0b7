"""What a target has to do: steps, named as doit's tasks are, `build://examples:xor` or `emit://examples:xor#NEURON-1a2b`.

In: what a rule knows of its target. Out: `Step`s. Invariant: a step holds plain values and functions of modules, so it
may cross processes; whether it is done is told by the action cache alone.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from geode.record import dataclass
from rules.errors import BuildError
from rules.providers import Provider


@dataclass(frozen=True, slots=True)
class Step:
    """One thing to do for a target: `kind` and `label` name it, `part` one of several of that kind.

    `do(step, root)` does it, tells what there is to say and raises BuildError if it fails; `known(step, root)` is whether
    that was done before with the same inputs and its outputs are in place. Where `command` is given it is run instead,
    from the root, and prints for itself. `needs` are the names of the steps before it, `said` is what planning has to say
    about it, `outputs` are paths from the root that cleaning removes.
    """

    kind: str
    label: str
    doc: str
    do: Callable[[Step, Path], str]
    known: Callable[[Step, Path], bool]
    info: Provider | None = None
    part: str = ""
    needs: tuple[str, ...] = ()
    said: str = ""
    outputs: tuple[str, ...] = ()
    command: tuple[str, ...] = ()

    @property
    def name(self) -> str:
        """The step's name among all of a workspace."""
        return step_name(self.kind, self.label, self.part)


def step_name(kind: str, label: str, part: str = "") -> str:
    """`KIND://PACKAGE:NAME`, with `#PART` behind it if there is one."""
    return f"{kind}:{label}#{part}" if part else f"{kind}:{label}"


def never(_step: Step, _root: Path) -> bool:
    """`known` of a step that is done each time."""
    return False


def planned(step: Step, _root: Path) -> bool:
    """`known` of a step that planning did: done, unless there is something to say about it."""
    return not step.said


def tell(step: Step, _root: Path) -> str:
    """`do` of a step that planning did: what it has to say."""
    return step.said


def fail(step: Step, _root: Path) -> str:
    """`do` of a step that planning found to be wrong."""
    raise BuildError(step.said)
