"""Text processing: tokenizers, stemmers, word lists and sentence splitting."""

from summeval.text import function_words, stopwords
from summeval.text.sentence_splitter import sentences
from summeval.text.stemmers import stemmer
from summeval.text.tokenizers import tokens

__all__ = ["function_words", "sentences", "stemmer", "stopwords", "tokens"]
