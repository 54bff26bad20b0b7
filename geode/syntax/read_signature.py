"""The tokens between `(` and `)` -> a `Signature`.

In: those tokens. Out: the signature; items that are wrong are reported and mended.
Invariant: the batch axis `b` stands first in a type or not at all.
"""

from __future__ import annotations

from collections.abc import Sequence

from geode.diagnostics import Sink
from geode.names import near_misses
from geode.source import Span
from geode.syntax.read_literal import read_dim, split_dims
from geode.syntax.token import Token, TokenKind
from geode.syntax.word import BATCH, SHAPED_KINDS, TYPE_KINDS, Signature, SignatureItem, TypeText

_LAYER = "<layer>"


def read_signature(tokens: Sequence[Token], span: Span, sink: Sink) -> Signature:
    """The signature that `tokens` spell; `span` covers its parentheses. Reports GS113 to GS116."""
    arrows = [i for i, token in enumerate(tokens) if token.is_word("--")]
    if len(arrows) != 1:
        message = "a signature has one `--`" if arrows else "this signature has no `--`"
        where = tokens[arrows[1]].span if arrows else span
        sink.error("GS113", message, where, help="write `( before -- after )`, the top of the stack last on both sides")
    split = arrows[0] if arrows else len(tokens)
    inputs = _read_items(tokens[:split], sink)
    outputs = _read_items(tokens[split + 1 :], sink)
    return Signature(inputs, outputs, span)


def _read_items(tokens: Sequence[Token], sink: Sink) -> tuple[SignatureItem, ...]:
    return tuple(_read_item(token, sink) for token in tokens if not token.is_word("--"))


def _read_item(token: Token, sink: Sink) -> SignatureItem:
    text, span = token.text, token.span
    if token.kind is not TokenKind.WORD:
        _unknown_type(span.text, span, sink)
        return _mended(token)
    label: str | None = None
    head, colon, rest = text.partition(":")
    if colon and head not in TYPE_KINDS:
        label, text = head, rest
        span = Span(span.source, span.start + len(head) + 1, span.end)
        if not rest:
            _unknown_type(token.text, token.span, sink)
            return _mended(token)
    type_text = read_type(text, span, sink)
    return _mended(token) if type_text is None else SignatureItem(type_text, label or None, token.span)


def _mended(token: Token) -> SignatureItem:
    """An item for one that was reported: it keeps the variables, so that their uses are no further mistakes."""
    names = (part for part in token.text.split(":")[1:] if part.isidentifier() and part != BATCH)
    return SignatureItem(TypeText("r", tuple(names)), None, token.span)


def read_type(text: str, span: Span, sink: Sink) -> TypeText | None:
    """The type that `text` spells, or None after reporting GS114 to GS116."""
    if text == _LAYER:
        return TypeText("layer")
    kind = text.partition(":")[0]
    if kind not in TYPE_KINDS:
        _unknown_type(text, span, sink)
        return None
    parts = split_dims(text, span)
    if parts and kind not in SHAPED_KINDS:
        sink.error("GS114", f"the type `{kind}` has no dimensions", parts[0][1], help="only `r` and `f` have a shape")
        return None
    return _read_shaped(kind, parts, sink)


def _read_shaped(kind: str, parts: list[tuple[str, Span]], sink: Sink) -> TypeText | None:
    dims: list[int | str] = []
    star = False
    for i, (part, span) in enumerate(parts):
        if part == "*":
            if [d for d in dims if d != BATCH] or i + 1 < len(parts):
                help_text = f"`{kind}:*` is a row of any shape, `{kind}:b:*` a batch of such rows"
                sink.error("GS116", "`*` is a whole row shape, not one dimension", span, help=help_text)
                return None
            star = True
        elif part == BATCH and i > 0:
            help_text = f"write `{kind}:b:…`; a dimension that is not the batch wants another name"
            sink.error("GS115", "`b` is the batch axis and stands first in a shape", span, help=help_text)
            return None
        else:
            dim = read_dim(part, span, sink)
            if dim is None:
                return None
            dims.append(dim)
    return TypeText(kind, tuple(dims), star)


def _unknown_type(text: str, span: Span, sink: Sink) -> None:
    near = near_misses(text, (*TYPE_KINDS, _LAYER))
    types = "a type is `r` `f` (with dimensions: `r:28:28`), `n` `xt` `s` `data` `batch` or `<layer>`"
    if near:
        types = f"did you mean `{near[0]}`? {types}"
    elif ":" not in text and text.isidentifier():
        types = f"a name goes before its type: `{text}:r`; {types}"
    sink.error("GS114", f"`{text}` is no type", span, help=types)
