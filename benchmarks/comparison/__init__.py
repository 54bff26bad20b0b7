"""Geode beside other libraries on the same work: `geode bench --peers`. What the peers themselves run is in `../peers/`."""
