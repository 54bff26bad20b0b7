"""Paired measurements: Geode's programs beside hand-written C, in one run. `geode bench` is the way in."""
