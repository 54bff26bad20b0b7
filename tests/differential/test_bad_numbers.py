"""NaN, infinity and overflow: in some scores, in all, in the estimate, in the weights, in sigma and alpha.

Some are counted and left out, as engine.md says in section 3; the others end the run with the epoch and the parameter, and
no file gets a number that is not finite.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from tests.harness.agreement import run_both
from tests.harness.checkpoint import arrays_of
from tests.harness.saved_runs import Saver
from tests.harness.trainer import numbers, trainer

# The score is c.theta - 57 000; a member whose draw passes the first number of the data gets the second over 0 as well.
SPOILED = """
: POINT ( -- <layer> ) r:8 PARAM INIT-ZERO TRAINABLE ;
: MATRIX ( r:2 -- r ) 2 LINEAR TRAINABLE SUM ;
: SPOIL ( r:2 r -- r ) { x draw } x 0 AT draw < IF x 1 AT 0 / ELSE 0 THEN ;
: SCORE ( r:b:2 -- r )
  MEMBER-RANDN { draw } { x } POINT DUP SUM SWAP 3 AT + x MATRIX 0 * + 57000 - x draw SPOIL + SUM ;
: MAIN ( -- )
  OBJECTIVE-REWARD 1 EPOCHS 256 POPULATION ANTITHETIC 3 SEED 0.001 ALPHA 0.5 ES-GAUSSIAN .METRICS
  1 EVALUATE-EVERY "clean.csv" 2 CSV-INPUT ALL ['] SCORE TRAIN ;
"""
SHAPINGS = ("raw", "zscore", "rank-shaped", "sign", "utility")

pytestmark = pytest.mark.native


@pytest.fixture(scope="module")
def spoiled(tmp_path_factory: pytest.TempPathFactory) -> Saver:
    """The program, with data that spoil no member, some or all of them: a limit of the draw, and what is divided by 0."""
    folder = tmp_path_factory.mktemp("spoiled")
    for name, row in {
        "clean": "99,0",
        "nan": "2.45,0",
        "inf": "2.45,1",
        "all": "-99,0",
        "all-inf": "-99,1",
        "half": "0,0",
    }.items():
        (folder / f"{name}.csv").write_text(f"{row}\n", encoding="utf-8")
    return trainer(SPOILED, folder, "spoiled", "--workers", "1")


def epoch_of(saver: Saver, *options: str) -> dict[str, float]:
    """The only epoch of a run that ends well."""
    (epoch,) = numbers(saver.good(*options))
    return epoch


@pytest.mark.parametrize("kind", ["nan", "inf"])
@pytest.mark.parametrize("shaping", SHAPINGS)
def test_a_few_bad_scores_leave_the_estimate_as_large(spoiled: Saver, shaping: str, kind: str) -> None:
    """With one member NaN, or +inf where more is better: |g| within a factor 2 of the clean one, best member finite."""
    options = (f"--score-{shaping}", "--save-model", "m.safetensors", "--data")
    clean = epoch_of(spoiled, *options, "clean.csv")
    assert clean["nan"] == 0
    bad = epoch_of(spoiled, *options, f"{kind}.csv")
    assert bad["nan"] == 1
    assert clean["grad"] / 2 < bad["grad"] < 2 * clean["grad"]
    assert -57_100 < bad["worst"] < bad["mean"] < bad["best"] < -56_900
    for name in ("m.safetensors", "m.best-member.safetensors"):
        assert all(np.isfinite(array).all() for array in arrays_of(spoiled.folder / name).values())


def test_statistics_are_over_the_valid_members(spoiled: Saver) -> None:
    """With about half of the members NaN, mean and std are near those of all members, which are independent of it."""
    clean, half = (epoch_of(spoiled, "--data", f"{name}.csv") for name in ("clean", "half"))
    assert 90 < half["nan"] < 166
    spread = 0.5 * np.sqrt(7 + 4)  # sigma times the norm of c: seven ones and a two
    assert clean["std"] == pytest.approx(spread, rel=0.15)
    assert half["std"] == pytest.approx(spread, rel=0.2)
    assert abs(half["mean"] - clean["mean"]) < 5 * spread / np.sqrt(128)


@pytest.mark.parametrize("kind", ["all", "all-inf"])
def test_all_scores_bad(spoiled: Saver, kind: str) -> None:
    """The run ends before the weights change, naming the epoch; an earlier save is as it was."""
    spoiled.good("--save-model-all", "s.safetensors", "--data", "clean.csv")
    before = spoiled.read("s.safetensors")
    done = spoiled.run("--save-model-all", "s.safetensors", "--data", f"{kind}.csv")
    assert (done.status, done.epochs) == (1, [])
    assert "epoch 0: the scores of all 256 members are NaN or infinite; the weights are as they were" in done.err
    assert "help: a label outside 0 .. classes - 1 in LOSS-CROSS-ENTROPY, an index outside the axis" in done.err
    assert spoiled.read("s.safetensors") == before


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (("--sigma-decay", "1e-30"), "epoch 2: sigma has become 5e-61; it must stay above 0 and finite"),
        (("--sigma-decay", "1e30"), "epoch 2: sigma has become 5e+59; it must stay above 0 and finite"),
        (("--alpha-decay", "1e30"), "epoch 2: alpha has become 1e+57; it must stay finite"),
    ],
)
def test_a_schedule_that_leaves_the_range(spoiled: Saver, options: tuple[str, ...], message: str) -> None:
    """Sigma and alpha of an epoch are checked before its members are drawn."""
    done = spoiled.run(*options, "--epochs", "5", "--score-sign", "--sigma", "0.5", "--alpha", "0.001")
    assert done.status == 1
    assert message in done.err


# Scores of 1e35 times a parameter: an estimate of about 1e35, whose square no float32 holds.
STEEP = """
: POINT ( -- <layer> ) r:8 PARAM 1 INIT-CONSTANT TRAINABLE ;
: SCORE ( -- r ) POINT SUM 1e35 * ;
: MAIN ( -- )
  OBJECTIVE-REWARD 5 EPOCHS 16 POPULATION ANTITHETIC 3 SEED 0.001 ALPHA 0.1 ES-GAUSSIAN SCORE-RAW .METRICS
  1 EPISODES ['] SCORE TRAIN ;
"""


@pytest.fixture(scope="module")
def steep(tmp_path_factory: pytest.TempPathFactory) -> Saver:
    """The program whose estimate is very large."""
    return trainer(
        STEEP, tmp_path_factory.mktemp("steep"), "steep", "--workers", "1", "--save-model-all", "s.safetensors"
    )


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (("--sgd-updates", "--sigma", "600"), "epoch 0: the estimate of POINT/param is not finite; the weights are as"),
        (("--sgd-updates", "--alpha", "1e5"), "epoch 0: the update makes weights of POINT/param infinite or NaN"),
        (("--sgdm-updates", "--alpha", "1e4"), "epoch 0: the update makes weights of POINT/param infinite or NaN"),
        (
            ("--rmsprop-updates",),
            "epoch 0: what the optimizer keeps of POINT/param overflows, since the estimate's norm is ",
        ),
        (
            ("--adam-updates",),
            "epoch 0: what the optimizer keeps of POINT/param overflows, since the estimate's norm is ",
        ),
        (
            ("--weight-decay", "1e38", "--alpha", "100"),
            "epoch 0: the update makes weights of POINT/param infinite or NaN",
        ),
    ],
)
def test_an_overflow_ends_the_run_before_it_is_saved(steep: Saver, options: tuple[str, ...], message: str) -> None:
    """The message names the epoch and the parameter; no file is written where there was none."""
    (steep.folder / "s.safetensors").unlink(missing_ok=True)
    done = steep.run("--save-every", "1", "--epochs", "1", *options)
    assert done.status == 1
    assert message in done.err
    assert "\n  help: " in done.err
    assert [path.name for path in steep.folder.iterdir() if path.suffix == ".safetensors"] == []


def test_a_large_estimate_that_fits_is_used(steep: Saver) -> None:
    """Far from overflow nothing is refused: SGD with a tiny step, and clipping, which makes any norm small."""
    steep.good("--sgd-updates", "--alpha", "1e-36")
    steep.good("--adam-updates", "--update-clip", "1")
    assert all(np.isfinite(array).all() for array in arrays_of(steep.folder / "s.safetensors").values())


# Layers whose input no noise reaches, or some, that divide by the third number of a row: 1 while training, then 0.
INFINITE = """
: ONCE ( r:3 -- r:2 ) { x } x 0 AT x 1 AT 2 VEC x 2 AT / 2 LINEAR TRAINABLE ;
: TWICE ( r:3 -- r:11 ) { x } x 0 AT x 1 AT 2 VEC 1 AFFINE TRAINABLE ABS 1+ x 2 AT / 11 LINEAR TRAINABLE ;
: SCORE ( r:b:3 -- r ) DUP ONCE SUM SWAP TWICE SUM + MEAN ;
: MAIN ( -- )
  OBJECTIVE-REWARD 1 EPOCHS 4 POPULATION 3 SEED 0.001 ALPHA {family} .METRICS "one.csv" 3 CSV-INPUT ALL ['] SCORE TRAIN
  "zero.csv" 3 CSV-INPUT { zero } zero ['] ONCE "once.csv" PREDICT zero ['] TWICE "twice.csv" PREDICT ;
"""


@pytest.mark.parametrize("family", ["0.1 ES-GAUSSIAN", "0.1 EGGROLL-R1", "0.1 3 EGGROLL"])
def test_infinite_numbers_meet_no_noise_where_there_is_none(family: str, tmp_path: Path) -> None:
    """PREDICT gives W x, infinite where that is, not NaN from 0 times an infinite number of the noise's share."""
    (tmp_path / "one.csv").write_text("1,1,1\n-1,2,1\n", encoding="utf-8")
    (tmp_path / "zero.csv").write_text("1,0.5,1\n1,1,0\n-1,-1,0\n", encoding="utf-8")
    pair = run_both(INFINITE.replace("{family}", family), tmp_path)
    assert [line for stage in range(3) for line in pair.differences(stage)] == []
    for native in pair.native[1:]:
        assert native.table is not None
        assert np.isinf(native.table).any()
