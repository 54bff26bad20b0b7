"""What `geode bench --peers` does with its sides' outputs; no peer is needed and nothing is timed."""

from __future__ import annotations

import dataclasses
import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from benchmarks.comparison.environment import REQUIREMENTS, peers_python, steps
from benchmarks.comparison.measure import to_row, to_side
from benchmarks.comparison.page import to_tables
from benchmarks.comparison.side import (
    Timed,
    on_two_cores,
    read_alone,
    read_epochs,
    read_peer,
    read_turns,
    source_of,
    two_cores,
)
from benchmarks.comparison.works import CHUNKS, WORKS, Work, chosen_works
from benchmarks.peers import workloads
from benchmarks.plot import plot
from benchmarks.results import losses, merged, to_page
from benchmarks.row import PROGRAMS
from geode.pipeline import check_program
from geode.syntax.file_to_text import file_to_text
from geode.vocabulary import WORDS
from rules.errors import BuildError
from tests.harness.native import geode

W1, W2, W3, W4, W5 = WORKS
MACHINE: dict[str, str | int | float] = {
    "date": "2000-01-01",
    "processor": "a processor",
    "system": "Linux x86_64",
    "compiler": "cc 1",
    "cores": 2,
    "lanes": 48,
    "load": 0.0,
}


def timed(*seconds: float, last: float = 1.0, games: float = 0.0, inference: tuple[float, ...] = ()) -> Timed:
    """A process's measurements."""
    return Timed(seconds, 10.0, last, games, inference, "library 1")


def sides(work: Work, seconds: float) -> dict[str, list[Timed]]:
    """Two rounds: every peer takes one second more than the one before it, Geode `seconds`."""
    ours = {one.key: [timed(seconds, games=1.0, inference=(2.0,))] * 2 for one in work.ours}
    peers = {peer.name: [timed(8.0 + i, games=1.0, inference=(2.0,))] * 2 for i, peer in enumerate(work.peers)}
    alone = {one.alone_key: [timed(2.0, inference=(2.0,))] * 2 for one in work.ours if one.alone}
    return ours | alone | peers


def record() -> dict[str, object]:
    """A comparison in W1 and W5."""
    seen = {work.key: sides(work, 2.0) for work in (W1, W5)}
    return {
        "machine": MACHINE,
        "rounds": 2,
        "rows": [to_row(work, one, seen[work.key]) for work in (W1, W5) for one in work.ours],
        "sides": [to_side(work, name, seen[work.key]) for work in (W1, W5) for name in seen[work.key]],
    }


def test_a_ratio_is_that_of_the_best_peer_in_the_same_round() -> None:
    """The best by its median; the value is the median of the rounds, the minima may be another peer's."""
    seen = {
        "W1": [timed(1.0, 2.0, 3.0), timed(2.0, 2.0, 2.0), timed(4.0, 4.0, 4.0)],
        "numpy": [timed(20.0), timed(10.0), timed(20.0)],  # ratios 10, 5, 5
        "jax": [timed(30.0, 4.0, 30.0), timed(30.0), timed(30.0)],
    }
    works = dataclasses.replace(W1, peers=W1.peers[:2])
    row = to_row(works, works.ours[0], seen)
    assert (row["against"], row["value"], row["minima"]) == ("numpy", 5.0, 4.0)
    assert row["holds"] is False


def test_steps_are_compared_by_the_step() -> None:
    """A peer that simulates twice the steps in the same time is twice as fast."""
    seen = sides(W4, 2.0) | {"jax": [timed(8.0, games=2.0)] * 2}
    row = to_row(W4, W4.ours[0], seen)
    assert (row["against"], row["value"]) == ("jax", 2.0)


def test_inference_is_compared_with_training_of_the_same_round() -> None:
    """Whatever the peers do, and the EVALUATE of the training program."""
    alone = {"w5-inference": [timed(2.0, 3.0, 4.0, inference=(2.0, 3.0, 4.0)), timed(1.0, inference=(1.0,))]}
    seen = sides(W5, 4.0) | alone | {"W5-own": [timed(2.0, inference=(8.0,)), timed(4.0, inference=(4.0,))]}
    shared, own = (to_row(W5, one, seen) for one in W5.ours)
    assert (shared["value"], shared["minima"], shared["holds"]) == (0.5, 0.25, False)  # 3/4, 1/4
    assert (own["value"], own["minima"], own["holds"]) == (0.875, 0.5, False)  # 3/2, 1/4
    assert "2.5 × EVALUATE" in own["against"]


def test_scores_that_differ_are_told() -> None:
    """By more than 5 %, unless the algorithm is another."""
    seen = sides(W1, 1.0) | {"jax": [timed(1.0, last=1.06)], "pycma": [timed(1.0, last=9.0)]}
    same = {name: to_side(W1, name, seen)["same work"] for name in seen}
    assert same == {"W1": None, "numpy": True, "jax": False, "evosax": True, "evotorch": True, "pycma": None}


def test_a_peers_line_is_found_among_others() -> None:
    """Libraries warn on standard output too."""
    line = {"peer": "jax", "about": "jax 1", "seconds": [1, 2], "first": 3, "last": 4, "mean": 5}
    text = f"a warning\n{json.dumps(line)}\n"
    assert read_peer(text, members=0) == Timed((1, 2), 3, 4, 0.0, (), "jax 1")
    assert read_peer(text, members=10).steps == 50
    assert read_peer(json.dumps(line | {"steps": 7}), members=10).steps == 70
    with pytest.raises(BuildError, match=r"no result.*warning"):
        read_peer("a warning", members=0)


def test_chunks_are_timed_by_the_clock_of_the_run() -> None:
    """Epochs that warm up are in no chunk; what lies between epochs is."""
    work = dataclasses.replace(W4, warm_up=1, epochs=2)
    lines = [f"epoch={i} mean={i} evals/s=1 elapsed={10 * i}" for i in range(11)]
    seen = read_epochs(["settings population=2", *lines], work)
    assert seen == Timed((10.0,) * CHUNKS, 0.0, 10.0, 4096 * 5.5, (), "geode")
    with pytest.raises(BuildError, match="W4: 10 epochs, not 11"):
        read_epochs(lines[1:], work)


def test_turns_give_training_beside_inference() -> None:
    """The first turn warms up; reading the rows is no inference."""
    lines = [f"epoch={i} mean={i} evals/s={256 / (i + 1)} elapsed=0" for i in range(6)]
    stages = [
        {"kind": kind, "phases": {"read": 9.0, "hoist": 1.0, "center": float(i)}}
        for i in range(6)
        for kind in ("train", "evaluate")
    ]
    seen = read_turns(lines, "\n".join(map(json.dumps, stages)), W5)
    assert (seen.seconds, seen.inference) == ((2.0, 3.0, 4.0, 5.0, 6.0), (2.0, 3.0, 4.0, 5.0, 6.0))
    with pytest.raises(BuildError, match="W5: 5 epochs and 6 inferences"):
        read_turns(lines[1:], "\n".join(map(json.dumps, stages)), W5)


def test_inferences_of_a_program_that_trains_nothing() -> None:
    """Their values are the loss."""
    profile = "\n".join(
        json.dumps({"kind": "evaluate", "phases": {"read": 9.0, "hoist": 1.0, "center": float(i)}}) for i in range(6)
    )
    lines = ["evaluate word=OBJECTIVE value=2.5 rows=256000"] * 6
    seen = read_alone(lines, profile)
    assert (seen.inference, seen.alone, seen.last) == ((2.0, 3.0, 4.0, 5.0, 6.0), 4.0, 2.5)
    with pytest.raises(BuildError, match="W5: 5 values of 6 inferences"):
        read_alone(lines[1:], profile)


def test_the_tables_have_a_line_a_row_and_a_side() -> None:
    """And the page keeps either part when the other is measured again."""
    made = record()
    table = to_tables(made)
    assert table.count("\n") == 2 + 3 + 3 + 11
    assert "| W1 | 100-8-100, dense, 256 members, 1000 rows | numpy | 4 × (minima 4) | ≥ 8 | no |" in table
    assert "| W1 | numpy | 8e+03 ms an epoch | 8e+03 | 10 | 1 | yes | library 1 |" in table
    assert "| W5 | Geode, w5-inference | 2e+03 ms for 256 × 1000 rows | 2e+03 |" in table
    assert "| W5 | Geode, W5-own | 2e+03 ms an epoch, inference 2e+03 ms: 1 | 2e+03 |" in table
    peers_alone = merged(None, made, peers=True)
    assert "### Beside other libraries" in to_page([peers_alone])
    rows = {"machine": MACHINE, "rows": []}
    assert merged(peers_alone, rows, peers=False) == {**rows, "peers": made}
    assert merged(rows, made, peers=True)["machine"] == MACHINE


def test_a_loss_against_committed_peers_is_told() -> None:
    """As for the rows."""
    before, now = record(), record()
    now["rows"] = [{**row, "value": 0.8 * row["value"]} for row in now["rows"]]  # type: ignore[attr-defined]
    assert losses(before, before) == []
    assert [line.split(":")[0] for line in losses(now, before)] == ["W1", "W5-shared", "W5-own"]


def test_the_picture_takes_the_comparison(tmp_path: Path) -> None:
    """One bar for each of Geode's programs."""
    pytest.importorskip("matplotlib")
    plot(record(), tmp_path / "peers.svg")
    assert (tmp_path / "peers.svg").stat().st_size > 0


def test_programs_say_what_the_workloads_say(tmp_path: Path) -> None:
    """Population, sigma, alpha and sizes of Geode's programs are those that the peers read from workloads.py."""
    for work in WORKS:
        for ours in work.ours:
            text = source_of(ours, tmp_path).read_text()
            assert not ours.alone or (PROGRAMS / "peers" / ours.alone).is_file()
            noise, alpha = workloads.SIGMA[work.key], workloads.ALPHA[work.key]
            assert re.search(rf"\b{noise} (ES-GAUSSIAN|EGGROLL-R1)\b", text)
            assert f" {alpha} ALPHA" in text
            assert f" {workloads.POPULATION[work.key]} POPULATION ANTITHETIC SCORE-RANK-SHAPED" in text
            for size in workloads.LAYERS[work.key][1:]:
                assert re.search(rf"\b{size} (HIDDEN|OUTPUT|AFFINE)\b", text)


def test_every_program_passes_the_compiler(tmp_path: Path) -> None:
    """Those whose words the language has, and without a warning."""
    for ours in (one for work in WORKS for one in work.ours if not one.needs or one.needs in WORDS):
        sources = [source_of(ours, tmp_path)] + ([PROGRAMS / "peers" / ours.alone] if ours.alone else [])
        for source in sources:
            assert not check_program(file_to_text(str(source))).sink.diagnostics


def test_works_are_named_in_either_case() -> None:
    """And a wrong name lists them."""
    assert [work.key for work in chosen_works(["w3", "W1"])] == ["W1", "W3"]
    assert chosen_works([]) == WORKS
    with pytest.raises(BuildError, match="no work `W9`"):
        chosen_works(["W9"])


def test_pytorch_is_installed_first() -> None:
    """Everything of the requirements once, and no comment."""
    first, others = steps(REQUIREMENTS.read_text())
    assert [name.split("==")[0] for name in first] == ["torch"]
    assert {"numpy", "jax", "evosax", "evotorch", "cma"} <= {name.split("==")[0] for name in others}
    assert not any("#" in name or not name for name in others)


def test_a_python_without_the_peers_is_told(tmp_path: Path) -> None:
    """Before anything is measured."""
    said: list[str] = []
    with pytest.raises(BuildError, match="lacks a library: ModuleNotFoundError"):
        peers_python(tmp_path, Path(sys.executable), said.append)
    with pytest.raises(BuildError, match="No such file"):
        peers_python(tmp_path, tmp_path / "python", said.append)
    assert said == []


def test_a_failed_installation_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """With pip's words and the way out; it is not taken for complete the next time."""

    def run(command: list[str], **_: object) -> subprocess.CompletedProcess[str]:
        installs = "pip" in command
        return subprocess.CompletedProcess(command, int(installs), "", "WARNING: slow\nERROR: no torch\nERROR: see\n")

    monkeypatch.setattr(subprocess, "run", run)
    said: list[str] = []
    for _ in range(2):
        with pytest.raises(BuildError, match=r"could not install \(status 1\): ERROR: no torch\n.*--peers-python"):
            peers_python(tmp_path / "peers", None, said.append)
    assert [line.split(":")[0] for line in said[1::2]] == ["installing 1/2"] * 2


def test_an_environment_is_made_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """And again only when the requirements have changed."""

    def run(command: list[str], **_: object) -> subprocess.CompletedProcess[str]:
        if "venv" in command:
            (tmp_path / "venv" / "bin").mkdir(parents=True, exist_ok=True)
            (tmp_path / "venv" / "bin" / "python").touch()
        return subprocess.CompletedProcess(command, 0, "", "")

    monkeypatch.setattr(subprocess, "run", run)
    said: list[str] = []
    assert peers_python(tmp_path, None, said.append) == tmp_path / "venv" / "bin" / "python"
    assert len(said) == 3
    peers_python(tmp_path, None, said.append)
    assert len(said) == 3
    (tmp_path / "venv" / "complete.txt").write_text("numpy==1.0\n")
    peers_python(tmp_path, None, said.append)
    assert len(said) == 6


def test_both_threads_have_a_core() -> None:
    """The first two of different cores; all that there is where there is one."""
    assert two_cores([10**6, 10**6 + 1, 10**6 + 2]) == {10**6, 10**6 + 1}
    assert two_cores([10**6]) == {10**6}
    if hasattr(os, "sched_getaffinity"):
        before = os.sched_getaffinity(0)
        with on_two_cores():
            assert len(os.sched_getaffinity(0)) == min(2, len(before))
        assert os.sched_getaffinity(0) == before


def test_the_command_lists_works_and_refuses_what_it_cannot_keep(tmp_path: Path) -> None:
    """`--list` needs no peers."""
    listed = geode("bench", "--peers", "--list", cwd=tmp_path)
    assert [line.split()[0] for line in listed.out.splitlines()] == [work.key for work in WORKS]
    few = geode("bench", "--peers", "--write", "--rounds", "4", cwd=tmp_path)
    assert (few.status, "at least 5 rounds" in few.err) == (2, True)
    alone = geode("bench", "--peers-python", "python", cwd=tmp_path)
    assert (alone.status, "wants --peers" in alone.err) == (2, True)
