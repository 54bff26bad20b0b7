"""The runtime's own cosine, logarithm and power against exact arithmetic."""

from __future__ import annotations

import subprocess
from decimal import Decimal, localcontext
from pathlib import Path

import pytest

from tests.harness.compile_c import RUNTIME, Build, compile_c

PROBE = Path(__file__).parent / "series_probe.c"
PI = Decimal("3.14159265358979323846264338327950288419716939937510582097494459")


def _cos(x: Decimal) -> Decimal:
    """The cosine by its series, with the context's digits."""
    total, term, k = Decimal(0), Decimal(1), 0
    while abs(term) > Decimal(10) ** -45:
        total += term
        k += 2
        term = -term * x * x / (k * (k - 1))
    return total


def _power(n: int) -> float:
    """0.97^n by repeated squaring in float64, the lowest bit first."""
    result, base = 1.0, 0.97
    while n:
        if n & 1:
            result *= base
        base *= base
        n >>= 1
    return result


@pytest.mark.native
@pytest.mark.parametrize("build", [Build("gcc", "-O3", "native"), Build("clang", "-O0", "native")], ids=str)
def test_series(build: Build) -> None:
    """cos has a relative error of 1e-15 at most, ln is correctly rounded, powers are the stated products."""
    if missing := build.missing():
        pytest.skip(missing)
    done = subprocess.run(
        [compile_c(build, PROBE, RUNTIME / "gs_series.c")], capture_output=True, text=True, check=True
    )
    with localcontext() as context:
        context.prec = 50
        for line in done.stdout.splitlines():
            kind, a, b, text = line.split()
            value = float.fromhex(text)
            if kind == "ln":
                assert value == float(Decimal(float.fromhex(a)).ln()), line
            elif kind == "power":
                assert value == _power(int(a)), line
            elif 2 * int(a) == int(b):
                assert value == 0.0, line
            else:
                exact = _cos(PI * int(a) / int(b))
                assert abs(Decimal(value) - exact) <= abs(exact) * Decimal("1e-15"), line
