"""Sweeps: a YAML file -> trials -> runs -> a table. `rules/sweep/README.md` tells which file does what."""
