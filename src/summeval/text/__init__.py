"""Text processing: tokenizers, stemmers, word lists and sentence splitting."""

from typing import TYPE_CHECKING

from summeval._lazy import lazy

if TYPE_CHECKING:
    from summeval.text import function_words, stopwords
    from summeval.text.sentence_splitter import sentences
    from summeval.text.stemmers import stemmer
    from summeval.text.tokenizers import tokens

__all__ = ["function_words", "sentences", "stemmer", "stopwords", "tokens"]

__getattr__ = lazy(
    __name__, {"sentences": "sentence_splitter", "stemmer": "stemmers", "tokens": "tokenizers"}
)
