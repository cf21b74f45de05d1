"""The similarity metrics that QARLA combines."""
