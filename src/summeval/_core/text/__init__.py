"""Kernels of text: tokens, Unicode tables, stems, stop lists and limits."""
