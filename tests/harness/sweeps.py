"""A folder with a small program, its data and sweep files; `geode sweep` run in it."""

from __future__ import annotations

import json
import random
import re
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tests.harness.native import Finished, geode, geode_here

# SIZE, SCALE and FILE are CONSTANTs that the result depends on; FILE names the data, whose content differs by name.
PROGRAM = """TARGET-CPU
2 CONSTANT SIZE
1.5 CONSTANT SCALE
"rows.csv" CONSTANT FILE
: NET ( <layer> n -- <layer> ) LINEAR INIT-HE TRAINABLE RELU ;
: OBJECTIVE ( r:b:2 -- r ) DUP SIZE NET 2 LINEAR INIT-HE TRAINABLE SCALE * LOSS-EUCLIDEAN SUM ;
: MAIN ( -- )
  OBJECTIVE-LOSS 4 EPOCHS 7 SEED 0.05 ALPHA SGD-UPDATES 8 POPULATION ANTITHETIC 0.1 ES-GAUSSIAN .METRICS
  FILE 2 CSV-INPUT ALL ['] OBJECTIVE TRAIN ;
"""
OWN = {"SIZE": "2", "SCALE": "1.5", "FILE": "rows.csv", "EPOCHS": "4", "ALPHA": "0.05", "updates": "SGD-UPDATES",
       "POPULATION": "8", "perturbation": "0.1 ES-GAUSSIAN", "shaping": "SCORE-RANK-SHAPED", "ADAM-BETA1": "0.9"}  # fmt: skip
FILES = ("rows.csv", "no", "on", "1_000", "12:30", "1e-3", "0.001")


# A program with a table, two data files and an EVALUATE.
TWO_FILES = """TARGET-CPU
: GOAL ( r:2 -- r ) 2 LINEAR INIT-HE TRAINABLE "bias.csv" r:2 TABLE - NORM ; SHARED
: CORRECT ( r:2 -- r ) GOAL ;
: MAIN ( -- )
  OBJECTIVE-REWARD 4 EPOCHS 7 SEED 0.05 ALPHA SGD-UPDATES 8 POPULATION ANTITHETIC 0.1 ES-GAUSSIAN .METRICS
  "rows.csv" 2 CSV-INPUT ALL ['] GOAL TRAIN
  "no" 2 CSV-INPUT ALL ['] CORRECT EVALUATE ;
"""


@dataclass(frozen=True)
class Place:
    """A folder with p.gs and the data files."""

    root: Path

    def write(self, text: str, name: str = "s.sweep.yaml") -> Path:
        """Write a sweep file; `program:` is put before it."""
        path = self.root / name
        path.write_text(text if "program:" in text else f"program: p.gs\n{text}")
        return path

    def sweep(self, command: str, *options: str, name: str = "s.sweep.yaml", **environment: str) -> Finished:
        """`geode sweep COMMAND OPTIONS NAME` in the folder."""
        if not environment:
            return geode_here("sweep", command, *options, name, cwd=self.root)
        return geode("sweep", command, *options, name, cwd=self.root, **environment)

    def status(self, name: str = "s.sweep.yaml") -> list[dict[str, Any]]:
        """The trials as `geode sweep status --json` tells them."""
        done = self.sweep("status", "--json", name=name)
        assert done.status == 0, done.err
        trials: list[dict[str, Any]] = json.loads(done.out)["trials"]
        return trials

    def dry_run(self, *options: str, name: str = "s.sweep.yaml") -> list[str]:
        """The names of the trials that would run."""
        done = self.sweep("run", "--dry-run", *options, name=name)
        assert done.status == 0, done.err
        return [line.split()[0] for line in done.out.splitlines()]


def make_place(root: Path) -> Place:
    """Write the program and its data."""
    root.mkdir(parents=True, exist_ok=True)
    (root / "p.gs").write_text(PROGRAM)
    for number, name in enumerate(FILES, 1):
        (root / name).write_text(f"1,{number}\n0.5,-1\n-2,{number / 2}\n")
    return Place(root)


def run_now(done: Finished) -> tuple[int, int]:
    """How many trials a run ran, and how many compilations it made."""
    found = re.search(r"(\d+) run now \((\d+) compilations\)", done.out)
    assert found is not None, done.out + done.err
    return int(found[1]), int(found[2])


def random_sweep(seed: int) -> str:
    """A sweep file without mistakes: axes with equal values, a zip, a condition, exclude, include, now and then each."""
    rng = random.Random(seed)
    values = {
        "ALPHA": ["1e-3", "0.001", "0.01", ".05", "5e-2", "0.1"],
        "SIZE": ["2", "3", "02", "4"],
        "SCALE": ["1.5", "15e-1", "2", "0.5"],
        "FILE": list(FILES),
        "EPOCHS": ["3", "4", "5"],
        "POPULATION": ["8", "16", "08"],
        "SIGMA": ["0.1", "0.2", "2e-1"],
        "updates": ["SGD-UPDATES", "ADAM-UPDATES", "MUON-UPDATES"],
        "shaping": ["SCORE-RANK-SHAPED", "SCORE-ZSCORE"],
        "perturbation": ["0.1 ES-GAUSSIAN", "1e-1 ES-GAUSSIAN", "0.2 EGGROLL-R1", "0.1 2 EGGROLL"],
    }
    kinds = {"updates", "shaping", "perturbation"}
    names = rng.sample(sorted(values), k=rng.randint(1, 4))
    axes = {name: rng.choices(values[name], k=rng.randint(1, 4 if name == "FILE" else 3)) for name in names}
    rest = [name for name in values if name not in axes]
    lines = ["program: p.gs"]
    if rest and rng.random() < 0.4:
        fixed = rest.pop(rng.randrange(len(rest)))
        lines.append(f"set: {{{fixed}: {_quoted(rng.choice(values[fixed]))}}}")
    stepped = rng.sample(rest, k=2) if len(rest) > 2 and rng.random() < 0.4 else []
    matrix = [f"  {name}: {_list(found)}" for name, found in axes.items() if name not in kinds]
    if "updates" in axes and rng.random() < 0.6:
        when = rng.choice([_quoted(rng.choice(axes["updates"])), _list(axes["updates"][:2])])
        matrix.append(f"  ADAM-BETA1: {{values: [0.9, 0.8, 9e-1], when: {{updates: {when}}}}}")
    lines += ["matrix:", *matrix] if matrix else []
    chosen = [f"  {name}: {_list(found)}" for name, found in axes.items() if name in kinds]
    lines += ["choices:", *chosen] if chosen else []
    if stepped:
        count = rng.randint(1, 3)
        rows = {name: rng.choices(values[name], k=count) for name in stepped}
        lines.append("zip: {" + ", ".join(f"{name}: {_list(found)}" for name, found in rows.items()) + "}")
        axes |= rows
    for part, chance in (("exclude", 0.5), ("include", 0.5)):
        if rng.random() < chance:
            some = [rng.sample(sorted(axes), k=rng.randint(1, min(2, len(axes)))) for _ in range(rng.randint(1, 2))]
            entries = (", ".join(f"{name}: {_quoted(rng.choice(values[name]))}" for name in entry) for entry in some)
            lines.append(f"{part}: [" + ", ".join(f"{{{entry}}}" for entry in entries) + "]")
    if rng.random() < 0.3:
        lines.append(f"replicates: {rng.randint(1, 3)}")
    return "\n".join(lines) + "\n"


def _list(texts: list[str]) -> str:
    return "[" + ", ".join(map(_quoted, texts)) + "]"


def _quoted(text: str) -> str:
    return f'"{text}"' if " " in text else text
