"""Wide layers against the processor's peak, MUON against a Newton-Schulz iteration by hand."""

from __future__ import annotations

from benchmarks.paired import in_turn
from benchmarks.row import PROGRAMS, Bench, Result, Row

_MEMBERS, _ROWS, _WIDTH = 8, 1920, 512  # of layer-512.gs


def _layer(bench: Bench) -> Result:
    """An epoch of two hidden layers less the same epoch with the first alone, so what the second adds: its noise, its
    products, its activation and its update."""
    source = PROGRAMS / "layer-512.gs"
    one = bench.folder / "layer-512-first.gs"
    bench.folder.mkdir(parents=True, exist_ok=True)
    one.write_text(source.read_text().replace("512 HIDDEN 512 HIDDEN", "512 HIDDEN"))
    both, first, peak = bench.program(source), bench.program(one), bench.baseline("peak")
    work = 2e-9 * _MEMBERS * _ROWS * _WIDTH * _WIDTH
    workers = ("--workers", "1")
    seen = in_turn(
        {"both": both.side(*workers), "first": first.side(*workers), "peak": lambda: 1.0 / peak.run()["gflops"]},
        bench.rounds,
        bench.tick,
    )
    best = seen["both"].best - seen["first"].best
    median = seen["both"].median - seen["first"].median
    return Result(
        work / best * seen["peak"].best,
        work / median * seen["peak"].median,
        {"geode GF/s": work / best, "peak GF/s": 1.0 / seen["peak"].best},
    )


def _muon(bench: Bench) -> Result:
    """An epoch with MUON less the same epoch with SGDM, so what MUON adds, against five steps by hand."""
    source = PROGRAMS / "muon-512.gs"
    plain = bench.folder / "sgdm-512.gs"
    bench.folder.mkdir(parents=True, exist_ok=True)
    plain.write_text(source.read_text().replace("MUON-UPDATES", "SGDM-UPDATES"))
    muon, sgdm, by_hand = bench.program(source), bench.program(plain), bench.baseline("newton_schulz")
    seen = in_turn(
        {
            "muon": muon.side(),
            "sgdm": sgdm.side(),
            "by hand": by_hand.side(10),
        },
        bench.rounds,
        bench.tick,
    )
    added, by_median = (
        seen["muon"].best - seen["sgdm"].best,
        seen["muon"].median - seen["sgdm"].median,
    )
    hand = seen["by hand"]
    return Result(
        added / hand.best,
        by_median / hand.median,
        {"geode ms": 1e3 * added, "by hand ms": 1e3 * hand.best},
    )


LAYERS = (
    Row(
        key="layer-512",
        what="what a dense 512 x 512 layer adds to an epoch, noise and update included, 1 worker",
        against="baselines/peak.c",
        limit=0.85,
        at_most=False,
        unit="",
        ticks=3,
        measure=_layer,
    ),
    Row(
        key="muon-512",
        what="what MUON adds to an epoch for a 512 x 512 matrix, 1 worker",
        against="baselines/newton_schulz.c",
        limit=1.2,
        at_most=True,
        unit="",
        ticks=3,
        measure=_muon,
    ),
)
