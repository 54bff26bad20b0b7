"""Coefficients of gs_math.h: formulas -> near-minimax polynomials and ratios in float32, printed as C constants.

In: nothing. Out: one line a table on standard output, with the largest error of the polynomial
or ratio itself. Invariant: the header's numbers decide; another linear algebra library may print neighbours.

    python -m geode.runtime.fit_math
"""

from __future__ import annotations

import sys

import numpy as np

from geode.streams.minimax import F64, fit, fit_ratio, hexadecimal


def tables() -> dict[str, tuple[list[float], float]]:
    """Return each table of gs_math.h by name, with its largest relative error, in units of 2^-24."""
    quarter = (np.pi / 4 + 0.01) ** 2  # the reduced angle passes pi/4 a little where a quotient was rounded up
    half_octave = np.log(2) / 2 + 1e-4
    found = {
        # e^r = 1 + r + r r P(r)
        "GS_EXP": fit(_exp_rest, lambda r: r * r / np.exp(r), 5, (-half_octave, half_octave)),
        # ln(1+f) = f - f f / 2 + f f f P(f)
        "GS_LN": fit(_ln_rest, lambda f: np.abs(f**3 / np.log1p(f)), 9, (np.sqrt(0.5) - 1, np.sqrt(2) - 1)),
        # sin r = r + r z P(z), cos r = 1 - z / 2 + z z P(z), z = r r
        "GS_SIN": fit(_sin_rest, lambda z: z, 3, (0, quarter)),
        "GS_COS": fit(_cos_rest, lambda z: z * z / np.cos(np.sqrt(z)), 3, (0, quarter)),
    }
    # tanh x = x P(z) / Q(z), z = x x; beyond 8 it is less than 4 of 2^-24 from 1
    above, below, error = fit_ratio(_tanh_by_x, (4, 4), 8.02**2)
    found |= {"GS_TANH_ABOVE": (above, error), "GS_TANH_BELOW": (below, error)}
    return {name: (values, error * 2**24) for name, (values, error) in found.items()}


def _exp_rest(r: F64) -> F64:
    return _series(r, [1 / float(np.prod(range(1, n + 3))) for n in range(14)])


def _tanh_by_x(z: F64) -> F64:
    x = np.sqrt(np.maximum(z, 1e-4))
    return np.where(z < 1e-4, _series(z, [1, -1 / 3, 2 / 15, -17 / 315]), np.tanh(x) / x)


def _ln_rest(f: F64) -> F64:
    near = np.abs(f) < 0.05
    far = np.where(near, 0.3, f)
    exact = (np.log1p(far) - far + far * far / 2) / far**3
    return np.where(near, _series(f, [(-1) ** n / (n + 3) for n in range(14)]), exact)


def _sin_rest(z: F64) -> F64:
    return _series(-z, [-1 / float(np.prod(range(1, 2 * n + 4))) for n in range(9)])


def _cos_rest(z: F64) -> F64:
    return _series(-z, [1 / float(np.prod(range(1, 2 * n + 5))) for n in range(9)])


def _series(x: F64, coefficients: list[float]) -> F64:
    return np.asarray(np.polynomial.polynomial.polyval(x, np.array(coefficients)))


def main() -> int:
    """Print every table."""
    for name, (values, error) in tables().items():
        constants = ", ".join(hexadecimal(v) + "f" for v in values)
        sys.stdout.write(f"{name} {{{constants}}}  // {error:.3f} of 2^-24\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
