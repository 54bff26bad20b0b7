"""Wide layers under low-rank noise: the forward pass, the estimate, and layers of bfloat16 numbers."""

from __future__ import annotations

from pathlib import Path

from benchmarks.compiled import Compiled
from benchmarks.paired import in_turn
from benchmarks.row import PROGRAMS, Bench, Result, Row, random_numbers

_FORWARD = PROGRAMS / "forward-512.gs"
_NUMBERS = 64  # of a row of forward-512.gs
_MEMBERS, _WIDTH = 4096, 4096  # of estimate-4096.gs


def _rows(folder: Path) -> list[str]:
    """The options that name the two files of rows, which are made if they are not there."""
    folder.mkdir(parents=True, exist_ok=True)
    options = []
    for number, rows in ((1, 1000), (2, 256_000)):
        path = folder / f"rows-{rows}.npy"
        if not path.is_file():
            source = random_numbers(rows)
            import numpy as np

            np.save(path, source.standard_normal((rows, _NUMBERS), dtype=np.float32))
        options += [f"--data-{number}", str(path.absolute())]
    return options


def _forward(bench: Bench) -> Result:
    data, program = _rows(bench.folder), bench.program(_FORWARD)
    training: list[float] = []
    alone: list[float] = []
    for _ in range(bench.rounds):  # both are stages of one run, a second apart
        train, evaluate = program.profile(*data, folder=bench.folder)
        training.append(train["phases"]["population"] / train["epochs"])
        alone.append(evaluate["phases"]["center"] + evaluate["phases"]["hoist"])
        bench.tick()
    training.sort()
    alone.sort()
    middle = bench.rounds // 2
    return Result(
        alone[0] / training[0],
        alone[middle] / training[middle],
        {"population ms": 1e3 * training[0], "inference ms": 1e3 * alone[0]},
    )


def _estimate(bench: Bench) -> Result:
    program, peak = bench.program(PROGRAMS / "estimate-4096.gs"), bench.baseline("peak")
    work = 2e-9 * _MEMBERS / 2 * _WIDTH * _WIDTH

    def estimate() -> float:
        (stage,) = program.profile(folder=bench.folder)
        return float(stage["phases"]["estimate"]) / int(stage["epochs"])

    seen = in_turn({"geode": estimate, "peak": lambda: 1.0 / peak.run()["gflops"]}, bench.rounds, bench.tick)
    geode, best = seen["geode"], seen["peak"]
    return Result(
        work / geode.best * best.best,
        work / geode.median * best.median,
        {"geode GF/s": work / geode.best, "peak GF/s": 1.0 / best.best},
    )


def _bf16(bench: Bench) -> Result:
    halved = bench.folder / "forward-512-bf16.gs"
    bench.folder.mkdir(parents=True, exist_ok=True)
    halved.write_text(_FORWARD.read_text().replace("EGGROLL-R1", "EGGROLL-R1 BF16"))
    data = _rows(bench.folder)

    def epoch(program: Compiled) -> float:
        return float(min(program.epochs(*data)))

    programs = {"float32": bench.program(_FORWARD), "BF16": bench.program(halved)}
    seen = in_turn({name: lambda p=p: epoch(p) for name, p in programs.items()}, bench.rounds, bench.tick)  # type: ignore[misc]
    plain, fast = seen["float32"], seen["BF16"]
    return Result(
        plain.best / fast.best,
        plain.median / fast.median,
        {"float32 ms": 1e3 * plain.best, "BF16 ms": 1e3 * fast.best},
    )


WIDE = (
    Row(
        key="forward-eggroll",
        what="256 members of 64-512-512-10 over 1000 rows, rank-1 noise, against 256 000 rows without noise, 1 worker",
        against="the same binary",
        limit=1.0,
        at_most=False,
        unit="",
        ticks=1,
        measure=_forward,
    ),
    Row(
        key="estimate-4096",
        what="the estimate of a 4096 x 4096 matrix under rank-1 noise, population 4096, 1 worker",
        against="baselines/peak.c",
        limit=0.75,
        at_most=False,
        unit="",
        ticks=2,
        measure=_estimate,
    ),
    Row(
        key="bf16",
        what="an epoch of 64-512-512-10 with BF16 against float32, 1 worker",
        against="the same program without BF16",
        limit=3.0,
        at_most=False,
        unit="",
        ticks=2,
        measure=_bf16,
        hardware="amx_bf16",
    ),
)
