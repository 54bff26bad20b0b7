"""The line that says that something takes long."""

from __future__ import annotations

import io
import time

import pytest

from geode.sign_of_life import sign_of_life


class Terminal(io.StringIO):
    """A stream that is a terminal."""

    def isatty(self) -> bool:
        """Yes."""
        return True


def work_that_fails(out: Terminal) -> None:
    """Works until the line is there, and fails."""
    with sign_of_life("checking big.gs", out, patience=0.01):
        for _ in range(200):
            time.sleep(0.02)
            if out.getvalue():
                break
        raise ValueError("wrong")


def test_on_a_terminal_the_line_comes_and_goes() -> None:
    """With the seconds; at the end blanks lie over it, also after an error."""
    out = Terminal()
    with pytest.raises(ValueError, match="wrong"):
        work_that_fails(out)
    shown = "geode: checking big.gs, 0 s"
    assert out.getvalue().startswith(f"\r{shown}")
    assert out.getvalue().endswith(f"\r{' ' * len(shown)}\r")


def test_what_is_quick_and_what_is_no_terminal_get_no_line() -> None:
    """Nothing at all."""
    out, pipe = Terminal(), io.StringIO()
    with sign_of_life("checking a.gs", out, patience=5):
        pass
    with sign_of_life("checking a.gs", pipe, patience=0.001):
        time.sleep(0.05)
    assert out.getvalue() == pipe.getvalue() == ""
