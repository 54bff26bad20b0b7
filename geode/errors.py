"""The base of all that Geode's Python interface raises, apart from the interface so that any part may derive from it."""

from __future__ import annotations


class GeodeError(Exception):
    """Anything that the API refuses or that a run ends with."""


class FileReadError(GeodeError, OSError):
    """A file that can't be read: it is not there, or the system refuses it."""
