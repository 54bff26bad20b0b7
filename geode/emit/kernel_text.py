"""The runtime's headers -> one text for kernels.

In: the names of headers. Out: their text with quoted includes put in, each file once, a header of runtime/gpu/ in place of
one of the same name elsewhere; without what stands behind `#ifndef GS_KERNEL_TEXT`, which is for C alone.
Invariant: kernels that a GPU shares with the processor come from the very files that C includes.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from pathlib import Path

_RUNTIME = Path(__file__).parent.parent / "runtime"
_FOLDERS = (_RUNTIME / "gpu", _RUNTIME, _RUNTIME / "kernels")
_INCLUDE = re.compile(r'^#include ["<]([^">]+)[">]\n', re.MULTILINE)
_GUARD = re.compile(r"^#ifndef (GS_\w+_H)\n#define \1\n(.*)^#endif\n", re.MULTILINE | re.DOTALL)
_FOR_C = re.compile(r"^#ifndef GS_KERNEL_TEXT.*?\n.*?(?:^#else\n(.*?))?^#endif\n", re.MULTILINE | re.DOTALL)


def headers_text(names: Iterable[str], without: Iterable[str] = ()) -> str:
    """The headers in order, each behind what it includes, but for those `without` which the language does."""
    done = set(without)
    return "".join(_text(name, done) for name in names)


def _text(name: str, done: set[str]) -> str:
    name = name.rpartition("/")[2]
    path = next((folder / name for folder in _FOLDERS if (folder / name).exists()), None)
    if path is None or name in done:
        return ""  # a header of the system, or one that stands above
    done.add(name)
    text = path.read_text(encoding="utf-8")
    guard = _GUARD.search(text)
    body = guard.group(2) if guard else text
    body = _FOR_C.sub(lambda match: match.group(1) or "", body)
    before = "".join(_text(found, done) for found in _INCLUDE.findall(body))
    return before + f"// {name}\n" + _INCLUDE.sub("", body).strip("\n") + "\n\n"
