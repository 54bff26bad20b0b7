"""The other side of a trained example: its file opened with another library, its network written out by hand.

What is in PREDICT's file is what these few lines of NumPy, which are those of a PyTorch module, compute from the file.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import geode
from tests.harness.native import ROOT

pytestmark = pytest.mark.native


def test_iris_from_its_checkpoint(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Two affine layers and a TANH on the weights that safetensors.numpy reads: every prediction to 1e-5."""
    safetensors = pytest.importorskip("safetensors.numpy")
    monkeypatch.chdir(ROOT)
    file = tmp_path / "iris.safetensors"
    program = geode.Program(ROOT / "examples" / "iris.gs").build(tmp_path / "iris")
    program.train(epochs=100, save_model=file)
    w = safetensors.load_file(file)
    assert sorted(w) == [f"NETWORK/{layer}/{kind}" for layer in ("HIDDEN", "OUTPUT") for kind in ("bias", "weight")]
    flowers = np.loadtxt(ROOT / "datasets" / "iris.csv", np.float32, delimiter=",")
    x = (flowers[:, :4] - 3) / 3
    hidden = np.tanh(x @ w["NETWORK/HIDDEN/weight"].T + w["NETWORK/HIDDEN/bias"])
    expected = hidden @ w["NETWORK/OUTPUT/weight"].T + w["NETWORK/OUTPUT/bias"]
    predicted = program.predict("NETWORK", flowers[:, :4], file)
    np.testing.assert_allclose(predicted, expected, rtol=0, atol=1e-5)
    right = expected.argmax(axis=1) == flowers[:, 4:].argmax(axis=1)
    assert np.mean(right) > 0.8
