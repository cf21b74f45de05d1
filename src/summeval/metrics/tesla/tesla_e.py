"""TESLA-E: TESLA whose words are alike by vectors, from a table that the package brings.

Liu, Dahlmeier and Ng 2010, "TESLA: Translation Evaluation of Sentences with
Linear-programming-based Analysis", has the programme over graded likeness; the vectors, the recall
and the pairs of neighbours are summeval's own.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from os import PathLike
from typing import TYPE_CHECKING

from summeval._core.likeness.likeness import LikenessKernel, WordTable
from summeval._options import Option, checked
from summeval.learn.vectors.table import (
    SHIPPED,
    WordVectors,
    is_shipped,
    shipped_label,
    vectors_of,
)
from summeval.metrics.option_groups import AGGREGATE, LABEL, STEMMER, TOKENIZER
from summeval.metrics.run.base import Metric
from summeval.metrics.run.callables import label as label_of
from summeval.metrics.run.signature import Signature
from summeval.metrics.run.text_options import Tokenizer
from summeval.metrics.run.text_runner import TextRunner
from summeval.metrics.tesla.encoded import EncodedRunner
from summeval.metrics.tesla.text_options import FUNCTION_WORDS, TeslaTextOptions, function_list
from summeval.text.word_lists import stop_list

if TYPE_CHECKING:
    from summeval.learn.vectors.encoder import WordEncoder
    from summeval.metrics.run.explain.explanation import Explanation
    from summeval.metrics.run.protocols import Runner

FIELDS = ("recall", "precision", "pair", "flow", "value")


class TeslaE(Metric):
    """Content words of the reference that the candidate has, or has words like them.

    Two words are alike to the cosine of their vectors, at least 0, or to 1 if their stems are
    equal. A word that the table of vectors lacks is like words of its own stem alone. Function
    words are left out (unless a text has no others), and rare words weigh more: the weight w of a
    word is 8.1 minus its frequency on the Zipf scale.

    Fields: `recall`, the mean over the words of the reference of the square of the greatest
    likeness to a word of the candidate, weighted by w; `precision`, the same over the candidate's;
    `pair`, for neighbouring words of the reference how alike they are to a word of the candidate
    and one at most four words from it, weighted by the product of their w; `flow`, TESLA's linear
    programme: the greatest sum of likeness above one half that a plan can send between the words,
    each up to the square of its weight, by the squares of the reference; `value` is the mean of
    recall and pair. Each is 0 to 1; a text without words has 0.

    Parameters
    ----------
    vectors : {"english", None}, path or WordVectors
        The table: that of the package; a file of word2vec (text or binary), GloVe, fastText or
        NumPy's npz; or a `summeval.learn.vectors.table.WordVectors`. None compares stems alone.
    encoder : callable or None
        A function from texts to the words of each text and their vectors in context; see
        `summeval.learn.vectors.encoder`.

        The likeness is then the mean of two cosines, one in context and one of the table (with
        `vectors=None` that in context alone), and each place of a word counts for itself.
    stemmer : {None, "rouge155", "porter", "porter-java"}
        None is that of the table: "porter" for the package's and without one, no stems for one of
        yours.
    function_words : iterable of str or None
        The words to leave out; by default the stop words of ROUGE-1.5.5.
    aggregate : {"max", "average", "best"}
        Over several references: the fields of the one with the highest value, the means, or the
        highest of each field.
    tokenizer : {"unicode", "rouge155"} or callable
        As in `Rouge`; "unicode" takes letters and digits of any script.
    label : str or None
        Its name in results; distinguishes metrics of the same name.

    Raises
    ------
    ValueError, TypeError, OSError
        For a value that an option does not take, and a file that is no table of vectors.

    Examples
    --------
    >>> score = TeslaE().score("A tempest struck the shore.", "A storm hit the coast.")
    >>> f"{score.recall:.3f} {score.pair:.3f} {score.value:.3f}"
    '0.330 0.571 0.450'
    """

    fields = FIELDS
    primary = "value"
    options = (
        Option(
            "vectors",
            SHIPPED,
            (SHIPPED, None),
            "path",
        ),
        Option(
            "encoder",
            None,
            (None,),
            "function",
            give="give a function of a list of texts, or None",
        ),
        STEMMER,
        FUNCTION_WORDS,
        AGGREGATE._replace(
            choices=("max", "average", "best"),
        ),
        TOKENIZER._replace(default="unicode"),
        LABEL,
    )
    languages: tuple[str, ...] = ("en",)
    unchanging = True

    def __init__(
        self,
        *,
        vectors: str | PathLike[str] | WordVectors | None = SHIPPED,
        encoder: WordEncoder | None = None,
        stemmer: str | None = None,
        function_words: Iterable[str] | None = None,
        aggregate: str = "max",
        tokenizer: str | Tokenizer = "unicode",
        label: str | None = None,
    ) -> None:
        checked(self.options, locals())
        self.name = label or "tesla-e"
        table = SHIPPED if isinstance(vectors, str) and vectors == SHIPPED else vectors_of(vectors)
        self._vectors = SHIPPED if is_shipped(table) else table
        self._aggregate = aggregate
        self._encoder = encoder
        told = getattr(encoder, "signature", None)
        self._encoder_label = told if isinstance(told, str) else _label(encoder, label)
        if encoder is not None or isinstance(self._vectors, WordVectors):
            self.languages = ()  # those of the vectors
        if encoder is not None:
            tokenizer = str.split  # not called: the encoder gives the words
        words, self._words_label = (
            stop_list(True)
            if function_words is None
            else function_list(function_words, unicode=tokenizer == "unicode")
        )
        self._text_options = TeslaTextOptions(
            tokenizer=tokenizer,
            stemmer=stemmer or (None if isinstance(self._vectors, WordVectors) else "porter"),
            function_words=words,
            named=label,
        )

    @property
    def signature(self) -> Signature:
        """The options, resources and version that the numbers depend on.

        >>> TeslaE(vectors=None).signature.split("|tokenizer")[0]
        'tesla-e|aggregate:max|vectors:none|function-words:rouge155'
        """
        vectors = self._vectors
        label = vectors.label if isinstance(vectors, WordVectors) else "none"
        options = [
            ("aggregate", self._aggregate),
            ("vectors", shipped_label() if vectors == SHIPPED else label),
            *([("encoder", self._encoder_label)] if self._encoder else []),
            ("function-words", self._words_label),
            *(
                option
                for option in self._text_options.options
                if option[0] != "tokenizer" or self._encoder is None
            ),
        ]
        return Signature.of("tesla-e", options)

    @staticmethod
    def fuse(metrics: Sequence[TeslaE]) -> Runner:
        metric = metrics[0]
        if metric._encoder is not None:
            return EncodedRunner(metric, metric._kernel(), metric._encoder, FIELDS)
        return TextRunner(metric._kernel(), metric._text_options, len(FIELDS))

    def explain_texts(
        self, candidate: str, references: tuple[str, ...], sources: tuple[str, ...]
    ) -> Explanation:
        """The words of the reference, the words of the candidate that are like them, and shares.

        Half of a share comes from `recall`, half from `pair`. Of several references it is the first
        of those with the highest value; with `aggregate="average"` all of them, each with its part.

        Examples
        --------
        >>> told = TeslaE().explain("A tempest struck the shore.", "A storm hit the coast.")
        >>> [(item.text, round(item.share, 3)) for item in told.items]
        [('storm = tempest', 0.063), ('hit = struck', 0.212), ('coast = shore', 0.175)]
        """
        from summeval.metrics.run.explain.explanation import Explanation
        from summeval.metrics.run.explain.shares import rounded
        from summeval.metrics.tesla.matched_words import WordMatcher

        value = float(self.score(candidate, references).value)
        chosen = list(range(len(references)))
        if self._aggregate != "average":
            values = [self.score(candidate, text).value for text in references]
            chosen = [values.index(max(values))]
        matcher = WordMatcher(self._text_options, vectors_of(self._vectors), self._encoder)
        items = [
            item
            for number in chosen
            for item in matcher.items(candidate, references[number], number, 1 / len(chosen))
        ]
        told = rounded(items, value)
        return Explanation(self.name, value, told, candidate, references)

    def _kernel(self) -> LikenessKernel:
        options = self._text_options
        forms = replace(options, stemmer=None).analyzer()
        stems = replace(options, function_words=None).analyzer()
        return LikenessKernel(forms, stems, self._table(), self.name, self._aggregate)

    def _table(self) -> WordTable:
        import numpy as np

        vectors = vectors_of(self._vectors)
        if vectors is None:
            return WordTable(b"", np.zeros((0, 0), np.int8), np.zeros(0), 1.0)
        return vectors.kernel


def _label(encoder: WordEncoder | None, named: str | None) -> str:
    return "none" if encoder is None else label_of(encoder, named)
