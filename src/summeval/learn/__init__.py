"""What is trained: support vector machines, ridge and linear models, and their one file format."""
