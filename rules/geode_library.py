"""The rule `geode_library`: a `.gs` file that programs include.

In: a call in a BUILD file. Out: a target with the step parse, which checks the file on its own. Invariant: a library or a
program includes only what its `deps` name, directly or not, so `geode query` knows whom an edit reaches.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from pathlib import Path

from rules.attribute import NAME, Attribute
from rules.cache import open_cache, silent
from rules.emission import check_of_library
from rules.errors import BuildError, tell_error
from rules.gs_inputs import ABSENT, included_files
from rules.providers import LibraryInfo
from rules.rule import Context, Made, Rule
from rules.source_to_binary import PACKAGE
from rules.step import Step
from rules.target import Target

DEPS = Attribute("labels", "libraries that it includes", (), accepts=("geode_library",), files=False)


def included_libraries(context: Context) -> tuple[str, ...]:
    """The paths of all that the `deps` of a call may bring in, each once."""
    infos = [target.provider for target in context.named("deps")]
    paths = [path for info in infos if isinstance(info, LibraryInfo) for path in info.libraries]
    return tuple(dict.fromkeys(paths))


def check_includes(label: str, source: str, libraries: Iterable[str], root: Path) -> None:
    """Check that the file at `source` includes nothing but `libraries`, paths from `root`. Raises BuildError."""
    try:
        content = (root / source).read_bytes()
    except OSError:
        return  # the front end says why it cannot be read
    known = {os.path.normpath(root / path) for path in (source, *libraries)}
    for name, found in (included_files(str(root / source), content) or {}).items():
        path = os.path.normpath(root / Path(source).parent / name)
        if found != ABSENT and path not in known:
            told = os.path.relpath(path, root)
            raise BuildError(
                f"{source} includes {told}, which no library in the `deps` of {label} brings\nhelp: {_how(told, root)}"
            )


def _how(path: str, root: Path) -> str:
    """What to write to bring the file at `path`: the label of its library if there is one."""
    from rules.analyse import known_workspace

    for target in known_workspace(root).targets.values():
        if isinstance(target.provider, LibraryInfo) and target.provider.source == path:
            return f'add "{target.label}" there'
    return f"name a geode_library with src = {Path(path).name!r} there"


def _implement(context: Context) -> Made:
    source = context.file("src")
    assert source is not None
    return Made((), LibraryInfo(str(context.label), source, (source, *included_libraries(context))))


def _steps(target: Target, _root: Path) -> Iterator[Step]:
    info = target.provider
    assert isinstance(info, LibraryInfo)
    yield Step("parse", info.label, f"check {info.source}", _check, _is_checked, info)


def _check(step: Step, root: Path) -> str:
    info = step.info
    assert isinstance(info, LibraryInfo)
    check_includes(info.label, info.source, info.libraries, root)
    action = check_of_library(str(root / info.source), PACKAGE)
    said: list[str] = []
    cache = open_cache(root / "build" / ".cache", said.append)
    if action is None or cache.outputs(action.key) is None:
        from geode.diagnostics import CompileErrors
        from geode.pipeline import check_library
        from geode.syntax.file_to_text import file_to_text

        try:
            check_library(file_to_text(str(root / info.source)))
        except CompileErrors as errors:
            raise BuildError(tell_error(errors)) from None
        if action is not None:
            cache.store(action.key, action.name, {})
    return "\n".join(said)


def _is_checked(step: Step, root: Path) -> bool:
    info = step.info
    assert isinstance(info, LibraryInfo)
    try:
        check_includes(info.label, info.source, info.libraries, root)
    except BuildError:
        return False
    action = check_of_library(str(root / info.source), PACKAGE)
    return action is not None and open_cache(root / "build" / ".cache", silent).outputs(action.key) is not None


RULE = Rule(
    name="geode_library",
    doc="A `.gs` file that programs and other libraries INCLUDE.",
    attributes={
        "name": NAME,
        "src": Attribute("label", "the library's text, a .gs file", required=True),
        "deps": DEPS,
    },
    implement=_implement,
    steps=_steps,
    groups={},
)
