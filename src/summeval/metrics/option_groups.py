"""Options that several metrics have, declared once."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, TypedDict

from summeval._options import Option
from summeval.text.stemmers import STEMMERS


class SharedOptions(TypedDict, total=False):
    """The types of `SHARED`."""

    tokenizer: str | Callable[[str], Iterable[str]]
    stemmer: str | None
    stopwords: bool | Iterable[str]
    case: str
    sentences: str | Callable[[str], Iterable[str]]
    language: str | None


LABEL: Any = Option("label", None, (None,), "text", give="give a str that is not empty, or None")
TOKENIZER: Any = Option(
    "tokenizer", "rouge155", ("rouge155", "unicode", "uax29", "icu"), "function"
)
STEMMER: Any = Option("stemmer", None, STEMMERS, "stemmer")
LANGUAGE: Any = Option(
    "language", None, (None,), "text", give='give the code of a language, such as "de", or None'
)
STOPWORDS: Any = Option("stopwords", False, (False, True), "words")
SENTENCES: Any = Option("sentences", "newline", ("newline", "rules"), "function")
_NO_LIMIT = "give a number of at least 0 (0: no limit)"
MAX_WORDS: Any = Option("max_words", 0, kind="whole", low=0, high=2.0**62, give=_NO_LIMIT)
MAX_BYTES: Any = MAX_WORDS._replace(name="max_bytes")
CASE: Any = Option("case", "keep", ("keep", "lower", "auto"))
AGGREGATE: Any = Option("aggregate", "max", ("max", "average"))
JACKKNIFE: Any = Option("jackknife", False, kind="bool")
ALPHA: Any = Option("alpha", 0.5, kind="share")
RECALL_WEIGHT: Any = Option("recall_weight", 0.8, kind="share")
PARSER: Any = Option("parser", "compiled", kind="any")
RELATIONS: Any = Option(
    "relations", None, (None,), "function", give="give a function of a Document, or None"
)
CACHE: Any = Option("cache", True, kind="bool")
MODEL: Any = Option("model", None, (None,), "path")
DEVICE: Any = Option("device", None, (None,), "text")
BATCH_SIZE: Any = Option("batch_size", None, (None,), "whole", low=1)
SOLVER: Any = Option("solver", "kernel", kind="text")
C: Any = Option("C", None, (None, "cv"), "number", low=0, above=True)

# Given once for several metrics.
SHARED = (TOKENIZER, STEMMER, STOPWORDS, CASE, SENTENCES, LANGUAGE)
