"""The maps in the documents name what is there, and all of it."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from geode.pipeline import FORMS
from rules.analyse import RULES

ROOT = Path(__file__).resolve().parents[2]
DOCUMENTS = sorted(path.relative_to(ROOT).as_posix() for path in (*ROOT.glob("*.md"), *ROOT.glob("*/README.md")))


def quoted(document: str) -> list[str]:
    """What stands between backquotes in a document, outside code blocks."""
    text = re.sub(r"```.*?```", "", (ROOT / document).read_text(encoding="utf-8"), flags=re.DOTALL)
    return re.findall(r"`([^`\n]+)`", text)


def packages() -> list[str]:
    """The folders of the compiler, the runtime's own among them."""
    return sorted(path.name for path in (ROOT / "geode").iterdir() if path.is_dir() and path.name != "__pycache__")


@pytest.mark.parametrize("document", ["ARCHITECTURE.md", "CONTRIBUTING.md"])
def test_every_path_that_is_named_exists(document: str) -> None:
    """A quoted path with a slash, from the root of the repository, is a file or folder."""
    paths = [name for name in quoted(document) if re.fullmatch(r"[\w./-]+/[\w.-]*", name) and not name.startswith("./")]
    assert len(paths) > 5
    assert [
        path for path in paths if not (ROOT / path).exists() and not path.startswith(".venv") and "NAME" not in path
    ] == []


@pytest.mark.parametrize("document", DOCUMENTS)
def test_every_link_leads_somewhere(document: str) -> None:
    """A relative link points at a file."""
    text = (ROOT / document).read_text(encoding="utf-8")
    links = [link for link in re.findall(r"\]\(([^)#]+)\)", text) if "://" not in link]
    assert [link for link in links if not (ROOT / document).parent.joinpath(link).exists()] == []


def test_architecture_names_every_package() -> None:
    """Each folder of geode/ has its place in the walk."""
    text = (ROOT / "ARCHITECTURE.md").read_text(encoding="utf-8")
    assert [name for name in packages() if f"`geode/{name}/" not in text] == []


def test_pipeline_table_is_the_pipelines() -> None:
    """The table in geode/README.md has the rows of geode/pipeline.py, in order."""
    rows = []
    for form in FORMS:
        emitted = f"`{form.emit}`" if form.emit else "-"
        cells = (form.name, f"`{form.file}`", form.made_by, form.printed_by, form.checked_by, emitted)
        rows.append(f"| {' | '.join(cells)} |")
    text = (ROOT / "geode" / "README.md").read_text(encoding="utf-8")
    assert "\n".join(rows) in text


def test_pipeline_names_modules_that_exist() -> None:
    """`made by`, `printed by` and `checked by` are modules of geode/ where they look like one."""
    named = [name for form in FORMS for name in (form.made_by, form.printed_by, form.checked_by) if "/" in name]
    assert len(named) >= 8
    assert [name for name in named if not (ROOT / "geode" / f"{name}.py").exists()] == []


def test_geode_readme_names_every_folder() -> None:
    """The second table of geode/README.md is the listing."""
    text = (ROOT / "geode" / "README.md").read_text(encoding="utf-8")
    assert sorted(re.findall(r"^\| `(\w+)/` \|", text, re.MULTILINE)) == packages()


def test_rules_readme_names_every_module() -> None:
    """The table of rules/README.md is the listing."""
    text = (ROOT / "rules" / "README.md").read_text(encoding="utf-8")
    modules = sorted(path.name for path in (ROOT / "rules").glob("*.py") if path.name != "__init__.py")
    assert sorted(re.findall(r"^\| `(\w+\.py)` \|", text, re.MULTILINE)) == modules


def test_tests_readme_names_every_folder() -> None:
    """The table of tests/README.md is the listing, the test data aside."""
    text = (ROOT / "tests" / "README.md").read_text(encoding="utf-8")
    folders = {path.name for path in (ROOT / "tests").iterdir() if path.is_dir()} - {"__pycache__", "data"}
    assert set(re.findall(r"^\| `(\w+)/` \|", text, re.MULTILINE)) == folders


def test_toolchain_readme_names_every_field() -> None:
    """Each field of a compiler's file is explained."""
    text = (ROOT / "toolchains" / "README.md").read_text(encoding="utf-8")
    fields = re.findall(r"^(\w+):", (ROOT / "toolchains" / "gcc.yaml").read_text(encoding="utf-8"), re.MULTILINE)
    assert [field for field in fields if f"`{field}`" not in text] == []


def test_rules_readme_tells_every_attribute() -> None:
    """The tables of attributes are those of the rules: name, type, what it means."""
    text = (ROOT / "rules" / "README.md").read_text(encoding="utf-8")
    for rule in RULES.values():
        section = text.partition(f"\n### {rule.name}\n")[2].partition("\n#")[0]
        assert rule.doc.partition(":")[0] in section
        rows = re.findall(r"^\| `(\w+)` \| (\w+) \| .*?\| (.*) \|$", section, re.MULTILINE)
        assert rows == [(name, attribute.kind, attribute.doc) for name, attribute in rule.attributes.items()]
