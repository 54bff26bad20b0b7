"""What one TRAIN stage does with its scores: members, estimate, step, and how to carry over a step size from elsewhere.

In: a stage with its settings. Out: lines of text. Invariant: the formulas are those of the runtime (`gs_shaping.c`,
`gs_estimate.c`, `gs_update.c`) with the stage's own numbers.
"""

from __future__ import annotations

from geode.graph.training_program import DataFile, Stage

_NOISE = {
    "gaussian": "E dense, independent normal numbers",
    "eggroll": "matrices E = A B'/sqrt(r) of rank r = {rank}, A and B normal; vectors dense",
    "omelette-r1": "matrices E = a b' of random signs; vectors dense and normal",
}
_SHAPING = {
    "raw": "u = the score",
    "zscore": "u = (score - mean) / standard deviation",
    "rank-shaped": "u = rank / (N - 1) - 1/2",
    "sign": "u = +1/2 for the better of a pair, -1/2 for the other",
    "utility": "u = N max(0, ln(N/2 + 1) - ln(rank from the best)) / (sum of these) - 1",
}
_STEP = {
    "sgd": "w + alpha g",
    "sgdm": "w + alpha v, v = beta v + g",
    "rmsprop": "w + alpha g / (sqrt(q) + epsilon), q the running mean of g squared",
    "adam": "w + alpha m / (sqrt(v) + epsilon), m and v the running means of g and of g squared",
    "muon": "w + alpha kappa sqrt(max(m, n)) O for matrices, O the running mean of g made orthogonal; ADAM for the rest",
}
_OWN_SIZE = {"rmsprop", "adam", "muon"}


def stage_title(stage: Stage, files: tuple[DataFile, ...]) -> str:
    """The stage in one line: what it does, with which word, on which rows."""
    batch = stage.batch
    if batch.data is None:
        rows = f"{batch.rows} episode{'' if batch.rows == 1 else 's'}"
    else:
        data = batch.data
        last = "the last" if data.count is None else str(data.first + data.count - 1)
        chosen = "all rows" if (data.first, data.count) == (0, None) else f"rows {data.first} to {last}"
        rows = f"{batch.rows} at a time of {chosen}" if batch.kind == "sample" else chosen
        rows += f" of {files[data.file].path}"
    return f"{stage.kind.upper()} {stage.word} on {rows}"


def step_size_lines(stage: Stage) -> list[str]:
    """Members, estimate, step and conversion of a TRAIN stage, a line or two each; nothing for other stages."""
    if stage.kind != "train":
        return []
    s = stage.settings
    population, sigma, alpha = s["population"], s["sigma"], s["alpha"]
    assert isinstance(sigma, float | int)
    assert isinstance(alpha, float | int)
    pairs = s["sampling"] == "antithetic"
    members = f"{population} in pairs w + sigma E, w - sigma E" if pairs else f"{population}, each w + sigma E"
    factor = "s u E" if pairs else "u E"
    lines = [
        f"members   {members}; sigma = {sigma:.9g}",
        f"noise     {_NOISE[str(s['perturbation'])].format(rank=s['rank'])}",
        f"estimate  g = 1/(N sigma) sum of {factor} over the members, N = {population}, {_SHAPING[str(s['shaping'])]}",
        f"step      w <- {_STEP[str(s['optimizer'])]}; alpha = {alpha:.9g}",
    ]
    return lines + _conversion(str(s["optimizer"]), alpha, sigma)


def _conversion(optimizer: str, alpha: float, sigma: float) -> list[str]:
    if optimizer in _OWN_SIZE:
        return [
            "alpha elsewhere: the step has a size of its own, whatever the size of g, so a text that leaves out 1/sigma or",
            "          1/N means the same alpha (but for epsilon, which is compared with the size of g)",
        ]
    return [
        "alpha elsewhere: a text that steps by a/N times the sum, without 1/sigma, writes a for alpha/sigma, so that",
        f"          ALPHA is a sigma (here a = {alpha / sigma:.9g}); one that leaves out 1/N as well: ALPHA is a N sigma",
    ]
