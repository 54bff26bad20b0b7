"""The control examples play Gymnasium's games: their physics are its physics, and their trained policies win there.

In: `examples/cartpole.gs`, `pendulum.gs` and `acrobot.gs`; Gymnasium, without which these tests are skipped
(`.venv/bin/pip install -e '.[gymnasium]'`, then `./geode.sh test --slow tests/learning/test_gymnasium.py`).
Out: states of both side by side, and mean rewards of a hundred games. Invariant: of Geode only the compiled programs take
part; the policies' weights come from their files.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from tests.harness.checkpoint import arrays_of
from tests.harness.native import ROOT, build, start

Array = NDArray[Any]
gymnasium = pytest.importorskip("gymnasium")
pytestmark = [pytest.mark.native, pytest.mark.slow, pytest.mark.filterwarnings("ignore")]

STEPS, STARTS, GAMES = 50, 20, 100


@dataclass(frozen=True, slots=True)
class Game:
    """How an example and its environment speak to each other.

    `step` are Geode words from the state (as many values as `size`, in a vector `s`) and a force `f` to the next state;
    `forces` what may stand for `f`; `action` makes Gymnasium's action of one. `low` and `high` bound the starts. `act` is
    the policy's answer to its scores; `least` the mean reward that will do.
    """

    name: str
    size: int
    step: str
    forces: tuple[float, ...]
    action: Callable[[float], Any]
    low: float
    high: float
    path: str
    act: Callable[[Array], Any]
    least: float


def _torque(force: float) -> Array:
    return np.array([force], dtype=np.float32)


GAMES_TABLE = {
    "cartpole": Game("CartPole-v1", 4, "s UNVEC f PHYSICS 4 VEC", (-10.0, 10.0), lambda f: int(f > 0), -0.05, 0.05,
                     "FORCE/POLICY", lambda scores: int(scores.argmax()), 475.0),
    "pendulum": Game("Pendulum-v1", 2, "s UNVEC f PHYSICS 2 VEC", (-2.0, -0.7, 0.0, 1.1, 2.0), _torque, -1.0, 1.0,
                     "TORQUE/POLICY", lambda scores: _torque(2 * np.tanh(scores[0])), -300.0),
    "acrobot": Game("Acrobot-v1", 4, "s f PHYSICS", (-1.0, 0.0, 1.0), lambda f: int(f) + 1, -0.1, 0.1,
                    "TORQUE/POLICY", lambda scores: int(scores.argmax()), -100.0),
}  # fmt: skip


def traced(example: str, game: Game, folder: Path, rows: Array) -> Array:
    """The states after each step, `[rows, STEPS, size]`, of starts followed by forces, as the example's PHYSICS has them."""
    columns = game.size + STEPS
    definitions = (ROOT / "examples" / f"{example}.gs").read_text(encoding="utf-8").partition(": SETTINGS")[0]
    text = f"""{definitions}
: ONE-STEP ( r:{game.size} r -- r:{game.size} ) {{ s f }} {game.step} ;
: TRACE ( r:{columns} -- r:{STEPS}:{game.size} )
  {game.size} SPLIT {{ state forces }}
  r:{STEPS}:{game.size} ZEROS {{ seen }}
  {STEPS} 0 DO state forces I AT ONE-STEP TO state  seen state I PUT TO seen LOOP
  seen ;
: MAIN ( -- ) "starts.csv" {columns} CSV-INPUT ['] TRACE "states.csv" PREDICT ;
"""
    (folder / "trace.gs").write_text(text, encoding="utf-8")
    np.savetxt(folder / "starts.csv", rows, delimiter=",", fmt="%.9g")
    done = start([build(folder / "trace.gs", folder / "trace")], cwd=folder)
    assert done.status == 0, done.err
    return np.loadtxt(folder / "states.csv", delimiter=",").reshape(len(rows), STEPS, game.size)


@pytest.mark.parametrize("example", GAMES_TABLE)
def test_physics_are_those_of_gymnasium(example: str, tmp_path: Path) -> None:
    """Fifty steps from twenty starts with the same forces: every state is the same to 1e-4, of its size where that is above 1."""
    game = GAMES_TABLE[example]
    random = np.random.default_rng(1)
    starts = random.uniform(game.low, game.high, (STARTS, game.size)).astype(np.float32)
    forces = random.choice(np.array(game.forces), (STARTS, STEPS)).astype(np.float32)
    found = traced(example, game, tmp_path, np.concatenate([starts, forces], axis=1))
    environment = gymnasium.make(game.name).unwrapped
    environment.reset(seed=1)
    expected = np.zeros_like(found)
    for row in range(STARTS):
        environment.state = starts[row].astype(np.float64)
        environment.steps_beyond_terminated = None
        for step in range(STEPS):
            environment.step(game.action(float(forces[row, step])))
            expected[row, step] = environment.state
    assert np.abs(expected).max() > 0.5
    np.testing.assert_allclose(found, expected, rtol=1e-4, atol=1e-4)


def scores_of(weights: Mapping[str, Array], path: str, seen: Array) -> Array:
    """The two layers of a policy: W2 tanh(W1 x + b1) + b2."""
    hidden = np.tanh(weights[f"{path}/weight"] @ seen + weights[f"{path}/bias"])
    found: Array = weights[f"{path}/weight.2"] @ hidden + weights[f"{path}/bias.2"]
    return found


@pytest.mark.parametrize("example", GAMES_TABLE)
def test_a_trained_policy_wins_in_gymnasium(example: str, tmp_path: Path) -> None:
    """The mean reward of a hundred games, with the weights out of the program's file."""
    game = GAMES_TABLE[example]
    program = build(ROOT / "examples" / f"{example}.gs", tmp_path / "build")
    done = start([program, "--save-model", "policy.safetensors"], cwd=tmp_path, limit=1200)
    assert done.status == 0, done.err
    weights = arrays_of(tmp_path / "policy.safetensors")
    environment = gymnasium.make(game.name)
    rewards = []
    for seed in range(GAMES):
        seen, _ = environment.reset(seed=seed)
        total, over = 0.0, False
        while not over:
            seen, reward, terminated, truncated, _ = environment.step(game.act(scores_of(weights, game.path, seen)))
            total += float(reward)
            over = terminated or truncated
        rewards.append(total)
    assert np.mean(rewards) >= game.least
