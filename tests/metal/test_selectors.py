"""The host calls what Apple declares, and so does the emulator: classes, selectors and types against a list of Apple's own.

`gs_metal_selectors.h` is the one list from which host and emulator are made, so a name that is wrong there is wrong on both
sides and no run under the emulator shows it. The oracle is `apple_selectors.txt`.
"""

from __future__ import annotations

import re
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.harness.metal import emulator, needs_cxx
from tests.harness.native import ROOT

pytestmark = [pytest.mark.native, needs_cxx]
APPLE = Path(__file__).parent / "apple_selectors.txt"
FOLDERS = ("geode/runtime/gpu", "geode/emulator")
LIST = "geode/runtime/gpu/gs_metal_selectors.h"

# How a type is passed on a Mac with 64 bits.
TYPES = {
    "void": "void",
    "id": "void *",
    "BOOL": "signed char",
    "NSUInteger": "unsigned long",
    "MTLResourceOptions": "unsigned long",
    "MTLCommandBufferStatus": "unsigned long",
    "MTLMathMode": "long",
    "MTLSize": "struct gs_mtl_size",
    "NSError **": "void **",
    "const char *": "const char *",
    "const void *": "const void *",
    "void *": "void *",
}
Method = tuple[str, str, str, tuple[str, ...]]  # class, + or - and selector, result, parameters behind the selector


def apples() -> list[Method]:
    """The list's methods."""
    return [_declared(line) for line in APPLE.read_text(encoding="utf-8").splitlines() if re.match(r"[A-Z]", line)]


def _declared(line: str) -> Method:
    owner, sign, result, rest = re.fullmatch(r"(\w+) +([+-]) \(([^)]+)\)(.+)", line).groups()
    parts = re.findall(r"(\w+):\(([^)]+)\)\w+", rest)
    selector = "".join(f"{word}:" for word, _ in parts) or rest
    return owner, f"{sign}{selector}", _passed(result), tuple(_passed(type_) for _, type_ in parts)


def _passed(type_: str) -> str:
    return TYPES[type_] if type_ in TYPES else {True: "void *"}[re.fullmatch(r"(NS|MTL)\w+ \*", type_) is not None]


def _preprocessed(root: Path, file: str) -> str:
    """A file with the list in it and its macros expanded; other headers have no part in this and are left out."""
    text = re.sub(
        r'^#include (?!"\S*gs_metal_\w+\.h").*$', "", (root / file).read_text(encoding="utf-8"), flags=re.MULTILINE
    )
    command = ["cc", "-E", "-P", "-iquote", (root / file).parent, "-"]
    done = subprocess.run(command, input=text, capture_output=True, text=True, check=True)
    return re.sub(r"\s+", " ", done.stdout)


def emulators(root: Path = ROOT) -> dict[str, Method]:
    """What the emulator's table holds, by the function that answers."""
    text = _preprocessed(root, "geode/emulator/metal.cpp")
    entry = (
        r'class_named\("(\w+)"\)->(meta->)?methods\["([\w:]+)"\] = '
        r"reinterpret_cast<gs_function>\(static_cast<(.+?)>\(&(\w+)\)\);"
    )
    return {
        function: (owner, ("+" if meta else "-") + selector, *_type(type_))
        for owner, meta, selector, type_, function in re.findall(entry, text)
    }


def hosts(root: Path = ROOT) -> dict[str, tuple[str, str, tuple[str, ...]]]:
    """What the host calls, by its function: selector, result, parameters."""
    text = _preprocessed(root, "geode/runtime/gpu/gs_metal.c")
    call = (
        r'\b(mtl_\w+) ?\([^{};]*\) \{ void \*[^}]*?register_selector\("([\w:]+)"\); '
        r"(?:return )?\(\((.+?)\)gs_method\(self, selector\)\)"
    )
    return {function: (selector, *_type(type_)) for function, selector, type_ in re.findall(call, text)}


def _type(text: str) -> tuple[str, tuple[str, ...]]:
    """`result (*)(object, selector, …)` -> result, the rest."""
    result, parameters = re.fullmatch(r"(.+?) ?\( ?\*\) ?\((.*)\)", text).groups()
    object_, selector, *rest = (part.strip() for part in parameters.split(","))
    assert (object_, selector) == ("void *", "void *"), text
    return result.strip(), tuple(rest)


def differences(root: Path = ROOT) -> Iterator[str]:
    """Where host or emulator differ from Apple, or from one another."""
    here, there, table = set(apples()), hosts(root), emulators(root)
    for function, method in table.items():
        if method not in here:
            yield f"emulator: {function} is {method}, which Apple does not declare"
        if there.get(function) != (method[1][1:], *method[2:]):
            yield f"host: {function} calls {there.get(function)}, the emulator answers {method}"
    yield from (f"{method} is in no table" for method in here - set(table.values()))
    yield from (f"host: {function} is not in the emulator's table" for function in there.keys() - table.keys())


def test_host_and_emulator_have_what_apple_declares() -> None:
    """Every class, selector, result and parameter, and nothing beside them."""
    assert list(differences()) == []
    assert len(hosts()) == len(emulators()) == len(apples()) > 30


def test_functions_of_c_are_apples() -> None:
    """What the host looks up by name, in which library; the emulator exports the same."""
    lines = re.findall(r"^function (\w+) +(\w+)$", APPLE.read_text(encoding="utf-8"), re.MULTILINE)
    text = _preprocessed(ROOT, "geode/runtime/gpu/gs_metal.c")
    assert re.findall(r'void \*symbol = find\((\w+), "(\w+)", &missing\);', text) == lines
    symbols = subprocess.run(["nm", "-D", emulator()], capture_output=True, text=True, check=True).stdout.split()
    assert [name for _, name in lines if name not in symbols] == []


TYPOS = {
    "a letter": ("newBufferWithLength:options:", "newBufferWithLenght:options:"),
    "a colon": ('"setMathMode:"', '"setMathMode"'),
    "an argument's name": ("setBuffer:offset:atIndex:", "setBuffer:offset:index:"),
    "another class": ('"MTLLibrary", "newFunctionWithName:"', '"MTLDevice", "newFunctionWithName:"'),
    "a result": ('"hasUnifiedMemory", signed char', '"hasUnifiedMemory", int'),
    "a parameter": ("(void *, void *, long), (void *self, long mode)", "(void *, void *, int), (void *self, int mode)"),
    "a method of the class": ("GS_CLASS_METHOD(mtl_string", "GS_METHOD(mtl_string"),
}


@pytest.mark.parametrize("typo", TYPOS)
def test_a_typo_is_noticed(typo: str, tmp_path: Path) -> None:
    """In the one list, which host and emulator share."""
    for folder in FOLDERS:
        shutil.copytree(ROOT / folder, tmp_path / folder)
    old, new = TYPOS[typo]
    text = (tmp_path / LIST).read_text(encoding="utf-8")
    assert text.count(old) == 1
    (tmp_path / LIST).write_text(text.replace(old, new), encoding="utf-8")
    assert list(differences(tmp_path)) != []


def test_what_is_returned_to_be_released_follows_the_names() -> None:
    """Methods named new… and copy… return what is the caller's, others what the pool releases: the emulator counts by it."""
    text = (ROOT / "geode" / "emulator" / "metal.cpp").read_text(encoding="utf-8")
    owners = []
    for function, (_, selector, result, _) in emulators().items():
        if result != "void *" or function == "mtl_contents":
            continue
        body = re.search(rf"^void \*{function}\((?:.*\}}$|[\s\S]*?^\}}$)", text, re.MULTILINE)
        assert body, function
        pooled = set(re.findall(r"(autoreleased\()?make<", body.group()))
        owned = re.match(r"[+-](new|copy)", selector) is not None
        assert pooled <= {"" if owned else "autoreleased("}, function
        owners += [function] * (owned and pooled == {""})
    assert len(owners) == 6
