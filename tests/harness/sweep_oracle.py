"""The trials of a sweep file, found another way: an enumerator that shares no code with `rules.sweep`.

In: a file's text and what the program has by itself. Out: the points with their seeds, in order. It reads YAML with every
scalar as text, and takes only files without mistakes.
"""

from __future__ import annotations

import itertools
from decimal import Decimal, InvalidOperation

import yaml

Trial = tuple[dict[str, str], int]


def norm(name: str, text: str) -> str:
    """A value of `name`: numbers without needless digits, in program text too; of the text CONSTANT FILE as it stands."""
    if name == "FILE":
        return text
    words = []
    for word in text.split():
        try:
            words.append(str(Decimal(word).normalize() + 0))
        except InvalidOperation:
            words.append(word)
    return " ".join(words)


def enumerate_trials(text: str, own: dict[str, str], seed: int) -> list[Trial]:
    """Every trial; `own` is what the program has for each name that may be swept, as `norm` writes it."""
    doc = yaml.load(text, Loader=yaml.BaseLoader)  # noqa: S506 -- builds nothing but texts
    axes = {**doc.get("matrix", {}), **doc.get("choices", {})}
    plain = [[{k: v} for v in vs] for k, vs in axes.items() if isinstance(vs, list)]
    stepped = (
        [[dict(zip(doc["zip"], row, strict=True)) for row in zip(*doc["zip"].values(), strict=True)]]
        if "zip" in doc
        else []
    )
    points = [{k: norm(k, v) for d in row for k, v in d.items()} for row in itertools.product(*plain, *stepped)]

    def holds(point: dict[str, str], wanted: dict[str, str | list[str]]) -> bool:
        lists = {k: v if isinstance(v, list) else [v] for k, v in wanted.items()}
        return all(point.get(k) in [norm(k, v) for v in vs] for k, vs in lists.items())

    for name, axis in axes.items():
        if isinstance(axis, dict):
            grown = [
                [{**p, name: norm(name, v)} for v in axis["values"]] if holds(p, axis["when"]) else [p] for p in points
            ]
            points = [point for group in grown for point in group]
    points = [p for p in points if not any(holds(p, entry) for entry in doc.get("exclude", []))]
    points += [{k: norm(k, v) for k, v in entry.items()} for entry in doc.get("include", [])]
    fixed = {k: norm(k, v) for k, v in doc.get("set", {}).items()}
    found: dict[frozenset[tuple[str, str]], Trial] = {}
    for point in points:
        whole = {**own, **fixed, **point}
        *numbers, word = whole.pop("perturbation").split()
        whole["noise"] = " ".join([word, *numbers[1:]])
        whole.setdefault("SIGMA", numbers[0])
        first = int(whole.pop("SEED", str(seed)))
        for k in range(int(doc.get("replicates", "1"))):
            found.setdefault(frozenset({**whole, "SEED": str(first + k)}.items()), (point, first + k))
    return list(found.values())
