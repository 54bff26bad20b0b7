"""The runtime's elementary functions: equal bits for every build and vector width, and close to float64.

The oracle is NumPy's float64 of the same argument. Arguments cover all exponents and the places
where errors peak; `GS_VEC` is the number of floats a vector has.
"""

from __future__ import annotations

import re
import subprocess
from functools import cache
from pathlib import Path

import numpy as np
import pytest

from tests.harness.compile_c import RUNTIME, X86, Build, compile_c
from tests.harness.math_probe import PROBE, arguments, results_by_name

WIDEST = 16 if X86 and "avx512f" in Path("/proc/cpuinfo").read_text(encoding="utf-8") else 8 if X86 else 4

# name: largest error in ulps as its comment states it, and the float64 function.
ONE = {
    "exp": (1.02, np.exp),
    "ln": (0.81, np.log),
    "log2": (0.51, np.log2),
    "log10": (0.51, np.log10),
    "sin": (1.6, np.sin),
    "cos": (1.6, np.cos),
    "tan": (0.51, np.tan),
    "asin": (0.51, np.arcsin),
    "acos": (0.51, np.arccos),
    "atan": (0.51, np.arctan),
    "sinh": (0.51, np.sinh),
    "cosh": (0.51, np.cosh),
    "tanh": (4.83, np.tanh),
    "floor": (0.0, np.floor),
    "ceil": (0.0, np.ceil),
    "round": (0.0, np.rint),
    "trunc": (0.0, np.trunc),
}
TWO = {"atan2": (0.51, np.arctan2), "pow": (0.51, np.power)}
ALL = {**ONE, **TWO}

pytestmark = pytest.mark.native


def _build(compiler: str, optimise: str, target: str, lanes: int) -> Build:
    return Build(compiler, optimise, target, (f"-DGS_VEC={lanes}", f"-DGS_LANES={lanes}"))


BUILDS = [
    _build("gcc", "-O3", "native", 16),
    _build("clang", "-O3", "native", 16),
    _build("gcc", "-O3", "portable", 8),
    _build("clang", "-O3", "portable", 8),
    _build("gcc", "-O1", "plain", 4),
    _build("clang", "-O0", "native", 4),
    _build("gcc", "-O0", "native", 4),
    _build("clang", "-O2", "native", 1),
    _build("gcc", "-O3", "native", 1),
    Build("gcc", "-O1", "native", ("-DGS_VEC=1", "-DGS_LANES=1", "-fsanitize=undefined", "-fno-sanitize-recover=all")),
]
SCALAR = _build("gcc", "-O0", "native", 1)


@cache
def _results(build: Build) -> dict[str, np.ndarray]:
    """What the build's functions make of the arguments, by name."""
    return results_by_name([str(compile_c(build, PROBE))], list(ALL))


@pytest.mark.parametrize("build", BUILDS, ids=str)
def test_bits_do_not_depend_on_the_build(build: Build) -> None:
    """Every function gives the bits of the scalar build without optimisation."""
    if missing := build.missing():
        pytest.skip(missing)
    if int(build.extra[0].rpartition("=")[2]) > WIDEST:
        pytest.skip("this processor has no vectors of that width")
    scalar, found = _results(SCALAR), _results(build)
    different = [name for name in ALL if not np.array_equal(scalar[name].view(np.uint32), found[name].view(np.uint32))]
    assert different == []


@pytest.mark.parametrize("name", ALL)
def test_errors_are_within_the_stated_bound(name: str) -> None:
    """The distance from float64 is at most the stated one, in units of the result's last place."""
    bound, function = ALL[name]
    x, y = (a.astype(np.float64) for a in arguments())
    with np.errstate(all="ignore"):
        exact = function(x, y) if name in TWO else function(x)
        rounded = exact.astype(np.float32)
    found = _results(SCALAR)[name]
    assert np.array_equal(np.isnan(found), np.isnan(exact))
    assert np.array_equal(np.signbit(found)[~np.isnan(exact)], np.signbit(exact)[~np.isnan(exact)])
    near = np.isfinite(rounded)
    overflowed = np.isinf(rounded) & np.isinf(found)
    # One that overflows may also be the largest float, where the exact one is a fraction of an ulp beyond.
    beyond = np.isinf(rounded) & ~overflowed & np.isfinite(exact)
    assert (near | overflowed | beyond | np.isnan(exact)).all()
    values, results = exact[near | beyond], found[near | beyond].astype(np.float64)
    ulp = np.maximum(np.ldexp(1.0, np.frexp(values)[1] - 24), 2.0**-149)
    assert np.max(np.abs(results - values) / ulp, initial=0) <= bound + 1e-6


@pytest.mark.parametrize("name", ["exp", "ln", "sin", "cos", "tanh"])
def test_the_comment_states_the_bound(name: str) -> None:
    """What is measured above is what a reader of the header is told."""
    text = (RUNTIME / "gs_math.h").read_text(encoding="utf-8")
    comment = re.search(rf"/\*((?:(?!\*/)[\s\S])*)\*/\nGS_INLINE gs_vec gs_{name}\(", text)
    assert comment
    assert f"At most {ALL[name][0]} ulp" in comment[1]


@pytest.mark.parametrize(
    ("name", "cases"),
    [
        ("exp", [("0", "1"), ("-inf", "0"), ("inf", "inf"), ("nan", "nan"), ("-104", "0"), ("-0.0", "1")]),
        ("ln", [("1", "0"), ("0", "-inf"), ("-0.0", "-inf"), ("-1", "nan"), ("inf", "inf"), ("-inf", "nan")]),
        ("log2", [("8", "3"), ("0x1p-149", "-149"), ("0", "-inf"), ("-1", "nan"), ("inf", "inf"), ("1", "0")]),
        ("log10", [("1000", "3"), ("1e10", "10"), ("0", "-inf"), ("-1", "nan"), ("inf", "inf"), ("1", "0")]),
        ("sin", [("-0.0", "-0.0"), ("0", "0"), ("inf", "nan"), ("-inf", "nan"), ("0x1p-149", "0x1p-149")]),
        ("cos", [("0", "1"), ("-0.0", "1"), ("inf", "nan"), ("nan", "nan")]),
        ("tan", [("-0.0", "-0.0"), ("inf", "nan"), ("0x1p-149", "0x1p-149")]),
        ("asin", [("-0.0", "-0.0"), ("1.0000001", "nan"), ("-inf", "nan"), ("0x1p-149", "0x1p-149")]),
        ("acos", [("1", "0"), ("-1.0000001", "nan"), ("nan", "nan")]),
        ("atan", [("-0.0", "-0.0"), ("inf", "1.5707963705"), ("-inf", "-1.5707963705")]),
        ("sinh", [("-0.0", "-0.0"), ("inf", "inf"), ("-inf", "-inf"), ("90", "inf"), ("nan", "nan")]),
        ("cosh", [("0", "1"), ("-inf", "inf"), ("-90", "inf"), ("nan", "nan")]),
        ("tanh", [("-0.0", "-0.0"), ("inf", "1"), ("-inf", "-1"), ("-20", "-1"), ("8.0761137", "1"), ("nan", "nan")]),
        ("floor", [("-0.0", "-0.0"), ("-0.5", "-1"), ("inf", "inf"), ("nan", "nan"), ("8388607.5", "8388607")]),
        ("ceil", [("-0.5", "-0.0"), ("0.5", "1"), ("-inf", "-inf"), ("nan", "nan"), ("-8388607.5", "-8388607")]),
        ("round", [("2.5", "2"), ("3.5", "4"), ("-0.5", "-0.0"), ("-inf", "-inf"), ("nan", "nan")]),
        ("trunc", [("-0.9", "-0.0"), ("1.9", "1"), ("-1e30", "-1e30"), ("nan", "nan")]),
        (
            "atan2",
            [
                ("0 0", "0"), ("-0.0 0", "-0.0"), ("0 -0.0", "3.1415927410"), ("-0.0 -0.0", "-3.1415927410"),
                ("inf inf", "0.7853981852"), ("inf -inf", "2.3561944962"), ("-inf 5", "-1.5707963705"),
                ("5 inf", "0"), ("-5 inf", "-0.0"), ("5 -inf", "3.1415927410"), ("nan 1", "nan"), ("1 nan", "nan"),
                ("0 5", "0"), ("0 -5", "3.1415927410"), ("-3 0", "-1.5707963705"), ("-3 -0.0", "-1.5707963705"),
            ],
        ),
        (
            "pow",
            [
                ("nan 0", "1"), ("1 nan", "1"), ("-1 inf", "1"), ("-1 -inf", "1"), ("-8 0.5", "nan"), ("-8 3", "-512"),
                ("0 -1", "inf"), ("-0.0 -1", "-inf"), ("-0.0 -2", "inf"), ("-0.0 3", "-0.0"), ("-0.0 0.5", "0"),
                ("0.5 inf", "0"), ("0.5 -inf", "inf"), ("2 inf", "inf"), ("2 -inf", "0"), ("inf -1", "0"),
                ("-inf 3", "-inf"), ("-inf 2", "inf"), ("-inf -3", "-0.0"), ("-inf 0.5", "inf"), ("-inf -0.5", "0"),
                ("3 2", "9"), ("10 10", "1e10"), ("-2 16777216", "inf"), ("-1 16777215", "-1"), ("nan 1", "nan"),
                ("2 -149", "0x1p-149"), ("2 128", "inf"), ("-2 127", "-0x1p127"), ("0 0", "1"), ("0 nan", "nan"),
            ],
        ),
    ],
)  # fmt: skip
def test_special_values_are_those_of_c99(name: str, cases: list[tuple[str, str]]) -> None:
    """Annex F of the standard, the sign of zero included."""
    numbers = [[_number(part) for part in given.split()] for given, _ in cases]
    x = np.array([n[0] for n in numbers], np.float32)
    y = np.array([n[-1] for n in numbers], np.float32)
    data = x.astype("<f4").tobytes() + y.astype("<f4").tobytes()
    program = compile_c(SCALAR, PROBE)
    out = subprocess.run([program, name, str(len(x))], input=data, capture_output=True, check=True).stdout
    for (given, wanted), found in zip(cases, np.frombuffer(out, "<f4"), strict=True):
        expected = np.float32(_number(wanted))
        same = np.isnan(found) if np.isnan(expected) else found.tobytes() == expected.tobytes()
        assert same, f"{name} of {given} is {found}, not {wanted}"


def _number(text: str) -> float:
    return float.fromhex(text) if "0x" in text else float(text)
