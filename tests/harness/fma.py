"""Float32 fused multiply-add in NumPy, which has none: the oracle of every chain the runtime forms in float32.

In: float32 arrays that broadcast. Out: a·b + c, rounded once, float32. Invariant: the float64 sum is rounded to odd,
so that rounding it again to float32 is rounding the exact value (Boldo and Melquiond 2008). Finite values only.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

F32 = NDArray[np.float32]


def fma32(a: F32 | np.float32, b: F32 | np.float32, c: F32 | np.float32) -> F32:
    """Return a·b + c with one rounding to float32, ties to even."""
    product = np.multiply(a, b, dtype=np.float64)  # exact: 24 + 24 bits
    addend = np.asarray(c, np.float64)
    total = product + addend
    back = total - addend
    error = (product - back) + (addend - (total - back))  # Knuth's two-sum: total + error is exact
    even = (np.atleast_1d(total).view(np.int64) & 1 == 0).reshape(total.shape)
    toward = np.where(error > 0, np.inf, -np.inf)
    odd = np.where((error != 0) & even, np.nextafter(total, toward), total)
    return odd.astype(np.float32)
