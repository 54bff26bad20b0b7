"""What stops a build, and what a build leaves behind."""

from __future__ import annotations

import dataclasses
import shlex
import signal
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from rules.c_inputs import Inputs
from rules.disassemble import disassemble
from rules.errors import BuildError
from rules.lock import locked
from rules.progress import show_compiles
from rules.text_to_binary import build_program
from rules.tool import Tool

from .conftest import COMPILERS, ROOT, Workshop, ran, replace_unit, tiny_text

pytestmark = pytest.mark.native


def test_text_that_the_compiler_refuses_is_an_error_with_its_message(workshop: Workshop) -> None:
    """A warning in emitted text stops the build, shows the compiler's words, leaves no binary and nothing cached."""
    bad = replace_unit(tiny_text(), "A", "return x + 1", "int unused;\n    return x + 1")
    for _ in range(2):
        with pytest.raises(BuildError, match="fault of Geode") as caught:
            workshop.build(bad)
        assert "unused" in caught.value.message
        assert not (workshop.root / "build" / "out" / "program").exists()
    assert ran(workshop.build(tiny_text()))


def test_what_was_compiled_before_a_failure_is_kept(workshop: Workshop, monkeypatch: pytest.MonkeyPatch) -> None:
    """One compile after the other, the largest first; the second is refused: the first need not run again, the second
    must."""
    monkeypatch.setattr("rules.ninja._cores", lambda: 1)
    text = replace_unit(tiny_text(), "A", "#include", f"/* {1000 * '-'} */\n#include")
    with pytest.raises(BuildError, match="fault of Geode"):
        workshop.build(replace_unit(text, "B", "+ 10", "+ nothing"))
    again = ran(workshop.build(text))
    assert "compile c/unit_a" not in again
    assert "compile c/unit_b" in again


def test_interrupted_build_keeps_what_it_compiled(workshop: Workshop, monkeypatch: pytest.MonkeyPatch) -> None:
    """A Ctrl-C while ninja runs, after all objects but before they are kept: only the link is left to do."""
    real = subprocess.Popen.communicate

    def interrupted(process: subprocess.Popen[str], **_: object) -> object:
        real(process)
        raise KeyboardInterrupt

    workshop.tool()
    with monkeypatch.context() as patch:
        patch.setattr(subprocess.Popen, "communicate", interrupted)
        with pytest.raises(KeyboardInterrupt):
            workshop.build(tiny_text())
    assert ran(workshop.build(tiny_text())) == {"link"}
    assert workshop.warnings == []


def slow_compiler(workshop: Workshop, script: str) -> Tool:
    """The workshop's tool with a shell script in the compiler's place, `$@` its arguments and `real` the compiler."""
    tool = workshop.tool()
    path = workshop.root / "cc"
    path.write_text(f'#!/bin/sh\nreal() {{ {shlex.join(tool.command)} "$@"; }}\n{script}\n')
    path.chmod(0o755)
    return dataclasses.replace(tool, command=(str(path),))


@pytest.mark.parametrize(
    ("script", "message", "status"),
    [
        ("kill -INT $$", "interrupted: what was compiled until then is kept", 130),
        ("kill -KILL $$", "was killed; did memory run out?", 1),
    ],
)
def test_compiler_that_a_signal_ends_is_not_blamed(
    workshop: Workshop, script: str, message: str, status: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A Ctrl-C that this process was started to ignore, as in a shell's background; and what a full memory brings."""
    tool = slow_compiler(workshop, script)
    monkeypatch.setattr(workshop, "tool", lambda: tool)
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        with pytest.raises(BuildError) as caught:
            workshop.build(tiny_text())
    finally:
        signal.signal(signal.SIGINT, before)
    assert message in caught.value.message
    assert "fault of Geode" not in caught.value.message
    assert caught.value.status == status


def test_progress_counts_compiled_files(workshop: Workshop) -> None:
    """All of the missing files from the first look on, and never fewer than before."""
    seen: list[tuple[int, int]] = []
    text = tiny_text()
    build_program(
        text,
        slow_compiler(workshop, 'sleep 0.3\nreal "$@"'),
        folder=workshop.root / "build",
        runtime=workshop.runtime,
        template=ROOT / "build.ninja.in",
        cache=workshop.cache,
        watch=lambda done, total: seen.append((done, total)),
    )
    assert {total for _, total in seen} == {6}
    counts = [done for done, _ in seen]
    assert counts == sorted(counts)
    assert counts[-1] > counts[0] == 0


@pytest.mark.parametrize("terminal", [False, True])
def test_progress_is_a_line_where_no_bar_can_be(
    terminal: bool, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Once, after two seconds, in a pipe; on a terminal a bar, after half a second."""
    clock = [0.0]
    monkeypatch.setattr("rules.progress.time.monotonic", lambda: clock[0])
    monkeypatch.setattr(sys.stderr, "isatty", lambda: terminal)
    monkeypatch.setenv("TERM", "xterm")
    shown: list[str] = []
    with show_compiles() as watch:
        for clock[0] in (0.1, 1.0, 2.5, 3.0):
            watch(int(clock[0]), 61)
            shown.append(capsys.readouterr().err)
    assert shown[0] == ""
    if terminal:
        assert "compiling" in shown[1]
        assert "1/61" in shown[1]
    else:
        assert shown[1:] == ["", "geode: compiling 61 files\n", ""]


def test_input_that_no_quoted_include_names_is_refused(workshop: Workshop) -> None:
    """A file pulled in behind the key's back fails the action, by name."""
    (workshop.runtime / "hidden.h").write_text("#define HIDDEN 1\n")
    sly = replace_unit(
        tiny_text(), "A", '#include "gs_shape.h"', '#include "gs_shape.h"\n#define F "hidden.h"\n#include F'
    )
    with pytest.raises(BuildError, match=r"c/unit_a\.c reads .*hidden\.h, which is not declared"):
        workshop.build(sly)


def test_closure_follows_includes_of_includes(workshop: Workshop, tmp_path: Path) -> None:
    """Headers beside the includer, in the runtime, in its folders, each once, also in a circle."""
    (workshop.runtime / "kernels").mkdir()
    (workshop.runtime / "kernels" / "a.h").write_text('#include "b.h"\n  #  include "gs_shape.h"\n#include <stdio.h>\n')
    (workshop.runtime / "kernels" / "b.h").write_text('#include "a.h"\n#include "../gs_main.c"\n')
    folder = tmp_path / "out"
    (folder / "c").mkdir(parents=True)
    (folder / "c" / "x.c").write_text('#include "kernels/a.h"\n// #include "no.h"\n')
    closure = Inputs(folder, workshop.runtime).closure("c/x.c")
    assert set(closure) == {
        "c/x.c",
        "runtime/gs_main.c",
        "runtime/gs_shape.h",
        "runtime/kernels/a.h",
        "runtime/kernels/b.h",
    }


def test_action_sees_no_environment_but_path_and_tmpdir(workshop: Workshop, monkeypatch: pytest.MonkeyPatch) -> None:
    """Variables that change what a compiler does don't reach it."""
    monkeypatch.setenv("CPATH", "/nonexistent")
    monkeypatch.setenv("GCC_EXEC_PREFIX", "/nonexistent/")
    monkeypatch.setenv("CCC_OVERRIDE_OPTIONS", "+-DBROKEN +-fsyntax-only")
    assert workshop.build(tiny_text()).program.exists()


def test_folder_that_cannot_be_written_is_an_error(workshop: Workshop) -> None:
    """A file where the output folder should be: its name and the system's reason."""
    (workshop.root / "build").write_text("in the way")
    with pytest.raises(BuildError, match=r"cannot build in .*build"):
        workshop.build(tiny_text())


def test_damaged_cache_entries_are_built_again(workshop: Workshop) -> None:
    """With every blob spoilt and the outputs gone, the build warns, runs what it must and gives the same bytes."""
    first = workshop.build(tiny_text())
    before = first.program.read_bytes()
    for path in (workshop.cache.root / "cas").rglob("*"):
        if path.is_file():
            path.chmod(0o644)
            path.write_bytes(b"spoilt")
    for path in (*(workshop.root / "build" / "o").rglob("*.o"), first.program):
        path.unlink()
    again = workshop.build(tiny_text())
    assert again.program.read_bytes() == before
    assert any("damaged" in line for line in workshop.warnings)
    assert ran(workshop.build(tiny_text())) == set()


def test_outputs_are_copies_and_the_program_can_run(workshop: Workshop) -> None:
    """No output shares its bytes on disk with the store; the restored binary is executable."""
    result = workshop.build(tiny_text())
    result.program.unlink()
    result = workshop.build(tiny_text())
    for path in (result.program, *result.unit_objects):
        assert path.stat().st_nlink == 1
        assert not path.is_symlink()
    assert subprocess.run([result.program], capture_output=True, check=True).stdout == b"20\n"


def test_second_build_in_a_folder_waits_and_says_for_whom(workshop: Workshop) -> None:
    """While the folder's lock is held, a build waits; its message names the process that holds it."""
    folder = workshop.root / "build"
    folder.mkdir()
    said = threading.Event()

    def say(line: str) -> None:
        workshop.warnings.append(line)
        said.set()

    workshop.cache = dataclasses.replace(workshop.cache, warn=say)
    done: list[Path] = []
    worker = threading.Thread(target=lambda: done.append(workshop.build(tiny_text()).program))
    with locked(folder, pytest.fail):
        worker.start()
        assert said.wait(10)
        assert done == []
    worker.join(30)
    assert [path.exists() for path in done] == [True]
    assert "waiting for the build in" in workshop.warnings[0]
    assert "process " in workshop.warnings[0]


@pytest.mark.parametrize("compiler", COMPILERS)
def test_disassembly_has_symbol_labels_and_no_paths(tmp_path: Path, compiler: str) -> None:
    """Each unit's function stands under its own label."""
    shop = Workshop(tmp_path / "work", compiler)
    result = shop.build(tiny_text())
    text = disassemble(shop.tool(), result.unit_objects[1])
    assert "<unit_b>:" in text
    assert "gs_twice" in text
    assert str(tmp_path) not in text
