"""The rule `geode_program`: a `.gs` file that becomes a binary and trains.

In: a call in a BUILD file. Out: a target with the steps parse, emit, build and train. Invariant: two programs of one
workspace never share an output folder, which is `build/NAME` as for `geode build`.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from rules.attribute import NAME, Attribute
from rules.geode_library import DEPS, included_libraries
from rules.program_steps import program_steps
from rules.providers import DatasetInfo, ProgramInfo
from rules.rule import Context, Made, Rule
from rules.step import Step
from rules.target import Target
from rules.toolchain import LANES, ORDER

_PROFILES = ("fast", "debug", "sanitize", "portable")


def _implement(context: Context) -> Made:
    values = context.values
    source = context.file("src")
    assert source is not None
    folder = f"build/{context.label.name}"
    info = ProgramInfo(
        label=str(context.label),
        source=source,
        folder=folder,
        defines=tuple(values.table("defines").items()),
        profile=values.text("profile"),
        toolchain=values.optional_text("toolchain"),
        lanes=values.optional_integer("lanes"),
        data=context.labels("data"),
        data_files=_data_files(context),
        libraries=included_libraries(context),
    )
    return Made((folder,), info)


def _data_files(context: Context) -> tuple[str, ...]:
    paths = [target.provider.path for target in context.named("data") if isinstance(target.provider, DatasetInfo)]
    files = [context.files[text] for text in context.values.texts("data") if text in context.files]
    return tuple(sorted({*paths, *files}))


def _steps(target: Target, root: Path) -> Iterator[Step]:
    assert isinstance(target.provider, ProgramInfo)
    return program_steps(target.provider, root)


RULE = Rule(
    name="geode_program",
    doc="A program: parsed, compiled, linked and, by `doit train://…`, run.",
    attributes={
        "name": NAME,
        "src": Attribute("label", "the program's text, a .gs file", required=True),
        "data": Attribute("labels", "data sets that it reads when it runs", (), accepts=("dataset",)),
        "deps": DEPS,
        "defines": Attribute("table", "values that replace CONSTANTs of the program", {}),
        "profile": Attribute("text", "how it is compiled", "fast", choices=_PROFILES),
        "toolchain": Attribute("text", "which compiler; without it the first that is there", choices=ORDER),
        "lanes": Attribute("integer", "tile width; without it the processor's", choices=LANES),
    },
    implement=_implement,
    steps=_steps,
    groups={
        "parse": "Find the mistakes in every program and BUILD file.",
        "emit": "The C text of every unit.",
        "build": "Build every program.",
        "train": "Build every program and run it.",
    },
)
