"""Rows in columns: Parquet files, Arrow files and Arrow values."""
