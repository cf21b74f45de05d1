"""How TESLA reads texts: tags, tokens, case, punctuation, and which words are function words."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from math import fsum
from typing import TYPE_CHECKING, Any, NamedTuple

from summeval._core.rows.record import Score
from summeval._options import Option, no_text
from summeval.metrics.run.runner import FIELDS
from summeval.metrics.run.text_options import FUNCTION_MARK, LINE_MARK, TOKEN_MARK, TextOptions
from summeval.text.stemmers import is_snowball, token_stemmer
from summeval.text.stopwords import word_list

if TYPE_CHECKING:
    from summeval._arrays import Floats

# Closed categories of the Penn Treebank: what TESLA-S takes for function words.
CLOSED_TAGS = frozenset("CC DT EX IN MD PDT POS PRP PRP$ RP TO UH WDT WP WP$ WRB".split())

_BRACKETS = frozenset("-LRB- -RRB- -LSB- -RSB- -LCB- -RCB-".split())
_TOKEN = re.compile(r"[^ \t\r\f\v]+")


class Word(NamedTuple):
    """A word as a similarity sees it.

    Attributes
    ----------
    form : str
        As it is written.
    lemma : str
    tag : str
        Its part of speech; empty in text without tags.
    """

    form: str
    lemma: str
    tag: str


def is_punctuation(word: str) -> bool:
    """Whether a word has no letter and no digit, or stands for a bracket in the Penn Treebank.

    >>> [is_punctuation(word) for word in ("--", "-LRB-", "U.S.", "é")]
    [True, True, False, False]
    """
    return word in _BRACKETS or not any(map(str.isalnum, word))


def read_line(line: str, place: str, number: int) -> list[tuple[str, str]]:
    """Return the (word, tag) pairs of a line; the last slash of a token separates.

    Raises
    ------
    ValueError
        If a token has no slash, or nothing before or after it.

    Examples
    --------
    >>> read_line("1/2/CD ./.", "candidate", 1)
    [('1/2', 'CD'), ('.', '.')]
    """
    pairs = []
    for position, token in enumerate(_TOKEN.findall(line), 1):
        word, _, tag = token.rpartition("/")
        if not word or not tag:
            raise ValueError(
                f"{place}: token {position} of line {number}, {token!r}, is not word/TAG;"
                " write the word, a slash and its tag"
            )
        pairs.append((word, tag))
    return pairs


def without_tags(text: object) -> str | None:
    """Return the words of a tagged text, to look at their case; None for what is no text.

    >>> without_tags("The/DT cat/NN")
    'The cat'
    """
    if not isinstance(text, str):
        return None
    return " ".join(token.rpartition("/")[0] for token in _TOKEN.findall(text))


FUNCTION_WEIGHT: Any = Option("function_weight", 0.1, kind="share")
FUNCTION_TAGS: Any = Option("function_tags", None, (None,), "words")
FUNCTION_WORDS: Any = Option("function_words", None, (None,), "words")
KEEP_PUNCTUATION: Any = Option("keep_punctuation", False, kind="bool")


@dataclass(frozen=True, eq=False)
class TeslaTextOptions(TextOptions):
    """As TextOptions; the tokens that Python makes lose case and punctuation too."""

    keep_punctuation: bool = False

    def tagged(
        self, text: str | None, place: str, tags: Collection[str], lowercase: bool
    ) -> bytes | None:
        """A tagged text, sentences on lines, in the kernel's form; words of `tags` are marked."""
        if text is None:
            return None
        if not isinstance(text, str):
            raise TypeError(no_text(text, place))
        lines = []
        for number, line in enumerate(text.split("\n"), 1):
            words = [(word, tag in tags) for word, tag in read_line(line, place, number)]
            try:
                lines.append(self._line(words, lowercase))
            except UnicodeEncodeError:
                raise ValueError(
                    f"{place}: line {number} contains an unpaired surrogate; replace it first"
                ) from None
        return LINE_MARK.join(lines)

    def _marked(self, tokens: Sequence[str]) -> bytes:
        functions: Collection[str] = ()
        if is_snowball(self.stemmer):  # the kernel sees stems alone
            functions = self.function_words or ()
        return self._line([(token, token.lower() in functions) for token in tokens], self.lowercase)

    def _line(self, words: Iterable[tuple[str, bool]], lowercase: bool) -> bytes:
        """Return a line of (word, whether it is a function word) in the kernel's form.

        Punctuation is left out, or weighs as a function word.
        """
        parts = []
        stem = token_stemmer(self.stemmer if is_snowball(self.stemmer) else None)
        for word, function in words:
            punctuation = is_punctuation(word)
            if punctuation and not self.keep_punctuation:
                continue
            parts.append(stem(word.lower() if lowercase else word).encode())
            parts.append(FUNCTION_MARK if function or punctuation else TOKEN_MARK)
        return b"".join(parts)


def tag_list(tags: Iterable[str] | None) -> tuple[frozenset[str], str]:
    """Return the tags of function words, and their label."""
    return (CLOSED_TAGS, "ptb") if tags is None else word_list("function_tags", tags)


def function_list(words: Iterable[str] | None, *, unicode: bool) -> tuple[frozenset[str], str]:
    """Return the function words, with the case that tokens have, and their label."""
    if words is None:
        from summeval.text.function_words import english

        return english(), "english"
    found, _ = word_list("function_words", words)
    folded = [word.casefold() if unicode else word.lower() for word in found]
    return word_list("function_words", folded)


class Part(NamedTuple):
    """What two texts share of the units of one kind.

    Attributes
    ----------
    S : float
        The weight that they share.
    precision, recall, fmeasure : float
        F = P R / (w P + (1 - w) R) with w the recall weight; 0 where the denominator is.
    """

    S: float
    precision: float
    recall: float
    fmeasure: float

    @classmethod
    def of(cls, shared: float, own: float, other: float, recall_weight: float) -> Part:
        """Return the part of a shared weight, beside the weights of candidate and reference."""
        precision = shared / own if own else 0.0
        recall = shared / other if other else 0.0
        below = recall_weight * precision + (1 - recall_weight) * recall
        return cls(shared, precision, recall, precision * recall / below if below else 0.0)

    @classmethod
    def mean(cls, parts: Sequence[Part]) -> Part:
        """Return the means of the numbers."""
        return cls(*(fsum(numbers) / len(parts) for numbers in zip(*parts, strict=True)))


PARTS = ("unigram", "skip")  # of TESLA-S
NO_PART = Part(*[float("nan")] * 4)


def score_of(kinds: Sequence[str], parts: Sequence[Part]) -> Score:
    """Return the score of the parts of these kinds: the means, and the parts themselves."""
    shown = tuple(Score(Part._fields, tuple(part), "fmeasure") for part in parts)
    kept = Score(tuple(kinds), shown, "unigram")
    return Score((*FIELDS, "parts"), (*Part.mean(parts)[1:], kept), "fmeasure")


def equal(own: Sequence[str], others: Sequence[str | None]) -> Floats:
    """1 where two are equal, [of mine, of others]; None equals nothing.

    >>> equal(["a", "b"], ["b", None, "b"]).tolist()
    [[0.0, 0.0, 0.0], [1.0, 0.0, 1.0]]
    """
    import numpy as np

    ids: dict[str | None, int] = {}
    left, right = (
        np.array([ids.setdefault(text, len(ids)) for text in side], dtype=np.int64)
        for side in (own, others)
    )
    return np.asarray(left[:, None] == right, dtype=np.float64)
