"""The oracle: what a run computes, in NumPy, without the compiler; it reads like the formulas.

In: keys, arrays, typed graphs. Out: the numbers every native result is tested against.
Invariant: nothing here imports lowering code or constants of the compiler's back end; the
table of normals (`geode/streams`) is the one thing both sides read.
"""
