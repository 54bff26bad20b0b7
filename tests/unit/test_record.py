"""Records of the compiler are what the standard decorator makes, field by field."""

from __future__ import annotations

import dataclasses
import math

import pytest

from geode.record import dataclass


@dataclass(frozen=True, slots=True)
class Two:
    """Two fields, and one that does not count."""

    number: float
    name: str = "x"
    place: int = dataclasses.field(default=0, compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class One:
    """A field alone."""

    number: float


@dataclass(frozen=True, slots=True)
class Nothing:
    """No field."""


@dataclass(slots=True)
class Changing:
    """Not frozen: equal by value, and no key."""

    number: int


@dataclass(frozen=True, slots=True, eq=False)
class Itself:
    """Equal to itself alone."""

    number: int


def test_equal_records_have_one_hash() -> None:
    """Fields that do not count do not; another class is not equal; a NaN equals itself."""
    assert (Two(1.0, "a", 3), hash(Two(1.0, "a", 3))) == (Two(1.0, "a", 4), hash(Two(1.0, "a", 4)))
    assert Two(1.0, "a") != Two(1.0, "b")
    assert One(1.0) == One(1.0)
    assert One(1.0) != Two(1.0)
    assert hash(One(1.0)) == hash(One(1.0))
    assert One(math.nan) == One(math.nan)
    assert Nothing() == Nothing()
    assert len({Nothing(), Nothing()}) == 1
    assert Itself(1) != Itself(1)


def test_records_that_change_are_no_keys() -> None:
    """As with the standard decorator."""
    record = Changing(1)
    record.number = 2
    assert record == Changing(2)
    with pytest.raises(TypeError, match="unhashable"):
        hash(record)


def test_the_standard_tools_know_records() -> None:
    """`fields`, `replace`, `match` and the representation."""
    record = dataclasses.replace(Two(1.0), name="z")
    assert repr(record) == "Two(number=1.0, name='z')"
    assert [item.name for item in dataclasses.fields(record)] == ["number", "name", "place"]
    match record:
        case Two(number, name):
            assert (number, name) == (1.0, "z")
        case _:
            pytest.fail("no match")
    with pytest.raises(AttributeError):
        record.other = 1  # type: ignore[attr-defined] -- slots
