"""The build: what targets there are, what their actions are, which of those are stale, and how they run.

BUILD files come in through `load_build` and `analyse`; `plan` makes steps of them and `doit_tasks` shows these to doit.
`toolchain` reads which compiler to call and how, `tool` finds it on this machine, `action` and `cache` decide what is
stale by content, `source_to_binary` builds one program.
"""
