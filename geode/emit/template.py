"""The one jinja2 environment: templates are frames, an undefined name is an error, line feeds are kept.

In: a template's name and its values. Out: text.
Invariant: values reach a template as finished C text.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from jinja2 import Environment


@cache
def _environment() -> Environment:
    from jinja2 import Environment, FileSystemLoader, StrictUndefined

    return Environment(
        loader=FileSystemLoader(Path(__file__).parent / "templates"),
        undefined=StrictUndefined,
        keep_trailing_newline=True,
        trim_blocks=True,
        lstrip_blocks=True,
        autoescape=False,  # noqa: S701 -- the text is C, not HTML
    )


def render_template(template: str, /, **values: object) -> str:
    """The template with its values filled in."""
    return _environment().get_template(template).render(**values)
