"""The mutants can be made: each changes one line that is there, and a run tells a harmless change from a wrong one."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.mutants.__main__ import main
from tests.mutants.mutant import ROOT, Mutant, MutantError
from tests.mutants.table import MUTANTS
from tests.mutants.try_mutant import copy_repository, try_mutant

TESTS = ("tests/runtime/test_runtime.py", "-k", "ranks_run_from and gcc")


@pytest.mark.parametrize("mutant", MUTANTS, ids=lambda m: m.what.replace(" ", "-"))
def test_the_line_is_there(mutant: Mutant) -> None:
    """Once, so that the mutant is what its description says; its tests are files of the repository."""
    before = (ROOT / "geode" / "runtime" / mutant.file).read_text(encoding="utf-8").splitlines()
    after = mutant.changed(ROOT).splitlines()
    assert sum(a != b for a, b in zip(before, after, strict=True)) == 1
    assert all((ROOT / name).is_file() for name in mutant.tests if name.endswith(".py"))


def test_descriptions_tell_the_mutants_apart() -> None:
    """There are at least 25, and each has a name of its own."""
    assert len({mutant.what for mutant in MUTANTS}) == len(MUTANTS) >= 25


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--jobs", "0"], "argument --jobs: wanted an integer at least 1, not '0'"),
        (["--jobs", "x"], "argument --jobs: wanted an integer at least 1, not 'x'"),
        (["no such", "mutant"], "no mutant's description holds 'no such' or 'mutant'; --list shows them all"),
    ],
)
def test_a_wrong_call_is_told(capsys: pytest.CaptureFixture[str], arguments: list[str], message: str) -> None:
    """Before anything is tried, with the status of a usage error."""
    with pytest.raises(SystemExit) as caught:
        main(arguments)
    assert caught.value.code == 2
    assert message in capsys.readouterr().err


def test_a_line_that_is_gone_is_told() -> None:
    """The error names the mutant, the file and the line."""
    gone = Mutant("nothing", "gs_shaping.c", "no such line", "x", TESTS)
    with pytest.raises(MutantError, match=r"nothing: `no such line` stands 0 times in geode/runtime/gs_shaping\.c"):
        gone.changed(ROOT)


@pytest.mark.slow
@pytest.mark.native
def test_a_run_tells_wrong_from_harmless(tmp_path: Path) -> None:
    """A wrong rank is noticed, another order of a sum's operands is not, and what does not compile is an error."""
    copy = copy_repository(tmp_path)
    old = "0.5 * (double)(first + last) / (double)(n - 1)"
    wrong = Mutant("wrong", "gs_shaping.c", old, old.replace("0.5", "0.25"), TESTS)
    harmless = Mutant("harmless", "gs_shaping.c", old, old.replace("first + last", "last + first"), TESTS)
    broken = Mutant("broken", "gs_shaping.c", old, "nothing", TESTS)
    killer = try_mutant(wrong, copy).killed_by
    assert killer is not None
    assert "test_ranks_run_from_minus_half_to_half" in killer
    assert try_mutant(harmless, copy).killed_by is None
    with pytest.raises(MutantError, match="broken: the mutant does not compile"):
        try_mutant(broken, copy)
