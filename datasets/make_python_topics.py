"""The text of Python's own help -> `python-topics.txt`.

In: `pydoc_data.topics` of the Python that runs this. Out: its first 262 144 bytes, the topics in the order of their
names, one behind the other, UTF-8. Invariant: the committed file is that of Python 3.11; another version's text differs
somewhat.

    python3 datasets/make_python_topics.py            rewrite datasets/python-topics.txt
    python3 datasets/make_python_topics.py PATH       write it to PATH
"""

from __future__ import annotations

import sys
from pathlib import Path
from pydoc_data.topics import topics

BYTES = 2**18


def python_topics() -> bytes:
    """Return the text."""
    return "".join(topics[name] for name in sorted(topics)).encode()[:BYTES]


if __name__ == "__main__":
    target = Path(sys.argv[1]) if len(sys.argv) > 1 else Path(__file__).parent / "python-topics.txt"
    target.write_bytes(python_topics())
