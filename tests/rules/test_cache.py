"""The store gives back what was put in, checked by digest, and nothing else."""

from __future__ import annotations

import os
import stat
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from rules.action import Action, digest
from rules.cache import Cache, open_cache, write_if_changed

KEY = digest(b"an action")
OUTPUTS = {"o/x.o": b"object bytes", "note": b""}


@pytest.fixture
def warnings() -> list[str]:
    """What the store says."""
    return []


@pytest.fixture
def cache(tmp_path: Path, warnings: list[str]) -> Cache:
    """An empty store."""
    return Cache(tmp_path / "store", warnings.append)


def entries(cache: Cache, kind: str) -> list[Path]:
    """The files of one kind in the store."""
    return [path for path in (cache.root / kind).rglob("*") if path.is_file()]


def test_what_is_stored_comes_back(cache: Cache, warnings: list[str]) -> None:
    """Outputs are recorded by digest and their bytes returned."""
    assert cache.outputs(KEY) is None
    cache.store(KEY, "compile x", OUTPUTS)
    outputs = cache.outputs(KEY)
    assert outputs == {name: digest(data) for name, data in OUTPUTS.items()}
    assert {name: cache.blob(content) for name, content in outputs.items()} == OUTPUTS
    assert warnings == []


def test_entries_are_read_only_and_named_by_their_digest(cache: Cache) -> None:
    """`cas/ab/cdef…` holds bytes whose digest is abcdef…; nobody may write to an entry."""
    cache.store(KEY, "compile x", OUTPUTS)
    blobs = entries(cache, "cas")
    assert {path.parent.name + path.name for path in blobs} == {digest(data) for data in OUTPUTS.values()}
    for path in (*blobs, *entries(cache, "actions")):
        assert stat.S_IMODE(path.stat().st_mode) == 0o444


def test_damaged_blob_is_a_miss_with_a_warning_and_is_mended(cache: Cache, warnings: list[str]) -> None:
    """Bytes that don't match their name are never returned; storing the result again repairs the entry."""
    cache.store(KEY, "compile x", OUTPUTS)
    content = digest(OUTPUTS["o/x.o"])
    path = cache.root / "cas" / content[:2] / content[2:]
    path.chmod(0o644)
    path.write_bytes(b"object byteS")
    assert cache.blob(content) is None
    assert "damaged" in warnings[0]
    cache.store(KEY, "compile x", OUTPUTS)
    assert cache.blob(content) == OUTPUTS["o/x.o"]


def test_missing_blob_is_a_miss_with_a_warning(cache: Cache, warnings: list[str]) -> None:
    """A blob that somebody removed is told and run again."""
    cache.store(KEY, "compile x", OUTPUTS)
    content = digest(OUTPUTS["o/x.o"])
    (cache.root / "cas" / content[:2] / content[2:]).unlink()
    assert cache.blob(content) is None
    assert "is missing" in warnings[0]


@pytest.mark.parametrize("text", ["", "[]", '{"outputs": 3}', '{"action": "x"}', "\x00"])
def test_damaged_record_is_a_miss_with_a_warning(cache: Cache, warnings: list[str], text: str) -> None:
    """A record of another form is told and ignored."""
    path = cache.root / "actions" / KEY[:2] / f"{KEY[2:]}.json"
    path.parent.mkdir(parents=True)
    path.write_text(text)
    assert cache.outputs(KEY) is None
    assert "damaged" in warnings[0]


def test_second_result_that_differs_is_reported_and_the_first_stays(cache: Cache, warnings: list[str]) -> None:
    """One key, two results: the action is called non-deterministic by name."""
    cache.store(KEY, "compile x", {"o/x.o": b"one"})
    cache.store(KEY, "compile x", {"o/x.o": b"two"})
    assert cache.outputs(KEY) == {"o/x.o": digest(b"one")}
    assert len(warnings) == 1
    assert "compile x" in warnings[0]
    assert "not deterministic" in warnings[0]


def test_many_writers_of_one_key_leave_one_whole_entry(cache: Cache, warnings: list[str]) -> None:
    """Sixteen threads store the same result: no warning, no half-written file, no temporary file left."""
    data = {"o/x.o": os.urandom(1 << 16)}
    with ThreadPoolExecutor(8) as pool:
        list(pool.map(lambda _: cache.store(KEY, "compile x", data), range(16)))
    outputs = cache.outputs(KEY)
    assert outputs is not None
    assert cache.blob(outputs["o/x.o"]) == data["o/x.o"]
    assert len(entries(cache, "cas")) == len(entries(cache, "actions")) == 1
    assert warnings == []


def test_store_that_cannot_be_written_is_a_warning(tmp_path: Path, warnings: list[str]) -> None:
    """A file where the store's folder should be: the build goes on without keeping results."""
    (tmp_path / "store").write_text("in the way")
    cache = Cache(tmp_path / "store", warnings.append)
    cache.store(KEY, "compile x", OUTPUTS)
    assert "not kept" in warnings[0]


def test_cache_folder_is_chosen_by_the_environment(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, warnings: list[str]
) -> None:
    """GEODE_CACHE wins, then XDG_CACHE_HOME/geode; a folder that cannot be made gives the fallback and a warning."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "xdg"))
    monkeypatch.setenv("GEODE_CACHE", str(tmp_path / "chosen"))
    assert open_cache(tmp_path / "other", warnings.append).root == tmp_path / "chosen"
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("GEODE_CACHE", str(tmp_path / "file" / "below"))
    assert open_cache(tmp_path / "other", warnings.append).root == tmp_path / "other"
    assert len(warnings) == 1


def test_write_if_changed_leaves_an_equal_file_alone(tmp_path: Path) -> None:
    """The file's time stamp moves only when its bytes do."""
    path = tmp_path / "c" / "x.c"
    assert write_if_changed(path, b"int x;\n")
    before = path.stat().st_mtime_ns
    assert not write_if_changed(path, b"int x;\n")
    assert path.stat().st_mtime_ns == before
    assert write_if_changed(path, b"int y;\n")
    assert path.read_bytes() == b"int y;\n"


def test_key_depends_on_every_part_and_on_nothing_else() -> None:
    """Order of parts and the action's name don't matter; each part's name and value do."""
    one = Action("compile x", "o/x.o", {"tool": "t", "input c/x.c": "d"})
    assert one.key == Action("another name", "o/x.o", {"input c/x.c": "d", "tool": "t"}).key
    others = [
        {"tool": "u", "input c/x.c": "d"},
        {"tool": "t", "input c/y.c": "d"},
        {"tool": "t"},
        {"tool": "tinput c/x.cd"},
    ]
    assert len({one.key, *(Action("compile x", "o/x.o", parts).key for parts in others)}) == 5
