"""Columnar data: Parquet files, Arrow files and Arrow values."""
