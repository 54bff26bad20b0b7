"""The NumPy streams against published answers, and the table against itself: exact statements only."""

from __future__ import annotations

import hashlib
import warnings

import numpy as np
import pytest

from geode.reference import streams
from geode.streams import NormalTable, generate, normal_table, parse_table


def _u64(*values: int) -> np.ndarray:
    return np.array(values, np.uint64)


@pytest.mark.parametrize(
    ("key", "counter", "answer"),
    [
        (0, (0, 0, 0, 0), (0x6627E8D5, 0xE169C58D, 0xBC57AC4C, 0x9B00DBD8)),
        (2**64 - 1, (2**32 - 1,) * 4, (0x408F276D, 0x41C83B0E, 0xA20BC7C6, 0x6D5451FD)),
        (
            0x299F31D0_A4093822,
            (0x243F6A88, 0x85A308D3, 0x13198A2E, 0x03707344),
            (0xD16CFE09, 0x94FDCCEB, 0x5001E420, 0x24126EA1),
        ),
    ],
)
def test_philox_gives_the_published_answers(key: int, counter: tuple[int, ...], answer: tuple[int, ...]) -> None:
    """Philox4x32-10 of whole counters is that of its authors' known-answer file."""
    assert tuple(streams.philox_counter(key, *(_u64(c) for c in counter))[0]) == answer


def test_a_block_is_the_counter_of_its_two_halves() -> None:
    """Block c uses counter (c mod 2^32, c >> 32, 0, 0)."""
    block = 0x1234_5678_9ABC
    whole = streams.philox_counter(7, _u64(block & 0xFFFFFFFF), _u64(block >> 32), _u64(0), _u64(0))
    assert np.array_equal(streams.philox(7, _u64(block)), whole)


def test_the_key_has_the_golden_value() -> None:
    """The member-keyed derivation gives its golden vector, from either entrance."""
    hi, lo = 0x0123456789ABCDEF, 0xFEDCBA9876543210
    assert streams.stream_key(hi, lo, 0, 0) == 0xA388BE70D4A996F1
    assert streams.member_seed((hi, lo), 0, 0) == 0xA388BE70D4A996F1


def test_splitmix_continues_the_known_sequence() -> None:
    """The first outputs of the generator of state 0."""
    increment = 0x9E3779B97F4A7C15
    got = [streams.splitmix64(i * increment % 2**64) for i in range(3)]
    assert got == [0xE220A8397B1DCDAF, 0x6E789E6AA1B965F4, 0x06C45D188009454F]


def test_a_name_hashes_to_the_start_of_its_sha256() -> None:
    """The hash is the first eight bytes, little endian: SHA-256 of nothing begins e3b0c44298fc1c14."""
    assert streams.stream_name_hash("") == 0x141CFC9842C4B0E3


@pytest.mark.parametrize("draw", [streams.words, streams.uniforms, streams.normals])
def test_elements_do_not_depend_on_where_a_call_begins(draw) -> None:
    """Any first and count give a slice of the same stream, across the chunk's end too."""
    whole = draw(3, 0, 4 * (1 << 16) + 40)
    for first in (0, 1, 2, 3, 4, 5, 4 * (1 << 16) - 1):
        for count in (0, 1, 2, 3, 4, 7, 30):
            part = draw(3, first, count)
            assert part.shape == (count,)
            assert np.array_equal(part, whole[first : first + count])


def test_nothing_warns_at_the_ends_of_the_range() -> None:
    """Keys and positions near 2^64 wrap silently."""
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert streams.normals(2**64 - 1, 2**64 - 8, 8).shape == (8,)
        assert 0 <= streams.stream_key(2**64 - 1, 2**64 - 1, 2**64 - 1, 2**64 - 1) < 2**64


def test_uniforms_are_the_top_bits_of_the_words() -> None:
    """RAND is (word >> 8) / 2^24, exactly."""
    expected = [(int(w) >> 8) / 2**24 for w in streams.words(11, 5, 50)]
    assert streams.uniforms(11, 5, 50).tolist() == expected


def test_an_unsigned_word_is_converted_with_one_rounding() -> None:
    """NumPy's conversion agrees with exact rounding to nearest even at every tie around 2^24 … 2^32."""
    around = [2**k + d for k in range(20, 32) for d in range(-300, 301)] + [2**32 - 1 - d for d in range(600)]
    words = np.array(around, np.uint32)
    assert words.astype(np.float32).tolist() == [_nearest_even(w) for w in around]


def _nearest_even(word: int) -> float:
    """The float32 nearest to an integer, by integer arithmetic."""
    shift = max(word.bit_length() - 24, 0)
    kept, lost = word >> shift, word & ((1 << shift) - 1)
    half = (1 << shift) >> 1
    return float((kept + (lost > half or (0 < lost == half and kept & 1))) << shift)


def test_special_words_stay_inside_the_stated_error() -> None:
    """The ends of the word range, as u1 and as u2, give finite normals; u1 = 1 gives zeros."""
    pairs = np.array([(a, b) for a in generate.SPECIAL_WORDS for b in generate.SPECIAL_WORDS], np.uint32).T
    z = np.array(streams.normals_from_words(pairs[0], pairs[1]))
    assert np.isfinite(z).all()
    assert np.array_equal((z == 0).all(axis=0), pairs[0] >= 2**32 - 128)
    assert generate.largest_error(pairs[0], pairs[1]) <= 2e-6


def test_normals_are_within_2e_6_of_the_exact_transform() -> None:
    """Over even words and words of large radius, the largest error is below the bound and near the stated one."""
    worst = generate.largest_error(*generate.sampled_words(1 << 18, seed=100))
    assert 0.7e-6 < worst <= 1.2e-6


def test_the_digest_is_the_one_in_the_table() -> None:
    """SHA-256 of the first 2^20 normals of key 0."""
    table = normal_table()
    found = streams.normals(0, 0, table.digest_count).astype("<f4").tobytes()
    assert hashlib.sha256(found).hexdigest() == table.digest


def test_the_header_is_fresh() -> None:
    """`gs_normal_table.h` holds what `normal-1.json` holds."""
    assert generate.main(["--check"]) == 0


def test_a_stale_header_is_told(monkeypatch, tmp_path, capsys) -> None:
    """`--check` says how to make the header again, and ends with status 1."""
    monkeypatch.setattr(generate, "HEADER_FILE", tmp_path / "gs_normal_table.h")
    assert generate.main(["--check"]) == 1
    assert "python -m geode.streams.generate" in capsys.readouterr().err
    assert generate.main([]) == 0
    assert generate.main(["--check"]) == 0


def test_a_coefficient_that_is_no_float32_is_refused() -> None:
    """A table that a reader would have to round is an error."""
    text = '{"name": "x", "log_split": "0x1", "log_step": "0x1.0000001p+0"}'
    with pytest.raises(ValueError, match="not a float32"):
        parse_table(text)


def test_the_table_is_as_long_as_its_errors_need() -> None:
    """Seven, four and three terms: dropping one more would pass 2e-6."""
    table: NormalTable = normal_table()
    assert (len(table.log), len(table.sine), len(table.cosine)) == (7, 4, 3)


def test_a_shuffle_sorts_rows_by_their_64_bit_value() -> None:
    """The order is that of Python's sort of (value, row), and each pass has its own."""
    key = streams.stream_key(streams.stream_name_hash("shuffle:"), 42, 3, 0)
    words = [int(w) for w in streams.words(key, 0, 2 * 101)]
    expected = sorted(range(101), key=lambda row: (words[2 * row] + (words[2 * row + 1] << 32), row))
    assert streams.shuffle_order(42, 3, 101).tolist() == expected
    assert streams.shuffle_order(42, 4, 101).tolist() != expected
    assert streams.shuffle_order(42, 3, 0).tolist() == []


def test_members_draw_from_their_pair_s_stream() -> None:
    """A member's normals depend on key, epoch and pair alone."""
    key = (streams.stream_name_hash("NEURON/LINEAR"), 42)
    first = streams.member_normal(key, 5, 17, 10)
    assert np.array_equal(first, streams.normals(streams.stream_key(key[0], 42, 5, 17), 0, 10))
    assert not np.array_equal(first, streams.member_normal(key, 5, 18, 10))
    assert not np.array_equal(first, streams.member_normal(key, 6, 17, 10))
