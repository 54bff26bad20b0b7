"""The content-addressed store: action key -> record -> blobs.

In: keys and bytes. Out: bytes that were stored under the same key, checked by digest. Layout under the root:
`actions/ab/cdef….json` (a record: output name -> digest of its bytes) and `cas/ab/cdef…` (the bytes). Invariant: a file
in the store is complete from the moment it has its name, is read-only, and a record is written after its blobs; what
is damaged or missing is a miss with a warning, never an error.
"""

from __future__ import annotations

import json
import os
import sys
import tempfile
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

from rules.action import digest

Warn = Callable[[str], None]


@dataclass(frozen=True, slots=True)
class Cache:
    """A store at `root`; `warn` gets a line for whatever is wrong with it."""

    root: Path
    warn: Warn

    def outputs(self, key: str) -> dict[str, str] | None:
        """The record under `key` (output name -> digest), None on a miss."""
        path = self._place("actions", key, ".json")
        try:
            record = json.loads(path.read_bytes())
            outputs = {str(name): str(value) for name, value in record["outputs"].items()}
            if time.time() - path.stat().st_mtime > 3600:
                os.utime(path)  # the time of last use, to an hour
        except FileNotFoundError:
            return None
        except (OSError, ValueError, KeyError, TypeError, AttributeError) as error:
            self.warn(f"cache record {path} is damaged ({error}); its action runs again")
            return None
        return outputs

    def blob(self, content: str) -> bytes | None:
        """The bytes whose digest is `content`, None if they are missing or damaged."""
        path = self._place("cas", content)
        try:
            data = path.read_bytes()
        except OSError as error:
            self.warn(f"cache entry {path} cannot be read ({error.strerror}); its action runs again")
            return None
        if digest(data) != content:
            self.warn(f"cache entry {path} is damaged; its action runs again")
            return None
        return data

    def store(self, key: str, name: str, outputs: Mapping[str, bytes]) -> None:
        """Keep the outputs of action `name` under `key`: blobs first, then the record.

        The first result stays. A second one that differs is reported as a non-deterministic action.
        """
        record = {output: digest(data) for output, data in sorted(outputs.items())}
        try:
            for output, content in record.items():
                self._add(self._place("cas", content), outputs[output], content)
            path = self._place("actions", key, ".json")
            kept = self.outputs(key)
            if kept is None:
                text = json.dumps({"action": name, "outputs": record}, sort_keys=True) + "\n"
                _write_atomically(path, text.encode(), 0o444)
            elif kept != record:
                self.warn(f"action `{name}` is not deterministic: it gave another result for the same inputs")
        except OSError as error:
            self.warn(f"cannot write the cache at {self.root} ({error.strerror}); the result is not kept")

    def _add(self, path: Path, data: bytes, content: str) -> None:
        try:
            if digest(path.read_bytes()) == content:
                os.utime(path)  # in use again: a clean-up that runs now leaves it
                return
        except OSError:
            pass  # not there, or unreadable: written anew
        _write_atomically(path, data, 0o444)

    def _place(self, kind: str, name: str, suffix: str = "") -> Path:
        return self.root / kind / name[:2] / (name[2:] + suffix)


def open_cache(fallback: Path, warn: Warn) -> Cache:
    """The store at `$GEODE_CACHE` or in the user's cache folder; at `fallback` if that one cannot be written."""
    root = _user_folder()
    try:
        root.mkdir(parents=True, exist_ok=True)
        writable = os.access(root, os.W_OK)
    except OSError:
        writable = False
    if not writable:
        warn(f"the cache folder {root} cannot be written; using {fallback} (set GEODE_CACHE to choose another)")
        root = fallback
    return Cache(root, warn)


def _user_folder() -> Path:
    chosen = os.environ.get("GEODE_CACHE")
    if chosen:
        return Path(chosen).absolute()
    if sys.platform == "darwin":
        return Path.home() / "Library" / "Caches" / "geode"
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "geode"


def write_if_changed(path: Path, data: bytes) -> bool:
    """Make `path` hold `data`, atomically; False if it already did."""
    try:
        if path.read_bytes() == data:
            return False
    except OSError:
        pass  # not there, or unreadable: written anew
    _write_atomically(path, data, 0o644)
    return True


def restore(path: Path, data: bytes, *, executable: bool) -> None:
    """Put a stored output at `path` as a file of its own, never as a link into the store."""
    _write_atomically(path, data, 0o755 if executable else 0o644)


def _write_atomically(path: Path, data: bytes, mode: int) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    handle, temporary = tempfile.mkstemp(dir=path.parent, prefix=".new-")
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(data)
        Path(temporary).chmod(mode)
        Path(temporary).replace(path)
    except BaseException:
        Path(temporary).unlink(missing_ok=True)
        raise
