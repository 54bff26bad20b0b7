"""What a run leaves, read back: checkpoints as arrays."""
