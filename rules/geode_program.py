"""The rule `geode_program`: a `.gs` file that becomes a binary and trains.

In: a call in a BUILD file. Out: a target with the steps parse, emit, build and train. Invariant: two programs of one
workspace never share an output folder, which is `build/NAME` as for `geode build`.
"""

from __future__ import annotations

from rules.attribute import NAME, Attribute
from rules.providers import ProgramInfo
from rules.rule import Context, Made, Rule
from rules.toolchain import LANES, ORDER

_PROFILES = ("fast", "debug", "sanitize", "portable")


def _implement(context: Context) -> Made:
    values = context.values
    source = context.file("src")
    assert source is not None
    folder = f"build/{context.label.name}"
    info = ProgramInfo(
        source=source,
        folder=folder,
        defines=tuple(values.table("defines").items()),
        profile=values.text("profile"),
        toolchain=values.optional_text("toolchain"),
        lanes=values.optional_integer("lanes"),
    )
    return Made((folder,), info)


RULE = Rule(
    name="geode_program",
    doc="A program: parsed, compiled, linked and, by `doit train://…`, run.",
    attributes={
        "name": NAME,
        "src": Attribute("label", "the program's text, a .gs file", required=True),
        "data": Attribute("labels", "data sets that it reads when it runs", ()),
        "defines": Attribute("table", "values that replace CONSTANTs of the program", {}),
        "profile": Attribute("text", "how it is compiled", "fast", choices=_PROFILES),
        "toolchain": Attribute("text", "which compiler; without it the first that is there", choices=ORDER),
        "lanes": Attribute("integer", "tile width; without it the processor's", choices=LANES),
    },
    accepts=("dataset",),
    implement=_implement,
)
