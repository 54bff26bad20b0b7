"""A folder -> a project of one's own: a program, its data, a test, BUILD file, dodo.py, README.

In: a folder that is empty or not there, a name. Out: the files of `rules/project/` with the name filled in. Invariant: no
file that is there is written to.
"""

from __future__ import annotations

import re
from pathlib import Path

from rules.errors import BuildError, os_reason

_TEMPLATES = Path(__file__).parent / "project"
_NAME = re.compile(r"[A-Za-z][A-Za-z0-9_-]*")
FILES = {  # template -> file, {name} filled in
    "BUILD.in": "BUILD",
    "README.md.in": "README.md",
    "dodo.py.in": "dodo.py",
    "gitignore.in": ".gitignore",
    "make_points.py.in": "data/make_points.py",
    "program.gs.in": "{name}.gs",
}


def make_project(folder: Path, name: str | None = None) -> list[Path]:
    """Write a project named `name` (None: as the folder is called) to `folder`; the files. Raises BuildError."""
    import jinja2

    called = name if name is not None else folder.resolve().name
    if not _NAME.fullmatch(called):
        raise BuildError(
            f"`{called}` cannot name a project: letters, digits, `_` and `-`, a letter first\nhelp: --name NAME",
            status=2,
        )
    frame = jinja2.Environment(undefined=jinja2.StrictUndefined, keep_trailing_newline=True, autoescape=False)  # noqa: S701 -- plain text
    made: list[Path] = []
    try:
        if folder.is_dir() and any(folder.iterdir()):
            raise BuildError(f"{folder} is not empty: name a folder that is not there, and it is made", status=2)
        for template, file in FILES.items():
            text = (_TEMPLATES / template).read_text(encoding="utf-8")
            path = folder / file.format(name=called)
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(frame.from_string(text).render(name=called), encoding="utf-8")
            made.append(path)
    except OSError as error:
        raise BuildError(f"cannot make a project in {folder}: {os_reason(error)}") from None
    return made
