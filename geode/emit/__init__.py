"""loops -> C and Metal text: the only place in Python that writes C."""
