"""CIDEr and CIDEr-D: n-grams in common, weighted by how few references have them.

Vedantam, Zitnick and Parikh 2015, "CIDEr: Consensus-based Image Description Evaluation"; with the
details of pycocoevalcap.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from math import exp, hypot, log
from os import PathLike
from typing import Any

from summeval._core.columns import columns
from summeval._core.field.cider import CiderKernel, Frequencies
from summeval._core.rows.record import Score
from summeval._options import check_workers, option
from summeval.metrics.field import tokens as field
from summeval.metrics.option_groups import CASE
from summeval.metrics.run.base import KernelMetric
from summeval.metrics.run.explain.items import Asked, Items
from summeval.metrics.run.runner import one_case
from summeval.metrics.run.signature import Signed
from summeval.metrics.run.text_options import Tokenizer

_KIND = "document-frequencies"
_MOST, ORDERS = 10.0, 4


class Cider(KernelMetric):
    """N-grams in common, each weighted by how few rows of references have it (tf-idf).

    An n-gram g with n = 1 … 4 that occurs c(g) times in a text has the weight
    w(g) = c(g) (ln N - ln max(1, df(g))), where df(g) of N rows have a reference with g. For each n
    the cosine of the weights of candidate and reference is taken. `cider-d` takes of the
    candidate no more than the reference has, and multiplies by
    exp(-(difference in bigrams)² / (2 sigma²)). The score is 10 times the mean over references and
    orders, so 10 at the most. With one row, or of n-grams that all rows have, every weight is 0.
    An empty text scores 0.

    `corpus` takes df from the rows it gets; `score` and `score_batch` need a table of `fit`.

    Fields: `value`; of a corpus also `rows`, the values of its rows.

    Parameters
    ----------
    measure : {"cider-d", "cider"}
        Which of the two it is. pycocoevalcap's "CIDEr" is `cider-d`.
    tokenizer : str or callable
        That of `Bleu`. pycocoevalcap takes tokens that blanks separate, which Stanford's
        PTBTokenizer makes, in lower case and without marks.
    tokenizer_model : path or None
        The file of SentencePiece, as `Bleu` takes it.
    case : {"keep", "lower", "auto"}
        "lower" makes all letters small, "auto" those of rows where a text has no capital.
    sigma : float
        Of the difference in length; `cider-d` alone.
    df : "rows", path, or what `fit` counted
        A file that `save` wrote. "rows" is the rows of the corpus.
    label : str or None
        Its name in results; distinguishes metrics of the same name.

    Raises
    ------
    OSError, ValueError
        For a value that an option does not take, or a file that is no such table.

    Examples
    --------
    >>> candidates = ["a cat sat", "rain falls on the sea", "a dog barks"]
    >>> references = [["a cat sat down", "the cat sat"], ["rain falls on a lake"], ["dogs bark"]]
    >>> corpus = Cider().corpus(candidates, references)
    >>> round(corpus.value, 4), [round(row, 4) for row in corpus.rows]
    (2.7469, [4.5082, 3.7325, 0.0])
    >>> fitted = Cider().fit(references)
    >>> round(fitted.score("a cat sat", references[0]).value, 4)
    4.5082
    >>> Cider().score("a cat sat", references[0])
    Traceback (most recent call last):
    ValueError: cider-d has no document frequencies; make a metric with fit(references), or \
score all rows with corpus
    """

    names = ("cider-d", "cider")
    summary = (
        ("cider-d", "n-grams in common by their rarity, as in pycocoevalcap"),
        ("cider", "as cider-d, without regard to length and repetition"),
    )
    fields = ("value",)
    primary = "value"
    unbounded = frozenset({"value"})
    measure: str = option(default="cider-d", choices=names, kw_only=False)
    tokenizer: str | Tokenizer = field.TOKENIZER._replace(default="whitespace")
    tokenizer_model: Any = field.TOKENIZER_MODEL
    case: str = CASE
    sigma: float = option(default=6.0, kind="number", low=0, above=True, high=1e6)
    df: Any = option(default="rows", choices=("rows",), kind="any")

    def __post_init__(self) -> None:
        self.name = self._called = self.label or self.measure
        self._text_options = field.text_options_of(self)
        self._table: Frequencies | None = None
        if isinstance(self.df, Frequencies):
            self._table = self.df
        elif isinstance(self.df, (str, PathLike)) and self.df != "rows":
            self._table = self._read(self.df)
        elif self.df != "rows":
            kind = type(self.df).__name__
            raise TypeError(f"df is {kind}; give 'rows', a file of save, or fit(references).df")

    def signed(self) -> Signed:
        """Return the options, and the table of document frequencies by its rows and the digest.

        >>> Cider().signature.split("|v:")[0]
        'cider-d|case:mixed|tok:whitespace|sigma:6.0|df:rows'
        """
        counted = "rows" if self._table is None else _digest(self._table)
        options = {**field.case_and_tokens(self), "sigma": repr(self.sigma), "df": counted}
        if self.measure == "cider":
            del options["sigma"]
        return options

    def explain_texts(self, asked: Asked) -> Items:
        """Return the tokens with what their n-grams add, then those of references alone.

        What an n-gram adds is divided equally among its places in the candidate that count, and
        there among its tokens. So the shares add up to the value.

        Examples
        --------
        >>> fitted = Cider().fit(["rain falls", "snow falls", "the sun"])
        >>> explanation = fitted.explain("heavy rain falls", "rain falls")
        >>> [(item.text, item.kind, round(item.share, 3)) for item in explanation.items]
        [('heavy', 'extra', 0.0), ('rain', 'match', 2.454), ('falls', 'match', 1.087)]
        """
        read = [[*field.function_of(self)(text)] for text in asked.cased]
        weights = {n: self._added(read, n).__getitem__ for n in range(1, ORDERS + 1)}
        return field.explained(asked, range(len(asked.references)), weights)

    def _added(self, texts: Sequence[Sequence[str]], n: int) -> dict[tuple[str, ...], float]:
        """Return what one occurrence of each shared n-gram adds, of a candidate and references."""
        table = self._fitted()
        own, *others = (Counter(zip(*(text[k:] for k in range(n)), strict=False)) for text in texts)
        logs = {
            gram: log(table.rows) - log(max(1, table.count([token.encode() for token in gram])))
            for counts in (own, *others)
            for gram in counts
        }
        length, *norms = (
            hypot(*(count * logs[gram] for gram, count in counts.items()))
            for counts in (own, *others)
        )
        added = dict.fromkeys(own, 0.0)
        clips = self.measure == "cider-d"
        for text, counts, norm in zip(texts[1:], others, norms, strict=True):
            if not norm * length:
                continue
            away = max(len(texts[0]) - 1, 0) - max(len(text) - 1, 0)
            near = exp(-(away**2) / (2 * self.sigma**2)) if clips else 1.0
            for gram in own.keys() & counts:
                taken = min(own[gram], counts[gram]) if clips else own[gram]
                shared = taken * counts[gram] * logs[gram] ** 2 / (norm * length)
                places = min(own[gram], max(other[gram] for other in others))
                added[gram] += _MOST / ORDERS / len(others) * shared * near / places
        return added

    def _fitted(self) -> Frequencies:
        if self._table is None:
            raise ValueError(
                f"{self.name} has no document frequencies; make a metric with fit(references), or"
                " score all rows with corpus"
            )
        return self._table

    def _kernel(self) -> CiderKernel:
        clips = self.measure == "cider-d"
        return CiderKernel(self.name, field.kernel_name(self), self._fitted(), self.sigma, clips)

    def fit(self, references: Any) -> Cider:
        """Return this metric with the document frequencies of rows of references.

        Parameters
        ----------
        references : sequence of (str or sequence of str)
            Of each row; a row without any does not count.
        """
        return self._with(self._count(columns.references(references, "references")))

    def save(self, path: str | PathLike[str]) -> None:
        """Write the document frequencies to a file of arrays, for `load` and `df=`.

        Raises
        ------
        ValueError
            If they were not fitted.
        OSError
            For a file that cannot be written.
        """
        import numpy as np

        from summeval.learn.model_file import save_model

        if self._table is None:
            raise ValueError(f"{self.name} has no document frequencies to save; use fit first")
        rows, tokens, grams = self._table.parts()
        ends = np.cumsum([len(token) for token in tokens], dtype=np.int64)
        text = np.frombuffer(b"".join(tokens), np.uint8)
        arrays = {"tokens": text, "ends": ends, "grams": grams}
        save_model(path, _KIND, {"rows": rows, **field.case_and_tokens(self)}, arrays)

    @classmethod
    def load(cls, path: str | PathLike[str], measure: str = "cider-d", **options: Any) -> Cider:
        """Return the metric with the document frequencies of a file that `save` wrote.

        Raises
        ------
        OSError, ValueError
            Naming the file: one that cannot be read, is no such table, or has other tokens.
        """
        return cls(measure, df=path, **options)

    def corpus(
        self,
        candidates: Any,
        references: Any = None,
        *,
        sources: Any = None,
        samples: int = 0,
        seed: int | None = None,
        workers: int = 1,
    ) -> Score:
        """Score a corpus: the mean of its rows, and these as `rows`.

        Without a fitted table the document frequencies are those of the references of the rows that
        have a candidate. Bootstrap samples draw rows with their values. As `Metric.corpus`.
        """
        import numpy as np

        from summeval.metrics.run.corpus import Means, corpus_score
        from summeval.metrics.run.suite import check_lengths

        left = columns.texts(candidates, "candidates")
        right = columns.references(references, "references")
        check_lengths(len(left), len(right), "rows of references", references)
        metric = self if self._table is not None else self._with(self._count(right, left))
        rows = metric.runner().run_rows(left, right, check_workers(workers))[0, 0]
        scored = rows[~np.isnan(rows)]
        found = corpus_score(self._means, Means.statistics([scored]), samples, seed)
        return Score((*found.keys(), "rows"), (*found, tuple(rows.tolist())), "value")

    def _count(
        self, references: columns.TextColumn, candidates: columns.TextColumn | None = None
    ) -> Frequencies:
        """Return the frequencies of rows, if candidates are given of those that have one."""
        if self.case != "keep":
            none: list[str | None] = [None] * len(references)
            owns = none if candidates is None else candidates.to_list()
            rows = zip(owns, references.to_list(), strict=True)
            cased = [one_case(self.case, (own, *(texts or ())))[1:] for own, texts in rows]
            references = columns.references(cased, "references")
        read = self._text_options.texts(references, "references")
        return Frequencies.of(read, field.kernel_name(self), candidates)

    def _with(self, table: Frequencies) -> Cider:
        return type(self)(**{name: getattr(self, name) for name in self.declared} | {"df": table})

    def _read(self, path: str | PathLike[str]) -> Frequencies:
        import numpy as np

        from summeval.learn.model_file import load_model, restoring

        content, arrays = load_model(path, _KIND)
        with restoring(path, "document frequencies"):
            here = field.case_and_tokens(self)
            then = {name: content[name] for name in here}
            if then != here:
                raise ValueError(f"it was counted with {then}, here is {dict(here)}")
            text, ends = arrays["tokens"].astype(np.uint8).tobytes(), arrays["ends"].tolist()
            if ends != sorted(ends) or [*ends, 0][0] < 0 or [0, *ends][-1] != len(text):
                raise ValueError("its tokens do not end where they should")
            tokens = [text[a:b] for a, b in zip([0, *ends], ends, strict=False)]
            grams = np.ascontiguousarray(arrays["grams"], dtype=np.uint32)
            return Frequencies(content["rows"], tokens, grams)


def _digest(table: Frequencies) -> str:
    """Return the digest of a table and its rows."""
    from hashlib import sha256

    rows, tokens, grams = table.parts()
    found = sha256(b"\xff".join(tokens) + grams.astype("<u4").tobytes()).hexdigest()
    return f"{found[:8]}(N={rows})"
