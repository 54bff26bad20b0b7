"""The front of the compiler: bytes of a file -> text -> tokens -> words, with the checks of names.

In: a `.gs` file. Out: a `geode.syntax.word.Program`. Invariant: nothing here knows what a built-in word does.
"""
