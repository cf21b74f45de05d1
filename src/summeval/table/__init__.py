"""The one table of the package: rows by column, scores by system and topic, and their files."""
