"""The content-addressed store: action key -> record -> blobs.

In: keys and bytes. Out: bytes that were stored under the same key, checked by digest. Layout under the root:
`actions/ab/cdef….json` (a record: output name -> digest of its bytes) and `cas/ab/cdef…` (the bytes). Invariant: a file
in the store is complete from the moment it has its name, is read-only, and a record is written after its blobs; what
is damaged or missing is a miss with a warning, never an error. What the local store lacks is looked for in the remote one.
"""

from __future__ import annotations

import json
import os
import sys
import tempfile
import time
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path

from geode.record import dataclass
from rules.action import digest
from rules.remote import Remote, at_once, open_remote

Warn = Callable[[str], None]


@dataclass(frozen=True, slots=True)
class Cache:
    """A store at `root`, with one behind it or None; `warn` gets a line for whatever is wrong with them.

    `readable` is a store that can be read and not written to; it is looked in before the remote one.
    """

    root: Path
    warn: Warn
    remote: Remote | None = None
    readable: Path | None = None

    def outputs(self, key: str) -> dict[str, str] | None:
        """The record under `key` (output name -> digest), None on a miss."""
        name = _name("actions", key, ".json")
        path = self.root / name
        try:
            outputs = _outputs(path.read_bytes())
            if time.time() - path.stat().st_mtime > 3600:
                os.utime(path)  # the time of last use, to an hour
        except FileNotFoundError:
            return self._remote_outputs(name)
        except _BAD_RECORD as error:
            self.warn(f"cache record {path} is damaged ({error}); its action runs again")
            return self._remote_outputs(name)
        return outputs

    def _remote_outputs(self, name: str) -> dict[str, str] | None:
        data = self._from_remote(name)
        if data is None:
            return None
        try:
            outputs = _outputs(data)
        except _BAD_RECORD as error:
            self.warn(f"record {name} of the remote cache is damaged ({error})")
            self._spoilt(name)
            return None
        self._keep(name, data)
        return outputs

    def blob(self, content: str) -> bytes | None:
        """The bytes whose digest is `content`, None if they are missing or damaged."""
        name = _name("cas", content)
        path = self.root / name
        try:
            data = path.read_bytes()
            if digest(data) == content:
                return data
            wrong = f"cache entry {path} is damaged; its action runs again"
        except FileNotFoundError:
            told = self.remote is not None and name in self.remote.spoilt  # when it was fetched
            wrong = "" if told else f"cache entry {path} is missing; its action runs again"
        except OSError as error:
            wrong = f"cache entry {path} cannot be read ({error.strerror}); its action runs again"
        fetched = self._from_remote(name)
        if fetched is not None and digest(fetched) == content:
            self._keep(name, fetched)
            return fetched
        if fetched is not None:
            wrong = f"entry {name} of the remote cache is damaged; its action runs again"
            self._spoilt(name)
        if wrong:
            self.warn(wrong)
        return None

    def prefetch(self, keys: Iterable[str]) -> None:
        """Bring what the remote has under `keys` here, several entries at a time, so that looking them up is quick."""
        missing = [key for key in keys if not (self.root / _name("actions", key, ".json")).exists()]
        if self.remote is not None and missing:
            at_once(self._fetch, missing)

    def _fetch(self, key: str) -> None:
        for content in (self.outputs(key) or {}).values():
            if not (self.root / _name("cas", content)).exists():
                self.blob(content)

    def publish(self, keys: Iterable[str]) -> None:
        """See to it that the remote has what is stored here under `keys`, if it is to be added to."""
        if self.remote is not None and self.remote.upload:
            at_once(self._upload, dict.fromkeys(keys))
            self._tell_failure()

    def _upload(self, key: str) -> None:
        """Blobs first, then the record; what is there already stays."""
        assert self.remote is not None
        name = _name("actions", key, ".json")
        try:
            record = (self.root / name).read_bytes()
            outputs = _outputs(record)
        except _BAD_RECORD:
            return  # it was not kept here either
        self.remote.absent.discard(name)  # another build may have written it since it was asked for
        there = None if name in self.remote.present else self.remote.get(name)
        if there is not None and there != record:
            named = json.loads(record).get("action", key)
            self.warn(f"action `{named}` is not deterministic: the remote cache has another result of the same inputs")
            return
        lacking = self.remote.absent | self.remote.spoilt
        for content in outputs.values():
            blob = _name("cas", content)
            if blob not in self.remote.present and (there is None or blob in lacking):
                data = self.blob(content)
                if data is None or not self.remote.put(blob, data):
                    return
        if name not in self.remote.present:
            self.remote.put(name, record)

    def _from_remote(self, name: str) -> bytes | None:
        if self.readable is not None:
            try:
                return (self.readable / name).read_bytes()
            except OSError:
                pass  # not there: the remote may have it
        data = self.remote.get(name) if self.remote is not None else None
        self._tell_failure()
        return data

    def _tell_failure(self) -> None:
        """Warn of a remote that is left out, once in a process."""
        remote = self.remote
        if remote is not None and remote.failure is not None and not remote.told and self.warn is not silent:
            remote.told = True
            self.warn(f"the remote cache {remote.url} is left out: {remote.failure}")

    def _spoilt(self, name: str) -> None:
        """What the remote has under `name` is worthless, and may be written anew."""
        if self.remote is not None:
            self.remote.present.discard(name)
            self.remote.spoilt.add(name)

    def _keep(self, name: str, data: bytes) -> None:
        try:
            _write_atomically(self.root / name, data, 0o444)
        except OSError as error:
            self.warn(f"cannot write the cache at {self.root} ({error.strerror}); the result is not kept")

    def store(self, key: str, name: str, outputs: Mapping[str, bytes]) -> None:
        """Keep the outputs of action `name` under `key`: blobs first, then the record.

        The first result stays. A second one that differs is reported as a non-deterministic action.
        """
        record = {output: digest(data) for output, data in sorted(outputs.items())}
        try:
            for output, content in record.items():
                self._add(self.root / _name("cas", content), outputs[output], content)
            kept = self.outputs(key)
            if kept is None:
                text = json.dumps({"action": name, "outputs": record}, sort_keys=True) + "\n"
                _write_atomically(self.root / _name("actions", key, ".json"), text.encode(), 0o444)
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


_BAD_RECORD = (OSError, ValueError, KeyError, TypeError, AttributeError)


def _outputs(record: bytes) -> dict[str, str]:
    """Output name -> digest of a record's text; raises one of _BAD_RECORD."""
    return {str(name): str(value) for name, value in json.loads(record)["outputs"].items()}


def _name(kind: str, name: str, suffix: str = "") -> str:
    return f"{kind}/{name[:2]}/{name[2:]}{suffix}"


def open_cache(fallback: Path, warn: Warn) -> Cache:
    """The store at `$GEODE_CACHE` or in the user's cache folder; at `fallback` if that one cannot be written.

    Behind it is the remote that the environment names.
    """
    root = _user_folder()
    try:
        root.mkdir(parents=True, exist_ok=True)
        writable = os.access(root, os.W_OK)
    except OSError:
        writable = False
    if not writable:
        warn(f"the cache folder {root} cannot be written; using {fallback} (set GEODE_CACHE to choose another)")
        return Cache(fallback, warn, open_remote(), readable=root)
    return Cache(root, warn, open_remote())


def silent(_: object) -> None:
    """For a `warn` that tells nobody: what is wrong will be told when something is done about it."""


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
    handle, temporary = tempfile.mkstemp(dir=path.parent, prefix=UNFINISHED)
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(data)
        Path(temporary).chmod(mode)
        Path(temporary).replace(path)
    except BaseException:
        Path(temporary).unlink(missing_ok=True)
        raise


UNFINISHED = ".new-"  # how the names of files begin that are being written
