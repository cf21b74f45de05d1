"""Files of lines: rows of JSON in, rows with numbers out."""
