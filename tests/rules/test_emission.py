"""A program's text is remembered as long as source, CONSTANTs and compiler are the same."""

from __future__ import annotations

from pathlib import Path

import pytest

from rules.action import digest
from rules.cache import Cache
from rules.emission import Text, program_text
from rules.gs_inputs import ABSENT, included_files

from .conftest import tiny_text


class Front:
    """A front end that counts its calls, with a compiler's files of its own."""

    def __init__(self, root: Path) -> None:
        self.calls = 0
        self.clean = True
        self.included: dict[str, str] | None = {}
        self.package = root / "geode"
        for name in (
            "pipeline.py",
            "emit/loops_to_c.py",
            "emit/templates/unit.c.j2",
            "streams/normal-1.json",
            "runtime/x.py",
        ):
            path = self.package / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(name)
        self.cache = Cache(root / "store", pytest.fail)

    def __call__(self) -> tuple[Text, bool]:
        """The text of the tiny program, and whether it may be remembered."""
        self.calls += 1
        return tiny_text(), self.clean

    def get(self, source: bytes = b": MAIN ;", name: str = "tiny", **defines: str) -> tuple[Text, bool]:
        """The text for `source`."""
        found = program_text(
            name,
            source,
            defines,
            included=self.included,
            package=self.package,
            cache=self.cache,
            compile_source=self,
        )
        assert found.kept == (self.clean and self.included is not None)
        return found.text, found.ran


@pytest.fixture
def front(tmp_path: Path) -> Front:
    """A front end with an empty cache, that has compiled one program once."""
    front = Front(tmp_path)
    assert front.get() == (tiny_text(), True)
    return front


def test_same_source_is_not_compiled_again(front: Front) -> None:
    """The remembered text is the emitted one."""
    assert front.get() == (tiny_text(), False)
    assert front.calls == 1


def test_another_source_name_or_constant_is_compiled(front: Front) -> None:
    """Each of them is in the key."""
    assert front.get(b": MAIN  ;")[1]
    assert front.get(name="other")[1]
    assert front.get(HIDDEN="8")[1]
    assert front.get(HIDDEN="9")[1]
    assert not front.get(HIDDEN="8")[1]


@pytest.mark.parametrize(
    "name", ["pipeline.py", "emit/loops_to_c.py", "emit/templates/unit.c.j2", "streams/normal-1.json"]
)
def test_every_file_of_the_compiler_is_in_the_key(front: Front, name: str) -> None:
    """An edit of a module, template or table compiles again."""
    (front.package / name).write_text("edited")
    assert front.get()[1]


def test_runtime_is_not_in_the_key(front: Front) -> None:
    """What emission never reads doesn't matter to it."""
    (front.package / "runtime" / "x.py").write_text("edited")
    assert not front.get()[1]


def test_program_that_warns_is_compiled_each_time(front: Front) -> None:
    """So that the warning is shown each time."""
    front.clean = False
    assert front.get(b"warns")[1]
    assert front.get(b"warns")[1]


def test_included_files_are_in_the_key(front: Front) -> None:
    """Each by name and digest; where they can't be told, the program is compiled each time."""
    for included, runs in [
        ({"lib.gs": "1"}, True),
        ({"lib.gs": "1"}, False),
        ({"lib.gs": "2"}, True),
        ({"../lib.gs": "2"}, True),
        ({}, False),
        (None, True),
        (None, True),
    ]:
        front.included = included
        assert front.get()[1] == runs


def test_included_files_are_found_in_the_text(tmp_path: Path) -> None:
    """Files of files, each once, from the main file's folder; in a comment, too; the bundled library is the compiler's."""
    (tmp_path / "lib").mkdir()
    main = b'INCLUDE "lib/a.gs"\nINCLUDE\t<nn> \\ INCLUDE "old.gs"\nINCLUDE "we\\"ird.gs" NOINCLUDE INCLUDED'
    (tmp_path / "lib" / "a.gs").write_bytes(b'INCLUDE "b.gs" INCLUDE "../main.gs"')
    (tmp_path / "lib" / "b.gs").write_bytes(b'INCLUDE "a.gs"')
    (tmp_path / "main.gs").write_bytes(main)
    found = included_files(str(tmp_path / "main.gs"), main)
    texts = {name: digest((tmp_path / name).read_bytes()) for name in ("lib/a.gs", "lib/b.gs", "main.gs")}
    assert found == {**texts, "old.gs": ABSENT, 'we"ird.gs': ABSENT}


@pytest.mark.parametrize("text", [b"INCLUDE", b'INCLUDE ( x ) "a.gs"', b'INCLUDE "a.gs', b'INCLUDE "\xff"'])
def test_doubt_about_an_include_is_told(tmp_path: Path, text: bytes) -> None:
    """An INCLUDE whose name does not stand right behind it gives no answer."""
    assert included_files(str(tmp_path / "main.gs"), text) is None
