"""The experiments of the papers, a file each: they use metrics and meta, and return tables."""
