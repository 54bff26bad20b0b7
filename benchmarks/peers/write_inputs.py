"""The peers' rows and starting weights as files for Geode's programs, so that both sides begin with the same bytes.

In: a folder. Out: there, `waves.npy` [1000, 100] (W1, W2), `teacher.npy` [1000, 64 inputs + 10 wanted] (W3, W5), `many.npy`
[256000, 74] (W5's inference: many_rows(), the wanted repeated) and `wN.safetensors`. Invariant: tensors have the names that the
programs of `programs/peers/` give their layers.
"""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np
import workloads as w
from safetensors.numpy import save_file

_SINES = ("HIDDEN/", "")  # the last layer stands in the objective itself
_WIDE = ("NETWORK/HIDDEN/", "NETWORK/HIDDEN.2/", "NETWORK/OUTPUT/")
LAYER_NAMES = {"W1": _SINES, "W2": _SINES, "W3": _WIDE, "W4": ("NETWORK/HIDDEN/", "NETWORK/OUTPUT/"), "W5": _WIDE}


def main(folder: Path) -> None:
    """Write them all."""
    folder.mkdir(parents=True, exist_ok=True)
    np.save(folder / "waves.npy", w.rows("W1")[0])
    inputs, wanted = w.rows("W3")
    np.save(folder / "teacher.npy", np.concatenate([inputs, wanted], axis=1))
    population = w.POPULATION["W5"]
    np.save(
        folder / "many.npy", np.concatenate([w.many_rows().reshape(-1, 64), np.tile(wanted, (population, 1))], axis=1)
    )
    for workload in w.LAYERS:
        layers = w.weights(workload)
        tensors = {}
        for name, (matrix, bias) in zip(LAYER_NAMES[workload], layers, strict=True):
            tensors[f"{name}weight"] = np.ascontiguousarray(matrix)
            tensors[f"{name}bias"] = bias
        save_file(tensors, folder / f"{workload.lower()}.safetensors")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
