"""The runtime's shapings, sums, initial weights (to the bit) and updates (to 1e-6) against the reference tier."""

from __future__ import annotations

import math
import subprocess
from decimal import Context, Decimal
from pathlib import Path

import numpy as np
import pytest

from geode.reference.batch_sums import batch_sum
from geode.reference.initial import Parameter, initial_weight
from geode.reference.shaping import fitness_shaping
from geode.reference.streams import stream_name_hash
from geode.settings import FIELDS
from tests.harness.compile_c import RUNTIME, Build, compile_c

PROBE = Path(__file__).with_name("shaping_probe.c")
BUILDS = [Build("gcc", "-O3", "native"), Build("clang", "-O3", "portable"), Build("gcc", "-O0", "portable")]
SHAPINGS = FIELDS["shaping"].values
INITS = ("constant", "normal", "uniform", "orthogonal")  # in the order of enum gs_init

pytestmark = pytest.mark.native


@pytest.fixture(params=BUILDS, ids=str, scope="module")
def probe(request):
    """A function that runs the probe of one build and returns its output as an array of float64 or float32."""
    if missing := request.param.missing():
        pytest.skip(missing)
    modules = ("shaping", "series", "init", "noise", "arena", "fail")
    program = compile_c(request.param, PROBE, *(RUNTIME / f"gs_{name}.c" for name in modules))

    def run(*arguments: object, data: np.ndarray | None = None, dtype: str = "<f8") -> np.ndarray:
        stdin = b"" if data is None else data.tobytes()
        done = subprocess.run([program, *map(str, arguments)], input=stdin, capture_output=True, check=True)
        return np.frombuffer(done.stdout, dtype)

    return run


def score_sets():
    """Populations of scores that try every rule: ties, NaN, flat, extreme sizes, signs of zero."""
    rng = np.random.default_rng(8)
    plain = rng.standard_normal(64)
    holes = plain.copy()
    holes[[3, 10, 11, 40]] = math.nan
    flat_with_hole = np.full(8, 0.1)
    flat_with_hole[5] = math.nan
    return {
        "two": np.array([1.0, 2.0]),
        "plain": plain,
        "large": 57_000 + 500 * rng.standard_normal(2000),
        "ties": np.round(rng.standard_normal(300), 1),
        "zeros": np.array([0.0, -0.0, 1.0, -1.0, -0.0, 0.0]),
        "holes": holes,
        "one left": np.array([math.nan, math.nan, 4.0, math.nan]),
        "flat": np.full(10, 0.1),
        "flat with a hole": flat_with_hole,
        "huge": 1e308 * rng.uniform(-1, 1, 50),
        "tiny": 1e-300 * rng.uniform(-1, 1, 50),
        "subnormal": 1e-310 * rng.uniform(-1, 1, 50),
        "both": np.array([1e300, 1e-300, -1e300, 3.0, 0.0, 2e-308]),
        "edges": np.array([3.5, *(k * 2.0**-1074 for k in range(-20, 21)), -3.5, -1e-320]),
        "near": 1 + np.arange(20) * 2.0**-52,
        "odd": rng.standard_normal(77),
    }


@pytest.mark.parametrize("name", score_sets())
@pytest.mark.parametrize("mode", SHAPINGS)
def test_shaping_weights_are_equal_to_the_bit(probe, mode, name) -> None:
    """Every mode and sampling on every population of scores; NaN is what the driver makes of other infinities."""
    scores = score_sets()[name]
    for sampling in ("antithetic", "independent"):
        if (sampling == "antithetic" and len(scores) % 2) or (sampling == "independent" and mode == "sign"):
            continue
        expected = fitness_shaping(scores, mode, sampling, maximise=True)
        got = probe("shape", SHAPINGS.index(mode), int(sampling == "antithetic"), len(scores), data=scores)
        assert [x.hex() for x in got.tolist()] == [x.hex() for x in expected.tolist()], sampling


@pytest.mark.parametrize("size", [3, 10, 255, 4096])
def test_utilities_of_any_population_are_equal_to_the_bit(probe, size) -> None:
    """The logarithms on both sides are correctly rounded, so the whole table agrees."""
    scores = np.arange(size, dtype=np.float64)
    expected = fitness_shaping(scores, "utility", "independent", maximise=True)
    assert probe("shape", SHAPINGS.index("utility"), 0, size, data=scores).tolist() == expected.tolist()


def test_logarithms_are_correctly_rounded(probe) -> None:
    """The ln of whole and half numbers, as utilities take them, against 40 decimal digits rounded once."""
    x = np.concatenate([np.arange(1, 1001), np.arange(1, 300) + 0.5, 2.0 ** np.arange(12, 40)])
    exact = [float(Decimal(value).ln(Context(prec=40))) for value in x.tolist()]
    assert probe("ln", len(x), data=x).tolist() == exact


def test_cosines_of_the_schedules(probe) -> None:
    """Within 1e-15 of cos(πt/n), exact at the ends and the middle."""
    for count in (1, 2, 3, 7, 200, 1000):
        got = probe("cos", count)
        exact = [math.cos(math.pi * t / count) for t in range(count + 1)]
        np.testing.assert_allclose(got, exact, rtol=1e-15, atol=4e-16)
        assert (got[0], got[-1]) == (1.0, -1.0)


@pytest.mark.parametrize("lanes", [1, 8, 16, 24, 32, 48])
def test_batch_sums_are_equal_to_the_bit_at_every_width(probe, lanes) -> None:
    """Rows 1 … 2000 around every edge, whatever the tile's width; lanes past the end never count."""
    rng = np.random.default_rng(lanes)
    for rows in (1, 2, 7, 8, 9, 23, 47, 48, 49, 95, 959, 960, 961, 1000, 1007, 1919, 1920, 1921, 2000):
        values = (rng.standard_normal(rows) * 10.0 ** rng.integers(-6, 7, rows)).astype(np.float32)
        padded = np.concatenate([values, np.full(lanes, 1e30, np.float32)])
        assert probe("sum", lanes, rows, data=padded).tolist() == [float(batch_sum(values))]


@pytest.mark.parametrize("shape", [(8, 100), (100, 8), (7, 7), (1, 5), (5, 1)])
@pytest.mark.parametrize("init", INITS)
def test_initial_weights_are_equal_to_the_bit(probe, init, shape) -> None:
    """Constant, normal, uniform and orthogonal, tall, wide and square."""
    parameter = Parameter("F/weight", shape, "matrix", trainable=True, init=init, init_value=0.375)
    stream = stream_name_hash("init:F/weight")
    got = probe("init", INITS.index(init), *shape, 2**63 + 5, stream, dtype="<f4")
    assert got.tobytes() == initial_weight(parameter, 2**63 + 5).tobytes()
