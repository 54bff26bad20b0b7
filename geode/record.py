"""`dataclass` as the compiler's records use it: the same class for a quarter of the time that defining one takes.

In: a class body with annotated fields. Out: what `dataclasses.dataclass` makes of it, known to `fields`, `replace` and
`match`. Every command defines some two hundred records before it does anything: the standard decorator compiles six
methods for each, here one is, when the first record is made, and the others are shared.
Invariant: equality, hash and representation are the standard ones. `frozen` is held by the type checker, not at run time:
records are never changed, and making one costs no more than a plain object.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from operator import attrgetter
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from dataclasses import dataclass
else:

    def dataclass(cls: type | None = None, /, *, frozen: bool = False, eq: bool = True, slots: bool = False) -> Any:
        """The decorator: `@dataclass` or `@dataclass(frozen=True, slots=True)`; `eq=False` compares by identity."""

        def make(body: type) -> type:
            unusual = hasattr(body, "__post_init__")
            made = dataclasses.dataclass(body, init=unusual, repr=False, eq=False, slots=slots)
            made.__repr__ = _representation
            if not unusual:
                _initialise(made)
            if eq:
                _compare(made, hashed=frozen)
            return made

        return make if cls is None else make(cls)


__all__ = ["dataclass"]


def _compare(cls: type, *, hashed: bool) -> None:
    """Gives a record the equality of its fields, and of a frozen one the hash."""
    key = _key_of([item.name for item in dataclasses.fields(cls) if item.compare])

    def equal(self: object, other: object) -> Any:
        if other.__class__ is not self.__class__:
            return NotImplemented
        mine, its = key(self), key(other)
        return mine is its or mine == its  # a number that is none equals itself, as it does in a tuple

    def hash_of(self: object) -> int:
        return hash(key(self))

    methods = {"__eq__": equal, "__hash__": hash_of if hashed else None}
    for name, method in methods.items():
        setattr(cls, name, method)


def _initialise(cls: Any) -> None:
    """Gives a record its `__init__`, which is compiled when it is called for the first time."""

    def first(self: object, *args: object, **kwargs: object) -> None:
        cls.__init__ = _compiled_init(cls)
        cls.__init__(self, *args, **kwargs)

    cls.__init__ = first


def _compiled_init(cls: type) -> Any:
    """What the standard decorator makes of a class without `__post_init__` that is not frozen."""
    arguments, lines = ["self"], ["pass"]
    scope: dict[str, Any] = {"none": dataclasses.MISSING}
    for item in dataclasses.fields(cls):
        name, value = item.name, item.name
        scope[f"default_{name}"], scope[f"make_{name}"] = item.default, item.default_factory
        made = item.default_factory is not dataclasses.MISSING
        optional = made or item.default is not dataclasses.MISSING
        if item.init:
            arguments.append(f"{name}=none" if made else f"{name}=default_{name}" if optional else name)
            value = f"make_{name}() if {name} is none else {name}" if made else name
        elif optional:
            value = f"make_{name}()" if made else f"default_{name}"
        if item.init or optional:
            lines.append(f"self.{name} = {value}")
    code = f"def __init__({', '.join(arguments)}):\n    " + "\n    ".join(lines)
    exec(code, scope)  # noqa: S102 -- names of a class body, as the standard library does it
    init = scope["__init__"]
    init.__qualname__ = f"{cls.__qualname__}.__init__"
    return init


def _key_of(names: list[str]) -> Callable[[object], object]:
    """The fields of a record that are compared: one by itself, several as a tuple."""
    return attrgetter(*names) if names else lambda _: ()


def _representation(self: Any) -> str:
    shown = (f"{item.name}={getattr(self, item.name)!r}" for item in dataclasses.fields(self) if item.repr)
    return f"{self.__class__.__qualname__}({', '.join(shown)})"
