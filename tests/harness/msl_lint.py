"""MSL text -> what Apple's compiler would refuse of it, as far as that shows without it.

In: the text of kernels. Out: complaints, none for a text that passes. Two gates: clang's front end for C++ for OpenCL, the
nearest relative of Metal's language, with a header that declares no more than kernels may use; and rules on the text for
what no clang knows (attributes, indices, names, recursion). Invariant: nothing is compiled to code and nothing is run.
"""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path

LINT = Path(__file__).resolve().parents[1] / "metal" / "lint"
_CLANG = (
    *("clang", "-x", "clcpp", "-cl-std=clc++2021", "-target", "spir64-unknown-unknown", "-cl-no-stdinc"),
    "-Xclang",
    "-cl-ext=-all,+cl_khr_fp16,+__cl_clang_non_portable_kernel_param_types,+__opencl_c_generic_address_space",
    *("-cl-single-precision-constant", "-fsyntax-only", "-Werror", "-Wall", "-Wextra"),
    *("-Wno-unknown-attributes", "-Wno-unknown-pragmas", "-Wno-unused-function", "-Wno-unused-parameter"),
    *("-Wno-unused-const-variable", "-Wno-pedantic", "-isystem", str(LINT), "-"),
)
_BUFFERS = 31
_GRID = {
    "thread_position_in_grid",
    "thread_position_in_threadgroup",
    "threadgroup_position_in_grid",
    "threads_per_threadgroup",
    "threadgroups_per_grid",
}
_INDEX = {"thread_index_in_threadgroup", "thread_index_in_simdgroup", "simdgroup_index_in_threadgroup"}
_KEYWORDS = {
    *("vertex", "fragment", "kernel", "device", "constant", "threadgroup", "thread", "half", "sampler", "texture"),
    *("visible", "object", "mesh", "stitchable", "intersection", "ray_data"),
}
_WORDS = ("goto", "double", "static", "virtual", "new", "delete", "try", "throw", "catch", "mem_none")
_SIZES = {
    **dict.fromkeys(("bool", "char", "uchar"), 1),
    **dict.fromkeys(("short", "ushort", "half"), 2),
    **dict.fromkeys(("float", "uint", "int"), 4),
    **dict.fromkeys(("ulong", "long"), 8),
}
_SHARED_BYTES = 32768


def has_clang() -> bool:
    """Whether the first gate is there; without it a caller must say so."""
    return shutil.which("clang") is not None


def front_end(text: str) -> list[str]:
    """The errors of clang's front end."""
    done = subprocess.run(_CLANG, input=text, capture_output=True, text=True, check=False)
    found = [line for line in done.stderr.splitlines() if "error:" in line]
    assert bool(found) == (done.returncode != 0), done.stderr
    return found


def text_rules(text: str) -> list[str]:
    """What the rules on the text find."""
    bare = _without_comments(text)
    found = [f"`{word}` is no part of Metal's language, or not to be used" for word in _WORDS if _has(bare, word)]
    if re.search(r"\bstd::", bare):
        found.append("there is no std")
    if re.search(r"(?<![\w\])])\s*\[[&=]?\]\s*\(", bare):
        found.append("a lambda")
    names = re.findall(r"\b(?:uint|int|float|half|bool|ulong|long)\d?\s+(\w+)\s*[=;\[,)]", bare)
    found += [f"`{name}` is a keyword" for name in names if name in _KEYWORDS]
    for match in re.finditer(r"\bkernel\s+(\w+)\s+(\w+)\s*\(", bare):
        end = _closing(bare, match.end() - 1)
        found += [f"{match.group(2)}: {item}" for item in _kernel(match.group(1), bare[match.end() : end])]
    return found + _pointers(bare) + _calls(bare) + _shared(bare)


def _has(text: str, word: str) -> bool:
    return re.search(rf"\b{word}\b", text) is not None


def _without_comments(text: str) -> str:
    return re.sub(r"//[^\n]*|/\*.*?\*/", " ", text, flags=re.DOTALL)


def _closing(text: str, at: int) -> int:
    """Where the bracket at `at` is closed."""
    depth = 0
    for place in range(at, len(text)):
        depth += {"(": 1, "{": 1, ")": -1, "}": -1}.get(text[place], 0)
        if depth == 0:
            return place
    return len(text)


def _kernel(result: str, parameters: str) -> list[str]:
    found = [] if result == "void" else ["a kernel returns nothing"]
    seen: set[int] = set()
    widths: set[str] = set()
    for parameter in re.split(r",(?![^()]*\))", parameters):
        attribute = re.search(r"\[\[\s*(\w+)(?:\((\d+)\))?\s*\]\]", parameter)
        if attribute is None:
            found.append(f"`{parameter.strip()}` has no attribute")
            continue
        name, kind = attribute.group(1), parameter[: attribute.start()].strip()
        if name == "buffer":
            found += _buffer(int(attribute.group(2) or -1), kind, seen)
        elif name in _GRID or name in _INDEX:
            width = re.match(r"(?:uint|ushort)([23]?)\b", kind)
            if width is None:
                found.append(f"`{kind}` is no type of {name}")
            elif name in _GRID:
                widths.add(width.group(1))
        else:
            found.append(f"there is no attribute {name}")
    return found + (["places in the grid have different widths"] if len(widths) > 1 else [])


def _buffer(index: int, kind: str, seen: set[int]) -> list[str]:
    found = []
    if not 0 <= index < _BUFFERS:
        found.append(f"buffer {index} is out of bounds")
    if index in seen:
        found.append(f"buffer {index} stands twice")
    seen.add(index)
    if not re.match(r"(?:device|constant)\b", kind) or not re.search(r"[*&]", kind):
        found.append(f"`{kind}` is no device or constant pointer or reference")
    if kind.count("*") > 1:
        found.append(f"`{kind}` points to pointers")
    return found


def _pointers(text: str) -> list[str]:
    """A pointer says where it points; the front end would take it for one to anywhere."""
    types = r"(?:float|half|int|uint|long|ulong|bool|(?:struct\s+)?gs_\w+|struct\s+\w+|[A-Z]\w*)\d?"
    pattern = rf"(?:^|[(,;{{}}])\s*((?:const\s+)?{types}\s*\*)\s*(?:const\s+)?\w+\s*[=,;)\[]"
    return [f"`{match.group(1)}` has no address space" for match in re.finditer(pattern, text, re.MULTILINE)]


def _calls(text: str) -> list[str]:
    """A function calls only functions that stand before it, never itself."""
    heads = [
        (match.group(1), match.end() - 1)
        for match in re.finditer(r"\b([A-Za-z_]\w*)\s*\([^;{}()]*(?:\([^()]*\)[^;{}()]*)*\)\s*\{", text)
        if match.group(1) not in {"if", "for", "while", "switch"}
    ]
    first: dict[str, int] = {}
    for name, place in heads:
        first.setdefault(name, place)
    found = []
    for name, place in heads:
        body = text[place : _closing(text, place)]
        calls = set(re.findall(r"\b([A-Za-z_]\w*)\s*\(", body)) & first.keys()
        found += [
            f"{name} calls {called}, which does not stand before it"
            for called in sorted(calls)
            if first[called] >= place
        ]
    return found


def _shared(text: str) -> list[str]:
    """What the threadgroup variables of each kernel take together."""
    named = dict(re.findall(r"^[ \t]*#define[ \t]+(\w+)[ \t]+(\S+)[ \t]*$", text, re.MULTILINE))
    named |= dict(re.findall(r"\bconstant\s+(?:uint|int)\s+(\w+)\s*=\s*([^;]+);", text))
    found = []
    for match in re.finditer(r"\bkernel\s+\w+\s+(\w+)\s*\(", text):
        start = text.find("{", _closing(text, match.end() - 1))
        body = text[start : _closing(text, start)]
        total = 0
        for kind, declared in re.findall(r"\bthreadgroup\s+(\w+)\s+(\w[^;]*);", body):
            if re.match(r"[\w\s]*[*&]", declared):
                continue  # a pointer or a reference, which takes none
            for item in declared.split(","):
                size = _bytes(kind, re.findall(r"\[([^\]]*)\]", item), named)
                if size is None:
                    found.append(f"{match.group(1)}: the size of `threadgroup {kind} {item.strip()}` is not known")
                else:
                    total = (total + 15) // 16 * 16 + size
        if total > _SHARED_BYTES:
            found.append(f"{match.group(1)}: {total} bytes of threadgroup memory, more than {_SHARED_BYTES}")
    return found


def _bytes(kind: str, dimensions: list[str], named: dict[str, str]) -> int | None:
    """The bytes of an array of scalars or vectors; None where that is more than names and arithmetic tell."""
    scalar, width = re.fullmatch(r"(.*?)([234]?)", kind).groups()  # type: ignore[union-attr]
    if scalar not in _SIZES:
        return None
    size = _SIZES[scalar] * {"": 1, "2": 2, "3": 4, "4": 4}[width]
    for dimension in dimensions:
        count = _count(dimension, named)
        if count is None:
            return None
        size *= count
    return size


def _count(dimension: str, named: dict[str, str], depth: int = 8) -> int | None:
    """A constant of numbers, names that stand for such, and + - * / ( )."""
    plain = re.sub(r"\b(0[xX][0-9a-fA-F]+|\d+)[uUlL]*\b", r"\1", dimension)
    for name in set(re.findall(r"\b[A-Za-z_]\w*", plain)):
        value = _count(named[name], named, depth - 1) if name in named and depth > 0 else None
        if value is None:
            return None
        plain = re.sub(rf"\b{name}\b", str(value), plain)
    if not re.fullmatch(r"[\s\dxXa-fA-F+*/()-]+", plain):
        return None
    try:
        return int(eval(plain.replace("/", "//"), {"__builtins__": {}}))  # noqa: S307 -- numbers and arithmetic alone
    except (SyntaxError, ZeroDivisionError):
        return None
