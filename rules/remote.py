"""A shared store behind the local one: names -> bytes, at any URL that fsspec understands.

In: `GEODE_REMOTE_CACHE` (`file:`, `http:`, `s3:`, `gs:`, …) and `GEODE_REMOTE_UPLOAD`. Out: bytes, which the caller checks.
Invariant:
a remote that cannot be reached has a `failure` and is asked no more, and no error leaves this module; a file there is
complete or absent as far as the protocol allows it.
"""

from __future__ import annotations

import functools
import os
import re
import threading
from collections.abc import Callable, Iterable
from dataclasses import field
from typing import Any, TypeVar

from geode.record import dataclass
from rules.install import install_extra

Item = TypeVar("Item")
Result = TypeVar("Result")

_SAMPLES = ("https://cache.example/geode", "file:/srv/geode")
_AT_ONCE = 16  # requests under way
_SECONDS = 10.0  # for a connection, and for a piece of an answer


@dataclass(slots=True)
class Remote:
    """The store at `url`. `upload` is whether builds add to it.

    `absent` has the names that were asked for in vain, `present` those that are known to be there, `spoilt` those whose
    bytes are worthless and may be written anew; `failure` is why the store is left out from now on.
    """

    url: str
    upload: bool
    failure: str | None = None
    told: bool = False
    absent: set[str] = field(default_factory=set)
    present: set[str] = field(default_factory=set)
    spoilt: set[str] = field(default_factory=set)
    _opened: tuple[Any, str] | None = None
    _process: int = 0
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def get(self, name: str) -> bytes | None:
        """The bytes of `name`, None if they are not there or the store cannot be reached."""
        if name in self.absent or name in self.spoilt:
            return None
        place = self._open()
        if place is None:
            return None
        system, root = place
        try:
            data = bytes(system.cat_file(f"{root}/{name}"))
        except FileNotFoundError:
            self.absent.add(name)
            return None
        except Exception as error:  # noqa: BLE001 -- each file system has errors of its own
            self._give_up(error)
            return None
        self.present.add(name)
        return data

    def put(self, name: str, data: bytes) -> bool:
        """Write `name`; False if that did not work."""
        place = self._open()
        if place is None:
            return False
        system, root = place
        path = f"{root}/{name}"
        try:
            if "file" in _protocols(system):  # a reader must not see half a file
                unfinished = f"{path}.{os.getpid()}-{threading.get_ident()}.new"
                system.makedirs(path.rpartition("/")[0], exist_ok=True)
                system.pipe_file(unfinished, data)
                os.replace(unfinished, path)  # noqa: PTH105 -- fsspec's paths are texts
            else:
                system.pipe_file(path, data)
        except Exception as error:  # noqa: BLE001 -- each file system has errors of its own
            self._give_up(error)
            return False
        self.absent.discard(name)
        self.spoilt.discard(name)
        self.present.add(name)
        return True

    def _open(self) -> tuple[Any, str] | None:
        """The file system and the path of the store in it; None if it is given up."""
        with self._lock:
            if (
                self._process != os.getpid()
            ):  # doit runs tasks in forks, where a connection of the parent's is of no use
                self._opened, self._process = None, os.getpid()
            if self._opened is None and self.failure is None:
                self.failure = _wrong_url(self.url)
            if self._opened is None and self.failure is None:
                try:
                    from fsspec.core import url_to_fs

                    self._opened = url_to_fs(self.url.rstrip("/"), **_options(self.url))
                except ImportError as error:
                    self.failure = _say_missing(error, self.url)
                except Exception as error:  # noqa: BLE001 -- each file system has errors of its own
                    self.failure = _reason(error)
            return self._opened if self.failure is None else None

    def _give_up(self, error: Exception) -> None:
        with self._lock:
            self.failure = self.failure or _reason(error)


@functools.cache
def remote_at(url: str, *, upload: bool) -> Remote:
    """The one `Remote` of this process for `url`."""
    return Remote(url, upload)


def open_remote() -> Remote | None:
    """The remote that the environment names, None if it names none."""
    url = os.environ.get("GEODE_REMOTE_CACHE")
    return remote_at(url, upload=os.environ.get("GEODE_REMOTE_UPLOAD") == "1") if url else None


def at_once(work: Callable[[Item], Result], items: Iterable[Item]) -> list[Result]:
    """`work` of every item, several at a time, results in the items' order."""
    from concurrent.futures import ThreadPoolExecutor

    with ThreadPoolExecutor(_AT_ONCE) as pool:
        return list(pool.map(work, items))


def _protocols(system: Any) -> tuple[str, ...]:
    return (system.protocol,) if isinstance(system.protocol, str) else tuple(system.protocol)


def _wrong_url(url: str) -> str | None:
    """What is wrong with a text that should be a URL, as far as the text tells; None if nothing is."""
    scheme, colon, rest = url.partition(":")
    if not colon or not rest.startswith("/") or not re.fullmatch(r"[A-Za-z][A-Za-z0-9+.-]*", scheme):
        return f"it is no URL, such as {' or '.join(reversed(_SAMPLES))}"
    if scheme == "file" and rest.startswith("//") and not rest.startswith("///"):
        return f"behind two slashes stands a host, and a folder is wanted: file:/{rest.lstrip('/')}"
    if not rest.strip("/"):  # which fsspec would take for a folder called `http:`
        return f"behind `{scheme}:` nothing stands, and a host or a folder is wanted: {_SAMPLES[scheme == 'file']}"
    if scheme != "file" and not rest.startswith("//"):
        return f"behind `{scheme}:` two slashes and a host are wanted: {scheme}://{rest.lstrip('/')}"
    return None


def _say_missing(error: ImportError, url: str) -> str:
    """Which package the file system of `url` lacks, and how to get it."""
    package = error.name
    if package is None:  # a message of fsspec's own
        from fsspec.registry import known_implementations

        known = known_implementations.get(url.partition(":")[0], {})
        package = str(known.get("class", "")).partition(".")[0] or str(error)
    package = package.partition(".")[0]
    command = install_extra("remote") if package in {"fsspec", "aiohttp"} else f"pip install {package}"
    return f"it wants the package {package}: {command}"


def _options(url: str) -> dict[str, Any]:
    """What the file system of `url` is told: for HTTP to wait a bounded time."""
    if not url.startswith(("http:", "https:")):
        return {}
    import aiohttp

    timeout = aiohttp.ClientTimeout(sock_connect=_SECONDS, sock_read=_SECONDS)
    return {"client_kwargs": {"timeout": timeout}, "skip_instance_cache": True}


def _reason(error: Exception) -> str:
    text = str(error).strip().splitlines()
    if isinstance(error, ValueError) and text and text[0].startswith("Protocol not known"):
        return f"`{text[0].rpartition(' ')[2]}:` is no protocol that is known here, such as file:, http:, https:, s3: or gs:"
    return f"{type(error).__name__}{f': {text[0]}' if text else ''}"
