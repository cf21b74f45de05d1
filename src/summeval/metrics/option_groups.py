"""Options that several metrics have, declared once."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TypedDict

from summeval._options import Option
from summeval.text.stemmers import STEMMERS


class SharedOptions(TypedDict, total=False):
    """The types of `SHARED`."""

    tokenizer: str | Callable[[str], Iterable[str]]
    stemmer: str | None
    stopwords: bool | Iterable[str]
    case: str
    sentences: str | Callable[[str], Iterable[str]]


LABEL = Option(
    "label",
    "Its name in results; distinguishes metrics of the same name.",
    None,
    (None,),
    "text",
    give="give a str that is not empty, or None",
)
TOKENIZER = Option(
    "tokenizer",
    '"rouge155" is runs of ASCII letters and digits, "unicode" of those of any script; or a'
    " function from str to tokens (slower: it runs in Python).",
    "rouge155",
    ("rouge155", "unicode"),
    "function",
)
STEMMER = Option(
    "stemmer",
    '"rouge155" is the script\'s -m, "porter" rouge-score\'s `use_stemmer`, "porter-java" that of'
    " SIMetrix.",
    None,
    STEMMERS,
)
STOPWORDS = Option(
    "stopwords",
    "True drops the words of the script's list (-s); or the words to drop.",
    False,
    (False, True),
    "words",
)
SENTENCES = Option(
    "sentences",
    "How to split a text without newlines into sentences.",
    "newline",
    ("newline", "rules"),
    "function",
)
MAX_WORDS = Option(
    "max_words",
    "The length limit -l of the script, in words of candidate and references; 0 is none.",
    0,
    kind="whole",
    low=0,
    high=2.0**62,
    give="give a number of at least 0 (0: no limit)",
)
MAX_BYTES = MAX_WORDS._replace(
    name="max_bytes",
    says="The length limit -b of the script, in bytes of candidate and references; 0 is none.",
)
CASE = Option(
    "case",
    '"lower" lower-cases all texts first (`str.lower`); "auto" the candidate and references of'
    " a row"
    " in which some text has letters but no capital and another has capitals.",
    "keep",
    ("keep", "lower", "auto"),
)
AGGREGATE = Option(
    "aggregate",
    "Over several references: the highest score, or the mean.",
    "max",
    ("max", "average"),
)
JACKKNIFE = Option(
    "jackknife", "Mean over the sets that leave one reference out.", False, kind="bool"
)
ALPHA = Option("alpha", "F = P R / ((1 - alpha) P + alpha R); the script's -p.", 0.5, kind="share")
RECALL_WEIGHT = Option(
    "recall_weight",
    "F = P R / (w P + (1 - w) R) with w the recall weight: 0 gives precision, 1 recall.",
    0.8,
    kind="share",
)
PARSER = Option(
    "parser", "The parser of texts; see `summeval.annotate.provider`.", "spacy", kind="any"
)
RELATIONS = Option(
    "relations",
    "Finds the relations of an annotated Document and returns its DiscourseDocument; by default"
    " `summeval.annotate.discourse.parse`.",
    None,
    (None,),
    "function",
    give="give a function of a Document, or None",
)
CACHE = Option(
    "cache", "Keep parses on disk, so that later runs need not parse again.", True, kind="bool"
)
MODEL = Option(
    "model",
    "A file that `save` or `summeval train` wrote, in place of the package's model.",
    None,
    (None,),
    "path",
)
SOLVER = Option("solver", "The solver of the matching problem.", "kernel", kind="text")
C = Option(
    "C",
    'The weight of errors in training; None is SVM-light\'s default, "cv" is chosen on topics held'
    " out.",
    None,
    (None, "cv"),
    "number",
    low=0,
    above=True,
)

SHARED = (TOKENIZER, STEMMER, STOPWORDS, CASE, SENTENCES)  # given once for several metrics
TEXT = (TOKENIZER, STEMMER, STOPWORDS, MAX_WORDS, MAX_BYTES, SENTENCES)  # of `TextOptions`
