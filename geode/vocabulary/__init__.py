"""The built-in words, one entry each: `WORDS` by name, in the order of their groups."""

from __future__ import annotations

from collections.abc import Mapping

from geode.vocabulary import (
    arithmetic,
    control,
    functions,
    layers,
    logic,
    parameters,
    pictures,
    random,
    reductions,
    settings_words,
    stack,
    stages,
    tensors,
    tokens,
    top_level,
)
from geode.vocabulary.entry import Counter, Entry, Example

WORDS: Mapping[str, Entry] = {
    entry.name: entry
    for module in (
        stack,
        arithmetic,
        functions,
        logic,
        control,
        tokens,
        tensors,
        reductions,
        random,
        parameters,
        pictures,
        layers,
        settings_words,
        stages,
        top_level,
    )
    for entry in module.ENTRIES
}

__all__ = ["WORDS", "Counter", "Entry", "Example"]
