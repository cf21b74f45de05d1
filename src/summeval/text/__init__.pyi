# The names of the package: `_lazy.attach` reads the imports here when a name is first used, and the
# pages of the reference show what `__all__` has.

from summeval.text import function_words as function_words
from summeval.text import stopwords as stopwords
from summeval.text.sentence_splitter import sentences as sentences
from summeval.text.stemmers import stemmer as stemmer
from summeval.text.tokenizers import tokens as tokens

__all__ = [
    "function_words",
    "sentences",
    "stemmer",
    "stopwords",
    "tokens",
]
