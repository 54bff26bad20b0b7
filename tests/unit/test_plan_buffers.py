"""Scratch: values that live at the same time never share memory."""

from __future__ import annotations

import itertools

from hypothesis import given, settings
from hypothesis import strategies as st

from geode.loops.plan_buffers import Life, plan_offsets

lives = st.dictionaries(
    st.integers(0, 30),
    st.builds(
        lambda elements, first, length: Life(elements, first, first + length),
        st.integers(1, 9),
        st.integers(0, 12),
        st.integers(0, 6),
    ),
    max_size=16,
)


@settings(max_examples=200, deadline=None, derandomize=True)
@given(lives)
def test_values_alive_during_one_statement_do_not_overlap(values: dict[int, Life]) -> None:
    """And the whole size is the end of the last one."""
    offsets, total = plan_offsets(values)
    assert set(offsets) == set(values)
    assert total == max((offsets[key] + life.elements for key, life in values.items()), default=0)
    for (a, one), (b, other) in itertools.combinations(values.items(), 2):
        together = one.first <= other.last and other.first <= one.last
        apart = offsets[a] + one.elements <= offsets[b] or offsets[b] + other.elements <= offsets[a]
        assert apart or not together


def test_memory_is_used_again() -> None:
    """A value that is born when another has died takes its place; one that does not fit into the gap goes behind."""
    offsets, total = plan_offsets({0: Life(4, 0, 1), 1: Life(2, 0, 5), 2: Life(4, 2, 3), 3: Life(5, 3, 4)})
    assert offsets == {0: 0, 1: 4, 2: 0, 3: 6}
    assert total == 11


def test_the_plan_does_not_depend_on_the_order_of_the_values() -> None:
    """Values born together are placed by their number."""
    values = {2: Life(3, 0, 1), 0: Life(1, 0, 1), 1: Life(2, 0, 1)}
    assert plan_offsets(values) == plan_offsets(dict(sorted(values.items())))
    assert plan_offsets(values)[0] == {0: 0, 1: 1, 2: 3}
