"""BLEU and GLEU: n-grams of words in common with references.

Papineni, Roukos, Ward and Zhu 2002, "Bleu: a Method for Automatic Evaluation of Machine
Translation"; Wu and others 2016, "Google's Neural Machine Translation System: Bridging the Gap
between Human and Machine Translation", section 4.3.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from summeval._cached import cached_property
from summeval._core.field.bleu import BleuKernel
from summeval._options import option
from summeval.metrics.field import tokens as field
from summeval.metrics.option_groups import CASE
from summeval.metrics.run.base import Summed
from summeval.metrics.run.explain.items import Asked, Items
from summeval.metrics.run.signature import Signature, Signed
from summeval.metrics.run.text_options import Tokenizer

_SMOOTHING = {"floor": 0.1, "add-k": 1.0}
_EFFECTIVE = {"rows": None, "yes": True, "no": False}
_FIELDS = ("value", "brevity_penalty", "candidate_length", "reference_length")


class Bleu(Summed):
    """Precision of n-grams with a penalty for texts shorter than the reference, as in sacrebleu.

    p_n is the share of the candidate's n-grams that the references have, each counted as often as
    one of them has it. BLEU is BP exp(mean of ln p_n, n = 1 … `max_order`), with BP = 1, or
    exp(1 - r / c) where the candidate's c tokens are fewer than the r of the reference that is
    closest in length. A corpus has the formula of the sums over its rows. An empty text scores 0.

    Fields: `value` (sacrebleu prints 100 times it), `brevity_penalty`, `candidate_length` and
    `reference_length` in tokens, `precision1` … `precision4`.

    Parameters
    ----------
    tokenizer : str or callable
        "13a", "intl", "zh", "char", "none", "ja-mecab", "ko-mecab", "flores101", "flores200" and
        "spBLEU-1K" are those of sacrebleu, "treebank" is NLTK's; "whitespace", like "none", splits
        at blanks.
    tokenizer_model : path or None
        The file of SentencePiece for "flores101", "flores200" and "spBLEU-1K"; by default the one
        that sacrebleu has downloaded.
    case : {"keep", "lower", "auto"}
        "lower" makes all letters small, "auto" those of rows where a text has no capital.
    smoothing : {"exp", "floor", "add-k", "none"}
        What a precision without matches becomes: halved from order to order, a count of
        `smoothing_value`, one of `smoothing_value` added to both counts above order 1, or 0.
    smoothing_value : float or None
        None is 0.1 for "floor", 1 for "add-k".
    max_order : int
        The longest n-grams.
    effective_order : {None, True, False}
        Whether only orders count of which the candidate has n-grams. None: in `score`, not in
        `corpus`, as sacrebleu's sentence_bleu and corpus_bleu have it.
    label : str or None
        Its name in results; distinguishes metrics of the same name.

    Raises
    ------
    ValueError
        For a value that an option does not take, or a model that is not there.

    Examples
    --------
    >>> round(Bleu().score("rain falls", "heavy rain falls tonight").value, 10)
    0.3678794412
    >>> corpus = Bleu(smoothing="none").corpus(
    ...     ["the cat sat on the mat", "rain falls"], ["the cat sat on a mat", "heavy rain falls"]
    ... )
    >>> round(corpus.value, 4), corpus.candidate_length, round(corpus.precision2, 4)
    (0.4928, 8.0, 0.6667)
    """

    names = ("bleu",)
    summary = "n-grams of the candidate that references have, and its length"
    fields: tuple[str, ...] = (*_FIELDS, *("precision1", "precision2", "precision3", "precision4"))
    primary = "value"
    unbounded = frozenset({"candidate_length", "reference_length"})
    tokenizer: str | Tokenizer = field.TOKENIZER
    tokenizer_model: Any = field.TOKENIZER_MODEL
    case: str = CASE
    smoothing: str = option(default="exp", choices=("exp", "floor", "add-k", "none"))
    smoothing_value: float | None = option(
        default=None, choices=(None,), kind="number", low=0, above=True, high=1e6
    )
    max_order: int = option(default=4, kind="whole", low=1, high=12)
    effective_order: bool | None = option(default=None, choices=(None, True, False))

    def __post_init__(self) -> None:
        self._text_options = field.text_options_of(self)
        self.fields = (*_FIELDS, *(f"precision{n}" for n in range(1, self.max_order + 1)))
        default = _SMOOTHING.get(self.smoothing, 0.0)
        self._added = default if self.smoothing_value is None else self.smoothing_value

    def signed(self) -> Signed:
        """Return the options, in sacrebleu's words, and the version.

        >>> Bleu(smoothing="floor").signature.split("|v:")[0]
        'bleu|case:mixed|eff:rows|tok:13a|smooth:floor-0.1|order:4'
        """
        shown = f"{self.smoothing}-{self._added!r}" if self._added else self.smoothing
        return {
            "case": field.CASES[self.case],
            "eff": next(e for e, used in _EFFECTIVE.items() if used == self.effective_order),
            "tok": field.tokenizer_label(self),
            "smooth": shown,
            "order": str(self.max_order),
        }

    @classmethod
    def of_signature(cls, signature: Signature) -> Bleu:
        options: Mapping[str, Any] = signature.options
        smoothing = next((one for one in _SMOOTHING if options["smooth"].startswith(one)), None)
        return cls(
            smoothing=smoothing or options["smooth"],
            smoothing_value=float(options["smooth"][len(smoothing) + 1 :]) if smoothing else None,
            max_order=int(options["order"]),
            effective_order=_EFFECTIVE[options["eff"]],
        )

    def explain_texts(self, asked: Asked) -> Items:
        """Return the tokens with what their n-grams add, then those of references alone.

        The value is divided equally among the orders with shared n-grams, that of an order among
        these, that of an n-gram among its tokens. So the shares add up to the value.

        Examples
        --------
        >>> explanation = Bleu().explain("rain falls", "heavy rain falls")
        >>> [(item.text, item.kind, round(item.share, 3)) for item in explanation.items]
        [('rain', 'match', 0.303), ('falls', 'match', 0.303), ('heavy', 'missing', 0.0)]
        """
        own, *others = asked.cased
        counts = self.statistics([own], [others])[0, 2 : 2 + self.max_order].tolist()
        shared = {order: count for order, count in enumerate(counts, 1) if count}
        weights = {order: asked.value / len(shared) / count for order, count in shared.items()}
        return field.explained(asked, range(len(others)), weights)

    def _kernel(self, corpus: bool = False) -> BleuKernel:
        effective = not corpus if self.effective_order is None else self.effective_order
        return BleuKernel(
            *(self.name, self.fields, field.kernel_name(self), 1, self.max_order),
            smoothing=self.smoothing,
            smoothing_value=self._added,
            effective_order=effective,
        )

    @cached_property
    def _runner_sums(self) -> BleuKernel:
        return self._kernel(corpus=True)


class Gleu(Summed):
    """Shared n-grams of all orders by the greater number of n-grams of both sides, as in NLTK.

    Of several references the one with the best quotient counts. A corpus has the quotient of the
    sums of its rows. An empty text scores 0.

    Fields: `value`.

    Parameters
    ----------
    tokenizer : str or callable
        That of `Bleu`; NLTK takes tokens, which "whitespace" makes of texts joined by blanks.
    tokenizer_model : path or None
        The file of SentencePiece, as `Bleu` takes it.
    case : {"keep", "lower", "auto"}
        "lower" makes all letters small, "auto" those of rows where a text has no capital.
    min_order : int
        The length of the shortest n-grams.
    max_order : int
        That of the longest.
    label : str or None
        Its name in results; distinguishes metrics of the same name.

    Raises
    ------
    ValueError
        For a value that an option does not take, or orders that are none.

    Examples
    --------
    >>> round(Gleu().score("the the the cat the", "the cat sat on the mat").value, 10)
    0.2222222222
    """

    names = ("gleu",)
    summary = "n-grams in common by the number of those of the longer side"
    fields = ("value",)
    primary = "value"
    tokenizer: str | Tokenizer = field.TOKENIZER
    tokenizer_model: Any = field.TOKENIZER_MODEL
    case: str = CASE
    min_order: int = option(default=1, kind="whole", low=1, high=12)
    max_order: int = option(default=4, kind="whole", low=1, high=12)

    def __post_init__(self) -> None:
        if self.min_order > self.max_order:
            raise ValueError(
                f"min_order is {self.min_order}, above max_order {self.max_order}; lower it"
            )
        self._text_options = field.text_options_of(self)

    def signed(self) -> Signed:
        """Return the options and the version.

        >>> Gleu().signature.split("|v:")[0]
        'gleu|case:mixed|tok:13a|orders:1-4'
        """
        orders = f"{self.min_order}-{self.max_order}"
        return {**field.case_and_tokens(self), "orders": orders}

    def explain_texts(self, asked: Asked) -> Items:
        """Return the tokens with what their n-grams add, then those of the reference alone.

        Each n-gram that the candidate and the best reference share has an equal part of the value,
        its tokens equal parts of that.

        Examples
        --------
        >>> explanation = Gleu().explain("rain falls", "heavy rain falls")
        >>> [(item.text, item.kind, round(item.share, 3)) for item in explanation.items]
        [('rain', 'match', 0.25), ('falls', 'match', 0.25), ('heavy', 'missing', 0.0)]
        """
        best = asked.best()
        own, *others = asked.cased
        shared, total = self.statistics([own], [[others[best]]])[0].tolist()
        orders = range(self.min_order, self.max_order + 1) if shared else ()
        return field.explained(asked, [best], dict.fromkeys(orders, 1 / (total or 1)))

    def _kernel(self) -> BleuKernel:
        orders = self.min_order, self.max_order
        return BleuKernel(self.name, self.fields, field.kernel_name(self), *orders, gleu=True)
