"""The papers of the metrics, and how to cite them."""
