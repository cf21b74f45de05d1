"""One textbook twin in plain Python for each kernel: the definition the tests hold it to."""
