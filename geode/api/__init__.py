"""Geode from Python: programs built, trained and asked, with weights and metrics as NumPy arrays (docs/python.md)."""

from __future__ import annotations

from geode.api.errors import (
    BuildFailedError,
    FileReadError,
    GeodeError,
    GeodeWarning,
    ProgramError,
    RunError,
    SettingError,
)
from geode.api.program import BuiltProgram, Program
from geode.api.run import Evaluation, Result, Run

__all__ = [
    "BuildFailedError",
    "BuiltProgram",
    "Evaluation",
    "FileReadError",
    "GeodeError",
    "GeodeWarning",
    "Program",
    "ProgramError",
    "Result",
    "Run",
    "RunError",
    "SettingError",
]
