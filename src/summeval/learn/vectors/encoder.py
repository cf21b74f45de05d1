"""Where encoders of words were first documented."""

from summeval.learn.vectors import EncodedText, WordEncoder, word_spans

__all__ = ["EncodedText", "WordEncoder", "word_spans"]
