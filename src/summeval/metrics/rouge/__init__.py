"""ROUGE: the metric, its measures, and the numbers of the Perl script."""
