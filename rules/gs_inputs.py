"""A `.gs` file -> the files that it includes, directly or not, found in the text without compiling it.

In: a path and the file's bytes. Out: their paths as the front end opens them, relative to the main file's folder where
possible. Invariant: what the front end reads is among them; where the text leaves a doubt (an INCLUDE without a name right
behind it) the answer is None. Files of the bundled library (`INCLUDE <nn>`) belong to the compiler and are left out.
"""

from __future__ import annotations

import os
import re
from collections.abc import Mapping
from pathlib import Path

from rules.action import digest

_WORD = re.compile(rb"(?<![^ \t\r\n\f\v])INCLUDE(?![^ \t\r\n\f\v])")
_NAMED = re.compile(rb'[ \t\r\n\f\v]+(?:"((?:[^"\\\n]|\\["\\])*)"|<[^ \t\r\n\f\v]*>)')
ABSENT = "absent"


def included_files(path: str, content: bytes) -> Mapping[str, str] | None:
    """Path, from the folder of the file at `path`, -> digest, for every file that it includes; None if that is in doubt.

    A file that is not there has the digest `absent`.
    """
    folder = Path(path).parent
    found: dict[str, str] = {}
    open_files = [(folder, content)]
    while open_files:
        beside, text = open_files.pop()
        names = _names(text)
        if names is None:
            return None
        for name in names:
            file = beside / name
            key = os.path.relpath(file, folder).replace(os.sep, "/")
            if key in found:
                continue
            try:
                data = file.read_bytes()
            except (OSError, ValueError):
                found[key] = ABSENT  # the front end says why it cannot be read
                continue
            found[key] = digest(data)
            open_files.append((file.parent, data))
    return dict(sorted(found.items()))


def _names(text: bytes) -> list[str] | None:
    """The quoted names behind INCLUDE, in comments, too; None if one has no name that can be told."""
    names: list[str] = []
    for word in _WORD.finditer(text):
        named = _NAMED.match(text, word.end())
        if named is None:
            return None
        if named[1] is not None:
            try:
                names.append(re.sub(rb'\\(["\\])', rb"\1", named[1]).decode("utf-8"))
            except UnicodeDecodeError:
                return None
    return names
