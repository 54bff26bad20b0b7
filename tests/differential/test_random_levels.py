"""Random words whose layers are split, materialised or factored: the binary against W + s sigma E for every member.

The interpreter knows no split form: it always works with the member's own weights. For longer:
`GEODE_RANDOM=1000 pytest tests/differential/test_random_levels.py`.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.harness.agreement import Pair, disagreements, run_both
from tests.harness.example_program import BASE, DATA, write_rows
from tests.harness.random_count import one_by_default, seeds
from tests.harness.random_levels import COMMON, random_objective

GROUP = 15
NOISE = ("0.1 ES-GAUSSIAN", "0.1 EGGROLL-R1", "0.1 2 EGGROLL", "0.1 OMELETTE-R1")


def program_text(first: int) -> str:
    """A stage for each seed, half of them with dense noise; every word has weights of its own but for the shared one."""
    words = [random_objective(seed, str(seed)) for seed in range(first, first + GROUP)]
    stages = "\n".join(
        f"  {NOISE[0 if seed % 2 else seed // 2 % 4]} rows ['] OBJECTIVE-{seed} TRAIN"
        for seed in range(first, first + GROUP)
    )
    base = BASE.replace(" 0.1 ES-GAUSSIAN", "") + " 0 ALPHA 1 EPOCHS"  # the shared weights stay: stages are independent
    return "\n".join([COMMON, *words, f": MAIN ( -- )\n  {base} {DATA} ALL {{ rows }}\n{stages} ;"])


@pytest.mark.native
@pytest.mark.parametrize("first", one_by_default(seeds(30, step=GROUP)))
def test_the_binary_computes_what_materialised_weights_give(first: int, tmp_path: Path) -> None:
    """One epoch of four members: every score to 1e-4.

    The norm of the estimate is left out: where two scores are all but equal, their ranks hang on the last bit.
    """
    write_rows(tmp_path)
    text = program_text(first)
    pair = run_both(text, tmp_path, dtype="float32")
    assert len(pair.native) == GROUP
    found = {stage: differences(pair, stage) for stage in range(GROUP)}
    wrong = disagreements([stage for stage, lines in found.items() if lines], text, tmp_path, pair)
    report = [[f"seed {first + stage}:", *found[stage], random_objective(first + stage, "X")] for stage in wrong]
    assert not wrong, "\n\n".join("\n".join(lines) for lines in report)


def differences(pair: Pair, stage: int) -> list[str]:
    """What differs in the scores of one stage."""
    return [line for line in pair.differences(stage, 1e-4) if ": grad is" not in line]
