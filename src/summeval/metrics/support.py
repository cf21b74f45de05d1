"""`support`: what the source accounts for in a summary, without a reference.

A copy model: a hidden Markov chain whose states are the positions of the source's words.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache
from itertools import accumulate
from math import log
from typing import NamedTuple

from summeval._core.support.support import FIELDS, SupportKernel
from summeval._core.text.analyzer import Analyzer, Exceptions
from summeval.metrics.option_groups import SENTENCES
from summeval.metrics.run.base import KernelMetric
from summeval.metrics.run.explain.items import Asked, ExplainedItem, Items, bounded
from summeval.metrics.run.explain.spans import places
from summeval.metrics.run.signature import Signed
from summeval.metrics.run.text_options import Splitter, TextOptions, with_version
from summeval.text import stemmer
from summeval.text.function_words import english
from summeval.text.sentence_splitter import known_words
from summeval.text.stopwords import rouge155

STEMMER = "porter"
RECIPE = "3"  # raise it whenever a constant of the model changes, since every score then changes
UNSTEMMED = 3  # words of so many bytes are not stemmed, but two to ten are numbers


class Support(KernelMetric):
    """How much of the information of a summary its source accounts for.

    A model writes the summary word by word. It copies a word of the source, mostly the one after
    the word that it copied last, seldom one of the same sentence or from elsewhere; or it writes a
    new word, which is improbable. z of a word is its probability, summed over all positions of the
    source that it may have been copied from; b is its probability in any text, 0.006 for a function
    word and 0.00002 for others. Words are compared by their stems (Porter's; of words of four
    letters and more), numbers by their digits, names whole, so that "Smiths" is no copy of "Smith".
    A name is a word that the source never has without a capital, and has with one inside a
    sentence; a word of the summary is compared as one if it has a capital, or if the summary has
    none inside a sentence. To go on behind a word that turns what is said, such as "not", "could"
    or "denied", without copying it is a tenth as probable as to leave out another.

    Fields:

    - `explained` (which is `value`): 1 - sum of log z / sum of log b, the share of the summary's
      information that is accounted for; below 1, and below 0 where nearly nothing is copied.
    - `weakest`: the mean of log z over the fifth of the words with the lowest.
    - `one_sentence`: for each sentence of the summary the share of its content words that the best
      sentence of the source has, on average; `two_sentences`: that two neighbours have.
    - `copied_pairs`: the words that follow the same word as in the source, over all words.
    - `parts` of a single Score has `names` and `numbers` of the summary that the source lacks. They
      are no part of any number.

    A summary without words has the worst value of each field: `explained` -0.37, `weakest` -12.7,
    the others 0. A source without words accounts for nothing.

    Parameters
    ----------
    sentences : {"rules", "newline"} or callable
        Where sentences end within a line: as `summeval.text.sentences` tells, nowhere, or as a
        function from str to sentences tells (slower: it runs in Python).
    label : str or None
        Its name in results; distinguishes metrics of the same name.

    Raises
    ------
    ValueError
        For a value that an option does not take.

    Notes
    -----
    It tells whether a summary can be traced to its source, not whether it is true: a summary that
    copies scores best, one that says the same in other words lower.

    Examples
    --------
    >>> source = "The bridge was closed on Tuesday. Cracks were found by Mary Jones."
    >>> score = Support().score("Cracks were found by Mary Jones.", source=source)
    >>> round(score.explained, 3), score.one_sentence
    (0.911, 1.0)
    >>> wrong = Support().score("Cracks were found by Peter Smith.", source=source)
    >>> round(wrong.explained, 3), wrong.parts.names
    (0.452, ('Peter Smith',))
    """

    names = ("support",)
    summary = "what the source accounts for, by a model that copies its words"
    fields = FIELDS
    primary = "explained"
    languages = ("en",)
    compared_with = "source"
    sentences: str | Splitter = SENTENCES._replace(default="rules", choices=("rules", "newline"))

    def __post_init__(self) -> None:
        self._by_rules = self.sentences == "rules"
        sentences = "newline" if self._by_rules else self.sentences
        self._text_options = TextOptions.of(
            self, tokenizer="unicode", stemmer=STEMMER, sentences=sentences
        )

    @property
    def best(self) -> dict[str, float]:
        """For each field what no text goes beyond: 0 is the logarithm of a word that is certain."""
        return super().best | {"weakest": 0.0}

    def signed(self) -> Signed:
        """Return the options, resources and version that the numbers depend on.

        >>> Support().signature.split("|words")[0]
        'support|stemmer:porter|sentences:rules'
        """
        sentences = "rules" if self._by_rules else self._text_options.labels[1]
        return [
            ("stemmer", STEMMER),
            ("sentences", sentences),
            ("words", with_version("unicode")),
            ("recipe", RECIPE),
        ]

    def explain_texts(self, asked: Asked) -> Items:
        """Return what each word of a candidate adds to `explained`, and which word it is a copy of.

        There is an item for each word. Its detail `log_z` is the logarithm of its probability, its
        share (log z - log b) / -(sum of log b), and its span of the source the word that it was
        most probably copied from, unless it is more probable that it is new. The shares add up to
        `explained`. A text without words has one item, "floor", with the lowest value.

        Examples
        --------
        >>> told = Support().explain("It closed.", source="The bridge closed.")
        >>> [(item.text, item.source_spans, round(item.share, 2)) for item in told.items]
        [('It', (), -0.12), ('closed', ((0, 11, 17),), 0.59)]
        """
        texts = [
            as_read(text, self._text_options.lines(text))
            if not self._by_rules
            else Given(text, range(len(text)))
            for text in (asked.candidate, *asked.sources)
        ]
        traced = self._runner_kernel.trace(texts[0].read, [text.read for text in texts[1:]])
        return bounded(explained_items(traced, texts[0], texts[1:]), asked.value)

    def _kernel(self) -> SupportKernel:
        analyzer = Analyzer(
            "unicode",
            STEMMER,
            fixed_stems(),
            function_words={word.encode() for word in function_words()},
            unstemmed=UNSTEMMED - 1,
            looked_up=UNSTEMMED,
        )
        sets = tuple({word.encode() for word in words} for words in known_words())
        return SupportKernel(analyzer, self.name, sets, self._by_rules, set(turning_stems()))


_ONES = """
    zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen
    sixteen seventeen eighteen nineteen
"""
_TENS = "twenty thirty forty fifty sixty seventy eighty ninety"
_LARGE = {"hundred": 100, "thousand": 1000, "million": 1000**2, "billion": 1000**3}


@cache
def numbers() -> dict[str, str]:
    """Numbers in letters, and their digits.

    >>> numbers()["seven"], numbers()["thousand"]
    ('7', '1000')
    """
    found = {word: str(number) for number, word in enumerate(_ONES.split())}
    found |= {word: str(10 * tens) for tens, word in enumerate(_TENS.split(), 2)}
    return found | {word: str(number) for word, number in _LARGE.items()}


@cache
def function_words() -> frozenset[str]:
    """Words that any text may have: those that hardly mean anything, and ROUGE's stop list.

    >>> {"the", "was", "not", "nt"} <= function_words()
    True
    """
    return english() | rouge155() | {"nt"}


_TURNING = """
    not nt no never neither nor none nobody nothing without
    may might could would should if unless almost nearly unable allegedly reportedly
    accused alleged claimed denied failed hoped planned refused suspected threatened tried wanted
"""


@cache
def turning_stems() -> frozenset[bytes]:
    """Stems of words without which a statement says something else: it is denied, or no fact.

    >>> {b"not", b"may", b"deni"} <= turning_stems()
    True
    """
    porter = stemmer(STEMMER)
    words = _TURNING.split()
    return frozenset((word if len(word) <= UNSTEMMED else porter(word)).encode() for word in words)


@cache
def fixed_stems() -> Exceptions:
    """Numbers in letters for the analyzer, which makes digits of them."""
    return Exceptions({word.encode(): digits.encode() for word, digits in numbers().items()})


Traced = Sequence[tuple[int, int, float, float, tuple[int, int, int] | None]]


class Given(NamedTuple):
    """A text as the kernel reads it, and where its characters stand in the text as it was given.

    Attributes
    ----------
    read : str
    origin : sequence of int or None
        Of each character that is read its place; None if it is not found.
    """

    read: str
    origin: Sequence[int | None]

    def places(self) -> Callable[[int, int], tuple[int, int] | None]:
        """From the first byte of what is read and the byte after the last to characters."""
        at = characters(self.read)

        def place(begin: int, end: int) -> tuple[int, int] | None:
            first, last = at(begin), at(end)
            start = self.origin[first]
            return None if start is None else (start, start + last - first)

        return place


def as_read(text: str, lines: Sequence[str]) -> Given:
    r"""Return the text with the lines that a function made of it.

    >>> as_read("A|cat", ["A", "cat"])
    Given(read='A\ncat', origin=[0, None, 2, 3, 4])
    """
    origin: list[int | None] = []
    for line, (begin, end) in zip(lines, places(text, lines), strict=True):
        found = text[begin:end] == line
        origin += [*(range(begin, end) if found else [None] * len(line)), None]  # a newline
    return Given("\n".join(lines), origin[:-1])


def explained_items(
    traced: Traced, candidate: Given, documents: Sequence[Given]
) -> tuple[ExplainedItem, ...]:
    """Return an item for each word.

    Parameters
    ----------
    traced : sequence of (int, int, float, float, (int, int, int) or None)
        Of each word: its first byte and the byte after its last, z, b, and the document and the
        bytes of the word that it is a copy of.
    candidate : Given
    documents : sequence of Given
    """
    own, read = candidate.places(), candidate.read.encode()
    theirs = [document.places() for document in documents]
    everything = -sum(log(b) for _, _, _, b, _ in traced)
    items = []
    for begin, end, z, b, origin in traced:
        source = None if origin is None else theirs[origin[0]](*origin[1:])
        place = own(begin, end)
        here = () if place is None else (place,)
        there = () if origin is None or source is None else ((origin[0], *source),)
        text, share = read[begin:end].decode(), (log(z) - log(b)) / everything
        items.append(ExplainedItem(text, here, (), share, {"log_z": log(z)}, there))
    return tuple(items)


def characters(text: str) -> Callable[[int], int]:
    """From the place of a byte of the text, as UTF-8, to that of its character.

    >>> [characters("é!")(byte) for byte in (0, 2, 3)]
    [0, 1, 2]
    """
    if text.isascii():
        return int
    starts = accumulate(((byte & 0xC0) != 0x80 for byte in text.encode()), initial=0)
    return [*starts].__getitem__
