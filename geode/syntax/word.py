"""The words form: what a program says, before anything is known about what its words mean.

In: made by `tokens_to_words`. Out: read by `check_names`, the graph stage and `words_to_text`.
Invariant: spans take no part in equality or hashes, so two programs are equal if they say the same.
"""

from __future__ import annotations

from dataclasses import field

from geode.record import dataclass
from geode.source import Span

BATCH = "b"  # the dimension that stands for the batch axis

# Types a signature may name; the first two take dimensions.
SHAPED_KINDS = ("r", "f")
TYPE_KINDS = (*SHAPED_KINDS, "n", "xt", "s", "data", "batch")


# --- words of a body


@dataclass(frozen=True, slots=True)
class Call:
    """A name used: a local, a dimension variable, a CONSTANT, a user word or a built-in."""

    name: str
    span: Span = field(compare=False)


@dataclass(frozen=True, slots=True)
class Integer:
    """An integer literal, within 64 bits with sign."""

    value: int
    span: Span = field(compare=False)


@dataclass(frozen=True, slots=True)
class Real:
    """A real literal, within float32's range: `text` as written, `value` its nearest float64.

    Rounding `value` gives the float32 nearest to `text`: where the nearest float64 is the middle of two float32 and the
    decimal is not, `value` is the next float64 on the decimal's side.
    """

    value: float
    text: str
    span: Span = field(compare=False)


@dataclass(frozen=True, slots=True)
class String:
    """A string literal, escapes resolved."""

    value: str
    span: Span = field(compare=False)


@dataclass(frozen=True, slots=True)
class ShapeLiteral:
    """`r`, `r:28:28`, `r:HIDDEN`: sizes (at least 1) or names, never the batch axis."""

    dims: tuple[int | str, ...]
    span: Span = field(compare=False)


@dataclass(frozen=True, slots=True)
class Tick:
    """`['] NAME`."""

    name: str
    span: Span = field(compare=False)
    name_span: Span = field(compare=False)


@dataclass(frozen=True, slots=True)
class Locals:
    """`{ a b c }`: at least one name; the last was on top of the stack."""

    names: tuple[str, ...]
    span: Span = field(compare=False)
    name_spans: tuple[Span, ...] = field(compare=False)


@dataclass(frozen=True, slots=True)
class Store:
    """`TO NAME`."""

    name: str
    span: Span = field(compare=False)
    name_span: Span = field(compare=False)


@dataclass(frozen=True, slots=True)
class If:
    """`IF then ELSE orelse THEN`; `orelse` is None where no ELSE is written. `keywords`: IF, perhaps ELSE, THEN."""

    then: Body
    orelse: Body | None
    span: Span = field(compare=False)
    keywords: tuple[Span, ...] = field(compare=False)


@dataclass(frozen=True, slots=True)
class CountedLoop:
    """`DO body LOOP`; `question` for `?DO`, `plus` for `+LOOP`. `keywords`: the opening and the closing word."""

    body: Body
    question: bool
    plus: bool
    span: Span = field(compare=False)
    keywords: tuple[Span, ...] = field(compare=False)


@dataclass(frozen=True, slots=True)
class Until:
    """`BEGIN body UNTIL`. `keywords`: BEGIN, UNTIL."""

    body: Body
    span: Span = field(compare=False)
    keywords: tuple[Span, ...] = field(compare=False)


@dataclass(frozen=True, slots=True)
class While:
    """`BEGIN condition WHILE body REPEAT`. `keywords`: BEGIN, WHILE, REPEAT.

    What the condition opens as a local is in scope in the body too.
    """

    condition: Body
    body: Body
    span: Span = field(compare=False)
    keywords: tuple[Span, ...] = field(compare=False)


Word = Call | Integer | Real | String | ShapeLiteral | Tick | Locals | Store | If | CountedLoop | Until | While
Body = tuple[Word, ...]


# --- signatures


@dataclass(frozen=True, slots=True)
class TypeText:
    """A type as a signature writes it.

    `kind` is one of TYPE_KINDS or "layer". `dims` are sizes, names of CONSTANTs or variables, and `BATCH`, which only
    stands first. `star` says that `*` follows the dims (`r:*` has no dims, `r:b:*` has the batch axis).
    """

    kind: str
    dims: tuple[int | str, ...] = ()
    star: bool = False

    def __str__(self) -> str:
        if self.kind == "layer":
            return "<layer>"
        return ":".join([self.kind, *map(str, self.dims), *(["*"] if self.star else [])])


@dataclass(frozen=True, slots=True)
class SignatureItem:
    """One value of a signature; `label` is documentation."""

    type: TypeText
    label: str | None
    span: Span = field(compare=False)

    def __str__(self) -> str:
        return f"{self.label}:{self.type}" if self.label is not None else str(self.type)


@dataclass(frozen=True, slots=True)
class Signature:
    """`( inputs -- outputs )`, the top of the stack last on both sides."""

    inputs: tuple[SignatureItem, ...]
    outputs: tuple[SignatureItem, ...]
    span: Span = field(compare=False)

    def __str__(self) -> str:
        return " ".join(["(", *map(str, self.inputs), "--", *map(str, self.outputs), ")"])


# --- top level


@dataclass(frozen=True, slots=True)
class Definition:
    """`: NAME ( signature ) body ;`, and whether `SHARED` follows. `span` runs from `:` to `;`."""

    name: str
    signature: Signature
    body: Body
    shared: bool
    span: Span = field(compare=False)
    name_span: Span = field(compare=False)


@dataclass(frozen=True, slots=True)
class Constant:
    """`value CONSTANT NAME`; the value is literals and calls."""

    name: str
    value: Body
    span: Span = field(compare=False)
    name_span: Span = field(compare=False)


@dataclass(frozen=True, slots=True)
class SharedMark:
    """`['] NAME (SHARED)`."""

    name: str
    span: Span = field(compare=False)
    name_span: Span = field(compare=False)


@dataclass(frozen=True, slots=True)
class Include:
    """`INCLUDE "file.gs"`, or `INCLUDE <path>` of the bundled library."""

    path: str
    library: bool
    span: Span = field(compare=False)


@dataclass(frozen=True, slots=True)
class Target:
    """`TARGET-CPU`, `TARGET-APPLE-METAL` or `TARGET-CUDA`."""

    name: str
    span: Span = field(compare=False)


Item = Definition | Constant | SharedMark | Include | Target


@dataclass(frozen=True, slots=True)
class Program:
    """The items of a program in source order. `span` is the whole text that it was read from."""

    items: tuple[Item, ...]
    span: Span | None = field(default=None, compare=False)
