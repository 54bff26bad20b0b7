"""Near misses: which known names a misspelt one may have meant.

In: a name and the known ones. Out: the best candidates, best first.
Invariant: the answer depends on the names alone, never on the order they come in.
"""

from __future__ import annotations

from collections.abc import Iterable


def near_misses(name: str, known: Iterable[str], limit: int = 3) -> list[str]:
    """The names nearest to `name`, at most `limit`, of those at the least distance that is near at all.

    Near is another case, the same letters in another order, or one edit in up to four letters, two in up to eight,
    three in longer names (an edit: a letter put in, left out, replaced, or swapped with its neighbour).
    """
    upper = name.upper()
    allowed = 0 if len(name) < 2 else 1 if len(name) <= 4 else 2 if len(name) <= 8 else 3
    letters = sorted(upper)
    best: list[str] = []
    rank = max(1, allowed)  # what a candidate has to reach; it falls as better ones are found
    for candidate in set(known) - {name}:
        found = _rank(upper, letters, candidate.upper(), min(allowed, rank))
        if found is None or found > rank:
            continue
        if found < rank:
            best, rank = [], found
        best.append(candidate)
    return sorted(best)[:limit]


def did_you_mean(name: str, known: Iterable[str]) -> str | None:
    """`did you mean …?` with the near misses of `name`, or None if there is none."""
    near = near_misses(name, known)
    if not near:
        return None
    quoted = [f"`{candidate}`" for candidate in near]
    return f"did you mean {quoted[0] if len(quoted) == 1 else ', '.join(quoted[:-1]) + ' or ' + quoted[-1]}?"


def _rank(name: str, letters: list[str], candidate: str, allowed: int) -> int | None:
    if name == candidate:
        return 0
    if len(name) == len(candidate) and len(name) > 2 and letters == sorted(candidate):
        return 1
    if abs(len(name) - len(candidate)) > allowed:
        return None
    distance = edit_distance(name, candidate, allowed)
    return distance if distance is not None and distance < max(len(name), len(candidate)) else None


def edit_distance(a: str, b: str, limit: int) -> int | None:
    """The least number of edits (a letter in, out, replaced, two neighbours swapped) from `a` to `b`.

    None if it is above `limit`. Formula: the optimal string alignment distance of Damerau and Levenshtein.
    """
    if abs(len(a) - len(b)) > limit:
        return None
    before: list[int] = []
    row = list(range(len(b) + 1))
    for i, x in enumerate(a, 1):
        new = [i]
        for j, y in enumerate(b, 1):
            best = min(row[j] + 1, new[j - 1] + 1, row[j - 1] + (x != y))
            if i > 1 and j > 1 and x == b[j - 2] and y == a[i - 2]:
                best = min(best, before[j - 2] + 1)
            new.append(best)
        if min(new) > limit:
            return None
        before, row = row, new
    return row[-1] if row[-1] <= limit else None
