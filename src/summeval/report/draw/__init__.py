"""Pictures of a report, drawn by matplotlib."""
