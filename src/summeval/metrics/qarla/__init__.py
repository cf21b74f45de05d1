"""The similarities that QARLA combines."""
