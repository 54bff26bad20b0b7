"""A diagnostic code -> its page: what it means, the smallest program that fails with it, the message, the repair.

In: a code of `CODES`. Out: text for a terminal, or plain values. Invariant: the message is what the compiler says of the
example now.
"""

from __future__ import annotations

from typing import Any

from geode.codes import CODES, Code
from geode.diagnostics import CompileErrors
from geode.pipeline import compile_program
from geode.render import render
from geode.source import Source

FILE = "example.gs"


def message_of(program: str, code: str, defines: dict[str, str] | None = None) -> str:
    """The first message with that code, as the compiler prints it, without the count of errors at its end."""
    try:
        diagnostics = compile_program(Source(FILE, program), defines=defines).warnings
    except CompileErrors as errors:
        diagnostics = errors.diagnostics
    for diagnostic in diagnostics:
        if diagnostic.code == code:
            return "\n".join(line.rstrip() for line in render([diagnostic], colour=False).splitlines()[:-1])
    found = ", ".join(diagnostic.code for diagnostic in diagnostics) or "nothing"
    raise ValueError(f"{code} was promised, {found} came, of:\n{program}")


def example_message(name: str, code: Code) -> str | None:
    """What the compiler says of a code's example; None if it has none."""
    if code.example is None:
        return None
    return message_of(code.example, name, dict(code.defines))


def code_to_text(name: str) -> str:
    """The page as `geode explain` prints it."""
    code = CODES[name]
    lines = [f"{name}: {code.title}", "", *_wrapped(code.explanation)]
    message = example_message(name, code)
    if code.example is not None and message is not None:
        given = "".join(f" with -D {key}={value}" for key, value in code.defines)
        lines += ["", f"fails{given}:", *_indented(code.example), "", *_indented(message)]
    if code.repair is not None:
        lines += ["", "repaired:", *_indented(code.repair)]
    return "\n".join(lines) + "\n"


def code_record(name: str) -> dict[str, Any]:
    """The same as plain values; `example`, `message` and `repair` are null where a program text can't show the mistake."""
    code = CODES[name]
    return {
        "code": name,
        "title": code.title,
        "explanation": code.explanation,
        "defines": dict(code.defines),
        "example": code.example,
        "message": example_message(name, code),
        "repair": code.repair,
    }


def _wrapped(text: str) -> list[str]:
    import textwrap

    return textwrap.wrap(text, 100, break_on_hyphens=False, break_long_words=False)


def _indented(text: str) -> list[str]:
    return [f"  {line}".rstrip() for line in text.rstrip("\n").split("\n")]
