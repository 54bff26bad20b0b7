"""Makes the table of normals: `normal-1.json` -> `gs_normal_table.h`; `--fit` makes the JSON too.

In: the formulas of -2 ln m, sin and cos. Out: coefficients in float32, the largest error they
give, the digest, and the C header. Invariant: the header holds what the JSON holds and nothing
else; `--check` fails when it does not. A fit changes the bits of every run, so it makes a new
table, with a new name: `geode-normal-1` never changes.

    python -m geode.streams.generate [--check | --fit]
"""

from __future__ import annotations

import argparse
import hashlib
import json
import sys
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from geode.streams import TABLE_FILE, NormalTable, normal_table
from geode.streams.minimax import F64, fit, hexadecimal

HEADER_FILE = Path(__file__).parents[1] / "runtime" / "gs_normal_table.h"
LOG_SPLIT = 0x3F3504F3  # the float32 next to sqrt(1/2)
DIGEST_COUNT = 1 << 20
SPECIAL_WORDS = (0, 1, 2**24 - 1, 2**24, 2**24 + 1, 2**32 - 129, 2**32 - 128, 2**32 - 1)


def main(arguments: list[str] | None = None) -> int:
    """Write or check the generated files; return the exit status."""
    parser = argparse.ArgumentParser(prog="geode.streams.generate", description="the table of normals")
    parser.add_argument("--check", action="store_true", help="only say whether the header is fresh")
    parser.add_argument("--fit", action="store_true", help="make the coefficients anew")
    options = parser.parse_args(arguments)
    if options.fit:
        TABLE_FILE.write_text(_fitted_json(), encoding="utf-8")
        normal_table.cache_clear()
    text = header_text(normal_table())
    if not options.check:
        HEADER_FILE.write_text(text, encoding="utf-8")
        return 0
    fresh = HEADER_FILE.is_file() and HEADER_FILE.read_text(encoding="utf-8") == text
    if not fresh:
        sys.stderr.write(f"{HEADER_FILE.name} is stale: run python -m geode.streams.generate\n")
    return 0 if fresh else 1


def header_text(table: NormalTable) -> str:
    """Return the text of `gs_normal_table.h`: the table as hexadecimal float constants."""
    rows = [
        ("SPLIT", f"{table.log_split:#x}", "bits of the float at which m begins"),
        ("STEP", _literal(table.log_step * 2.0**-23), "2 ln 2 * 2^-23, for an exponent in place"),
        ("LOG", _list(table.log), "-2 ln m = x log(x), x = m - 1"),
        ("SINE", _list(table.sine), "sin = t sine(q), q = t t, t in quarter turns"),
        ("COSINE", _list(table.cosine), "cos = 1 + q cosine(q)"),
    ]
    lines = [
        f"/* gs_normal_table.h -- constants of {table.name}. Generated from geode/streams/{TABLE_FILE.name} by",
        " * geode/streams/generate.py; change nothing here. Lists ascend in the power of their variable. */",
        "#ifndef GS_NORMAL_TABLE_H",
        "#define GS_NORMAL_TABLE_H",
        "",
    ]
    for name, value, comment in rows:
        lines += [f"/* {comment} */", f"#define GS_NORMAL_{name} {value}"]
    return "\n".join([*lines, "", "#endif", ""])


def largest_error(w1: NDArray[np.uint32], w2: NDArray[np.uint32]) -> float:
    """Return the largest distance from the float64 transform of the same u1 and t."""
    from geode.reference.streams import normals_from_words, radius_and_angle

    u1, t, quarter = radius_and_angle(w1, w2)
    radius = np.sqrt(-2.0 * np.log(u1.astype(np.float64)))
    angle = t.astype(np.float64) * (np.pi / 2)
    sin, cos = np.sin(angle), np.cos(angle)
    exact_cos = np.choose(quarter, [cos, -sin, -cos, sin])
    exact_sin = np.choose(quarter, [sin, cos, -sin, -cos])
    z1, z2 = normals_from_words(w1, w2)
    worst = max(np.abs(z1 - radius * exact_cos).max(), np.abs(z2 - radius * exact_sin).max())
    return float(worst)


def sampled_words(count: int, seed: int) -> tuple[NDArray[np.uint32], NDArray[np.uint32]]:
    """Return word pairs `[about 3 count]` to measure over: even ones, ones of large radius, special ones."""
    rng = np.random.Generator(np.random.PCG64(seed))
    even = rng.integers(0, 2**32, (2, count), np.uint32)
    tail = rng.integers(0, 2**32, (2, 2 * count), np.uint32)
    tail[0] >>= rng.integers(0, 32, 2 * count, np.uint32)
    special = np.array([(a, b) for a in SPECIAL_WORDS for b in SPECIAL_WORDS], np.uint32).T
    both = np.concatenate([even, tail, special], axis=1)
    return both[0], both[1]


def _fitted_json() -> str:
    """Return the text of a new table: coefficients fitted, error and digest measured with them."""
    from geode.reference.streams import normals

    log, _ = fit(lambda x: -2 * np.log1p(x) / x, _log_weight, 7, (np.sqrt(0.5) - 1, np.sqrt(2.0) - 1))
    sine, _ = fit(lambda q: np.sin(np.pi / 2 * np.sqrt(q)) / np.sqrt(q), np.sqrt, 4, (0, 0.25))
    cosine, _ = fit(lambda q: -2 * np.sin(np.pi / 4 * np.sqrt(q)) ** 2 / q, lambda q: q, 3, (0, 0.25))
    data: dict[str, object] = {
        "name": "geode-normal-1",
        "about": "Box-Muller in float32: products and sums only, Horner from the highest power. "
        "Lists ascend in the power of their variable; numbers are C hexadecimal floats.",
        "log_split": f"{LOG_SPLIT:#x}",
        "log_step": hexadecimal(float(np.float32(2 * np.log(2)))),
        "log": list(map(hexadecimal, log)),
        "sine": list(map(hexadecimal, sine)),
        "cosine": list(map(hexadecimal, cosine)),
        "digest_count": DIGEST_COUNT,
        "digest": "",
    }
    TABLE_FILE.write_text(json.dumps(data), encoding="utf-8")
    normal_table.cache_clear()
    error = max(largest_error(*sampled_words(1 << 20, seed)) for seed in range(16))
    data["largest_error"] = error
    data["largest_error_over"] = "16 x (2^20 even word pairs, 2^21 with w1 log-uniform, 64 special ones)"
    data["digest"] = hashlib.sha256(normals(0, 0, DIGEST_COUNT).astype("<f4").tobytes()).hexdigest()
    return json.dumps(data, indent=2) + "\n"


def _log_weight(x: F64) -> F64:
    """Return how far an error in -2 ln m / x moves r, at the smallest r where that m occurs."""
    smallest = np.sqrt(-2 * np.log1p(x) + np.where(x < 0, 0, 2 * np.log(2)))
    return np.asarray(np.abs(x) / (2 * smallest))


def _list(values: tuple[float, ...]) -> str:
    return "{" + ", ".join(_literal(v) for v in values) + "}"


def _literal(value: float) -> str:
    """Return a C float constant of exactly this value."""
    return hexadecimal(value) + "f"


if __name__ == "__main__":
    sys.exit(main())
