"""What a program's compilation decided, told to its author: levels, forms, and what the step size means."""
