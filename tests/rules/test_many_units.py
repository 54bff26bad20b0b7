"""A program of 2 000 units that is built: finding out that there is nothing to do takes a second and a half at most."""

from __future__ import annotations

import resource
from collections.abc import Sequence
from pathlib import Path

import pytest

from rules.ninja import Edge
from rules.source_to_binary import build_source
from tests.harness.native import Finished, geode

UNITS = 2000
GROUP = 40  # words that one word calls
LIMIT = 1.5  # seconds of work


def program() -> str:
    """A chain of layers, no two alike, so that each is a unit."""
    layers = [f": L{k} ( r:4 -- r:4 ) 4 LINEAR INIT-HE TRAINABLE {0.5 + k * 1e-4:.4f} * ;" for k in range(UNITS)]
    calls = [" ".join(f"L{k}" for k in range(first, first + GROUP)) for first in range(0, UNITS, GROUP)]
    groups = [f": G{number} ( r:4 -- r:4 ) {words} ;" for number, words in enumerate(calls)]
    chain = " ".join(f"G{number}" for number in range(len(calls)))
    return "\n".join(
        [
            "TARGET-CPU",
            *layers,
            *groups,
            f": OBJECTIVE ( r:4 -- r ) {chain} SUM ;",
            ": MAIN ( -- ) OBJECTIVE-LOSS 1 EPOCHS 1 SEED SGD-UPDATES 2 POPULATION 0.1 ES-GAUSSIAN .METRICS",
            '  "d.csv" 4 CSV-INPUT ALL [\'] OBJECTIVE TRAIN ;\n',
        ]
    )


def pretend(
    _template: Path,
    folder: Path,
    _commands: object,
    *,
    edges: Sequence[Edge],
    objects: Sequence[str],
    program: str,
    **_: object,
) -> None:
    """What ninja would leave, from no compiler: compiling 2 000 units takes minutes, and what is in the objects does not
    matter to who has nothing to do.
    """
    for edge in edges:
        (folder / edge.output).write_text(f"the object of {edge.source}\n" * 100)
        (folder / f"{edge.output}.d").write_text(f"{edge.output}: {edge.source}\n")
    if objects:
        (folder / program).write_text("the program")


def timed(root: Path, store: Path) -> tuple[Finished, float]:
    """A build, and the seconds of work that it took."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    done = geode("build", "big.gs", cwd=root, GEODE_CACHE=str(store))
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return done, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


@pytest.mark.slow
@pytest.mark.native
def test_nothing_to_do_for_2000_units(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The whole command, from start to end, all objects compared with their digests."""
    (tmp_path / "big.gs").write_text(program())
    store = tmp_path / "store"
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("GEODE_CACHE", str(store))
    monkeypatch.setattr("rules.text_to_binary.run_ninja", pretend)
    built = build_source(
        "big.gs",
        {},
        folder=tmp_path / "build" / "big",
        toolchain=None,
        profile="fast",
        lanes=None,
        warn=pytest.fail,
        show=lambda _: None,
    )
    assert len(built.text.units) >= UNITS
    first, _ = timed(tmp_path, store)
    assert first.status == 0, first.err
    assert "; 0 actions run, " in first.out
    again, seconds = timed(tmp_path, store)
    assert "; 0 actions run, " in again.out
    assert again.err == ""
    print(f"{UNITS} units, nothing to do: {seconds:.2f} s")
    assert seconds < LIMIT
