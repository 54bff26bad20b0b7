"""toolchains/*.yaml -> checked, frozen records.

In: the folder of YAML files. Out: a `Toolchain` (how to find and call one compiler) and the `Profiles` (flags that hold
for all, named flag sets, processor families). Invariant: every field that is read was declared here with its type; an
unknown field, a missing one or a wrong type is a `BuildError` that names file, field and the nearest known name.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from geode.record import dataclass
from rules.errors import BuildError, near_miss

LANES = (1, 8, 16, 24, 32, 48)
ORDER = ("clang", "gcc", "zig")  # which is tried first where none is named
Words = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Toolchain:
    """How to find and call one compiler; see toolchains/README.md for the fields."""

    name: str
    find: Words
    version: Words
    machine: Words
    parts: Words
    system: str
    feature_flag: str
    compile: Words
    link: Words
    lacks: Words
    sanitize_off: Words
    environment: Words
    scratch: Words
    disassemble: tuple[Words, ...]


@dataclass(frozen=True, slots=True)
class Profile:
    """A named flag set. `features` is `native` (this machine's) or `baseline` (the target's)."""

    name: str
    doc: str
    features: str
    compile: Words
    link: Words


@dataclass(frozen=True, slots=True)
class Tile:
    """Lanes of a tile and of one vector, for targets with the features in `needs` and that much of a data cache."""

    needs: Words
    l1_kilobytes: int
    lanes: int
    vector: int
    compile: Words


@dataclass(frozen=True, slots=True)
class Target:
    """A processor family: its names, its features with the macros that betray them, its tiles, widest first."""

    name: str
    names: Words
    native: str
    baseline: Words
    features: Mapping[str, str]
    tiles: tuple[Tile, ...]


@dataclass(frozen=True, slots=True)
class System:
    """What the linker of one operating system gets; the key is the start of `sys.platform`."""

    link: Words
    libraries: Words


@dataclass(frozen=True, slots=True)
class Profiles:
    """profiles.yaml: common flags, systems, profiles and targets."""

    compile: Words
    systems: Mapping[str, System]
    profiles: Mapping[str, Profile]
    targets: Mapping[str, Target]


def data_folder() -> Path:
    """Where toolchains/ and build.ninja.in lie: the checkout's root, or `rules/data` of an installed package."""
    here = Path(__file__).resolve().parent
    root = here.parent
    return root if (root / "toolchains").is_dir() else here / "data"


def load_toolchain(name: str, folder: Path) -> Toolchain:
    """The toolchain `name` from `folder`/NAME.yaml."""
    path = folder / f"{name}.yaml"
    if not path.is_file():
        known = tuple(sorted(p.stem for p in folder.glob("*.yaml") if p.stem != "profiles"))
        raise BuildError(f"unknown toolchain `{name}`{near_miss(name, known)}")
    fields = _Fields(_read(path), str(path))
    toolchain = Toolchain(
        name=fields.text("name"),
        find=fields.words("find"),
        version=fields.words("version"),
        machine=fields.words("machine"),
        parts=fields.words("parts"),
        system=fields.text("system"),
        feature_flag=fields.text("feature_flag"),
        compile=fields.words("compile"),
        link=fields.words("link"),
        lacks=fields.words("lacks"),
        sanitize_off=fields.words("sanitize_off"),
        environment=fields.words("environment"),
        scratch=fields.words("scratch"),
        disassemble=tuple(_words(item, f"{path}: disassemble") for item in fields.items("disassemble")),
    )
    fields.finish()
    if toolchain.name != name:
        raise BuildError(f"{path}: name: `{toolchain.name}` should be `{name}`, as the file is called")
    if "{feature}" not in toolchain.feature_flag:
        raise BuildError(f"{path}: feature_flag: has no `{{feature}}` in `{toolchain.feature_flag}`")
    return toolchain


def load_profiles(folder: Path) -> Profiles:
    """The common flags, profiles and targets from `folder`/profiles.yaml."""
    path = folder / "profiles.yaml"
    fields = _Fields(_read(path), str(path))
    profiles = Profiles(
        compile=fields.words("compile"),
        systems={name: _system(sub) for name, sub in fields.tables("systems")},
        profiles={name: _profile(name, sub) for name, sub in fields.tables("profiles")},
        targets={name: _target(name, sub) for name, sub in fields.tables("targets")},
    )
    fields.finish()
    return profiles


def _system(fields: _Fields) -> System:
    system = System(link=fields.words("link"), libraries=fields.words("libraries"))
    fields.finish()
    return system


def _profile(name: str, fields: _Fields) -> Profile:
    profile = Profile(
        name=name,
        doc=fields.text("doc"),
        features=fields.text("features"),
        compile=fields.words("compile"),
        link=fields.words("link", optional=True),
    )
    fields.finish()
    if profile.features not in {"native", "baseline"}:
        raise BuildError(f"{fields.where}: features: `{profile.features}` is neither `native` nor `baseline`")
    return profile


def _target(name: str, fields: _Fields) -> Target:
    features = fields.mapping("features")
    target = Target(
        name=name,
        names=fields.words("names"),
        native=fields.text("native"),
        baseline=fields.words("baseline"),
        features={key: _text(value, f"{fields.where}: features: {key}") for key, value in features.items()},
        tiles=tuple(_tile(_Fields(item, f"{fields.where}: tiles")) for item in fields.items("tiles")),
    )
    fields.finish()
    for feature in (*target.baseline, *(need for tile in target.tiles for need in tile.needs)):
        if feature not in target.features:
            known = tuple(target.features)
            raise BuildError(f"{fields.where}: unknown feature `{feature}`{near_miss(feature, known)}")
    if not target.tiles or target.tiles[-1].needs or target.tiles[-1].l1_kilobytes:
        raise BuildError(f"{fields.where}: tiles: the last tile must need nothing")
    return target


def _tile(fields: _Fields) -> Tile:
    tile = Tile(
        needs=fields.words("needs"),
        l1_kilobytes=fields.integer("l1_kilobytes", optional=True),
        lanes=fields.integer("lanes"),
        vector=fields.integer("vector"),
        compile=fields.words("compile", optional=True),
    )
    fields.finish()
    if tile.lanes not in LANES:
        raise BuildError(f"{fields.where}: lanes: {tile.lanes} is none of {', '.join(map(str, LANES))}")
    if tile.vector not in {1, 2, 4, 8, 16}:
        raise BuildError(f"{fields.where}: vector: {tile.vector} is none of 1, 2, 4, 8, 16")
    return tile


class _Fields:
    """A mapping read field by field; `finish` refuses what nobody asked for."""

    def __init__(self, value: Any, where: str) -> None:
        if not isinstance(value, dict):
            raise BuildError(f"{where}: expected a mapping of fields, found {value!r}")
        self._left: dict[str, Any] = {str(key): item for key, item in value.items()}
        self._known: list[str] = []
        self.where = where

    def _take(self, name: str, *, optional: bool = False) -> Any:
        self._known.append(name)
        if name in self._left:
            return self._left.pop(name)
        if optional:
            return None
        raise BuildError(f"{self.where}: field `{name}` is missing")

    def text(self, name: str) -> str:
        return _text(self._take(name), f"{self.where}: {name}")

    def integer(self, name: str, *, optional: bool = False) -> int:
        value = self._take(name, optional=optional)
        if value is None and optional:
            return 0
        if isinstance(value, bool) or not isinstance(value, int):
            raise BuildError(f"{self.where}: {name}: expected an integer, found {value!r}")
        return value

    def words(self, name: str, *, optional: bool = False) -> Words:
        value = self._take(name, optional=optional)
        return () if value is None and optional else _words(value, f"{self.where}: {name}")

    def items(self, name: str) -> list[Any]:
        value = self._take(name)
        if not isinstance(value, list):
            raise BuildError(f"{self.where}: {name}: expected a list, found {value!r}")
        return value

    def mapping(self, name: str) -> dict[str, Any]:
        value = self._take(name)
        if not isinstance(value, dict):
            raise BuildError(f"{self.where}: {name}: expected a mapping, found {value!r}")
        return {str(key): item for key, item in value.items()}

    def tables(self, name: str) -> list[tuple[str, _Fields]]:
        table = self.mapping(name)
        return [(key, _Fields(item, f"{self.where}: {name}: {key}")) for key, item in table.items()]

    def finish(self) -> None:
        for name in self._left:
            raise BuildError(f"{self.where}: unknown field `{name}`{near_miss(name, tuple(self._known))}")


def _text(value: Any, where: str) -> str:
    if not isinstance(value, str):
        raise BuildError(f"{where}: expected text, found {value!r}")
    return value


def _words(value: Any, where: str) -> Words:
    if not isinstance(value, list):
        raise BuildError(f"{where}: expected a list, found {value!r}")
    return tuple(_text(item, where) for item in value)


def _read(path: Path) -> Any:
    import yaml

    try:
        return yaml.safe_load(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise BuildError(f"{path}: {error.strerror}") from None
    except (yaml.YAMLError, UnicodeDecodeError) as error:
        raise BuildError(f"{path}: not valid YAML: {error}") from None
