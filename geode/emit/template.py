"""The one jinja2 environment: templates are frames, an undefined name is an error, line feeds are kept.

In: a template's name and its values. Out: text.
Invariant: values reach a template as finished text. What jinja2 makes of a template is kept where Python keeps this
module's own bytecode, if it may.
"""

from __future__ import annotations

import sys
from contextlib import suppress
from functools import cache
from importlib.util import cache_from_source
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from jinja2 import Environment
    from jinja2.bccache import Bucket

_TEMPLATES = Path(__file__).parent / "templates"


@cache
def _environment(folder: Path) -> Environment:
    from jinja2 import Environment, FileSystemBytecodeCache, FileSystemLoader, StrictUndefined

    class Kept(FileSystemBytecodeCache):
        """Bytecode beside that of this module; a folder that cannot be written to is no error."""

        def dump_bytecode(self, bucket: Bucket) -> None:
            with suppress(OSError):
                super().dump_bytecode(bucket)

    beside = Path(cache_from_source(__file__)).parent
    return Environment(
        loader=FileSystemLoader(folder),
        bytecode_cache=Kept(str(beside)) if not sys.dont_write_bytecode and beside.is_dir() else None,
        undefined=StrictUndefined,
        keep_trailing_newline=True,
        trim_blocks=True,
        lstrip_blocks=True,
        autoescape=False,  # noqa: S701 -- the text is C, not HTML
    )


def render_template(template: str | Path, /, **values: object) -> str:
    """The template of that name, or at that path, with its values filled in."""
    path = _TEMPLATES / template
    return _environment(path.parent).get_template(path.name).render(**values)
