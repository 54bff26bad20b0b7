"""Geode: a compiler from a compact stack language to native binaries that train by Evolution Strategies.

The pipeline is `geode.pipeline`; the command line is `geode.cli`. Importing this package imports neither.
"""

__version__ = "0.1.0"
