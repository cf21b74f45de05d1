"""Extracts of documents: rows with people's choices, features, a ranker, and the selection."""
