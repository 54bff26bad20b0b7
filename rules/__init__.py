"""The build: what a program's actions are, which of them are stale, and how they run.

`toolchain` reads which compiler to call and how, `tool` finds it on this machine, `action` and `cache` decide what is
stale by content, `text_to_binary` builds one program.
"""
