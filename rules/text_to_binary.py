"""A program's text -> objects -> binary, through the action cache and ninja.

In: the C text of one program, the runtime's folder, a `Tool`, an output folder. Out: `DIR/c/*.c`, `DIR/o/**/*.o`,
`DIR/out/program` and what happened to every action. Invariant: staleness is decided by action keys alone; ninja is
started only when there is a miss, with edges for the misses and nothing else.
"""

from __future__ import annotations

import json
import os
import re
import shlex
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Protocol

from geode.emit.shared_file import shared_file
from geode.record import dataclass
from rules.action import Action, Done, Outcome, digest, why_run
from rules.c_inputs import Inputs, check_depfile
from rules.cache import UNFINISHED, Cache, restore, write_if_changed
from rules.errors import BuildError, os_reason
from rules.lock import locked
from rules.ninja import Edge, finished, run_ninja
from rules.progress import Watch
from rules.shared_files import UnitText, compiled_files
from rules.tool import Tool, action_environment, install_compiler, lacks_package

PROGRAM = "out/program"
PLAIN = {"runtime/gs_cpu_check.c"}  # checks the processor before anything else runs, so it must run on any
_LOST = "its result in the cache is damaged or gone"
_FULL = ("No space left on device", "Disk quota exceeded", "File too large")
_KILLED = re.compile(
    r"^FAILED: \[code=137\]|Killed signal terminated|command: Killed", re.MULTILINE
)  # ninja, gcc, clang
GPU_FILES = {"TARGET-APPLE-METAL": "gs_metal.c", "TARGET-CUDA": "gs_cuda.c"}  # by target: what calls its API
_GPU_COMMON = ("gs_device.c", "gs_generation.c", "gs_gpu.c")
_OWN = "-DGS_"  # how the flags begin that define macros of Geode's; no system header knows any
MEMORY = ".actions.json"  # the parts of the last build's actions, for --explain


class ProgramText(Protocol):
    """A whole program as emitted."""

    @property
    def name(self) -> str:
        """The source file's stem."""

    @property
    def units(self) -> Sequence[UnitText]:
        """The units in call order."""

    @property
    def program_c(self) -> str:
        """The C text that joins the units: instances, parameters, stages."""

    @property
    def settings_c(self) -> str:
        """The C text of the settings' default values."""

    @property
    def target(self) -> str:
        """What the program is for, as its target word says."""

    @property
    def device_c(self) -> str:
        """For a GPU the C text that holds the kernels, else empty."""


@dataclass(frozen=True, slots=True)
class BuildResult:
    """The binary, the objects that hold the program's own units in call order, and what every action did."""

    program: Path
    unit_objects: tuple[Path, ...]
    outcomes: tuple[Outcome, ...]

    @property
    def ran(self) -> int:
        """How many actions ran; 0 where everything was known."""
        return sum(outcome.status == "run" for outcome in self.outcomes)


@dataclass(frozen=True, slots=True)
class _Sources:
    """The program's own C files: name -> text of all, name -> size with its units' of those that are compiled, and unit
    symbol -> object.
    """

    files: Mapping[str, str]
    compiled: Mapping[str, int]
    objects: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class _Place:
    """Where a build happens: what its actions share."""

    folder: Path
    runtime: Path
    tool: Tool
    cache: Cache
    template: Path
    rule: str
    lock: int = -1  # the file of the folder's lock
    watch: Watch | None = None


def build_program(
    text: ProgramText,
    tool: Tool,
    *,
    folder: Path,
    runtime: Path,
    template: Path,
    cache: Cache,
    earlier: Sequence[Done] = (),
    watch: Watch | None = None,
) -> BuildResult:
    """Build `text` in `folder`; the runtime's C files come from `runtime`, ninja's frame from `template`.

    `earlier` are actions that gave the text; they are explained and remembered with the build's own. `watch` is
    told how far the compiles are. Raises BuildError if a file cannot be written or the compiler refuses the text.
    """
    if "\n" in str(folder.absolute()):  # ninja's files have no way to write it
        raise BuildError(
            f"cannot build in {str(folder)!r}: its name holds a line feed; rename the program, or choose a folder with -o",
            status=2,
        )
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with locked(folder, cache.warn) as lock:
            place = _Place(folder, runtime, tool, cache, template, _rule_digest(template), lock, watch)
            return _build(text, place, earlier)
    except OSError as error:
        raise BuildError(f"cannot build in {folder}: {os_reason(error)}") from None


def is_built(text: ProgramText, tool: Tool, *, folder: Path, runtime: Path, template: Path, cache: Cache) -> bool:
    """Whether `build_program` would find every file of `folder` as it should be. Writes nothing."""
    place = _Place(folder, runtime, tool, cache, template, _rule_digest(template))
    try:
        sources = _sources(text)
        if any((folder / "c" / name).read_bytes() != content.encode() for name, content in sources.files.items()):
            return False
        actions = _compile_actions(sources.compiled, Inputs(folder, runtime), place, text.target)
        known = {action.name: _in_place(action, place) for action in actions}
        if None in known.values():
            return False
        link = _link_action(actions, {name: content or "" for name, content in known.items()}, place)
    except OSError:
        return False  # a file is not there
    return _in_place(link, place) is not None


def _build(text: ProgramText, place: _Place, earlier: Sequence[Done]) -> BuildResult:
    folder = place.folder
    inputs = Inputs(folder, place.runtime)
    sources = _sources(text)
    _write_sources(sources, folder, inputs)
    actions = _compile_actions(sources.compiled, inputs, place, text.target)
    _remove_strays(folder, sources.files, actions)
    before = _remembered(folder)
    place.cache.prefetch(action.key for action in actions)
    known = {action.name: _restore(action, place, executable=False) for action in actions}
    done = [_done(action, place, ran=known[action.name] is None) for action in actions]
    missing = [action for action in actions if known[action.name] is None]
    objects = [action.output for action in actions]
    if missing:
        known |= _compile(missing, sources.compiled, objects, inputs, place)
    link = _link_action(actions, {name: content or "" for name, content in known.items()}, place)
    linked = _restore(link, place, executable=True) is not None
    done.append(_done(link, place, ran=not linked))
    if not linked and missing:
        _keep(link, place)
    elif not linked:
        _link(link, objects, place)
    place.cache.publish(action.key for action in (*actions, link))
    own = tuple(folder / sources.objects[unit.symbol] for unit in text.units)
    return _finish(own, folder, [*earlier, *done], before)


def _done(action: Action, place: _Place, *, ran: bool) -> Done:
    """What is said of an action that is about to run, or was found."""
    lost = ran and _recorded(action, place) is not None
    return Done(action, ran, _LOST if lost else None)


def _compile(
    missing: Sequence[Action], sizes: Mapping[str, int], objects: Sequence[str], inputs: Inputs, place: _Place
) -> dict[str, str]:
    """Run compiles, and link `objects`, for which ninja is not started twice; the digests of what was compiled. `sizes` are
    those of the program's own files.
    """
    _refuse_without_compiler(missing, place)
    for action in missing:
        (place.folder / action.output).unlink(missing_ok=True)
    (place.folder / PROGRAM).unlink(missing_ok=True)  # no binary of another text while this one is in the making
    edges = [_edge(action, inputs, place) for action in missing]

    def size(edge: Edge) -> int:
        own = sizes.get(edge.source.removeprefix("c/"))
        return (place.folder / edge.source).stat().st_size if own is None else own

    edges.sort(key=size, reverse=True)  # else a large one is left at the end
    try:
        _run(place, edges=edges, objects=objects)
    except BaseException:  # a full disk, a Ctrl-C: what was compiled until then need not be again
        there = finished(place.folder)
        _keep_all([action for action in missing if action.output in there], inputs, place)
        raise
    kept, wrong = _keep_all(missing, inputs, place)
    if wrong is not None:
        (place.folder / PROGRAM).unlink(missing_ok=True)
        raise wrong
    return kept


def _keep_all(actions: Iterable[Action], inputs: Inputs, place: _Place) -> tuple[dict[str, str], BuildError | None]:
    """Keep the objects of those that read nothing undeclared; their digests, and what is wrong with the first other."""
    kept: dict[str, str] = {}
    wrong: BuildError | None = None
    for action in actions:
        try:
            check_depfile(place.folder / f"{action.output}.d", inputs, _source(action))
        except BuildError as error:
            wrong = wrong or error
            continue
        kept[action.name] = _keep(action, place)
    return kept, wrong


def _link(link: Action, objects: Sequence[str], place: _Place) -> None:
    _refuse_without_compiler([link], place)
    (place.folder / PROGRAM).unlink(missing_ok=True)
    _run(place, objects=objects)
    _keep(link, place)


def _refuse_without_compiler(actions: Sequence[Action], place: _Place) -> None:
    tool = place.tool
    if tool.command:
        return
    lacking = lacks_package(tool.toolchain)
    if lacking is not None:
        raise BuildError(lacking)
    more = f" and {len(actions) - 1} more" if len(actions) > 1 else ""
    raise BuildError(
        f"`{actions[0].name}`{more} must run, for the result is not in the cache, but {tool.toolchain} ({tool.version}), "
        f"with which the other results were made, is not installed here\n{install_compiler(tool.toolchain)}"
    )


def _sources(text: ProgramText) -> _Sources:
    """The program's C files, in the order units, program.c, settings.c."""
    units = {f"{unit.symbol}.c": unit.text for unit in text.units}
    compiled = compiled_files(text.units)
    own = {"program.c": text.program_c, "settings.c": text.settings_c}
    if text.device_c:
        own["device.c"] = text.device_c
    shared = {f"{stem}.c": shared_file(symbols) for stem, symbols in compiled.items() if stem not in symbols}
    files = units | shared | own
    if len(files) != len(text.units) + len(shared) + len(own):
        raise AssertionError("unit symbols must differ from one another, and from `program`, `settings` and `device`")
    sizes = {f"{stem}.c": sum(len(units[f"{symbol}.c"]) for symbol in symbols) for stem, symbols in compiled.items()}
    objects = {symbol: f"o/{stem}.o" for stem, symbols in compiled.items() for symbol in symbols}
    return _Sources(files, sizes | {name: len(content) for name, content in own.items()}, objects)


def _write_sources(sources: _Sources, folder: Path, inputs: Inputs) -> None:
    """Write the program's C files, and tell `inputs` of them."""
    for name, content in sources.files.items():
        data = content.encode()
        write_if_changed(folder / "c" / name, data)
        inputs.tell(f"c/{name}", data)


def _remove_strays(folder: Path, sources: Iterable[str], actions: Iterable[Action]) -> None:
    """Remove what an earlier program or version left in c/ and o/."""
    wanted = {f"c/{source}" for source in sources} | {action.output for action in actions}
    for below, _, names in os.walk(folder):
        inside = below[len(str(folder)) + 1 :]
        for name in names:
            path = f"{inside}/{name}" if inside else name
            own = (inside == "c" and name.endswith(".c")) or (path.startswith("o/") and name.endswith((".o", ".o.d")))
            stray = own and path.removesuffix(".d") not in wanted
            if stray or name.startswith(UNFINISHED):  # the latter of a build that was killed while it wrote
                (folder / path).unlink(missing_ok=True)


def _compile_actions(sources: Iterable[str], inputs: Inputs, place: _Place, target: str) -> list[Action]:
    """The compiles of a program: its own files, then the runtime's, for a GPU with those that know its API."""
    runtime = [f"runtime/{path.name}" for path in sorted(place.runtime.glob("*.c"))]
    if target in GPU_FILES:
        runtime += [f"runtime/gpu/{name}" for name in (*_GPU_COMMON, GPU_FILES[target])]
    return [_compile_action(name, inputs, place) for name in (*(f"c/{source}" for source in sources), *runtime)]


def _compile_action(name: str, inputs: Inputs, place: _Place) -> Action:
    parts = {
        "rule": place.rule,
        "tool": place.tool.identity,
        "arguments": json.dumps(_flags(name, inputs, place)),
        "source": name,
    }
    parts |= {f"environment {key}": value for key, value in place.tool.environment.items()}
    parts |= {f"input {file}": content for file, content in inputs.closure(name).items()}
    stem = name.removesuffix(".c")
    return Action(f"compile {stem}", f"o/{stem.removeprefix('c/')}.o", parts)


def _edge(action: Action, inputs: Inputs, place: _Place) -> Edge:
    name = _source(action)
    own = shlex.join(flag for flag in _flags(name, inputs, place) if flag.startswith(_OWN))
    return Edge(inputs.path(name), action.output, name in PLAIN, own)


def _flags(name: str, inputs: Inputs, place: _Place) -> Sequence[str]:
    """The compiler's flags for a file: of the definitions of Geode's own macros those that it can depend on, so that the
    runtime's files that know nothing of lanes are compiled once for all."""
    flags = place.tool.plain if name in PLAIN else place.tool.compile
    return [flag for flag in flags if not flag.startswith(_OWN) or inputs.names(name, _macro(flag))]


def _macro(flag: str) -> str:
    return flag.removeprefix("-D").partition("=")[0]


def _source(action: Action) -> str:
    return action.parts["source"]


def _link_action(actions: Iterable[Action], objects: Mapping[str, str], place: _Place) -> Action:
    arguments = json.dumps([place.tool.link, place.tool.libraries])
    parts = {"rule": place.rule, "tool": place.tool.identity, "arguments": arguments}
    parts |= {f"environment {key}": value for key, value in place.tool.environment.items()}
    parts |= {f"input {action.output}": objects[action.name] for action in actions}
    return Action("link", PROGRAM, parts)


def _restore(action: Action, place: _Place, *, executable: bool) -> str | None:
    """The digest of the action's stored output, which then lies in the output folder; None on a miss."""
    content = _recorded(action, place)
    if content is None or _lies_there(action, content, place):
        return content
    data = place.cache.blob(content)
    if data is None:
        return None
    restore(place.folder / action.output, data, executable=executable)
    return content


def _recorded(action: Action, place: _Place) -> str | None:
    outputs = place.cache.outputs(action.key)
    return outputs.get(action.output) if outputs else None


def _in_place(action: Action, place: _Place) -> str | None:
    """The digest of the action's stored output if the file in the output folder has it."""
    content = _recorded(action, place)
    return content if content is not None and _lies_there(action, content, place) else None


def _lies_there(action: Action, content: str, place: _Place) -> bool:
    try:
        with open(f"{place.folder}/{action.output}", "rb") as file:  # noqa: PTH123 -- a build may have thousands
            return digest(file.read()) == content
    except OSError:
        return False  # not there


def _keep(action: Action, place: _Place) -> str:
    data = (place.folder / action.output).read_bytes()
    place.cache.store(action.key, action.name, {action.output: data})
    return digest(data)


def _run(place: _Place, *, objects: Sequence[str], edges: Sequence[Edge] = ()) -> None:
    """Let ninja compile `edges`, and link `objects`. Raises BuildError with its log if that fails."""
    (place.folder / "o" / "runtime").mkdir(parents=True, exist_ok=True)
    (place.folder / "out").mkdir(exist_ok=True)
    maps = (f"-ffile-prefix-map={place.runtime}=runtime", f"-ffile-prefix-map={place.folder.resolve()}=.")
    tool = place.tool
    commands = {
        "compile": (*tool.command, *_for_all(tool.compile), "-I", str(place.runtime), *maps),
        "compile_plain": (*tool.command, *_for_all(tool.plain), "-I", str(place.runtime), *maps),
        "link": (*tool.command, *tool.link),
        "libraries": tool.libraries,
    }
    log = run_ninja(
        place.template,
        place.folder,
        commands,
        edges=edges,
        objects=objects,
        program=PROGRAM,
        environment=action_environment(tool.environment, tool.scratch, place.cache.root),
        lock=place.lock,
        watch=place.watch,
    )
    if log is not None and any(text in log for text in _FULL):
        raise BuildError(f"cannot build in {place.folder}: {tool.toolchain} ran out of disk space\n{log}")
    if log is not None and _KILLED.search(log):
        raise BuildError(f"cannot build in {place.folder}: {tool.toolchain} was killed; did memory run out?\n{log}")
    if log is not None:
        raise BuildError(
            f"{tool.toolchain} refused the program's text: this is a fault of Geode or of the compiler's "
            f"installation, not of the program\n{log}"
        )


def _for_all(flags: Sequence[str]) -> list[str]:
    return [flag for flag in flags if not flag.startswith(_OWN)]


def _finish(
    objects: tuple[Path, ...], folder: Path, done: Sequence[Done], before: Mapping[str, Mapping[str, str]]
) -> BuildResult:
    outcomes = tuple(
        Outcome(one.action.name, "run", one.why or why_run(one.action, before.get(one.action.name)))
        if one.ran
        else Outcome(one.action.name, "hit", "")
        for one in done
    )
    memory = json.dumps({one.action.name: dict(one.action.parts) for one in done}, sort_keys=True)
    write_if_changed(folder / MEMORY, memory.encode())
    return BuildResult(folder / PROGRAM, objects, outcomes)


def _remembered(folder: Path) -> dict[str, dict[str, str]]:
    try:
        memory = json.loads((folder / MEMORY).read_bytes())
    except (OSError, ValueError):
        return {}  # first build here, or the file was cut: explained as new
    return memory if isinstance(memory, dict) else {}


def _rule_digest(template: Path) -> str:
    here = Path(__file__).parent
    return digest(b"".join(path.read_bytes() for path in (template, here / "text_to_binary.py", here / "ninja.py")))
