"""Kernels of the metrics of other packages, whose statistics add up over rows."""
