"""An example of the vocabulary as a whole program: what the tests check and run, and `geode words --json` prints.

In: an `Example` (a body with its signature, settings words, or the body of MAIN). Out: program text that reads `rows.csv`,
rows of 4 numbers (or `rows.npy`, `rows.txt`). Invariant: every input of a body depends on the weights through layers of its
own, so that the members' scores tell a wrong word from a right one.
"""

from __future__ import annotations

from geode.record import dataclass
from geode.vocabulary.entry import FRAME, Example

_KINDS = ("r", "n", "f", "xt", "m", "s", "data", "batch", "<layer>")
DATA = '"rows.csv" 4 CSV-INPUT'
# Every setting that an example may change, at a value that leaves the others' effects to be seen.
BASE = (
    "OBJECTIVE-LOSS 2 EPOCHS 4 POPULATION 7 SEED 1 WORKERS 0.02 ALPHA ALPHA-CONSTANT FLOAT32 0.1 ES-GAUSSIAN SIGMA-CONSTANT "
    "INDEPENDENT SCORE-RANK-SHAPED SGD-UPDATES 0 WEIGHT-DECAY 3e38 UPDATE-CLIP 1 NOISE-REUSE -3e38 STOP-BELOW "
    "3e38 STOP-ABOVE 0 PATIENCE 1e9 TIME-LIMIT 0 EVALUATE-EVERY .METRICS 1 METRICS-EVERY"
)


@dataclass(frozen=True, slots=True)
class Item:
    """One value of a signature: its kind, its row shape, and whether it names the batch axis."""

    kind: str
    shape: tuple[int, ...]
    batched: bool


def signature_items(side: str) -> list[Item]:
    """The values of one side of a signature; a dimension variable is 4, and so is `*`."""
    items = []
    for text in side.split():
        parts = text.split(":")
        if parts[0] not in _KINDS:
            parts = parts[1:]  # a label
        dims = [4 if dim == "*" or not dim.isdigit() else int(dim) for dim in parts[1:] if dim != "b"]
        items.append(Item(parts[0], tuple(dims), "b" in parts[1:]))
    return items


def body_words(example: Example, name: str) -> dict[str, str]:
    """Definitions, by name, of a word `EX-name` with the example's body, of a trained word `OBJECTIVE-name` that calls it
    and of the layers that make its inputs; those are the same for all examples, and so are their weights.
    """
    before, _, after = example.signature.strip("( )").partition("--")
    inputs, outputs = signature_items(before), signature_items(after)
    words = {"NET": ": NET ( r:4 -- r:4 ) 4 LINEAR TRAINABLE ;"}
    given = []
    for item in inputs:
        made = ["IN", "FLAGS" if item.kind == "f" else "", *map(str, item.shape or ("SCALAR",))]
        maker = "-".join(filter(None, made))
        if item.kind != "n":
            words[maker] = _input_word(item, maker)
        given.append("2" if item.kind == "n" else f"x {maker}")
    words[f"EX-{name}"] = f": EX-{name} {example.signature} {example.body} ;"
    left = [f"o{place}" for place in range(len(outputs))]
    sums = [f"{local} {_to_scalar(item)}" for local, item in zip(left, outputs, strict=True)]
    whole_batch = any(item.batched for item in inputs) and not any(item.batched for item in outputs)
    rest = f"x SUM 0.01 * {'+ ' * len(sums)}SUM"
    if whole_batch:  # the example has reduced the batch: scalars alone may follow
        rest = "+ " * (len(sums) - 1)
    locals_ = f"{{ {' '.join(left)} }}" if left else ""
    body = f"NET {{ x }} {' '.join(given)} EX-{name} {locals_} {' '.join(sums)} {rest}"
    words[f"OBJECTIVE-{name}"] = f": OBJECTIVE-{name} ( r:b:4 -- r ) {body} ;"
    return words


def _input_word(item: Item, name: str) -> str:
    count = 1
    for size in item.shape:
        count *= size
    shape = ":".join(["r", *map(str, item.shape)])
    end = "SUM" if not item.shape else f"{shape} RESHAPE" if len(item.shape) > 1 else ""
    if item.kind == "f":
        return f": {name} ( r:4 -- f{shape[1:]} ) {count} LINEAR TRAINABLE {end} 0 > ;"
    return f": {name} ( r:4 -- {shape} ) {count} LINEAR TRAINABLE {end} ;"


def _to_scalar(item: Item) -> str:
    return "SUM " * len(item.shape) if item.shape else "0 +"


# --- whole programs


def example_text(example: Example) -> str:
    """The program of one example alone."""
    parts = [example.before] if example.before else []
    if example.main:
        return "\n".join([*parts, FRAME, f": MAIN ( -- ) {example.main} ;"])
    if example.settings:
        goal = "" if "OBJECTIVE" in example.settings else "OBJECTIVE-LOSS"
        main = f"{goal} {example.settings} {DATA} ALL ['] OBJECTIVE TRAIN"
        return "\n".join([*parts, FRAME, f": MAIN ( -- ) {main} ;"])
    main = f"{BASE} {DATA} ALL ['] OBJECTIVE-1 TRAIN"
    return "\n".join([*parts, *body_words(example, "1").values(), f": MAIN ( -- ) {main} ;"])
