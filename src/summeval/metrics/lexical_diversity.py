"""How many different words a text has, by the measures of the literature.

Malvern, Richards, Chipere and Durán 2004, "Lexical Diversity and Language Development"; McCarthy
and Jarvis 2010, "MTLD, vocd-D, and HD-D: A validation study of sophisticated approaches to lexical
diversity assessment"; Covington and McFall 2010, "Cutting the Gordian Knot: The Moving-Average
Type-Token Ratio (MATTR)".
"""

from __future__ import annotations

import re
from typing import Any

from summeval._core.field.lexical import FIELDS, measures
from summeval._options import option
from summeval.metrics.run import field_tokens as field
from summeval.metrics.run.base import PairMetric
from summeval.metrics.run.explain.items import Asked, ExplainedItem, Items, whole
from summeval.metrics.run.explain.spans import tokens_of
from summeval.metrics.run.signature import Signed
from summeval.metrics.run.text_options import Tokenizer

DEFAULT = "lexicalrichness"
_DROPPED = re.compile("[0-9\u2013\u2014-]+")
_MARKS = str.maketrans(dict.fromkeys("!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~", " "))


class LexicalDiversity(PairMetric):
    """How many different words a text has, as in lexicalrichness; a metric of the candidate alone.

    Fields, of N tokens with V types, of which type i comes f_i times:

    - `tokens` (N), `types` (V), `ttr` V / N, `rttr` V / √N, `cttr` V / √(2 N);
    - `herdan` ln V / ln N, `summer` ln ln V / ln ln N, `dugast` (ln N)² / (ln N - ln V), `maas`
      (ln N - ln V) / (ln N)²;
    - `yule_k` 10⁴ (Σ f² - N) / N², `yule_i` V² / (Σ f² - V), `simpson_d` Σ f (f - 1) / (N (N - 1));
    - `mtld` (which is `value`): N by the number of stretches in which V / N falls to 0.72, the mean
      of both directions;
    - `hdd`: the expected number of types among 42 tokens, by 42;
    - `mattr`: the mean of V / N over all windows of `window` tokens; `msttr`: over windows one
      after the other, without the last.

    Of `maas`, `yule_k` and `simpson_d` a lower number means more different words, of the others a
    higher one; neither is better in itself. What cannot be computed is NaN: `hdd` below 42 tokens,
    `mattr` below `window`, `msttr` up to it. An empty text has 0 in `tokens`, `types` and `mtld`,
    and else NaN.

    Parameters
    ----------
    tokenizer : str or callable
        "lexicalrichness": small letters without digits, hyphens and dashes, split at blanks and
        ASCII marks; or one of `Bleu`.
    tokenizer_model : path or None
        The file of SentencePiece, as `Bleu` takes it.
    window : int
        The number of tokens of `mattr` and `msttr`.
    label : str or None
        Its name in results; distinguishes metrics of the same name.

    Raises
    ------
    ValueError
        For a value that an option does not take.

    Examples
    --------
    >>> score = LexicalDiversity(window=5).score("go go go stop go go stop stop go")
    >>> score.mtld, round(score.ttr, 4), round(score.mattr, 4)
    (3.0, 0.2222, 0.4)
    """

    names = ("lexical-diversity",)
    summary = "how many different words a text has"
    fields = FIELDS
    primary = "mtld"
    compared_with = "nothing"
    lower_is_better = frozenset({"maas", "yule_k", "simpson_d"})
    unbounded = frozenset({"tokens", "types", "rttr", "cttr", "dugast", "yule_i", "mtld"})
    tokenizer: str | Tokenizer = field.TOKENIZER._replace(
        default=DEFAULT, choices=(DEFAULT, *field.TOKENIZER.choices)
    )
    tokenizer_model: Any = field.TOKENIZER_MODEL
    window: int = option(default=50, kind="whole", low=1, high=1e9)

    def signed(self) -> Signed:
        """Return the options and the version.

        >>> LexicalDiversity().signature.split("|v:")[0]
        'lexical-diversity|tok:lexicalrichness|window:50'
        """
        return {"tok": field.tokenizer_label(self), "window": str(self.window)}

    def explain_texts(self, asked: Asked) -> Items:
        """Return the value, which is no sum, and the words that come again, most frequent first.

        >>> explanation = LexicalDiversity().explain("The cat saw the dog.")
        >>> [(item.text, item.share, dict(item.details)) for item in explanation.items]
        [('mtld', 7.000000000000002, {}), ('the', 0.0, {'count': 2.0})]
        """
        spans: dict[str, list[tuple[int, int]]] = {}
        for form, begin, end in tokens_of(asked.candidate, self._tokens):
            spans.setdefault(form, []).append((begin, end))
        again = [(form, tuple(where)) for form, where in spans.items() if len(where) > 1 and form]
        again.sort(key=lambda one: -len(one[1]))
        items = [ExplainedItem(*one, (), 0.0, {"count": float(len(one[1]))}) for one in again]
        return whole(self.primary, asked.value), *items

    def _tokens(self, text: str) -> list[str]:
        return words(text) if self.tokenizer == DEFAULT else list(field.function_of(self)(text))

    def read(self, text: str, place: str) -> tuple[float, ...]:
        return measures(self._tokens(text), self.window)


def words(text: str) -> list[str]:
    """Return the words as lexicalrichness makes them.

    >>> words("The co-op's 3 cats")
    ['the', 'coop', 's', 'cats']
    """
    return _DROPPED.sub("", text.lower()).translate(_MARKS).split()
