"""Other libraries on the same work: each file is a program that times one of them and prints one JSON line."""
