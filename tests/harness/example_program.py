"""The examples of the vocabulary in programs that many share, and the files that they read.

In: entries and their examples. Out: `rows.csv`, 61 rows of 4 numbers (or `rows.npy`, `rows.txt`), and one program that runs
many examples, a TRAIN stage each. Invariant: the words of an example are those of its own program.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from pathlib import Path
from random import Random

import numpy as np

from geode.vocabulary import Entry, Example
from geode.vocabulary.entry import FRAME
from geode.vocabulary.example_program import BASE, DATA, body_words


def write_rows(folder: Path, rows: int = 61) -> None:
    """Writes `rows.csv`: numbers in -2 … 2, the same each time; the same as `rows.npy`, and some text as `rows.txt`."""
    random = Random(5)
    lines = [",".join(f"{random.uniform(-2, 2):.4f}" for _ in range(4)) for _ in range(rows)]
    (folder / "rows.csv").write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
    np.save(folder / "rows.npy", np.array([line.split(",") for line in lines], np.float64))
    (folder / "rows.txt").write_text("So it goes, row by row.\n" * 5, encoding="ascii")


def defined_names(text: str) -> set[str]:
    """The words and CONSTANTs that a text of definitions makes."""
    return set(re.findall(r"(?:^|\s)(?::|CONSTANT)\s+(\S+)", text))


def body_program(examples: Sequence[tuple[str, Example]]) -> str:
    """One program with a stage for every example with a body, in order; the names must not clash."""
    lines = [example.before for _, example in examples if example.before]
    words: dict[str, str] = {}
    for name, example in examples:
        words |= body_words(example, name)
    lines += words.values()
    stages = "\n".join(f"  rows ['] OBJECTIVE-{name} TRAIN" for name, _ in examples)
    # The layers that make the inputs stay as they are, so that an example that is wrong disturbs no other.
    lines.append(f": MAIN ( -- )\n  {BASE} 0 ALPHA {DATA} ALL {{ rows }}\n{stages} ;")
    return "\n".join(lines)


def settings_program(entries: Sequence[Entry]) -> str:
    """One program with two stages an entry: one with the example's settings, one that sets everything back."""
    stages = []
    for entry in entries:
        stages.append(f"  2 EPOCHS {_optimizer_of(entry.name)} {entry.example.settings} rows ['] OBJECTIVE TRAIN")
        stages.append(f"  {BASE} 1 EPOCHS rows ['] OBJECTIVE TRAIN")
    body = "\n".join(stages)
    return f"{FRAME}\n: MAIN ( -- )\n  {BASE} {DATA} ALL {{ rows }} rows ['] OBJECTIVE TRAIN\n{body} ;"


def _optimizer_of(word: str) -> str:
    """The optimizer that an optimizer's constant is for."""
    return f"{word.partition('-')[0]}-UPDATES" if word.endswith("!") else ""


def packs(examples: Iterable[tuple[str, Example]], size: int) -> list[list[tuple[str, Example]]]:
    """The examples in groups of at most `size` whose definitions don't clash."""
    groups: list[list[tuple[str, Example]]] = []
    names: list[set[str]] = []
    for name, example in examples:
        new = defined_names(example.before)
        for place, group in enumerate(groups):
            if len(group) < size and not names[place] & new:
                group.append((name, example))
                names[place] |= new
                break
        else:
            groups.append([(name, example)])
            names.append(new)
    return groups
