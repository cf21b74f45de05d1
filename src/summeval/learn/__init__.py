"""Trained models: support vector machines, ridge and linear models, and their file format."""
