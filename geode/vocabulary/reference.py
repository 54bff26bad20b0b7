"""The reference pages: `LANGUAGE.md`'s table of words, `docs/words.md` with a page per group, `docs/errors.md` with one per code.

In: `WORDS` and `CODES`. Out: files with their text; `python -m geode.vocabulary.reference` writes them, `--check` says
whether those in the checkout are what the tables give. Invariant: every message shown is what the compiler says of the
text above it.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable, Mapping
from pathlib import Path

from geode.codes import CODES, Code
from geode.explain.code_page import example_message, message_of
from geode.settings import FIELDS, SETTING_WORDS
from geode.vocabulary import WORDS
from geode.vocabulary.entry import FRAME, Entry

ROOT = Path(__file__).resolve().parents[2]
MADE = "<!-- made by python -m geode.vocabulary.reference from {} -->"
BEGIN, END = "<!-- words: begin -->", "<!-- words: end -->"

# The word of the examples' TRAIN; a settings word in a word that computes is refused where that word is reached.
_REACHED = ": OBJECTIVE ( r:4 -- r ) EXAMPLE SUM ;"
_TRAIN = '"rows.csv" 4 CSV-INPUT ALL [\'] OBJECTIVE TRAIN'
_HUNDREDS = {
    "GS1": "text",
    "GS2": "names",
    "GS3": "stack and shapes",
    "GS4": "control",
    "GS5": "parameters",
    "GS6": "settings and stages",
    "GS9": "the compiler itself",
}


def reference_files() -> dict[str, str]:
    """Every generated page by its path from the root; `LANGUAGE.md` with its table renewed."""
    groups = words_by_group()
    files = {"LANGUAGE.md": _language((ROOT / "LANGUAGE.md").read_text("utf-8"), groups)}
    files["docs/words.md"] = _word_index(groups)
    for group, entries in groups.items():
        files[f"docs/words/{_slug(group)}.md"] = _word_page(group, entries)
    files["docs/errors.md"] = _error_index()
    for name, code in CODES.items():
        files[f"docs/errors/{name}.md"] = _error_page(name, code)
    return files


def words_by_group() -> dict[str, list[Entry]]:
    """The entries by group, in the order of the table; the settings by the groups of `geode/settings.py`."""
    groups: dict[str, list[Entry]] = {}
    for entry in WORDS.values():
        groups.setdefault(_group(entry), []).append(entry)
    return groups


def _group(entry: Entry) -> str:
    if entry.name not in SETTING_WORDS:
        return entry.group
    word = SETTING_WORDS[entry.name]
    field = word.takes[0] if word.takes else word.fixes[0][0]
    return f"settings: {FIELDS[field].group}"


def _slug(group: str) -> str:
    return "-".join(group.replace(":", "").replace(",", "").split())


# --- words


def _language(text: str, groups: Mapping[str, list[Entry]]) -> str:
    before, _, rest = text.partition(BEGIN)
    _, _, after = rest.partition(END)
    lines = ["", "| group | words |", "|---|---|"]
    for group, entries in groups.items():
        names = " ".join(f"`{entry.name}`" for entry in entries)
        lines.append(f"| [{group}](docs/words/{_slug(group)}.md) | {names} |")
    return "\n".join([before + BEGIN, *lines, "", END + after])


def _word_index(groups: Mapping[str, list[Entry]]) -> str:
    lines = [
        MADE.format("geode/vocabulary"),
        "",
        "# Words",
        "",
        "Every built-in word with its stack effect and what it does. The page of a group adds for each word an example that",
        "compiles and the smallest use that is refused, with the message. `geode words NAME` prints the same in a terminal.",
    ]
    for group, entries in groups.items():
        lines += ["", f"## [{group}](words/{_slug(group)}.md)", "", "| word | effect | |", "|---|---|---|"]
        lines += [f"| `{e.name}` | `{_cell(e.effect)}` | {_cell(e.summary)} |" for e in entries]
    return "\n".join(lines) + "\n"


def _word_page(group: str, entries: Iterable[Entry]) -> str:
    lines = [MADE.format("geode/vocabulary"), "", f"# {group[0].upper()}{group[1:]}"]
    for entry in entries:
        refused = message_of(_counter_program(entry), entry.counter.code)
        before = f"{entry.counter.example.before}\n" if entry.counter.example.before else ""
        lines += ["", f"## {entry.name}", "", f"`{entry.effect}` {entry.summary}.", ""]
        lines += ["```forth", entry.example.text, "```", "", "```text", before + refused, "```"]
    return "\n".join(lines) + "\n"


def _counter_program(entry: Entry) -> str:
    """The counter-example as a program of its own, its text first where it can be."""
    example = entry.counter.example
    if example.main:
        return f"{FRAME}\n{example.text}"
    if example.settings:
        goal = "" if "OBJECTIVE" in example.settings else "OBJECTIVE-LOSS "
        return "\n".join([example.text, FRAME, f": MAIN ( -- ) {goal}SETTINGS {_TRAIN} ;"])
    objective = _REACHED if entry.name in SETTING_WORDS else FRAME
    return "\n".join([example.text, objective, f": MAIN ( -- ) OBJECTIVE-LOSS {_TRAIN} ;"])


# --- codes


def _error_index() -> str:
    lines = [
        MADE.format("geode/codes"),
        "",
        "# Errors",
        "",
        "Every message of the compiler starts with a place and a code. A code's page explains it, with a small program that",
        "fails with it, the message, and the program repaired. `geode explain CODE` prints the same.",
    ]
    for hundred, title in _HUNDREDS.items():
        lines += ["", f"## {hundred}xx: {title}", "", "| code | |", "|---|---|"]
        lines += [f"| [{name}](errors/{name}.md) | {code.title} |" for name, code in _of_hundred(hundred)]
    return "\n".join(lines) + "\n"


def _error_page(name: str, code: Code) -> str:
    lines = [MADE.format("geode/codes"), "", f"# {name}: {code.title}", "", code.explanation]
    message = example_message(name, code)
    if code.example is not None and message is not None:
        given = "".join(f" with `-D {key}={value}`" for key, value in code.defines)
        lines += ["", f"Fails{given}:", "", "```forth", code.example.rstrip("\n"), "```"]
        lines += ["", "```text", message, "```"]
    if code.repair is not None:
        lines += ["", "Repaired:", "", "```forth", code.repair.rstrip("\n"), "```"]
    return "\n".join(lines) + "\n"


def _of_hundred(hundred: str) -> list[tuple[str, Code]]:
    return [(name, code) for name, code in CODES.items() if name.startswith(hundred)]


def _cell(text: str) -> str:
    return text.replace("|", "\\|")


def main(arguments: list[str]) -> int:
    """Write the pages, or with `--check` say which are not what the tables give."""
    check = arguments == ["--check"]
    if arguments and not check:
        sys.stderr.write("usage: python -m geode.vocabulary.reference [--check]\n")
        return 2
    files = reference_files()
    there = {
        path.relative_to(ROOT).as_posix()
        for folder in ("words", "errors")
        for path in (ROOT / "docs" / folder).glob("*")
    }
    stale = [n for n, text in files.items() if not (ROOT / n).exists() or (ROOT / n).read_text("utf-8") != text]
    extra = sorted(there - set(files))
    if check:
        for name in [*stale, *extra]:
            sys.stderr.write(f"{name} is not what the tables give: run python -m geode.vocabulary.reference\n")
        return 1 if stale or extra else 0
    for name in stale:
        (ROOT / name).parent.mkdir(parents=True, exist_ok=True)
        (ROOT / name).write_text(files[name], "utf-8")
        sys.stdout.write(f"wrote {name}\n")
    for name in extra:
        (ROOT / name).unlink()
        sys.stdout.write(f"removed {name}\n")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
