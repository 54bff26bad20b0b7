"""Random streams: a name, a seed, an epoch and a pair -> words, uniforms, normals, permutations.

In: integers. Out: NumPy arrays, bit-equal to `geode/runtime/gs_noise.c`. Counter-based, so any
element is computed alone, in any order. Invariant: float32 multiplications, additions and square
roots only, one rounding each, in the order `normals_from_words` writes them down.
"""

from __future__ import annotations

import hashlib

import numpy as np
from numpy.typing import NDArray

from geode.streams import normal_table

U32 = NDArray[np.uint32]
U64 = NDArray[np.uint64]
F32 = NDArray[np.float32]

_MASK = (1 << 64) - 1
_LOW = np.uint64(0xFFFFFFFF)
_HALF = np.uint64(32)
# Salmon et al. 2011, "Parallel random numbers: as easy as 1, 2, 3", Philox4x32.
_MULTIPLIERS = (np.uint64(0xD2511F53), np.uint64(0xCD9E8D57))
_WEYL = (0x9E3779B9, 0xBB67AE85)
_ROUNDS = 10
_CHUNK = 1 << 16  # blocks worked on at once: the arrays stay in the cache

EPOCH_TAG = 0x45535F45504F4348  # "ES_EPOCH"
PAIR_TAG = 0x45535F504149525F  # "ES_PAIR_"


def splitmix64(x: int) -> int:
    """Return splitmix64's output for state x, an unsigned 64-bit integer (Steele et al. 2014)."""
    z = (x + 0x9E3779B97F4A7C15) & _MASK
    z = ((z ^ (z >> 30)) * 0xBF58476D1CE4E5B9) & _MASK
    z = ((z ^ (z >> 27)) * 0x94D049BB133111EB) & _MASK
    return z ^ (z >> 31)


def stream_name_hash(name: str) -> int:
    """Return `hi` of the stream called `name`: SHA-256's first 8 bytes, little endian."""
    return int.from_bytes(hashlib.sha256(name.encode("utf-8")).digest()[:8], "little")


def stream_key(hi: int, lo: int, epoch: int, pair: int) -> int:
    """Return the 64-bit key of stream `hi` under SEED `lo`; all four unsigned 64-bit integers."""
    root = splitmix64(hi ^ splitmix64(lo))
    of_epoch = splitmix64(root ^ EPOCH_TAG ^ epoch)
    return splitmix64(of_epoch ^ PAIR_TAG ^ pair)


def philox(key: int, blocks: U64) -> U32:
    """Return the four words of each block, uint32 `[len(blocks), 4]` (Philox4x32-10)."""
    return philox_counter(key, blocks & _LOW, blocks >> _HALF, 0 * blocks, 0 * blocks)


def philox_counter(key: int, c0: U64, c1: U64, c2: U64, c3: U64) -> U32:
    """Return Philox4x32-10 of whole counters, each word `[n]` held in a uint64; uint32 `[n, 4]`."""
    k0, k1 = key & 0xFFFFFFFF, key >> 32
    for _ in range(_ROUNDS):
        p0, p1 = c0 * _MULTIPLIERS[0], c2 * _MULTIPLIERS[1]
        c0, c2 = (p1 >> _HALF) ^ c1 ^ np.uint64(k0), (p0 >> _HALF) ^ c3 ^ np.uint64(k1)
        c1, c3 = p1 & _LOW, p0 & _LOW
        k0, k1 = (k0 + _WEYL[0]) & 0xFFFFFFFF, (k1 + _WEYL[1]) & 0xFFFFFFFF
    return np.stack([c0, c1, c2, c3], axis=-1).astype(np.uint32)


def words(key: int, first: int, count: int) -> U32:
    """Return words first … first+count-1 of a stream: word w is word w mod 4 of block w / 4."""
    start, end = first // 4, (first + count + 3) // 4
    parts = [
        philox(key, np.arange(at, min(at + _CHUNK, end), dtype=np.uint64)).reshape(-1)
        for at in range(start, end, _CHUNK)
    ]
    flat = np.concatenate([np.zeros(0, np.uint32), *parts])
    return flat[first - 4 * start :][:count]


def uniforms(key: int, first: int, count: int) -> F32:
    """Return elements of a RAND stream: (word >> 8) * 2**-24, in [0, 1)."""
    out: F32 = _f32(words(key, first, count) >> np.uint32(8)) * np.float32(2.0**-24)
    return out


def normals(key: int, first: int, count: int) -> F32:
    """Return elements first … first+count-1 of a stream, N(0, 1): e is normal e mod 4 of block e / 4."""
    start, end = first // 4, (first + count + 3) // 4
    out = np.empty((end - start, 2, 2), np.float32)
    for at in range(0, end - start, _CHUNK):
        part = out[at : at + _CHUNK]
        pairs = words(key, 4 * (start + at), 4 * len(part)).reshape(-1, 2, 2)
        part[..., 0], part[..., 1] = normals_from_words(pairs[..., 0], pairs[..., 1])
    return out.reshape(-1)[first - 4 * start :][:count]


def radius_and_angle(w1: U32, w2: U32) -> tuple[F32, F32, U32]:
    """Return u1 in (0, 1], t in [-1/2, 1/2] quarter turns, and the quarter turn q in 0…3."""
    half = np.float32(0.5)
    u1 = (_f32(w1) + half) * np.float32(2.0**-32)
    quarter = (w2 + np.uint32(1 << 29)) >> np.uint32(30)
    rest = (w2 << np.uint32(2)).view(np.int32) >> np.int32(2)
    t = (_f32(rest) + half) * np.float32(2.0**-30)
    return u1, t, quarter


def normals_from_words(w1: U32, w2: U32) -> tuple[F32, F32]:
    """Return r·cos and r·sin, r = sqrt(-2 ln u1), of words of any one shape (Box and Muller 1958).

    At most 2e-6 from the exact transform of the same u1 and t. u1 = 1 gives r = +0, and the
    zeros carry the signs of cos and sin.
    """
    table = normal_table()
    u1, t, quarter = radius_and_angle(w1, w2)

    bits = u1.view(np.int32)
    # u = m * 2**-e; `exponent` is e still at its place in the bits, exact as a float32.
    exponent = (np.int32(table.log_split + 0x7FFFFF) - bits) & np.int32(-0x800000)
    x = (bits + exponent).view(np.float32) - np.float32(1)
    step = np.float32(table.log_step * 2.0**-23)
    r = np.sqrt(_f32(exponent) * step + x * _horner(table.log, x))

    q = t * t
    sine = t * _horner(table.sine, q)
    cosine = np.float32(1) + q * _horner(table.cosine, q)
    odd = (quarter & np.uint32(1)) != 0
    negative_cos = (quarter == 1) | (quarter == 2)
    negative_sin = quarter >= 2
    cos = np.where(odd, sine, cosine)
    sin = np.where(odd, cosine, sine)
    return r * np.where(negative_cos, -cos, cos), r * np.where(negative_sin, -sin, sin)


def shuffle_order(lo: int, pass_number: int, rows: int) -> NDArray[np.int64]:
    """Return the permutation `[rows]` of one pass: rows sorted by (64-bit value, row index).

    Row i's value is words 2i (low half) and 2i+1 (high half) of the stream `shuffle:`, whose
    epoch is the pass number and whose pair is 0.
    """
    key = stream_key(stream_name_hash("shuffle:"), lo, pass_number, 0)
    pairs = words(key, 0, 2 * rows).reshape(-1, 2).astype(np.uint64)
    return np.argsort(pairs[:, 0] | (pairs[:, 1] << _HALF), kind="stable").astype(np.int64)


def member_seed(key: tuple[int, int], epoch: int, pair: int) -> int:
    """Return the stream key of one pair's perturbation; `key` is (hi, lo).

    It depends on key, epoch and pair alone: never on a rank, a worker or a device.
    """
    hi, lo = key
    return stream_key(hi, lo, epoch, pair)


def member_normal(key: tuple[int, int], epoch: int, pair: int, count: int) -> F32:
    """Return the first `count` normals of one pair's stream, float32 `[count]`."""
    return normals(member_seed(key, epoch, pair), 0, count)


def _horner(coefficients: tuple[float, ...], x: F32) -> F32:
    """Return the polynomial at x, from the highest power down: one product, one sum a step."""
    value = np.full_like(x, np.float32(coefficients[-1]))
    for c in reversed(coefficients[:-1]):
        value = value * x + np.float32(c)
    return value


def _f32(integers: NDArray[np.uint32] | NDArray[np.int32]) -> F32:
    """Return the integers as float32, rounded once, to nearest even."""
    return integers.astype(np.float32)
