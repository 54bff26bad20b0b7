"""From words to a typed, shaped graph per unit: what is computed, at which level, with which parameters."""
