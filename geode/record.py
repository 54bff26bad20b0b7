"""`dataclass` as the compiler's records use it: the same class for a quarter of the time that defining one takes.

In: a class body with annotated fields. Out: what `dataclasses.dataclass` makes of it, known to `fields`, `replace` and
`match`. Every command defines some two hundred records before it does anything: the standard decorator compiles six
methods for each, here one is compiled and the others are shared.
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
            made = dataclasses.dataclass(body, init=True, repr=False, eq=False, slots=slots)
            made.__repr__ = _representation
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


def _key_of(names: list[str]) -> Callable[[object], object]:
    """The fields of a record that are compared: one by itself, several as a tuple."""
    return attrgetter(*names) if names else lambda _: ()


def _representation(self: Any) -> str:
    shown = (f"{item.name}={getattr(self, item.name)!r}" for item in dataclasses.fields(self) if item.repr)
    return f"{self.__class__.__qualname__}({', '.join(shown)})"
