"""The works that are compared: who takes part, with which options, and how much of the best peer Geode must reach.

Out: WORKS. Invariant: in one work all sides begin with the same weights and rows, and do the same number of epochs.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from rules.errors import BuildError, near_miss

CHUNKS = 5  # measurements in one process, of so many epochs each (peers/timing.py)


@dataclass(frozen=True, slots=True)
class Peer:
    """A program of `../peers/`, with its options at its best setting."""

    name: str
    script: str
    differs: str  # what it does differently from Geode
    options: tuple[str, ...] = ()
    environment: dict[str, str] = field(default_factory=dict)
    same: bool = True  # the same algorithm, so that its score after the same epochs is the check of the work
    pairs_with: str = ""  # W5: the key of the program that it is shown beside


@dataclass(frozen=True, slots=True)
class Ours:
    """A program of `../programs/peers/` and what its ratio must reach."""

    key: str
    program: str
    limit: float
    edit: tuple[str, str] = ("", "")  # text to replace in it, and by what
    needs: str = ""  # a word that the language must have; the program waits for it
    hardware: str = ""  # a feature of the processor that the limit is for
    alone: str = ""  # W5: the program of the inference that its training is held to

    @property
    def alone_key(self) -> str:
        """The name of that side."""
        return self.alone.removesuffix(".gs")


@dataclass(frozen=True, slots=True)
class Work:
    """A workload of `../peers/workloads.py`. `kind` is what a ratio divides: "epoch" the peer's seconds by Geode's, "steps" those
    a simulated step, "inference" Geode's own inference by its own training."""

    key: str
    what: str
    kind: str
    warm_up: int
    epochs: int  # a chunk
    ours: tuple[Ours, ...]
    peers: tuple[Peer, ...]

    @property
    def all_epochs(self) -> int:
        """Epochs of one process."""
        return self.warm_up + CHUNKS * self.epochs


_NUMPY = "pieces of the population on two threads, one BLAS thread each"
_JAX = "an epoch is one compiled function; the compiler shares the cores out"
_EVOSAX = "Open_ES of evosax with optax's Adam; the network is the JAX peer's"
_TWO_DEVICES = {"XLA_FLAGS": "--xla_force_host_platform_device_count=2"}
_SCAN = "; the scan runs all 500 steps, counted even after the pole has fallen"

WORKS = (
    Work(
        key="W1",
        what="100-8-100, dense, 256 members, 1000 rows",
        kind="epoch",
        warm_up=2,
        epochs=8,
        ours=(Ours("W1", "w1.gs", 8.0),),
        peers=(
            Peer("numpy", "numpy_peer.py", _NUMPY),
            Peer("jax", "jax_peer.py", f"{_JAX}; 8 members at a time", ("--chunk", "8")),
            Peer("evosax", "evosax_peer.py", f"{_EVOSAX}, 8 members at a time", ("--chunk", "8")),
            Peer("evotorch", "evotorch_peer.py", "PGPE with a fixed deviation; ClipUp off, Adam on the centre"),
            Peer("pycma", "cma_peer.py", "CMA-ES with a diagonal covariance: another algorithm", same=False),
        ),
    ),
    Work(
        key="W2",
        what="100-8-100, EGGROLL-R1, 256 members, 1000 rows",
        kind="epoch",
        warm_up=2,
        epochs=8,
        ours=(Ours("W2", "w2.gs", 8.0),),
        peers=(
            Peer("numpy", "numpy_peer.py", f"{_NUMPY}; the first layer's product is made once"),
            Peer("jax", "jax_peer.py", f"{_JAX}; 1 member at a time", ("--chunk", "1")),
        ),
    ),
    Work(
        key="W3",
        what="64-512-512-10, EGGROLL-R1, 256 members, 1000 rows",
        kind="epoch",
        warm_up=1,
        epochs=1,
        ours=(
            Ours("W3", "w3.gs", 1.6),
            Ours(
                "W3-BF16",
                "w3.gs",
                6.0,
                edit=("EGGROLL-R1 .METRICS", "EGGROLL-R1 BF16 .METRICS"),
                needs="BF16",
                hardware="amx_bf16",
            ),
        ),
        peers=(
            Peer("numpy", "numpy_peer.py", f"{_NUMPY}; the first layer's product is made once"),
            Peer("jax", "jax_peer.py", f"{_JAX}; 8 members at a time", ("--chunk", "8")),
        ),
    ),
    Work(
        key="W4",
        what="cart-pole, 4096 members, a game each",
        kind="steps",
        warm_up=30,
        epochs=4,
        ours=(Ours("W4", "w4.gs", 8.0),),
        peers=(
            Peer("numpy", "numpy_peer.py", f"{_NUMPY}; drops members whose pole fell every 25 steps"),
            Peer("jax", "jax_peer.py", _JAX + _SCAN),
            Peer("jax, 2 devices", "jax_peer.py", f"half of the members a core{_SCAN}", environment=_TWO_DEVICES),
            Peer("evosax", "evosax_peer.py", _EVOSAX + _SCAN),
        ),
    ),
    Work(
        key="W5",
        what="64-512-512-10, training with EGGROLL-R1 against inference alone, 256 x 1000 rows",
        kind="inference",
        warm_up=1,
        epochs=1,
        ours=(
            Ours("W5-shared", "w5-shared.gs", 1.05, alone="w5-inference.gs"),
            Ours("W5-own", "w5-own.gs", 0.95, alone="w5-inference.gs"),
        ),
        peers=(
            Peer("jax, shared rows", "jax_peer.py", _JAX, ("--chunk", "8"), pairs_with="W5-shared"),
            Peer("jax, own rows", "jax_peer.py", _JAX, ("--chunk", "8", "--own-rows"), pairs_with="W5-own"),
        ),
    ),
)


def chosen_works(keys: Sequence[str]) -> tuple[Work, ...]:
    """The works with these keys; all for none. Raises BuildError for a key of no work."""
    known = tuple(work.key for work in WORKS)
    for key in keys:
        if key.upper() not in known:
            raise BuildError(f"no work `{key}` to compare{near_miss(key.upper(), known)}")
    wanted = {key.upper() for key in keys}
    return tuple(work for work in WORKS if not keys or work.key in wanted)
