"""The store's upkeep: sizes, what may be removed, what is damaged."""

from __future__ import annotations

import json
import os
import time
from pathlib import Path

import pytest

from geode.cli.cache import size_to_text
from rules.action import digest
from rules.cache import Cache
from rules.cache_upkeep import cache_stats, collect_garbage, verify_cache
from tests.harness.native import geode

HOUR = 3600.0


@pytest.fixture
def cache(tmp_path: Path) -> Cache:
    """A store with three results of 1000 bytes used 4, 3 and 2 hours ago, and the first result's blob twice named."""
    cache = Cache(tmp_path / "store", lambda _: None)
    for hours, name, letter in ((4, "old", b"o"), (3, "middle", b"m"), (2, "new", b"n"), (2.5, "again", b"o")):
        cache.store(key(name), name, {"o": letter * 1000})
        age(cache, name, hours)
    for path in (cache.root / "cas").rglob("*"):
        if path.is_file():
            os.utime(path, (time.time() - 5 * HOUR,) * 2)
    return cache


def key(name: str) -> str:
    """The key of an action of that name."""
    return digest(name.encode())


def age(cache: Cache, name: str, hours: float) -> None:
    """Say that a record was last used so long ago."""
    path = cache.root / "actions" / key(name)[:2] / f"{key(name)[2:]}.json"
    os.utime(path, (time.time() - hours * HOUR,) * 2)


def left(cache: Cache) -> set[str]:
    """The names of the actions whose result is still there, whole."""
    letters = {"old": b"o", "middle": b"m", "new": b"n", "again": b"o"}
    records = {path.parent.name + path.stem for path in (cache.root / "actions").rglob("*.json")}
    return {
        name
        for name, letter in letters.items()
        if key(name) in records and cache.blob(digest(letter * 1000)) is not None
    }


def test_sizes_are_those_of_the_files(cache: Cache) -> None:
    """Four records, three blobs, every byte counted; what compilers keep is apart."""
    (cache.root / "compilers").mkdir()
    (cache.root / "compilers" / "x").write_bytes(bytes(500))
    found = cache_stats(cache)
    records = sum(path.stat().st_size for path in (cache.root / "actions").rglob("*.json"))
    assert (found.records, found.blobs, found.bytes, found.scratch) == (4, 3, 3000 + records, 500)


def test_oldest_use_goes_first_and_a_named_blob_stays(cache: Cache) -> None:
    """The oldest record goes, but its blob is named again by another; the next one takes its blob along."""
    size = cache_stats(cache).bytes
    assert collect_garbage(cache, size) == (0, 0, size)
    removed, freed, kept = collect_garbage(cache, size - 1)
    assert removed == 1
    assert left(cache) == {"middle", "again", "new"}
    assert cache_stats(cache).bytes == size - freed == kept
    assert collect_garbage(cache, size - freed - 500)[0] == 2
    assert left(cache) == {"again", "new"}


def test_nothing_used_within_the_hour_goes(cache: Cache) -> None:
    """Even where nothing may stay."""
    age(cache, "middle", 0.5)
    assert collect_garbage(cache, 0)[2] == cache_stats(cache).bytes > 0
    assert left(cache) == {"middle"}


def test_command_tells_what_stays(cache: Cache) -> None:
    """For it was used within the hour."""
    age(cache, "middle", 0.5)
    done = geode("cache", "gc", "--max-size", "0", GEODE_CACHE=str(cache.root))
    assert done.status == 0, done.err
    stay = size_to_text(cache_stats(cache).bytes)
    assert done.out.endswith(f" freed; {stay} stay, for they were used within the hour\n")
    assert "stay" not in geode("cache", "gc", "--max-size", "1GB", GEODE_CACHE=str(cache.root)).out


def test_blob_that_no_record_names_goes_after_an_hour(cache: Cache) -> None:
    """A fresh one may belong to a build that is about to write its record."""
    for content, hours in ((b"lost", 2.0), (b"fresh", 0.0)):
        place = cache.root / "cas" / digest(content)[:2] / digest(content)[2:]
        place.parent.mkdir(exist_ok=True)
        place.write_bytes(content)
        os.utime(place, (time.time() - hours * HOUR,) * 2)
    assert collect_garbage(cache, 10**9)[:2] == (1, 4)
    assert cache.blob(digest(b"fresh")) == b"fresh"


def test_damaged_entries_are_found_and_removed(cache: Cache) -> None:
    """A blob with other bytes, the records that name it, and a record that is none: told once, gone afterwards."""
    assert verify_cache(cache) == (7, [])
    blob = cache.root / "cas" / digest(b"m" * 1000)[:2] / digest(b"m" * 1000)[2:]
    blob.chmod(0o644)
    blob.write_bytes(b"m" * 999)
    record = cache.root / "actions" / key("new")[:2] / f"{key('new')[2:]}.json"
    record.chmod(0o644)
    record.write_text("[]")
    count, wrong = verify_cache(cache)
    assert count == 7
    assert [line.partition(":")[0] for line in wrong if line.startswith("blob")] == [f"blob {digest(b'm' * 1000)}"]
    assert {line.partition(":")[0] for line in wrong if line.startswith("record")} == {
        f"record {key('middle')}",
        f"record {key('new')}",
    }
    assert verify_cache(cache) == (4, [])
    assert left(cache) == {"old", "again"}


def test_commands_print_what_is_there(cache: Cache) -> None:
    """stats, gc and verify on the store that GEODE_CACHE names."""
    root = str(cache.root)
    found = json.loads(geode("cache", "stats", "--json", GEODE_CACHE=root).out)
    assert (found["root"], found["records"], found["blobs"]) == (root, 4, 3)
    assert geode("cache", "verify", GEODE_CACHE=root).out == "7 entries read, 0 wrong\n"
    assert geode("cache", "gc", "--max-size", "0", GEODE_CACHE=root).out.startswith("7 entries removed, ")
    assert geode("cache", "stats", GEODE_CACHE=root).out == f"{root}: 0 actions, 0 results, 0 B\n"
    wrong = geode("cache", "gc", "--max-size", "5 apples", GEODE_CACHE=root)
    assert wrong.status == 2
    assert "expected a size such as 500MB or 5GB" in wrong.err
