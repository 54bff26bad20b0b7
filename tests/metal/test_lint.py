"""Kernels are Metal's language as far as Linux can tell: clang's front end for C++ for OpenCL, and rules on the text."""

from __future__ import annotations

from pathlib import Path

import pytest

from geode.pipeline import compile_program
from geode.syntax.file_to_text import file_to_text
from tests.harness.metal import for_metal
from tests.harness.msl_lint import front_end, has_clang, text_rules
from tests.harness.native import ROOT
from tests.metal.snippets import ACCEPTED, REFUSED

needs_clang = pytest.mark.skipif(not has_clang(), reason="no clang on PATH: the front end is not asked")
EXAMPLES = sorted(path.stem for path in (ROOT / "examples").glob("*.gs"))
QUICK = ("pendulum", "transformer-block")


@needs_clang
@pytest.mark.parametrize("name", REFUSED)
def test_what_metal_refuses_is_refused(name: str) -> None:
    """By the front end or by a rule."""
    assert text_rules(REFUSED[name]) or front_end(REFUSED[name])


@needs_clang
@pytest.mark.parametrize("name", ACCEPTED)
def test_what_metal_takes_is_taken(name: str) -> None:
    """By both."""
    assert text_rules(ACCEPTED[name]) + front_end(ACCEPTED[name]) == []


@needs_clang
@pytest.mark.parametrize(
    "example", [pytest.param(name, marks=[] if name in QUICK else [pytest.mark.slow]) for name in EXAMPLES]
)
def test_the_kernels_of_an_example_pass(example: str, tmp_path: Path) -> None:
    """All text of the kernels, the runtime's headers among them."""
    source = tmp_path / f"{example}.gs"
    source.write_text(for_metal((ROOT / "examples" / f"{example}.gs").read_text(encoding="utf-8")), encoding="utf-8")
    kernels = compile_program(file_to_text(str(source))).kernels
    assert "kernel void gs_update" in kernels
    assert text_rules(kernels) + front_end(kernels) == []
