"""Names that other frameworks and languages have for what Geode has under another name.

In: a name that means nothing. Out: what to write instead. Invariant: no name in the table is a built-in word.
"""

from __future__ import annotations

_OTHERS: dict[str, str] = {
    "the mean squared error is `LOSS-MSE`": "MSE MSE-LOSS MSELOSS L2-LOSS",
    "the mean absolute error is `LOSS-L1`": "MAE L1-LOSS L1LOSS L1",
    "it is `LOSS-HUBER`": "HUBER HUBER-LOSS SMOOTH-L1",
    "the cross entropy of logits and a label is `LOSS-CROSS-ENTROPY`; of a logit and 0 or 1, `LOSS-BINARY`": """
        CROSS-ENTROPY CROSSENTROPY CROSS-ENTROPY-LOSS CROSSENTROPYLOSS CE NLL NLL-LOSS SOFTMAX-CROSS-ENTROPY
    """,
    "the cross entropy of a logit and 0 or 1 is `LOSS-BINARY`": "BCE BCE-LOSS BINARY-CROSS-ENTROPY LOGISTIC-LOSS",
    "a convolution is `CONV2D`": "CONV CONVOLUTION CONV-2D CONV1D",
    "a layer with a bias is `AFFINE`, one without `LINEAR`; both want `TRAINABLE`": "DENSE FC FULLY-CONNECTED NN.LINEAR",
    "write `MAXPOOL` or `AVGPOOL`": "POOL MAX-POOL MAXPOOL2D AVG-POOL AVGPOOL2D POOLING",
    "an embedding is `EMBED`": "EMBEDDING NN.EMBEDDING",
    "layers are normed by `LAYERNORM` or `RMSNORM`": "BATCHNORM BATCH-NORM LAYER-NORM RMS-NORM NORMALIZE",
    "noise is drawn by the search itself; there is no dropout": "DROPOUT",
    "no gradient is taken: `TRAIN` moves the weights by the scores of perturbed copies": """
        BACKWARD BACKPROP BACKPROPAGATE GRAD GRADIENT GRADIENTS AUTOGRAD ZERO-GRAD NO-GRAD STOP-GRADIENT DETACH
    """,
    "it is `LEAKY-RELU`": "LEAKYRELU LRELU",
    "it is `SILU`": "SWISH",
    "the step size is `ALPHA`": "LR LEARNING-RATE LEARNINGRATE STEP-SIZE ETA",
    "sigma is what `ES-GAUSSIAN` takes: `0.1 ES-GAUSSIAN`; so do `EGGROLL-R1`, `EGGROLL` and `OMELETTE-R1`": """
        SIGMA STD STDDEV NOISE NOISE-STD
    """,
    "the optimizer is chosen by `SGD-UPDATES`, `SGDM-UPDATES`, `RMSPROP-UPDATES`, `ADAM-UPDATES` or `MUON-UPDATES`": """
        OPTIMIZER SGD SGDM RMSPROP ADAM ADAMW MUON MOMENTUM
    """,
    "rows at a time are what `BATCH` takes behind the data: `64 BATCH`": "BATCH-SIZE BATCHSIZE MINIBATCH",
    "members are counted by `POPULATION`": "POP POPSIZE POP-SIZE POPULATION-SIZE MEMBERS",
    "epochs are counted by `EPOCHS`": "GENERATIONS ITERATIONS STEPS EPOCH",
    "it is `OBJECTIVE-LOSS`": "MINIMIZE MINIMISE",
    "it is `OBJECTIVE-REWARD`": "MAXIMIZE MAXIMISE",
    "it is `SOFTPLUS`": "LOG1PEXP",
    "it is `CONCAT`": "CAT CONCATENATE",
    "it is `AT` for one place of the first axis, `SLICE` for several": "INDEX GATHER",
    "it is `AMAX`, or `ARGMAX` for its place": "REDUCE-MAX",
    "it is `MEAN`": "AVG AVERAGE REDUCE-MEAN",
    "it is `SUM`": "REDUCE-SUM",
    "it is `PREDICT`": "INFER INFERENCE",
    'data are read by `CSV-INPUT`: `"rows.csv" 3 CSV-INPUT`': "READ-CSV LOAD-CSV CSV",
    'data are read by `NPY-INPUT`: `"rows.npy" r:28:28 NPY-INPUT`': "READ-NPY LOAD-NPY NPY",
}
_BY_NAME = {name: text for text, names in _OTHERS.items() for name in names.split()}
_FILES = (".csv", ".npy", ".txt", ".gs", ".safetensors", ".jsonl")
_TARGETS = "the targets are `TARGET-CPU`, `TARGET-APPLE-METAL` and `TARGET-CUDA`"
_CURLY = "“”„‟«»‘’"


def other_name(name: str) -> str | None:
    """What to write for a name that others have, a target that is none, an unquoted file or a curly quote; or None."""
    if any(quote in name for quote in _CURLY):
        return f'a string stands in straight quotes: `"{name.strip(_CURLY)}"`'
    if name.lower().endswith(_FILES):
        return f'a path is a string: `"{name}"`'
    if name.upper().startswith("TARGET-"):
        return _TARGETS
    return _BY_NAME.get(name.upper().replace("_", "-"))


NAMES = frozenset(_BY_NAME)
"""The names that have an answer."""
