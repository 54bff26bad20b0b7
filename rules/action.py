"""One action: a name for people, and everything its result depends on.

In: what a rule knows about a step. Out: its key, the SHA-256 of the canonical JSON of its parts. Invariant: parts hold
digests, arguments and declared environment alone; no time stamp, no absolute path, no user name.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import field

from geode.record import dataclass

_SHOWN = 3  # changed parts, and words of a command line, that an explanation names
_CALLED = {"tool": "the compiler", "rule": "the build's own rule", "-D": "the CONSTANTs given by -D"}


@dataclass(frozen=True, slots=True)
class Action:
    """A step named `name` (`compile NEURON`) that makes the file `output`, relative to the output folder."""

    name: str
    output: str
    parts: Mapping[str, str]  # "tool", "arguments", "input c/x.c", …: each a digest or canonical text
    key: str = field(init=False)  # the action key: 64 hexadecimal digits

    def __post_init__(self) -> None:
        text = json.dumps(dict(self.parts), sort_keys=True, separators=(",", ":"))
        object.__setattr__(self, "key", digest(text.encode()))


@dataclass(frozen=True, slots=True)
class Done:
    """An action that was seen to: whether it ran, and why, if the parts of its key don't tell."""

    action: Action
    ran: bool
    why: str | None = None


@dataclass(frozen=True, slots=True)
class Outcome:
    """What happened to an action: `hit` (its result was known) or `run`, and why."""

    name: str
    status: str
    why: str


def digest(data: bytes) -> str:
    """SHA-256 in hexadecimal."""
    return hashlib.sha256(data).hexdigest()


def why_run(action: Action, before: Mapping[str, str] | None) -> str:
    """The parts in which `action` differs from the one of the same name in the last build of this folder."""
    if before is None:
        return "not built here before"
    changed = sorted(part for part in action.parts.keys() | before.keys() if action.parts.get(part) != before.get(part))
    if not changed:
        return "its result is no longer in the cache"
    shown = [_say_change(part, action.parts, before) for part in changed[:_SHOWN]]
    left = len(changed) - len(shown)
    return ", ".join(shown) + (f", and {left} more" if left else "")


def _say_change(part: str, now: Mapping[str, str], before: Mapping[str, str]) -> str:
    if part == "arguments" and part in now and part in before:
        return _say_arguments(_words(now[part]), _words(before[part]))
    part, now, before = _CALLED.get(part, part), _renamed(now), _renamed(before)
    if part not in before:
        return f"{part} is new"
    if part not in now:
        return f"{part} is gone"
    return f"{part} changed"


def _renamed(parts: Mapping[str, str]) -> dict[str, str]:
    return {_CALLED.get(name, name): value for name, value in parts.items()}


def _say_arguments(now: list[str], before: list[str]) -> str:
    """The words that came and went, or that the order changed."""
    said = [
        f"{what} {' '.join(words[:_SHOWN])}{' …' if len(words) > _SHOWN else ''}"
        for what, words in (("with", _less(now, before)), ("without", _less(before, now)))
        if words
    ]
    return f"arguments changed ({', '.join(said) or 'their order'})"


def _less(words: list[str], others: list[str]) -> list[str]:
    return [word for word in words if word not in others]


def _words(arguments: str) -> list[str]:
    """The words of a canonical list of lists, flat."""
    found: list[str] = []
    left: list[object] = [json.loads(arguments)]
    while left:
        item = left.pop(0)
        if isinstance(item, list):
            left[:0] = item
        else:
            found.append(str(item))
    return found
