"""Which of the runtime's headers a unit needs.

In: the C text of its functions. Out: the headers that define what it calls, sorted.
Invariant: a unit includes nothing that it does not use, so a change in one kernel recompiles only who calls it.
"""

from __future__ import annotations

import re

HEADERS: dict[str, tuple[str, ...]] = {
    "gs_flags.h": (
        *("is_lt", "is_le", "is_gt", "is_ge", "is_eq", "is_ne", "and", "or", "xor", "not", "true", "false"),
        *("number", "choose", "any", "any_uniform"),
    ),
    "gs_random.h": ("draw_rows", "episode_rows"),
    "gs_math.h": ("exp", "ln", "sin", "cos", "sin_cos", "tanh", "ceil", "trunc", "round"),
    "gs_math_wide.h": ("log2", "log10", "sinh", "cosh", "tan", "asin", "acos", "atan", "atan2", "pow"),
    "kernels/gs_activation.h": ("relu", "leaky_relu", "elu", "gelu", "silu", "sigmoid", "softplus"),
    "kernels/gs_conv.h": ("conv2d", "conv2d_uniform"),
    "kernels/gs_embed.h": ("embed",),
    "kernels/gs_by_lane.h": ("linear_by_lane", "by_lane_chains", "factored_by_lane", "correct_by_lane"),
    "kernels/gs_bf16_layer.h": ("factored_bf16", "bf16_block", "bf16_pairs"),
    "kernels/gs_factored.h": ("factored", "factored_uniform", "factored_chains", "correct", "correct_uniform"),
    "kernels/gs_index.h": ("at", "put", "slice"),
    "kernels/gs_linear.h": ("linear", "linear_uniform", "linear_chains"),
    "kernels/gs_matmul_block.h": ("matmul",),
    "kernels/gs_pooling.h": ("maxpool", "avgpool"),
    "kernels/gs_order.h": ("argmax", "argmin", "sort", "argsort", "cumsum"),
}


def headers_of(text: str) -> list[str]:
    """The headers that declare the functions called in `text`."""
    called = set(re.findall(r"\bgs_([a-z0-9_]+)\(", text))
    return [header for header, names in HEADERS.items() if called & set(names)]
