"""A source file -> its program's text, remembered by content.

In: a `.gs` path and the CONSTANTs given on the command line. Out: a `Text`, all that a build needs. Invariant: the key
covers the source, what it includes, the CONSTANTs and every Python file, template and table of the compiler with jinja2
and Python's version, so a remembered text is the one that the compiler would emit now. Programs that print something
while they compile (warnings, `.S`) are compiled each time.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable, Mapping
from dataclasses import asdict
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING

from geode.record import dataclass
from rules.action import Action, digest
from rules.gs_inputs import included_files

if TYPE_CHECKING:
    from collections.abc import Callable

    from rules.cache import Cache
    from rules.text_to_binary import ProgramText

_APART = {"cli", "report", "reference", "runtime", "emulator", "__pycache__"}  # folders that emission never reads …
_GPU_WORDS = (b"TARGET-APPLE-METAL", b"TARGET-CUDA")  # … but for these, whose kernels hold headers of the runtime
_OUTPUT = "program.json"
_SUFFIXES = {".py", ".j2", ".json", ".gs"}


@dataclass(frozen=True, slots=True)
class Unit:
    """A unit's C text; see `rules.shared_files.UnitText`."""

    symbol: str
    word: str
    text: str


@dataclass(frozen=True, slots=True)
class Text:
    """A program's C text; see `rules.text_to_binary.ProgramText`."""

    name: str
    units: tuple[Unit, ...]
    program_c: str
    settings_c: str
    target: str = "TARGET-CPU"
    device_c: str = ""


@dataclass(frozen=True, slots=True)
class Emitted:
    """A program's text, the action that gave it, whether it ran, and whether its result is kept for the next time."""

    text: Text
    action: Action
    ran: bool
    kept: bool


def program_text(
    name: str,
    source: bytes,
    defines: Mapping[str, str],
    *,
    included: Mapping[str, str] | None,
    package: Path,
    cache: Cache,
    compile_source: Callable[[], tuple[ProgramText, bool]],
) -> Emitted:
    """The text of program `name` from the cache, or from `compile_source` (text, whether it may be remembered).

    `included` has the digests of the files that the source includes (None: they can't be told, nothing is remembered),
    `package` is the folder of the `geode` package.
    """
    action = _action(name, source, defines, included or {}, package)
    remembered = _recall(action.key, cache) if included is not None else None
    if remembered is not None:
        cache.publish([action.key])
        return Emitted(remembered, action, ran=False, kept=True)
    compiled, clean = compile_source()
    units = tuple(Unit(unit.symbol, unit.word, unit.text) for unit in compiled.units)
    text = Text(compiled.name, units, compiled.program_c, compiled.settings_c, compiled.target, compiled.device_c)
    kept = clean and included is not None
    if kept:
        cache.store(action.key, action.name, {action.output: json.dumps(asdict(text), sort_keys=True).encode()})
        cache.publish([action.key])
    return Emitted(text, action, ran=True, kept=kept)


def _recall(key: str, cache: Cache) -> Text | None:
    outputs = cache.outputs(key)
    data = cache.blob(outputs[_OUTPUT]) if outputs and _OUTPUT in outputs else None
    if data is None:
        return None
    fields = json.loads(data)
    units = tuple(Unit(**unit) for unit in fields["units"])
    return Text(**fields | {"units": units})


def check_of_library(source: str, package: Path) -> Action | None:
    """The check of a library on its own as an action without output; None if what it includes can't be told."""
    try:
        content = Path(source).read_bytes()
    except OSError:
        return None
    included = included_files(source, content)
    if included is None:
        return None
    return Action(f"check {Path(source).name}", "", {"kind": "check", **_parts(content, included, package)})


def _action(name: str, source: bytes, defines: Mapping[str, str], included: Mapping[str, str], package: Path) -> Action:
    parts = {"kind": "emit", "name": name, "-D": json.dumps(dict(defines), sort_keys=True)}
    return Action(f"emit {name}", _OUTPUT, {**parts, **_parts(source, included, package)})


def _parts(source: bytes, included: Mapping[str, str], package: Path) -> dict[str, str]:
    """What everything that the front end finds out about a text depends on."""
    return {
        "the program's text": digest(source),
        "rule": digest(Path(__file__).read_bytes()),
        "Geode's compiler": _digest_files(_compiler_files(package), package),
        "jinja2": _digest_package("jinja2"),
        "Python": f"{sys.version_info.major}.{sys.version_info.minor}",
        **{f"input {file}": content for file, content in included.items()},
        **_kernel_parts(source, package),
    }


def _kernel_parts(source: bytes, package: Path) -> dict[str, str]:
    if not any(word in source for word in _GPU_WORDS):
        return {}
    return {"the runtime's headers": _digest_files(sorted((package / "runtime").rglob("*.h")), package)}


def _compiler_files(package: Path) -> list[Path]:
    """The files that emission may read, sorted."""
    found = [path for path in package.iterdir() if path.suffix in _SUFFIXES]
    for folder in package.iterdir():
        if folder.is_dir() and folder.name not in _APART:
            found.extend(path for path in folder.rglob("*") if path.suffix in _SUFFIXES)
    return sorted(found)


def _digest_files(files: Iterable[Path], root: Path) -> str:
    listing = [(path.relative_to(root).as_posix(), digest(path.read_bytes())) for path in files]
    return digest(json.dumps(listing).encode())


def _digest_package(name: str) -> str:
    """A digest of an installed package's Python files, without importing it."""
    spec = find_spec(name)
    if spec is None or spec.origin is None:
        return "absent"
    root = Path(spec.origin).parent
    return _digest_files(sorted(root.glob("*.py")), root)
