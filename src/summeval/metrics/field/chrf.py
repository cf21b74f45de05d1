"""chrF and chrF++: n-grams of characters, and of words, in common with a reference.

Popović 2015, "chrF: character n-gram F-score for automatic MT evaluation"; Popović 2017, "chrF++:
words helping character n-grams".
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Mapping
from typing import Any

from summeval._core.field.chrf import ChrfKernel
from summeval._options import option
from summeval.metrics.field.tokens import CASES
from summeval.metrics.option_groups import CASE
from summeval.metrics.run.base import Summed
from summeval.metrics.run.explain.items import Asked, GramShares, Items, rounded
from summeval.metrics.run.explain.spans import lowered
from summeval.metrics.run.signature import Signature, Signed

_WORDS = {"chrf": 0, "chrf++": 2}
_MARKS = re.escape("!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~")
# What blanks separate, without a mark at its end, or else at its beginning.
_UNITS = re.compile(rf"(?<!\S)\S+(?=[{_MARKS}](?!\S))|(?<!\S)[{_MARKS}](?=\S)|\S+")


class Chrf(Summed):
    """The F-score of n-grams of characters (`chrf`), and of words (`chrf++`), as in sacrebleu.

    For each order n the n-grams that candidate and reference share, by their number, make a
    precision and a recall. P and R are the means over the orders of which both texts have n-grams;
    F = (1 + b²) P R / (b² P + R), b = `beta`. Of several references the one with the best F counts.
    A corpus has the F of the numbers of all rows. An empty text scores 0.

    Fields: `value` (F), `precision`, `recall`, from 0 to 1; sacrebleu prints 100 times F.

    Parameters
    ----------
    measure : {"chrf", "chrf++"}
        Which of the two it is.
    char_order : int
        The longest n-grams of characters. Blanks are no characters.
    word_order : int or None
        The longest n-grams of words; None is 0 for `chrf` and 2 for `chrf++`. Words are what blanks
        separate; an ASCII mark at the end of a word, or else at its beginning, is a word.
    beta : float
        How many times recall weighs as much as precision.
    whitespace : bool
        Whether blanks are characters, too.
    case : {"keep", "lower", "auto"}
        "lower" makes all letters small, "auto" those of rows where a text has no capital.
        As in `AutoSummENG`.
    smoothing : {None, "eps"}
        "eps": F is the mean of the F of every order, as in chrF++.py and NLTK.
    label : str or None
        Its name in results; distinguishes metrics of the same name.

    Raises
    ------
    ValueError
        For a value that an option does not take.

    Examples
    --------
    >>> round(Chrf().score("rain falls", "heavy rain falls tonight").value, 10)
    0.3977924715
    >>> corpus = Chrf("chrf++").corpus(["a cat", "rain falls"], ["a cat", "heavy rain falls"])
    >>> round(corpus.value, 4)
    0.6812
    """

    names = ("chrf", "chrf++")
    summary = (
        ("chrf", "runs of characters in common with the reference"),
        (r"chrf\+\+", "runs of characters, words and pairs of words in common"),
    )
    fields = ("value", "precision", "recall")
    primary = "value"
    measure: str = option(default="chrf", choices=tuple(_WORDS), kw_only=False)
    char_order: int = option(default=6, kind="whole", low=1, high=12)
    word_order: int | None = option(default=None, choices=(None,), kind="whole", low=0, high=6)
    beta: float = option(default=2.0, kind="number", low=0, above=True, high=1e6)
    whitespace: bool = option(default=False, kind="bool")
    case: str = CASE
    smoothing: str | None = option(default=None, choices=(None, "eps"))

    def __post_init__(self) -> None:
        super().__post_init__()
        self.name, self._called = self.label or self.measure, self.measure
        self._words = _WORDS[self.measure] if self.word_order is None else self.word_order

    def signed(self) -> Signed:
        """Return the options, in sacrebleu's words, and the version.

        >>> Chrf().signature.split("|v:")[0]
        'chrf|beta:2.0|case:mixed|eff:yes|nc:6|nw:0|space:no'
        """
        return {
            "beta": repr(self.beta),
            "case": CASES[self.case],
            "eff": "no" if self.smoothing else "yes",
            "nc": str(self.char_order),
            "nw": str(self._words),
            "space": "yes" if self.whitespace else "no",
        }

    @classmethod
    def of_signature(cls, signature: Signature) -> Chrf:
        options: Mapping[str, Any] = signature.options
        nc, nw, beta = int(options["nc"]), int(options["nw"]), float(options["beta"])
        eps = "eps" if options["eff"] == "no" else None
        return cls(signature.name, char_order=nc, word_order=nw, beta=beta, smoothing=eps)

    def explain_texts(self, asked: Asked) -> Items:
        """Return the words of the candidate with what their n-grams add, then what is missing.

        Where P and R are the means over k orders, a shared n-gram of order n adds
        (F/P' / h + F/R' / r) / k with the partial derivatives of F, h and r the numbers of n-grams
        of both texts; its characters, or words, have equal parts. So the shares add up to F. With
        `smoothing="eps"` they are in proportion to these.

        Examples
        --------
        >>> explanation = Chrf().explain("rain falls", "heavy rain falls tonight")
        >>> [(item.text, item.kind, round(item.share, 3)) for item in explanation.items]
        [('rain', 'match', 0.169), ('falls', 'match', 0.228), ('heavy', 'missing', 0.0), \
('tonight', 'missing', 0.0)]
        """
        best = asked.best()
        score, texts = asked.alone[best], (asked.candidate, asked.references[best])
        sums = self.statistics(asked.cased[:1], [[asked.cased[best + 1]]])[0].reshape(-1, 3)
        sides = [_Side(text, asked.lower) for text in texts]
        words = [(text, side.words) for text, side in zip(texts, sides, strict=True)]
        shares = GramShares(words[0], {best: words[1]})
        used = int((sums[:, :2] > 0).all(axis=1).sum())
        below = self.beta**2 * score.precision + score.recall
        weights: tuple[dict[int, float], dict[int, float]] = {}, {}
        for k, (own, its, both) in enumerate(sums.tolist()):
            if both:
                slopes = score.recall**2 / own, (self.beta * score.precision) ** 2 / its
                order = k if k < self.char_order else k - self.char_order
                weight = (1 + self.beta**2) * sum(slopes) / below**2 / used
                weights[k >= self.char_order][order + 1] = weight
        left, right = (side.characters(self.whitespace) for side in sides)
        shares.add(left, [right], weights[0])
        left, right = (side.units() for side in sides)
        shares.add(left, [right], weights[1])
        return rounded(shares.items(), score.value)

    def _kernel(self) -> ChrfKernel:
        eps = self.smoothing == "eps"
        orders = self.char_order, self._words
        return ChrfKernel(self.name, *orders, self.beta, self.whitespace, eps)


class _Side:
    """A text, and where its words stand that blanks separate; one at the least."""

    def __init__(self, text: str, lower: bool) -> None:
        self.words = [one.span() for one in re.finditer(r"\S+", text)] or [(0, len(text))]
        self._begins = [begin for begin, _ in self.words]
        self._text, self._origin = lowered(text, lower)

    def characters(self, whitespace: bool) -> tuple[list[str], list[int]]:
        """Return the characters that are compared, and for each the number of its word."""
        kept = [k for k, char in enumerate(self._text) if whitespace or not char.isspace()]
        return [self._text[k] for k in kept], [self._word(k) for k in kept]

    def units(self) -> tuple[list[str], list[int]]:
        """Return the words that are compared, marks apart, and the number of the word of each."""
        found = list(_UNITS.finditer(self._text))
        return [one[0] for one in found], [self._word(one.start()) for one in found]

    def _word(self, place: int) -> int:
        return max(bisect_right(self._begins, self._origin[place]) - 1, 0)
