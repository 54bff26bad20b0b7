"""A toolchain, a profile and this machine -> one `Tool`: the exact command lines, and an identity for action keys.

In: what was asked for (names may be left out). Out: the compiler that was found, its flags with `native` resolved to an
explicit list of features, lanes and vector width, and a digest that changes when the compiler does. Invariant: the
answer is remembered only as long as the YAML files, PATH, the processor and every executable behind it (path, size,
time stamp) are the same.
"""

from __future__ import annotations

import json
import os
import platform
import re
import shlex
import shutil
import subprocess
import sys
from collections.abc import Mapping, Sequence
from dataclasses import asdict, replace
from pathlib import Path
from typing import TYPE_CHECKING

from geode.record import dataclass
from rules.action import digest
from rules.cache import Cache, write_if_changed
from rules.errors import BuildError, near_miss
from rules.tool_record import load_record, record_key, save_record, tool_from_fields

if TYPE_CHECKING:
    from rules.toolchain import Profile, Profiles, Target, Toolchain

Words = tuple[str, ...]
_SYSTEM = {"clang": "apt-get install clang", "gcc": "apt-get install gcc"}
_ZIG = {"zig", "macos"}  # toolchains that are a Python package


@dataclass(frozen=True, slots=True)
class Tool:
    """One compiler with one profile: `command compile -c x.c` makes an object, `command link x.o libraries` a binary.

    Where no compiler is at hand but another machine's results are, `command` is empty.

    `plain` are the flags of code that must run on any processor of the family: no features, but a macro GS_NEEDS_… for
    each that the rest of the binary uses. `lanes` and `vector` count floats, `identity` is a digest,
    `environment` what its actions see beside PATH and TMPDIR.
    """

    toolchain: str
    profile: str
    version: str
    machine: str
    identity: str
    command: Words
    compile: Words
    plain: Words
    link: Words
    libraries: Words
    features: Words
    lanes: int
    vector: int
    environment: Mapping[str, str]
    scratch: Words
    disassembler: Words


def install_compiler(toolchain: str | None) -> str:
    """The line that tells how to get the compiler of a toolchain (None: any)."""
    zig = f"{_pip()} install ziglang"
    if toolchain in _ZIG:
        return f"help: {zig}"
    return f"help: {_SYSTEM.get(toolchain or '', f'apt-get install gcc, or {zig}')}"


def lacks_package(toolchain: str | None) -> str | None:
    """What is said where the Python package of a toolchain is missing; None for one that is no package."""
    if toolchain not in _ZIG:
        return None
    needed = f"the toolchain {toolchain} needs the Python package ziglang, which is not installed here"
    return f"{needed}\n{install_compiler(toolchain)}"


def _pip() -> str:
    """The pip of the Python that runs this, which need not be the one on PATH: geode.sh has an environment of its own."""
    python = Path(sys.executable)
    on_path = shutil.which("pip")
    if on_path is not None and Path(on_path).parent == python.parent:
        return "pip"
    here = Path.cwd()
    near = python.relative_to(here) if python.is_relative_to(here) else python
    return f"{shlex.quote(str(near))} -m pip"


class NoCompilerError(BuildError):
    """No compiler is at hand."""


@dataclass(frozen=True, slots=True)
class _Found:
    tool: Tool
    absent: Words  # `find` entries that were looked for in vain before this one
    files: Words  # executables behind the command
    declared: Words  # environment variables that the toolchain hands on


def find_tool(folder: Path, cache: Cache, *, toolchain: str | None, profile: str, lanes: int | None) -> Tool:
    """The tool for `toolchain` (None: the first of clang, gcc, zig that is there) and `profile`.

    `lanes` overrides the tile width. Raises BuildError if no compiler is found or a name is unknown.
    """
    asked = [toolchain, profile, lanes, os.environ.get("PATH", ""), sys.executable, _processor(), _l1_kilobytes()]
    texts = [path.read_bytes() for path in sorted(folder.glob("*.yaml"))]
    key = digest(json.dumps([asked, [digest(text) for text in (*texts, Path(__file__).read_bytes())]]).encode())
    memory = cache.root / "tools" / f"{key}.json"
    known = _recall(memory)
    upload = cache.remote is not None and cache.remote.upload
    record = "" if known is not None and not upload else _record_key(folder, toolchain, profile, lanes, texts)
    if known is not None:
        if upload:
            save_record(known, record, cache)
        return known
    try:
        found = _resolve(folder, cache.root, toolchain, profile, lanes)
    except NoCompilerError:
        elsewhere = load_record(record, cache)
        if elsewhere is None:
            raise
        return replace(elsewhere, environment=_declared(folder, elsewhere.toolchain))
    tool = found.tool
    save_record(tool, record, cache)
    memory_of = {
        "tool": asdict(tool),
        "absent": found.absent,
        "files": [_stamp(file) for file in found.files],
        "declared": {name: os.environ.get(name) for name in found.declared},
    }
    text = json.dumps(memory_of, indent=1)
    try:
        write_if_changed(memory, text.encode())
    except OSError as error:
        cache.warn(f"cannot remember the compiler in {memory} ({error.strerror})")
    return tool


def _recall(memory: Path) -> Tool | None:
    try:
        stored = json.loads(memory.read_bytes())
        if any(_locate(name) for name in stored["absent"]):
            return None
        if any(_stamp(stamp[0]) != stamp for stamp in stored["files"]):
            return None
        unchanged = all(os.environ.get(name) == value for name, value in stored["declared"].items())
        return tool_from_fields(stored["tool"]) if unchanged else None
    except (OSError, ValueError, KeyError, TypeError):
        return None  # never remembered, or of another form: found out again


def _record_key(folder: Path, toolchain: str | None, profile: str, lanes: int | None, texts: Sequence[bytes]) -> str:
    from rules.toolchain import load_profiles

    known = load_profiles(folder).profiles.get(profile)
    native = known is not None and known.features == "native"
    return record_key([toolchain, profile, lanes], [*texts, Path(__file__).read_bytes()], native=native)


def _declared(folder: Path, toolchain: str) -> dict[str, str]:
    from rules.toolchain import load_toolchain

    return {name: os.environ[name] for name in load_toolchain(toolchain, folder).environment if name in os.environ}


def _stamp(file: str) -> list[str | int]:
    try:
        status = Path(file).stat()
    except OSError:
        return [file, -1, -1]
    return [file, status.st_size, status.st_mtime_ns]


def _processor() -> str:
    """What tells one processor model from another (a home folder may serve several machines)."""
    try:
        with Path("/proc/cpuinfo").open("rb") as file:
            return digest(
                b"".join(line for line in file.read(8192).split(b"\n\n")[0].splitlines(True) if b"MHz" not in line)
            )
    except OSError:
        return f"{platform.machine()} {platform.processor()} {platform.release()}"


def _l1_kilobytes() -> int:
    """The first level data cache of a core; 0 where the system doesn't tell."""
    for folder in sorted(Path("/sys/devices/system/cpu/cpu0/cache").glob("index*")):
        try:
            kind, level, size = ((folder / name).read_text().strip() for name in ("type", "level", "size"))
        except OSError:
            continue
        if kind == "Data" and level == "1" and size.endswith("K") and size[:-1].isdigit():
            return int(size[:-1])
    return 0


def _resolve(folder: Path, root: Path, toolchain: str | None, profile: str, lanes: int | None) -> _Found:
    from rules.toolchain import LANES, ORDER, load_profiles, load_toolchain

    if lanes is not None and lanes not in LANES:
        raise BuildError(f"--lanes {lanes}: must be one of {', '.join(map(str, LANES))}", status=2)
    profiles = load_profiles(folder)
    if profile not in profiles.profiles:
        raise BuildError(f"unknown profile `{profile}`{near_miss(profile, tuple(profiles.profiles))}", status=2)
    absent: list[str] = []
    for name in ORDER if toolchain is None else (toolchain,):
        description = load_toolchain(name, folder)
        if profile in description.lacks:
            if toolchain is not None:
                raise BuildError(f"{name} cannot build the profile `{profile}`", status=2)
            continue
        for candidate in description.find:
            command = _locate(candidate)
            if command:
                declared = {name: os.environ[name] for name in description.environment if name in os.environ}
                ask = _Questions(command, action_environment(declared, description.scratch, root))
                files = _executables(description, ask)
                tool = _describe(description, profiles, profiles.profiles[profile], ask, files, declared, lanes)
                return _Found(tool, tuple(absent), files, description.environment)
            absent.append(candidate)
    wanted = "C compiler" if toolchain is None else f"`{toolchain}`"
    general = f"no {wanted} found; looked for {', '.join(absent)}\n{install_compiler(toolchain)}"
    raise NoCompilerError(lacks_package(toolchain) or general)


def _locate(candidate: str) -> Words:
    """The command for a `find` entry: a name on PATH, or `python:PACKAGE/FILE ARGUMENTS`."""
    if not candidate.startswith("python:"):
        found = shutil.which(candidate)
        return (found,) if found else ()
    from importlib.util import find_spec

    file, *arguments = candidate.removeprefix("python:").split()
    package, _, name = file.partition("/")
    spec = find_spec(package)
    if spec is None or spec.origin is None:
        return ()
    path = Path(spec.origin).parent / name
    return (str(path), *arguments) if path.is_file() else ()


def _describe(
    toolchain: Toolchain,
    profiles: Profiles,
    profile: Profile,
    ask: _Questions,
    files: Words,
    declared: Mapping[str, str],
    lanes: int | None,
) -> Tool:
    version = ask(*toolchain.version)
    machine = ask(*toolchain.machine)
    target = _target(profiles, machine)
    native = profile.features == "native" and toolchain.system == "host"
    features = _native_features(target, ask) if native else target.baseline
    room = _l1_kilobytes() if native else 0
    tile = next(tile for tile in target.tiles if set(tile.needs) <= set(features) and tile.l1_kilobytes <= room)
    width = tile.lanes if lanes is None else lanes
    vector = vector_width(width, tile.vector)
    enabled = tuple(toolchain.feature_flag.format(feature=feature) for feature in features)
    platform_name = sys.platform if toolchain.system == "host" else toolchain.system
    system = next((value for name, value in profiles.systems.items() if platform_name.startswith(name)), None)
    if system is None:
        raise BuildError(f"no linker flags for {platform_name}; profiles.yaml knows {', '.join(profiles.systems)}")
    libc = "-".join(platform.libc_ver())
    identity = digest(
        json.dumps([version, machine, libc, [digest(Path(file).read_bytes()) for file in files]]).encode()
    )
    return Tool(
        toolchain=toolchain.name,
        profile=profile.name,
        version=version.splitlines()[0] if version else "",
        machine=machine.strip(),
        identity=identity,
        command=ask.command,
        compile=_flags(toolchain, profiles, profile, (*enabled, *tile.compile), width, vector),
        plain=_flags(toolchain, profiles, profile, tuple(map(_needs_macro, features)), width, vector),
        link=(*system.link, *toolchain.link, *profile.link),
        libraries=system.libraries,
        features=features,
        lanes=width,
        vector=vector,
        environment=declared,
        scratch=toolchain.scratch,
        disassembler=next((found + item[1:] for item in toolchain.disassemble if (found := _locate(item[0]))), ()),
    )


def _flags(
    toolchain: Toolchain, profiles: Profiles, profile: Profile, features: Words, lanes: int, vector: int
) -> Words:
    return (
        *profiles.compile,
        *profile.compile,
        *toolchain.sanitize_off,
        *features,
        *toolchain.compile,
        f"-DGS_LANES={lanes}",
        f"-DGS_VEC={vector}",
    )


def _needs_macro(feature: str) -> str:
    return f"-DGS_NEEDS_{re.sub('[^A-Z0-9]', '_', feature.upper())}"


def vector_width(lanes: int, native: int) -> int:
    """The largest power of two that divides `lanes` and is at most `native` floats."""
    return next(width for width in (16, 8, 4, 2, 1) if width <= native and lanes % width == 0)


def _target(profiles: Profiles, machine: str) -> Target:
    processor = machine.partition("-")[0]
    for target in profiles.targets.values():
        if processor in target.names:
            return target
    known = ", ".join(profiles.targets)
    raise BuildError(f"no target for `{machine.strip()}`: profiles.yaml knows {known}")


def _native_features(target: Target, ask: _Questions) -> Words:
    """The features whose macros the compiler defines for this machine."""
    macros = ask(target.native, "-dM", "-E", "-x", "c", os.devnull)
    defined = {words[1] for line in macros.splitlines() if len(words := line.split(maxsplit=2)) > 1}
    return tuple(feature for feature, macros in target.features.items() if not defined.isdisjoint(macros.split()))


def _executables(toolchain: Toolchain, ask: _Questions) -> Words:
    """The files behind the command: the driver and the separate programs that it starts."""
    names = [ask(f"-print-prog-name={part}").strip() for part in toolchain.parts]
    found = [os.path.realpath(path) for name in (ask.command[0], *names) if (path := shutil.which(name))]
    return tuple(dict.fromkeys(found))


def action_environment(declared: Mapping[str, str], scratch: Words, root: Path) -> dict[str, str]:
    """All that a compiler sees: PATH, TMPDIR, what its toolchain declares, a folder of its own below `root`."""
    passed = {name: os.environ[name] for name in ("PATH", "TMPDIR") if name in os.environ}
    return {**passed, "LC_ALL": "C", **dict.fromkeys(scratch, str(root / "compilers")), **declared}


@dataclass(frozen=True, slots=True)
class _Questions:
    """A compiler that can be asked: `ask("--version")` is what it prints. Raises BuildError if it fails."""

    command: Words
    environment: Mapping[str, str]

    def __call__(self, *arguments: str) -> str:
        command = [*self.command, *arguments]
        try:
            done = subprocess.run(
                command,
                env=self.environment,
                capture_output=True,
                text=True,
                check=False,
                stdin=subprocess.DEVNULL,
            )
        except OSError as error:
            raise BuildError(f"cannot start {command[0]}: {error.strerror}") from None
        if done.returncode != 0:
            raise BuildError(f"{' '.join(command)} failed: {done.stderr.strip()}")
        return done.stdout
