"""What a diagnostic code stands for.

In: written by hand in this package's tables. Out: read by `geode explain`, the documentation and the tests.
Invariant: `example` is a program that fails with the code.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Code:
    """One code: a title of a few words, an explanation of one or two sentences, and a small program that fails with it.

    `example` is None where no program text can show the mistake; the explanation then says what does.
    """

    title: str
    explanation: str
    example: str | None
