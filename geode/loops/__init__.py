"""From a unit's graph to loops over the elements and lanes of one tile, level by level."""
