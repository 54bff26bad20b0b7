"""Messages about names that are not known."""

from __future__ import annotations

from rules.errors import near_miss


def test_what_is_known_is_listed_as_far_as_people_read() -> None:
    """A near one alone; all of a few; the first of many."""
    many = tuple(f"WORD{k}" for k in range(100))
    assert near_miss("WORD77", many).startswith(": did you mean `WORD")
    assert near_miss("fast", ("debug", "sanitize")) == "; known: debug, sanitize"
    assert near_miss("x", many) == f"; known: {', '.join(many[:12])} and 88 more"
    assert near_miss("x", many[:16]) == f"; known: {', '.join(many[:16])}"
    assert near_miss("x", ()) == "; there is none"
