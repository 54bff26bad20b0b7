"""The emulator of Metal -> a shared library, compiled once for each compiler and version of its text.

In: nothing but the folder geode/emulator/ and a C++ compiler. Out: the path of the library. Invariant: the name holds a
digest of the sources, of the list of methods that host and emulator share, and of the compiler's version.
"""

from __future__ import annotations

import platform
import shutil
import subprocess
from pathlib import Path
from tempfile import NamedTemporaryFile

from rules.action import digest
from rules.cache import open_cache
from rules.errors import BuildError

FOLDER = Path(__file__).resolve().parent.parent / "geode" / "emulator"
SHARED = FOLDER.parent / "runtime" / "gpu" / "gs_metal_selectors.h"
VARIABLE = "GEODE_METAL_EMULATOR"  # where a program for Apple GPUs finds it
_FLAGS = ("-std=c++17", "-O2", "-Wall", "-Wextra", "-Werror", "-fPIC", "-shared")


def cxx_compiler() -> str:
    """The C++ compiler. Raises BuildError if there is none."""
    found = next((path for name in ("clang++", "g++", "c++") if (path := shutil.which(name))), None)
    if found is None:
        raise BuildError("the emulator needs a C++ compiler: looked for clang++, g++, c++\nhelp: apt-get install g++")
    return found


def emulator_library(root: Path | None = None) -> Path:
    """The library below `root` (the cache's folder), compiled if it is not there. Raises BuildError if it can't be."""
    found = cxx_compiler()
    version = subprocess.run([found, "--version"], capture_output=True, text=True, check=False).stdout
    sources = sorted(FOLDER.glob("*.cpp"))
    texts = [path.read_bytes() for path in (*sorted(FOLDER.iterdir()), SHARED) if path.is_file()]
    key = digest("".join([version, str(FOLDER), platform.machine(), *map(digest, texts)]).encode())
    library = (root or open_cache(Path("build/.cache"), _silent).root) / "emulator" / f"{key[:24]}.so"
    if not library.is_file():
        _compile(found, sources, library)
    return library


def _compile(compiler: str, sources: list[Path], library: Path) -> None:
    tune = "-march=native" if platform.machine() in {"x86_64", "AMD64"} else "-mcpu=native"
    folder = str(FOLDER).replace("\\", r"\\").replace('"', r"\"")  # as a string of C
    macros = (f'-DGEODE_EMULATOR_FOLDER="{folder}"', f'-DGEODE_EMULATOR_TUNE="{tune}"')
    try:
        library.parent.mkdir(parents=True, exist_ok=True)
        with NamedTemporaryFile(dir=library.parent, suffix=".so", delete=False) as file:
            unfinished = Path(file.name)
    except OSError as error:
        raise BuildError(f"cannot write {library}: {error.strerror}") from None
    command = [compiler, *_FLAGS, *macros, *map(str, sources), "-o", str(unfinished), "-ldl", "-lpthread"]
    try:
        done = subprocess.run(command, capture_output=True, text=True, check=False)
    except BaseException:  # a Ctrl-C
        unfinished.unlink(missing_ok=True)
        raise
    if done.returncode != 0:
        unfinished.unlink(missing_ok=True)
        raise BuildError(f"{compiler} refused the emulator, which is a fault of Geode\n{done.stderr}")
    unfinished.replace(library)


def _silent(_: str) -> None:
    """What is wrong with the cache, the build tells."""
