"""Words that the parser itself knows: definitions, locals, ticks, sharing and targets."""

from __future__ import annotations

from geode.vocabulary.entry import Counter, Entry, Example

GROUP = "definitions"
_PLAIN = "DUP +"


def _entry(name: str, effect: str, summary: str, example: Example, code: str, counter: Example) -> Entry:
    return Entry(name, GROUP, effect, summary, "syntax", example, Counter(code, counter))


ENTRIES: tuple[Entry, ...] = (
    _entry(":", "( -- )", "starts a definition: : NAME ( before -- after ) body ;", Example(_PLAIN), "GS203",
           Example(_PLAIN, before=": DUP ( r -- r ) ;")),
    _entry(";", "( -- )", "ends a definition", Example(_PLAIN), "GS118", Example(_PLAIN, before=": W ( r -- r ) 1 +")),
    _entry("SHARED", "( -- )", "directly after a definition: all its calls share one set of weights",
           Example("L L", before=": L ( <layer> -- <layer> ) 4 LINEAR TRAINABLE ; SHARED"), "GS503",
           Example("M", before=": L ( <layer> n -- <layer> ) LINEAR TRAINABLE ; SHARED\n"
                   ": M ( r:4 -- r:4 ) 3 L 4 L ;")),
    _entry("(SHARED)", "( xt -- )", "['] NAME (SHARED) at top level marks a word as SHARED",
           Example("L L", before=": L ( <layer> -- <layer> ) 4 LINEAR TRAINABLE ;\n['] L (SHARED)"), "GS201",
           Example(_PLAIN, before="['] NOTHING (SHARED)")),
    _entry("[']", "( -- xt )", "the execution token of a word", Example("['] ABS EXECUTE"), "GS201",
           Example("['] NOTHING DROP")),
    _entry("CONSTANT", "( x -- )", "value CONSTANT NAME names a number or string, fixed while compiling",
           Example("HIDDEN LINEAR TRAINABLE", "( r:4 -- r:3 )", before="1 2 + CONSTANT HIDDEN"), "GS204",
           Example(_PLAIN, before="3 CONSTANT A\n4 CONSTANT A")),
    _entry("{", "( x … -- )", "{ a b c } takes values into locals; c was on top",
           Example("{ a b } a b a - *", "( r:4 r:4 -- r:4 )"), "GS302", Example("{ a b } a", "( r:4 -- r:4 )")),
    _entry("}", "( -- )", "ends the names of locals", Example("{ a } a a *"), "GS126", Example("} DUP")),
    _entry("TO", "( x -- )", "TO a stores the top of the stack in the local a",
           Example("{ a } a 2 * TO a a", "( r:4 -- r:4 )"), "GS209", Example("TO a")),
    _entry("TARGET-CPU", "( -- )", "the program becomes a native binary for the CPU; the default", Example(_PLAIN),
           "GS127", Example(_PLAIN, before="TARGET-CPU\nTARGET-CPU")),
    _entry("TARGET-APPLE-METAL", "( -- )", "the program trains on an Apple GPU, through Metal",
           Example(_PLAIN, before="\\ TARGET-APPLE-METAL in place of TARGET-CPU"), "GS127",
           Example(_PLAIN, before="TARGET-APPLE-METAL\nTARGET-CPU")),
    _entry("TARGET-CUDA", "( -- )", "the program trains on an NVIDIA GPU, through CUDA",
           Example(_PLAIN, before="\\ TARGET-CUDA in place of TARGET-CPU"), "GS127",
           Example(_PLAIN, before="TARGET-CUDA\nTARGET-CPU")),
    _entry("INCLUDE", "( -- )", 'INCLUDE "file.gs" or INCLUDE <nn> puts the words of a file, read once, in this place',
           Example("5 4 MLP", "( r:4 -- r:4 )", before="INCLUDE <nn>"), "GS107",
           Example(_PLAIN, before='INCLUDE "nothing.gs"')),
)  # fmt: skip
