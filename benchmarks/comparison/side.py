"""One side of a comparison: a process, and what it printed.

In: a peer, or a program of ours, and a work. Out: `Timed`. Invariant: each is a process of its own, with two threads.
"""

from __future__ import annotations

import itertools
import json
import os
import re
import statistics
import subprocess
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from benchmarks.comparison.environment import PEERS
from benchmarks.comparison.works import CHUNKS, Ours, Peer, Work
from benchmarks.compiled import Compiled
from benchmarks.row import PROGRAMS
from rules.errors import BuildError

THREADS = 2
_LONGEST = 900  # seconds that a peer may take: some are slow on a loaded machine, none is that slow
_SLOW = ("OPENBLAS_CORETYPE", "OPENBLAS_L2_SIZE", "XLA_FLAGS")  # settings for another library's sake


@dataclass(frozen=True, slots=True)
class Timed:
    """What one process measured: seconds of an epoch by chunk; the population's mean score in the first epoch, the last, and all
    that are timed; steps that a game simulates in the mean (0: no game); seconds of the inference by chunk (none: not asked)."""

    seconds: tuple[float, ...]
    first: float
    last: float
    steps: float
    inference: tuple[float, ...]
    about: str

    @property
    def alone(self) -> float:
        """The middle of the inferences, seconds."""
        return statistics.median(self.inference)

    def costs(self, kind: str) -> list[float]:
        """By chunk, what a ratio divides: seconds of an epoch or of a step."""
        return [second / (self.steps if kind == "steps" else 1.0) for second in self.seconds]

    def cost(self, kind: str) -> float:
        """The middle one."""
        return statistics.median(self.costs(kind))


def run_peer(python: Path, peer: Peer, work: Work) -> Timed:
    """Run a peer once. Raises BuildError with its last words if it fails or takes too long."""
    options = ["--workload", work.key, "--epochs", str(work.epochs), "--warm-up", str(work.warm_up), *peer.options]
    environment = {key: value for key, value in os.environ.items() if key not in _SLOW} | peer.environment
    command = [str(python), str(PEERS / peer.script), "--threads", str(THREADS), *options]
    try:
        done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False, timeout=_LONGEST)
    except subprocess.TimeoutExpired:
        raise BuildError(f"{peer.name} on {work.key} did not end within {_LONGEST} s") from None
    if done.returncode != 0:
        words = done.stderr.strip().splitlines()[-1:] or ["it said nothing"]
        raise BuildError(f"{peer.name} on {work.key}: status {done.returncode}: {words[0]}")
    return read_peer(done.stdout, members=_members(work))


def read_peer(text: str, members: int) -> Timed:
    """A peer's output; libraries may print before its line. Raises BuildError without one."""
    lines = [line for line in text.splitlines() if line.startswith('{"peer"')]
    if not lines:
        raise BuildError(f"a peer printed no result, but: {text[:200]!r}")
    record: dict[str, Any] = json.loads(lines[-1])
    return Timed(
        tuple(record["seconds"]),
        record["first"],
        record["last"],
        members * record.get("steps", record["mean"]) if members else 0.0,
        tuple(record.get("inference", ())),
        record["about"],
    )


def run_ours(program: Compiled, work: Work, inputs: Path, scratch: Path) -> Timed:
    """Run Geode's program once. Raises BuildError if it fails."""
    options = ["--resume-model", str((inputs / f"{work.key.lower()}.safetensors").absolute())]
    options += ["--workers", str(THREADS)]
    if work.kind == "inference":
        options += ["--epochs", str(work.epochs)]
        profile = (scratch / "profile.jsonl").absolute()
        lines = program.lines(*options, *_data(inputs, turns=1 + CHUNKS), "--profile-file", str(profile))
        return read_turns(lines, profile.read_text(), work)
    if work.kind == "epoch":
        options += ["--data", str((inputs / ("teacher.npy" if work.key == "W3" else "waves.npy")).absolute())]
    return read_epochs(program.lines(*options, "--epochs", str(work.all_epochs)), work)


def _data(inputs: Path, turns: int) -> list[str]:
    names = ("teacher.npy", "many.npy") * turns
    return [word for i, name in enumerate(names, start=1) for word in (f"--data-{i}", str((inputs / name).absolute()))]


def run_alone(program: Compiled, inputs: Path, scratch: Path) -> Timed:
    """Run Geode's inference of W5; `seconds` are the inferences too. Raises BuildError if it fails."""
    profile, rows = (scratch / "profile.jsonl").absolute(), str((inputs / "many.npy").absolute())
    data = [word for i in range(1 + CHUNKS) for word in (f"--data-{i + 1}", rows)]
    weights = str((inputs / "w5.safetensors").absolute())
    lines = program.lines("--workers", str(THREADS), "--resume-model", weights, *data, "--profile-file", str(profile))
    return read_alone(lines, profile.read_text())


def read_alone(lines: Sequence[str], profile: str) -> Timed:
    """The inferences of a profile without the first, which warms up; `first` and `last` are the loss."""
    values = [float(line.split("value=")[1].split()[0]) for line in lines if line.startswith("evaluate")]
    seconds = _inferences(profile)[1:]
    if len(seconds) != CHUNKS or len(values) != 1 + CHUNKS:
        raise BuildError(f"W5: {len(values)} values of {1 + len(seconds)} inferences")
    return Timed(seconds, values[0], values[-1], 0.0, seconds, "geode")


def _inferences(profile: str) -> tuple[float, ...]:
    """Seconds of each EVALUATE without reading its rows: what the profile calls hoist and center."""
    stages = [json.loads(line) for line in profile.splitlines()]
    return tuple(s["phases"]["hoist"] + s["phases"]["center"] for s in stages if s["kind"] == "evaluate")


def read_epochs(lines: Sequence[str], work: Work) -> Timed:
    """A program's metrics lines -> chunks, by the time since its start that the last line of each tells."""
    epochs = _epochs(lines)
    if len(epochs) != work.all_epochs:
        raise BuildError(f"{work.key}: {len(epochs)} epochs, not {work.all_epochs}")
    ends = [epochs[i - 1]["elapsed"] for i in range(work.warm_up, work.all_epochs + 1, work.epochs)]
    seconds = tuple((end - start) / work.epochs for start, end in itertools.pairwise(ends))
    timed = [epoch["mean"] for epoch in epochs[work.warm_up :]]
    return Timed(seconds, epochs[0]["mean"], epochs[-1]["mean"], _members(work) * statistics.fmean(timed), (), "geode")


def read_turns(lines: Sequence[str], profile: str, work: Work) -> Timed:
    """W5's stages: training and EVALUATE in turn, the first turn to warm up.

    Training is the whole epoch: noise, members, shaping, estimate, update. EVALUATE sees 256 x 1000 rows.
    """
    epochs = _epochs(lines)
    inference = _inferences(profile)
    training = [256.0 / epoch["evals/s"] for epoch in epochs]
    if len(training) != (1 + CHUNKS) * work.epochs or len(inference) != 1 + CHUNKS:
        raise BuildError(f"{work.key}: {len(training)} epochs and {len(inference)} inferences")
    by_turn = [statistics.fmean(training[i : i + work.epochs]) for i in range(0, len(training), work.epochs)]
    return Timed(tuple(by_turn[1:]), epochs[0]["mean"], epochs[-1]["mean"], 0.0, inference[1:], "geode")


def _members(work: Work) -> int:
    return 4096 if work.kind == "steps" else 0


def _epochs(lines: Sequence[str]) -> list[dict[str, float]]:
    return [
        {name: float(value) for name, value in re.findall(r"(\S+)=(\S+)", line)}
        for line in lines
        if line.startswith("epoch=")
    ]


def source_of(ours: Ours, folder: Path) -> Path:
    """The program's file: as it is, or a copy in `folder` with its edit."""
    source = PROGRAMS / "peers" / ours.program
    before, after = ours.edit
    if not before:
        return source
    text = source.read_text()
    if before not in text:
        raise BuildError(f"{source}: has no `{before}` to replace")
    folder.mkdir(parents=True, exist_ok=True)
    edited = folder / f"{ours.key.lower()}.gs"
    edited.write_text(text.replace(before, after))
    return edited


@contextmanager
def on_two_cores() -> Iterator[None]:
    """Let this process and its children use two cores alone, of different cores' threads where there are."""
    if not hasattr(os, "sched_setaffinity"):
        yield
        return
    before = os.sched_getaffinity(0)
    os.sched_setaffinity(0, two_cores(sorted(before)))
    try:
        yield
    finally:
        os.sched_setaffinity(0, before)


def two_cores(processors: Sequence[int]) -> set[int]:
    """The first two of `processors` that are not threads of one core, if there are; else the first two."""
    firsts: dict[str, int] = {}
    for processor in processors:
        siblings = Path(f"/sys/devices/system/cpu/cpu{processor}/topology/thread_siblings_list")
        firsts.setdefault(siblings.read_text() if siblings.is_file() else str(processor), processor)
    apart = list(firsts.values())[:THREADS]
    return set(apart if len(apart) == THREADS else processors[:THREADS])
