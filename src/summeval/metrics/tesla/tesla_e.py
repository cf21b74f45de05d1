"""TESLA-E: TESLA whose words are alike by vectors, from a table that the package brings.

Liu, Dahlmeier and Ng 2010, "TESLA: Translation Evaluation of Sentences with
Linear-programming-based Analysis", has the programme over graded likeness; the vectors, the recall
and the pairs of neighbours are summeval's own.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from os import PathLike
from typing import TYPE_CHECKING, Any, cast

import numpy as np

from summeval._core.likeness.likeness import LikenessKernel, WordTable
from summeval._core.rows.record import Score
from summeval._options import option
from summeval.learn import vectors as word_vectors
from summeval.metrics.option_groups import AGGREGATE, STEMMER, TOKENIZER
from summeval.metrics.run.base import Metric
from summeval.metrics.run.declared import Declared
from summeval.metrics.run.explain.items import Asked, Items, Token
from summeval.metrics.run.explain.spans import marked, tokens_of
from summeval.metrics.run.runner import Runner, TextRunner
from summeval.metrics.run.signature import Signed, label_of
from summeval.metrics.run.text_options import TOKEN_MARK, Tokenizer
from summeval.metrics.tesla.reading import FUNCTION_WORDS, TeslaTextOptions, function_list
from summeval.text.stopwords import stop_list

if TYPE_CHECKING:
    from summeval._core.likeness.likeness import EncodedText, LikenessKernel
    from summeval.learn.vectors import WordEncoder


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
        NumPy's npz; or a `summeval.learn.vectors.WordVectors`. None compares stems alone.
    encoder : callable or None
        A function from texts to the words of each text and their vectors in context; see
        `summeval.learn.vectors`.

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

    names = ("tesla-e",)
    summary = "content words in common, or words like them by their vectors"
    fields = FIELDS
    primary = "value"
    languages = ("en",)
    immutable = True
    vectors: str | PathLike[str] | word_vectors.WordVectors | None = option(
        default=word_vectors.SHIPPED, choices=(word_vectors.SHIPPED, None), kind="path"
    )
    encoder: WordEncoder | None = option(
        default=None,
        choices=(None,),
        kind="function",
        give="give a function of a list of texts, or None",
    )
    stemmer: str | None = STEMMER._replace(kind="")
    function_words: Iterable[str] | None = FUNCTION_WORDS
    aggregate: str = AGGREGATE._replace(choices=("max", "average", "best"))
    tokenizer: str | Tokenizer = TOKENIZER._replace(
        default="unicode", choices=("rouge155", "unicode")
    )

    def __post_init__(self) -> None:
        given, encoder, words = self.vectors, self.encoder, self.function_words
        if not isinstance(given, str) or given != word_vectors.SHIPPED:
            given = word_vectors.vectors_of(given)
        self._vectors = word_vectors.SHIPPED if word_vectors.is_shipped(given) else given
        vars(self).pop("vectors")  # a file need not stay
        name = getattr(encoder, "signature", None)
        label = "none" if encoder is None else label_of(encoder, self.label)
        self._encoder_label = name if isinstance(name, str) else label
        if encoder is not None or isinstance(self._vectors, word_vectors.WordVectors):
            self.languages = ()  # type: ignore[assignment]  # those of the vectors
        if encoder is not None:
            self.tokenizer = str.split  # not called: the encoder gives the words
        stops, self._words_label = (
            stop_list(True)
            if words is None
            else function_list(words, unicode=self.tokenizer == "unicode")
        )
        self._text_options = TeslaTextOptions(
            tokenizer=self.tokenizer,
            stemmer=self.stemmer
            or (None if isinstance(self._vectors, word_vectors.WordVectors) else "porter"),
            function_words=stops,
            named=self.label,
        )

    def signed(self) -> Signed:
        """Return the options, resources and version that the numbers depend on.

        >>> TeslaE(vectors=None).signature.split("|tokenizer")[0]
        'tesla-e|aggregate:max|vectors:none|function-words:rouge155'
        """
        vectors = self._vectors
        label = vectors.label if isinstance(vectors, word_vectors.WordVectors) else "none"
        return [
            ("aggregate", self.aggregate),
            ("vectors", word_vectors.shipped_label() if vectors == word_vectors.SHIPPED else label),
            *([("encoder", self._encoder_label)] if self.encoder else []),
            ("function-words", self._words_label),
            *(
                option
                for option in self._text_options.options
                if option[0] != "tokenizer" or self.encoder is None
            ),
        ]

    def new_runner(self) -> Runner[EncodedText] | TextRunner:
        if self.encoder is not None:
            return encoded_runner(self, self._kernel(), self.encoder)
        return TextRunner(self._kernel(), self._text_options, len(FIELDS))

    def explain_texts(self, asked: Asked) -> Items:
        """The words of the reference, the words of the candidate that are like them, and shares.

        Half of a share comes from `recall`, half from `pair`. Of several references it is the first
        of those with the highest value; with `aggregate="average"` all of them, each with its part.

        Examples
        --------
        >>> explanation = TeslaE().explain("A tempest struck the shore.", "A storm hit the coast.")
        >>> [(item.text, round(item.share, 3)) for item in explanation.items]
        [('storm = tempest', 0.063), ('hit = struck', 0.212), ('coast = shore', 0.175)]
        """
        chosen = tuple(asked.counted(self.aggregate))
        if self._text_options.plain:
            kernel = cast("LikenessKernel", cast("TextRunner", self.runner())._kernel)
            return kernel.items(asked.texts, chosen, asked.value)
        words = tuple(map(self._words, asked.texts))
        return self._kernel().items(asked.texts, chosen, asked.value, words)

    def _words(self, text: str) -> tuple[bytes, list[int], list[int], list[str], Any]:
        """Return the words of a text as the kernel reads them, their places, forms and vectors."""
        tokenizer, vectors = self._text_options.tokenizer, None
        if self.encoder is not None:
            ((spans, given),) = word_vectors.CheckedEncoder(self.encoder, "encoder")([text])
            words = [Token(text[begin:end].lower(), begin, end) for begin, end in spans]
            vectors = word_vectors.quantised(given, "encoder")
        else:
            words = tokens_of(text, tokenizer)
            if callable(tokenizer):
                words = [
                    word._replace(form=word.form.lower())
                    for word in words
                    if any(map(str.isalnum, word.form))
                ]
        return *marked([[(word, False) for word in words]]), [word.form for word in words], vectors

    def _kernel(self) -> LikenessKernel:
        options = self._text_options
        forms = replace(options, stemmer=None).analyzer()
        stems = replace(options, function_words=None).analyzer()
        return LikenessKernel(forms, stems, self._table(), self.name, self.aggregate)

    def _table(self) -> WordTable:
        vectors = word_vectors.vectors_of(self._vectors)
        if vectors is None:
            return WordTable(b"", np.zeros((0, 0), np.int8), np.zeros(0), 1.0)
        return vectors.kernel


def encoded_runner(
    metric: Declared, kernel: LikenessKernel, encoder: WordEncoder
) -> Runner[EncodedText]:
    """Encodes each distinct text of some rows once, and compares them pair by pair."""
    encode = word_vectors.CheckedEncoder(encoder, "encoder")

    def read(places: Mapping[str, str], workers: int) -> list[EncodedText]:
        found = []
        texts = list(places)
        for text, (spans, vectors) in zip(texts, encode(texts) if texts else (), strict=True):
            words = [text[begin:end].lower().encode() for begin, end in spans]
            joined = b"".join(word + TOKEN_MARK for word in words)
            found.append(kernel.encode(joined, word_vectors.quantised(vectors, "encoder")))
        return found

    def compare(rows: Sequence[tuple[EncodedText, Sequence[Any]]], workers: int) -> list[Score]:
        return [kernel.score_encoded(own, tuple(others))[metric.name] for own, others in rows]

    return Runner(metric, read, compare)
