"""Analyzer: turns a text into the tokens that are compared."""

from libcpp.memory cimport make_shared
from libcpp.string cimport string
from libcpp.unordered_map cimport unordered_map

TOKENIZERS = {"rouge155": 0, "unicode": 1, "split": 2}
STEMMERS = {None: 0, "rouge155": 1, "porter": 2, "porter-java": 3}


cdef class Exceptions:
    """Words with fixed stems, shared by any number of analyzers.

    Parameters
    ----------
    stems : dict of bytes to bytes
    """

    def __init__(self, dict stems):
        self.table = make_shared[unordered_map[string, string]](
            <unordered_map[string, string]> stems
        )

    def __len__(self) -> int:
        return self.table.get().size()


cdef class Analyzer:
    """Length limit, tokeniser, stop words and stemmer, applied in this order.

    Parameters
    ----------
    tokenizer : {"rouge155", "unicode", "split"}
        "split" reads tokens that end in the byte 0xFF, or 0xFD for a function word, and lines that
        end in 0xFE.
    stemmer : {None, "rouge155", "porter", "porter-java"}
        Applied to ASCII tokens of more than `unstemmed` bytes.
    exceptions : Exceptions, optional
        Looked up before the stemmer.
    stopwords : iterable of bytes
        Tokens to drop; compared before stemming.
    function_words : iterable of bytes, or None
        Tokens, in lower case, to flag; compared before stemming. None flags nothing.
    max_words, max_bytes : int
        Limits of ROUGE-1.5.5 (-l, -b); 0 for no limit; only one may be set.
    fold : bool
        Compare tokens without regard to case; tokens of "split" are never changed.
    unstemmed : int
        Tokens of at most this many bytes are not stemmed; 3 in ROUGE-1.5.5.
    looked_up : int
        Tokens of at most this many bytes are stemmed by the exceptions alone.
    """

    def __init__(
        self, str tokenizer="rouge155", stemmer=None, Exceptions exceptions=None, stopwords=(),
        function_words=None, int64_t max_words=0, int64_t max_bytes=0, cbool fold=True,
        int64_t unstemmed=3, int64_t looked_up=0
    ):
        self.cpp.tokenizer = TOKENIZERS[tokenizer]
        self.cpp.stemmer = STEMMERS[stemmer]
        self.cpp.max_words = max_words
        self.cpp.max_bytes = max_bytes
        if exceptions is not None:
            self.cpp.exceptions = exceptions.table
        self.cpp.stopwords = set(stopwords)
        self.cpp.fold = fold
        self.cpp.unstemmed = unstemmed
        self.cpp.looked_up = looked_up
        self.cpp.flags_functions = function_words is not None
        self.cpp.function_words = set(function_words or ())
