"""A small program and a small runtime, which build in a fraction of a second, and a cache of the test's own."""

from __future__ import annotations

import dataclasses
import shutil
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from rules.cache import Cache
from rules.emission import Text, Unit
from rules.text_to_binary import BuildResult, build_program
from rules.tool import Tool, find_tool

ROOT = Path(__file__).resolve().parents[2]

_RUNTIME = {
    "gs_shape.h": "#ifndef GS_SHAPE_H\n#define GS_SHAPE_H\nint gs_twice(int x);\nint unit_a(int x);\n"
    "int unit_b(int x);\nextern const int gs_start;\nint gs_program(void);\n#endif\n",
    "gs_main.c": '#include "gs_shape.h"\n#include <stdio.h>\nint main(void)\n{\n    printf("%d\\n", gs_program());\n'
    "    return 0;\n}\n",
    "gs_twice.c": '#include "gs_shape.h"\nint gs_twice(int x)\n{\n    return 2 * x;\n}\n',
}


def tiny_text() -> Text:
    """A program that prints 2·(start + 1) + 10, its units `unit_a` (adds one) and `unit_b` (doubles, adds ten)."""
    units = (
        Unit("unit_a", "A", '#include "gs_shape.h"\nint unit_a(int x)\n{\n    return x + 1;\n}\n'),
        Unit("unit_b", "B", '#include "gs_shape.h"\nint unit_b(int x)\n{\n    return gs_twice(x) + 10;\n}\n'),
    )
    program = '#include "gs_shape.h"\nint gs_program(void)\n{\n    return unit_b(unit_a(gs_start));\n}\n'
    return Text("tiny", units, program, '#include "gs_shape.h"\nconst int gs_start = 4;\n')


def replace_unit(text: Text, word: str, old: str, new: str) -> Text:
    """`text` with one replacement in the unit of `word`."""
    assert any(unit.word == word and old in unit.text for unit in text.units)
    units = tuple(
        dataclasses.replace(unit, text=unit.text.replace(old, new)) if unit.word == word else unit
        for unit in text.units
    )
    return dataclasses.replace(text, units=units)


@dataclass
class Workshop:
    """Builds programs in folders under one root with one cache; `warnings` collects what the build says."""

    root: Path
    toolchain: str
    profile: str = "fast"
    lanes: int | None = None
    toolchains: Path = ROOT / "toolchains"
    warnings: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.runtime = self.root / "runtime"
        self.runtime.mkdir(parents=True)
        for name, text in _RUNTIME.items():
            (self.runtime / name).write_text(text)
        self.cache = Cache(self.root / "cache", self.warnings.append)

    def tool(self) -> Tool:
        """The tool that this workshop builds with."""
        return find_tool(self.toolchains, self.cache, toolchain=self.toolchain, profile=self.profile, lanes=self.lanes)

    def build(self, text: Text, folder: str = "build") -> BuildResult:
        """Build `text` in the folder of that name."""
        return build_program(
            text,
            self.tool(),
            folder=self.root / folder,
            runtime=self.runtime,
            template=ROOT / "build.ninja.in",
            cache=self.cache,
        )


def ran(result: BuildResult) -> set[str]:
    """The names of the actions that ran."""
    return {outcome.name for outcome in result.outcomes if outcome.status == "run"}


COMPILERS = [
    pytest.param(name, marks=[pytest.mark.native, *([] if shutil.which(name) else [pytest.mark.skip(f"no {name}")])])
    for name in ("gcc", "clang")
]


@pytest.fixture
def workshop(tmp_path: Path) -> Workshop:
    """A workshop with the first compiler that is there."""
    for name in ("gcc", "clang"):
        if shutil.which(name):
            return Workshop(tmp_path / "work", name)
    pytest.skip("no gcc or clang")
