"""The metrics of the field, as other packages compute them, and measures of a text alone."""
