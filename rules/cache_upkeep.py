"""Looking after the store: how big it is, what is damaged, and what can go.

In: a `Cache`. Out: counts of entries and bytes. Invariant: nothing that was used within the last hour is removed, and
a record goes before the blobs it names, so a build that runs meanwhile finds whole entries or none.
"""

from __future__ import annotations

import json
import shutil
import time
from collections.abc import Iterator
from pathlib import Path

from geode.record import dataclass
from rules.action import digest
from rules.cache import UNFINISHED, Cache

_HOUR = 3600.0


@dataclass(frozen=True, slots=True)
class Stats:
    """Entries and bytes: of records and blobs, and of what compilers keep for themselves (`scratch`)."""

    records: int
    blobs: int
    bytes: int
    scratch: int


@dataclass(frozen=True, slots=True)
class _Record:
    path: Path
    size: int
    used: float
    blobs: frozenset[str]  # digests


def cache_stats(cache: Cache) -> Stats:
    """What is in the store."""
    records, blobs = list(_files(cache.root / "actions")), list(_files(cache.root / "cas"))
    return Stats(len(records), len(blobs), _size(records) + _size(blobs), _size(_files(cache.root / "compilers")))


def collect_garbage(cache: Cache, max_size: int) -> tuple[int, int, int]:
    """Remove records, oldest use first, until at most `max_size` bytes are left; then blobs that no record names.

    What compilers keep for themselves goes first. Returns the entries removed, the bytes freed and those left.
    """
    now = time.time()
    records = sorted((_read(path) for path in _files(cache.root / "actions")), key=lambda record: record.used)
    blobs = {path.parent.name + path.name: path for path in _files(cache.root / "cas")}
    sizes = {content: _stat(path)[0] for content, path in blobs.items()}
    scratch = _size(_files(cache.root / "compilers"))
    total = sum(sizes.values()) + sum(record.size for record in records) + scratch
    before, removed = total, 0
    if total > max_size and scratch and now - _newest(cache.root / "compilers") > _HOUR:
        shutil.rmtree(cache.root / "compilers", ignore_errors=True)
        total -= scratch
    for path in cache.root.rglob(f"{UNFINISHED}*"):  # of builds that were killed while they wrote
        if now - _stat(path)[1] > _HOUR:
            removed += _remove(path)
    naming: dict[str, int] = {}
    for record in records:
        for content in record.blobs:
            naming[content] = naming.get(content, 0) + 1
    for content in sorted(set(blobs) - set(naming)):  # left by a build that died, or by an earlier cut
        if now - _stat(blobs[content])[1] > _HOUR:
            total -= sizes[content]
            removed += _remove(blobs[content])
    for record in records:
        if total <= max_size or now - record.used <= _HOUR:
            break
        total -= record.size
        removed += _remove(record.path)
        for content in record.blobs & blobs.keys():
            naming[content] -= 1
            if naming[content] == 0 and now - _stat(blobs[content])[1] > _HOUR:
                total -= sizes[content]
                removed += _remove(blobs[content])
    return removed, before - total, total


def verify_cache(cache: Cache) -> tuple[int, list[str]]:
    """Read every entry: how many there are, and a line for each that is damaged or names a blob that is not there.

    A damaged entry is removed, so the next build makes it again.
    """
    wrong: list[str] = []
    good: set[str] = set()
    count = 0
    for path in _files(cache.root / "cas"):
        count += 1
        content = path.parent.name + path.name
        if digest(path.read_bytes()) == content:
            good.add(content)
        else:
            wrong.append(f"blob {content}: its bytes have another digest; removed")
            _remove(path)
    for path in _files(cache.root / "actions"):
        count += 1
        key = path.parent.name + path.stem
        record = _read(path)
        if not record.size or not _is_record(path):
            wrong.append(f"record {key}: not a record; removed")
            _remove(path)
        elif not record.blobs <= good:
            wrong.append(f"record {key}: names a blob that is not there; removed")
            _remove(path)
    return count, wrong


def _is_record(path: Path) -> bool:
    try:
        return isinstance(json.loads(path.read_bytes())["outputs"], dict)
    except (OSError, ValueError, KeyError, TypeError):
        return False


def _read(path: Path) -> _Record:
    size, used = _stat(path)
    try:
        outputs = json.loads(path.read_bytes())["outputs"]
        return _Record(path, size, used, frozenset(map(str, outputs.values())))
    except (OSError, ValueError, KeyError, TypeError, AttributeError):
        return _Record(path, size, used, frozenset())  # damaged: it names nothing


def _files(folder: Path) -> Iterator[Path]:
    """The files below `folder`, sorted; temporary ones of a running build left out."""
    return (path for path in sorted(folder.rglob("*")) if path.is_file() and not path.name.startswith(UNFINISHED))


def _stat(path: Path) -> tuple[int, float]:
    """Bytes and time of last use; 0 if it has gone meanwhile."""
    try:
        status = path.stat()
    except OSError:
        return 0, 0.0
    return status.st_size, status.st_mtime


def _size(files: Iterator[Path] | list[Path]) -> int:
    return sum(_stat(path)[0] for path in files)


def _newest(folder: Path) -> float:
    return max((_stat(path)[1] for path in _files(folder)), default=0.0)


def _remove(path: Path) -> int:
    path.unlink(missing_ok=True)
    return 1
