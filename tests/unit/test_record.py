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


@dataclass(slots=True)
class Made:
    """A field of each kind."""

    first: int
    second: list[int] = dataclasses.field(default_factory=list)
    third: int | None = None
    fourth: int = dataclasses.field(default=4, init=False)
    fifth: dict[str, int] = dataclasses.field(default_factory=dict, init=False)
    sixth: int = dataclasses.field(init=False)


@dataclass(frozen=True, slots=True)
class Looked:
    """Looks at itself when it is made."""

    number: int

    def __post_init__(self) -> None:
        if self.number < 0:
            raise ValueError(self.number)


@dataclass(frozen=True, slots=True)
class Heir(Looked):
    """A field more."""

    name: str = "x"


def test_records_are_made_of_their_fields() -> None:
    """By place and by name, with defaults, each with its own list; before the first one as after it."""
    records = [Made(1), Made(1, [2]), Made(first=1, third=3), Made(1)]
    assert [(r.first, r.second, r.third, r.fourth, r.fifth) for r in records] == [
        (1, [], None, 4, {}),
        (1, [2], None, 4, {}),
        (1, [], 3, 4, {}),
        (1, [], None, 4, {}),
    ]
    assert records[0].second is not records[3].second
    assert records[0].fifth is not records[3].fifth
    assert not hasattr(records[0], "sixth")


def test_what_is_no_field_is_refused() -> None:
    """In the words of Python."""

    @dataclass(frozen=True, slots=True)
    class Fresh:
        """Nothing was made of it yet."""

        number: int

    for _ in range(2):
        with pytest.raises(TypeError, match=r"Fresh.__init__\(\) missing 1 required positional argument: 'number'"):
            Fresh()  # type: ignore[call-arg]
        with pytest.raises(TypeError, match="unexpected keyword argument 'name'"):
            Fresh(number=1, name="x")  # type: ignore[call-arg]
        with pytest.raises(TypeError, match="takes 2 positional arguments but 3 were given"):
            Fresh(1, 2)  # type: ignore[call-arg]
    with pytest.raises(ValueError, match="-1"):
        Looked(-1)
    assert Looked(1) == Looked(1)
    assert (Heir(1).number, Heir(1, "a").name) == (1, "a")
    with pytest.raises(ValueError, match="-1"):
        Heir(-1)


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
