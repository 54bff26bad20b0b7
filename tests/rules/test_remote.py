"""A remote store: what one machine built, another takes over, compiler or not; what is wrong there is a warning."""

from __future__ import annotations

import http.server
import json
import os
import re
import shutil
import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from rules.action import digest
from rules.cache import Cache
from rules.remote import Remote
from tests.harness.native import ROOT, Finished, geode

from .test_doit import PROGRAM

pytest.importorskip("fsspec")
pytest.importorskip("aiohttp")

KEY = digest(b"an action")
OUTPUTS = {"o/x.o": b"object bytes", "note": b""}


class Handler(http.server.SimpleHTTPRequestHandler):
    """Files of the server's folder, by GET; PUT writes them where the server takes it."""

    def do_PUT(self) -> None:
        """Write a file."""
        path = Path(self.translate_path(self.path))
        if not self.server.takes_put:  # type: ignore[attr-defined]
            self.send_error(405)
            return
        data = self.rfile.read(int(self.headers["Content-Length"]))
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)
        self.send_response(201)
        self.end_headers()

    def log_message(self, *_: object) -> None:
        """Nothing is printed."""


@contextmanager
def server(folder: Path, *, takes_put: bool) -> Iterator[str]:
    """A real HTTP server on loopback; its URL."""
    folder.mkdir(exist_ok=True)

    def handler(*arguments: object) -> Handler:
        return Handler(*arguments, directory=str(folder))  # type: ignore[arg-type]

    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler) as made:
        made.takes_put = takes_put  # type: ignore[attr-defined]
        thread = threading.Thread(target=made.serve_forever, daemon=True)
        thread.start()
        try:
            yield f"http://127.0.0.1:{made.server_address[1]}/store"
        finally:
            made.shutdown()
            thread.join()


def cache(root: Path, url: str, warnings: list[str], *, upload: bool = False) -> Cache:
    """A store at `root` with the remote one at `url` behind it, as a process of its own would open it."""
    return Cache(root, warnings.append, Remote(url, upload))


@pytest.fixture(params=["file", "http"])
def url(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[str]:
    """The URL of an empty remote."""
    if request.param == "file":
        yield f"file:{tmp_path / 'far' / 'store'}"
        return
    with server(tmp_path / "far", takes_put=True) as found:
        yield found


def far(tmp_path: Path, kind: str) -> list[Path]:
    """The files of one kind in the remote."""
    return [path for path in (tmp_path / "far" / "store" / kind).rglob("*") if path.is_file()]


def test_what_one_machine_stored_another_finds(tmp_path: Path, url: str) -> None:
    """Record and blobs travel; afterwards they lie in the second machine's own store and the remote is not asked."""
    warnings: list[str] = []
    one = cache(tmp_path / "one", url, warnings, upload=True)
    one.store(KEY, "compile x", OUTPUTS)
    one.publish([KEY])
    assert {path.parent.name + path.name for path in far(tmp_path, "cas")} == {digest(d) for d in OUTPUTS.values()}
    two = cache(tmp_path / "two", url, warnings)
    two.prefetch([KEY, digest(b"unknown")])
    shutil.rmtree(tmp_path / "far" / "store")
    outputs = two.outputs(KEY)
    assert outputs == {name: digest(data) for name, data in OUTPUTS.items()}
    assert {name: two.blob(content) for name, content in outputs.items()} == OUTPUTS
    assert warnings == []


def test_hits_are_published_too_and_only_once(tmp_path: Path, url: str) -> None:
    """A warm store fills an empty remote; what is there is not written again; without the switch nothing is."""
    warnings: list[str] = []
    Cache(tmp_path / "one", warnings.append).store(KEY, "compile x", OUTPUTS)
    cache(tmp_path / "one", url, warnings).publish([KEY])
    assert far(tmp_path, "actions") == []
    cache(tmp_path / "one", url, warnings, upload=True).publish([KEY])
    times = {path: path.stat().st_mtime_ns for kind in ("actions", "cas") for path in far(tmp_path, kind)}
    assert len(times) == 3
    cache(tmp_path / "one", url, warnings, upload=True).publish([KEY, KEY])
    assert {path: path.stat().st_mtime_ns for path in times} == times
    assert warnings == []


@pytest.mark.parametrize("damage", ["cut", "flipped", "gone"])
def test_damaged_blob_of_the_remote_is_a_miss_and_is_mended(tmp_path: Path, url: str, damage: str) -> None:
    """Its bytes are never used; the machine that makes them again and may upload puts the right ones there."""
    warnings: list[str] = []
    one = cache(tmp_path / "one", url, warnings, upload=True)
    one.store(KEY, "compile x", OUTPUTS)
    one.publish([KEY])
    content = digest(OUTPUTS["o/x.o"])
    blob = tmp_path / "far" / "store" / "cas" / content[:2] / content[2:]
    if damage == "gone":
        blob.unlink()
    else:
        blob.write_bytes(b"object" if damage == "cut" else b"object byteS")
    two = cache(tmp_path / "two", url, warnings, upload=True)
    assert two.outputs(KEY) is not None
    assert two.blob(content) is None
    assert len(warnings) == 1
    assert "runs again" in warnings[0]
    two.store(KEY, "compile x", OUTPUTS)
    two.publish([KEY])
    assert cache(tmp_path / "three", url, warnings).blob(content) == OUTPUTS["o/x.o"]
    assert len(warnings) == 1


@pytest.mark.parametrize("text", ["", "[]", '{"outputs": 3}'])
def test_damaged_record_of_the_remote_is_a_miss(tmp_path: Path, url: str, text: str) -> None:
    """It is told and mended."""
    warnings: list[str] = []
    one = cache(tmp_path / "one", url, warnings, upload=True)
    one.store(KEY, "compile x", OUTPUTS)
    one.publish([KEY])
    far(tmp_path, "actions")[0].write_text(text)
    two = cache(tmp_path / "two", url, warnings, upload=True)
    assert two.outputs(KEY) is None
    assert len(warnings) == 1
    assert "damaged" in warnings[0]
    two.store(KEY, "compile x", OUTPUTS)
    two.publish([KEY])
    assert cache(tmp_path / "three", url, warnings).outputs(KEY) is not None


def test_another_result_in_the_remote_is_told(tmp_path: Path, url: str) -> None:
    """Two machines, one key, two results: the first stays, and the action is called non-deterministic."""
    warnings: list[str] = []
    for name, data in (("one", b"1"), ("two", b"2")):
        Cache(tmp_path / name, warnings.append).store(KEY, "compile x", {"o/x.o": data})
        cache(tmp_path / name, url, warnings, upload=True).publish([KEY])
    assert len(warnings) == 1
    assert "`compile x` is not deterministic" in warnings[0]
    assert cache(tmp_path / "three", url, warnings).outputs(KEY) == {"o/x.o": digest(b"1")}


def test_server_that_takes_no_upload_is_a_warning(tmp_path: Path) -> None:
    """A read-only server is read from; writing to it is told once."""
    warnings: list[str] = []
    with server(tmp_path / "far", takes_put=False) as url:
        one = cache(tmp_path / "one", url, warnings, upload=True)
        for key in (KEY, digest(b"another")):
            one.store(key, "compile x", OUTPUTS)
        one.publish([KEY, digest(b"another")])
        one.publish([KEY])
    assert len(warnings) == 1
    assert "is left out" in warnings[0]


@pytest.mark.parametrize("url", ["http://127.0.0.1:{port}/store", "file:/proc/nowhere", "nonsense://x", "s4:y"])
def test_remote_that_is_not_there_is_one_warning(tmp_path: Path, url: str) -> None:
    """Refused, not writable, of an unknown kind: the local store works on."""
    with socket.socket() as unused:
        unused.bind(("127.0.0.1", 0))  # bound, so that nobody else takes it; not listening
        warnings: list[str] = []
        one = cache(tmp_path / "one", url.format(port=unused.getsockname()[1]), warnings, upload=True)
        assert one.outputs(KEY) is None
        one.store(KEY, "compile x", OUTPUTS)
        one.publish([KEY])
        assert one.outputs(KEY) is not None
    assert len(warnings) == 1
    assert "is left out" in warnings[0]


def test_server_that_never_answers_is_left_out(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A connection that hangs is given up after a bounded time."""
    monkeypatch.setattr("rules.remote._SECONDS", 0.2)
    with socket.create_server(("127.0.0.1", 0)) as quiet:
        warnings: list[str] = []
        one = cache(tmp_path / "one", f"http://127.0.0.1:{quiet.getsockname()[1]}/store", warnings)
        one.prefetch([digest(bytes([n])) for n in range(40)])
        assert one.outputs(KEY) is None
    assert len(warnings) == 1
    assert "Timeout" in warnings[0]


@pytest.fixture
def clones(tmp_path: Path) -> Path:
    """Two folders with one program, and one without any tool in it."""
    for name in ("first", "second/clone"):
        (tmp_path / name).mkdir(parents=True)
        (tmp_path / name / "one.gs").write_text(PROGRAM)
    (tmp_path / "empty").mkdir()
    return tmp_path


def build(clones: Path, folder: str, store: str, *, tools: bool = True, toolchain: str, **environment: str) -> Finished:
    """Build the program in a clone with a store of its own; without tools PATH names an empty folder."""
    path = os.environ["PATH"] if tools else str(clones / "empty")
    return geode(
        *("build", "--explain", "--toolchain", toolchain, "--profile", "debug", "one.gs"),
        cwd=clones / folder,
        GEODE_CACHE=str(clones / store),
        GEODE_REMOTE_CACHE=f"file:{clones / 'remote'}",
        PATH=path,
        **environment,
    )


@pytest.mark.native
@pytest.mark.parametrize("toolchain", [name for name in ("gcc", "clang") if shutil.which(name)])
def test_machine_without_compiler_builds_from_the_remote(clones: Path, toolchain: str) -> None:
    """With every result there, neither compiler nor ninja is needed, and the binary is the same to the byte."""
    first = build(clones, "first", "store", toolchain=toolchain, GEODE_REMOTE_UPLOAD="1")
    assert first.status == 0, first.err
    second = build(clones, "second/clone", "other", tools=False, toolchain=toolchain)
    assert second.status == 0, second.err
    assert "run  " not in second.out
    programs = [clones / name / "build" / "one" / "out" / "program" for name in ("first", "second/clone")]
    assert programs[0].read_bytes() == programs[1].read_bytes()
    ran = geode(
        *("run", "--toolchain", toolchain, "--profile", "debug", "one.gs"),
        cwd=clones / "second/clone",
        GEODE_CACHE=str(clones / "other"),
    )
    assert len(ran.epoch_lines) == 3
    again = build(clones, "second/clone", "other", tools=False, toolchain=toolchain)
    assert again.status == 0, again.err
    # One result is cut short in the remote, and there is nobody to make it again.
    record = next(
        text
        for path in (clones / "remote" / "actions").rglob("*.json")
        if (text := json.loads(path.read_text()))["action"] == "compile c/program"
    )
    (content,) = record["outputs"].values()
    blob = clones / "remote" / "cas" / content[:2] / content[2:]
    blob.chmod(0o644)
    blob.write_bytes(blob.read_bytes()[:-1])
    shutil.rmtree(clones / "second" / "clone" / "build")
    cut = build(clones, "second/clone", "third", tools=False, toolchain=toolchain)
    assert cut.status == 1
    assert "of the remote cache is damaged" in cut.err
    assert f"`compile c/program` must run, for the result is not in the cache, but {toolchain} (" in cut.err
    assert f"is not installed here\nhelp: apt-get install {toolchain}\n" in cut.err
    assert cut.err.count("geode: ") == 2, "one warning for the one damaged result, and the error"
    assert "Traceback" not in cut.err
    assert not (clones / "second" / "clone" / "build" / "one" / "out" / "program").exists()
    mended = build(clones, "second/clone", "third", toolchain=toolchain)
    assert mended.status == 0, mended.err
    assert [line for line in mended.out.splitlines() if line.startswith("run")] == [
        "run  compile c/program: its result in the cache is damaged or gone"
    ]  # its object is the same to the byte, so the link is known
    assert programs[1].read_bytes() == programs[0].read_bytes()


@pytest.mark.native
def test_dead_remote_does_not_stop_a_build(clones: Path) -> None:
    """One warning, and the program is compiled here."""
    toolchain = next(name for name in ("gcc", "clang") if shutil.which(name))
    done = geode(
        *("build", "--toolchain", toolchain, "one.gs"),
        cwd=clones / "first",
        GEODE_REMOTE_CACHE="http://127.0.0.1:9/store",
        GEODE_REMOTE_UPLOAD="1",
    )
    assert done.status == 0, done.err
    assert done.err.count("the remote cache http://127.0.0.1:9/store is left out") == 1


def test_missing_package_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Without fsspec the message says what to install, and the build goes on."""
    monkeypatch.setitem(__import__("sys").modules, "fsspec.core", None)
    monkeypatch.chdir(ROOT)
    warnings: list[str] = []
    assert cache(tmp_path, f"file:{tmp_path}", warnings).outputs(KEY) is None
    assert len(warnings) == 1
    assert re.search(r": it wants the package fsspec: \S*pip install -e '\.\[remote\]'$", warnings[0])
    assert str(ROOT) not in warnings[0]


@pytest.mark.parametrize(
    ("url", "why"),
    [
        ("store", "it is no URL, such as file:/srv/geode or https://cache.example/geode"),
        ("file://tmp/x", "behind two slashes stands a host, and a folder is wanted: file:/tmp/x"),
        ("http://", "behind `http:` nothing stands, and a host or a folder is wanted: https://cache.example/geode"),
        ("file:///", "behind `file:` nothing stands, and a host or a folder is wanted: file:/srv/geode"),
        ("http:/cache.example/x", "behind `http:` two slashes and a host are wanted: http://cache.example/x"),
        ("htp://x", "`htp:` is no protocol that is known here, such as file:, http:, https:, s3: or gs:"),
        ("s3://bucket/x", "it wants the package s3fs: pip install s3fs"),
        ("gs://bucket/x", "it wants the package gcsfs: pip install gcsfs"),
    ],
)
def test_address_that_cannot_be_a_store_is_told(
    tmp_path: Path, url: str, why: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Once, with what to write or to install; nothing is written beside the working directory."""
    for package in ("s3fs", "gcsfs"):
        monkeypatch.setitem(__import__("sys").modules, package, None)
    monkeypatch.chdir(tmp_path)
    warnings: list[str] = []
    store = cache(tmp_path, url, warnings)
    assert store.outputs(KEY) is None
    store.store(KEY, "action", OUTPUTS)
    store.publish([KEY])
    assert warnings == [f"the remote cache {url} is left out: {why}"]
    assert not any((tmp_path / name).exists() for name in ("tmp", "http:", "file:", "htp:"))
