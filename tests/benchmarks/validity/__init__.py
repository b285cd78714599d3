"""Large simulations of what findings promise, a module each: `python -m tests.benchmarks.validity.NAME`."""
