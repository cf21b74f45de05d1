"""METEOR: words aligned to those of a reference by form, stem and synonym, and their order.

Banerjee and Lavie 2005, "METEOR: An Automatic Metric for MT Evaluation with Improved Correlation
with Human Judgments"; with the details of NLTK.
"""

from __future__ import annotations

from functools import partial
from typing import Any

from summeval._core.field.meteor import FIELDS, MeteorKernel
from summeval._options import option
from summeval.metrics.field import tokens as field
from summeval.metrics.run.base import KernelMetric
from summeval.metrics.run.explain.items import Asked, ExplainedItem, Items
from summeval.metrics.run.explain.spans import tokens_of
from summeval.metrics.run.signature import Signed
from summeval.metrics.run.text_options import Tokenizer

_BLANKS = ("whitespace", "none")  # lower-casing before and after them is the same
STAGES = ("exact", "stem", "synonym")


class Meteor(KernelMetric):
    """Words aligned to those of the reference, with a penalty for another order, as in NLTK.

    All words are in lower case. From the last word of the candidate to the first, each takes the
    last free word of the reference that equals it; then the same with Porter's stems of the words
    that are left; then with synonyms of these stems. With k matches, P and R are their shares of
    the words of candidate and reference, F = P R / (alpha P + (1 - alpha) R), and
    METEOR = (1 - gamma (chunks / k)^beta) F, where chunks are the runs of matches that are
    neighbours, in the same order, in both texts. Of several references the one with the best score
    counts. A text beside itself scores 1 - gamma / k^beta, so a single word 0.5. Without matches,
    as for an empty text, it is 0.

    Fields: `value`, `precision` (P), `recall` (R), `fragmentation` (chunks / k, the lower the
    better; 1 without matches).

    Parameters
    ----------
    tokenizer : str or callable
        That of `Bleu`; NLTK takes tokens, which "whitespace" makes of texts joined by blanks.
        "treebank" is NLTK's own.
    tokenizer_model : path or None
        The file of SentencePiece, as `Bleu` takes it.
    synonyms : {"wordnet", None}
        "wordnet" takes words of all senses of WordNet 3.0; None leaves out the last step.
    alpha : float
        The weight of precision.
    beta : float
        The exponent of the fragmentation.
    gamma : float
        The greatest penalty.
    label : str or None
        Its name in results; distinguishes metrics of the same name.

    Raises
    ------
    ValueError
        For a value that an option does not take.

    Examples
    --------
    >>> score = Meteor().score("the cat sat on a rug", "the cat was sitting on the carpet")
    >>> [round(number, 4) for number in score]
    [0.5391, 0.8333, 0.7143, 0.8]
    >>> round(Meteor(synonyms=None).score("a big dog", "a large dog").value, 4)
    0.3333
    """

    names = ("meteor",)
    summary = "words aligned by form, stem and synonym, and their order, as in NLTK"
    fields = FIELDS
    primary = "value"
    lower_is_better = frozenset({"fragmentation"})
    tokenizer: str | Tokenizer = field.TOKENIZER._replace(default="treebank")
    tokenizer_model: Any = field.TOKENIZER_MODEL
    synonyms: str | None = option(default="wordnet", choices=("wordnet", None))
    alpha: float = option(default=0.9, kind="share")
    beta: float = option(default=3.0, kind="number", low=0, high=1e6)
    gamma: float = option(default=0.5, kind="share")

    def __post_init__(self) -> None:
        self._blanks = self.tokenizer in _BLANKS
        self.case = "lower" if self._blanks else "keep"
        tokenizer = "unicode" if self._blanks else partial(_lowered, field.function_of(self))
        self._text_options = field.WholeTexts(tokenizer=tokenizer, named=self.label)

    def signed(self) -> Signed:
        """Return the options and the version.

        >>> Meteor().signature.split("|v:")[0]
        'meteor|tok:treebank|synonyms:wordnet-3.0|alpha:0.9|beta:3.0|gamma:0.5'
        """
        return {
            "tok": field.tokenizer_label(self),
            "synonyms": "wordnet-3.0" if self.synonyms else "none",
            **{name: repr(getattr(self, name)) for name in ("alpha", "beta", "gamma")},
        }

    def explain_texts(self, asked: Asked) -> Items:
        """Return the words, the matched ones with equal parts of the value; then what is missing.

        `details` has the `stage` of a match: 0 for the same word, 1 for the stem, 2 for synonyms.

        Examples
        --------
        >>> explanation = Meteor().explain("dogs bark", "the dog barked")
        >>> [(item.text, item.kind, round(item.share, 3)) for item in explanation.items]
        [('dogs', 'match', 0.323), ('bark', 'match', 0.323), ('the', 'missing', 0.0)]
        """
        tokenizer = field.function_of(self)
        own, *others = (tokens_of(text, tokenizer) for text in asked.texts)
        marked = self._text_options._marked
        forms = [marked([token.form.lower() for token in side]) for side in (own, *others)]
        found = self._kernel(tells=True).score_pair(forms[0], forms[1:])
        value, (best, matches) = found[self.name].value, found["alignment"]
        other, partner = others[best], {i: (j, stage) for i, j, stage in matches}
        items = []
        for i, token in enumerate(own):
            span = (token.begin, token.end)
            j, stage = partner.get(i, (None, 0))
            there = () if j is None else ((best, other[j].begin, other[j].end),)
            share, details = (0.0, {}) if j is None else (value / len(matches), {"stage": stage})
            text = asked.candidate[slice(*span)]
            items.append(ExplainedItem(text, (span,), there, share, details))
        taken = {j for _, j, _ in matches}
        for j, token in enumerate(other):
            span = (token.begin, token.end)
            if j not in taken:
                text = asked.references[best][slice(*span)]
                items.append(ExplainedItem(text, (), ((best, *span),), 0.0))
        return [item for item in items if item.text]

    def _kernel(self, tells: bool = False) -> MeteorKernel:
        table = None
        if self.synonyms:
            from summeval.elements.resources import wordnet

            table = wordnet().data
        tokens = "whitespace" if self._blanks and not tells else "marked"
        weights = self.alpha, self.beta, self.gamma
        return MeteorKernel(self.name, tokens, table, *weights, tells=tells)


def _lowered(tokenizer: Tokenizer, text: str) -> list[str]:
    """Return the tokens of a text in lower case."""
    return [token.lower() for token in tokenizer(text)]
