"""`summeval bench`: measurements of what the package has."""
