"""Benchmark of the solvers on generated problems."""
