"""TESLA-S and TESLA-M."""
