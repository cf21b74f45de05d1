"""`summeval report`."""
