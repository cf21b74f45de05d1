"""How many different words a text has, and how different the texts of a group are.

Malvern, Richards, Chipere and Durán 2004, "Lexical Diversity and Language Development"; McCarthy
and Jarvis 2010, "MTLD, vocd-D, and HD-D: A validation study of sophisticated approaches to lexical
diversity assessment"; Covington and McFall 2010, "Cutting the Gordian Knot: The Moving-Average
Type-Token Ratio (MATTR)".
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, NoReturn

from summeval._core.columns import columns
from summeval._core.field import diversity as kernel
from summeval._core.field.lexical import FIELDS, measures
from summeval._core.rows.record import Score
from summeval._options import check_workers, option
from summeval.metrics.field import tokens as field
from summeval.metrics.run.base import Metric, PairMetric
from summeval.metrics.run.declared import OnError
from summeval.metrics.run.explain.items import Asked, ExplainedItem, Items, whole
from summeval.metrics.run.explain.spans import tokens_of
from summeval.metrics.run.refusals import refusals
from summeval.metrics.run.signature import Signed
from summeval.metrics.run.table import Layout, ScoreTable
from summeval.metrics.run.text_options import Tokenizer

if TYPE_CHECKING:
    from summeval._arrays import Floats


ORDERS = (1, 2, 3, 4)
_BLEUS = ("self_bleu2", "self_bleu3", "self_bleu4")
_MEANS = tuple(f"mean_distinct{n}" for n in ORDERS)
_DISTINCT = tuple(f"distinct{n}" for n in ORDERS)
_ENTROPY = tuple(f"entropy{n}" for n in ORDERS)
_ALIKE = ("self_repetition", "homogenization_rougeL", "near_duplicates")
_SIZES = ("compression", "compression_gzip", "compression_xz")
_JOINED = ("ngram_diversity", *_SIZES)
OF_TEXT = (*_BLEUS, *_DISTINCT, *_ALIKE)
_TIME = 0x6923A5C7  # in the header of gzip, which is compressed too; any will do
_PIECE = 1 << 20  # bytes that are compressed between two looks at signals


class Diversity(Metric):
    """How different the texts of a group are: `group(texts)`, or `score_batch` of lists of texts.

    Fields of a group, of the n-grams of tokens that its texts have:

    - `self_bleu2`, `self_bleu3`, `self_bleu4` (which is `value`): the mean BLEU of each text with
      all others as references, of the orders up to 2, 3 and 4 with equal weights; where no n-gram
      of an order is shared its count is 0.1 (`method1` of NLTK). Lower is more diverse.
    - `distinct1` … `distinct4`: different n-grams by all n-grams of the group; `mean_distinct1` …
      the mean of this over the texts that have such n-grams.
    - `entropy1` … `entropy4`: the entropy of the n-grams of the group, in nats.
    - `ngram_diversity`: the sum over n = 1 … 4 of different by all n-grams of the texts joined by
      blanks and split at each blank, 4 at the most.
    - `self_repetition`: the mean over the texts of ln(1 + r); r adds up, over the different 4-grams
      of the text, how many other texts have it. Lower is more diverse.
    - `homogenization_rougeL`: the mean ROUGE-L (F) of all pairs of texts, with the tokens of
      rouge-score. Lower is more diverse.
    - `near_duplicates`: the share of texts beside which another is nearly the same: twice the
      length of the longest common subsequence of their tokens, by the tokens of both, is at least
      `near`. Lower is more diverse.
    - `compression`: the bytes of the texts joined by blanks, by those once zlib compressed them;
      `compression_gzip` and `compression_xz` as the package diversity compresses. Lower is more
      diverse.

    A field that compares texts is NaN for a group of one, and every field for a group of none. An
    empty text is a text without n-grams, and has a self-BLEU of 0. Texts that are None are left
    out.

    Parameters
    ----------
    tokenizer : str or callable
        That of `Bleu`; "whitespace" splits at blanks.
    tokenizer_model : path or None
        The file of SentencePiece, as `Bleu` takes it.
    near : float
        From which likeness on texts are near duplicates, from 0 to 1.
    compression : bool
        Whether to compress, which takes most of the time of a small group; else the last three
        fields are left out.
    compat : {None, "diversity-0.3"}
        "diversity-0.3": `homogenization_rougeL` is 1 for texts without a word in common, as the
        package has it.
    label : str or None
        Its name in results; distinguishes metrics of the same name.

    Raises
    ------
    ValueError
        For a value that an option does not take.

    Examples
    --------
    >>> texts = ["the old bridge was closed", "the old bridge was shut", "rain falls"]
    >>> score = Diversity().group(texts)
    >>> round(score.self_bleu2, 4), round(score.distinct1, 4), round(score.near_duplicates, 4)
    (0.5164, 0.6667, 0.6667)
    """

    others = _called = "diversity"  # scores groups, not rows
    summary = "how different the texts of a group are"
    fields: tuple[str, ...] = (*_BLEUS, *_MEANS, *_ALIKE, *_DISTINCT, *_ENTROPY, *_JOINED)
    primary = "self_bleu4"
    immutable = True
    compared_with = "nothing"
    lower_is_better = frozenset({*_BLEUS, *_ALIKE, *_SIZES})
    unbounded = frozenset({*_ENTROPY, "ngram_diversity"})
    tokenizer: str | Tokenizer = field.TOKENIZER._replace(default="whitespace")
    tokenizer_model: Any = field.TOKENIZER_MODEL
    near: float = option(default=0.8, kind="share")
    compression: bool = option(default=True, kind="bool")
    compat: str | None = option(default=None, choices=(None, "diversity-0.3"))

    def __post_init__(self) -> None:
        self.name = self.label or "diversity"
        self._text_options = field.text_options_of(self)
        if not self.compression:
            self.fields = self.fields[: -len(_SIZES)]

    def signed(self) -> Signed:
        """Return the options and the version.

        >>> Diversity().signature.split("|v:")[0]
        'diversity|tok:whitespace|near:0.8|compat:none'
        """
        return {
            "tok": field.tokenizer_label(self),
            "near": repr(self.near),
            "compat": self.compat or "none",
        }

    def new_runner(self) -> NoReturn:
        raise ValueError(
            f"{self.name} scores groups of texts, not texts alone; call "
            "metric('diversity').group(texts)"
        )

    def group(self, texts: Any) -> Score:
        """Score one group: a sequence, Arrow array or Series of texts.

        Raises
        ------
        TypeError, ValueError
            Naming the text: it is not a str, or has an unpaired surrogate.
        """
        values = self._read([self._texts(texts)])[0][0].tolist()
        return Score(self.fields, tuple(values), self.primary)

    def each(self, texts: Any) -> dict[str, Floats]:
        """Return for each text of a group how it stands to the others, by field.

        The fields are self-BLEU, `distinct1` … of the text alone, `self_repetition`,
        `homogenization_rougeL` and `near_duplicates` (0 or 1); NaN for a text that is None.

        >>> Diversity().each(["a b c", "a b c", "d"])["near_duplicates"].tolist()
        [1.0, 1.0, 0.0]
        """
        import numpy as np

        given = self._texts(texts, keep=True)
        kept = [row for row, text in enumerate(given) if text is not None]
        rows = np.full((len(given), len(OF_TEXT)), np.nan)
        rows[kept] = self._kernel([[given[row] for row in kept]], 1)[1]
        return dict(zip(OF_TEXT, np.ascontiguousarray(rows.T), strict=True))

    def score_batch(
        self,
        candidates: Any,
        references: Any = None,
        *,
        sources: Any = None,
        workers: int = 1,
        on_error: OnError = "raise",
    ) -> ScoreTable:
        """Score groups: a list of lists of texts, or an Arrow array of lists. A row is a group."""
        import numpy as np

        refused = refusals(on_error)
        if isinstance(candidates, str):
            raise TypeError("candidates is a str; pass a list of groups, each a list of texts")
        for row, one in enumerate(candidates if isinstance(candidates, (list, tuple)) else ()):
            if isinstance(one, str):
                raise TypeError(f"candidates[{row}] is a str; pass a group, a list of texts")
        column = columns.references(candidates, "candidates", refused=refused)
        groups = [[text for text in row or () if text is not None] for row in column.to_list()]
        values = self._read(groups, check_workers(workers))[0]
        for row in refused or ():
            values[row] = np.nan
        names = [f"{self.name}.{field}" for field in self.fields]
        block = np.ascontiguousarray(values.T)
        block.flags.writeable = False
        errors = {row: str(error) for row, error in (refused or {}).items()}
        return ScoreTable(zip(names, block, strict=True), Layout.of([self]), len(groups), errors)

    def _texts(self, texts: Any, keep: bool = False) -> list[Any]:
        if isinstance(texts, str):
            raise TypeError("texts is a str; pass a list of texts")
        if not hasattr(texts, "__len__") and hasattr(texts, "__iter__"):
            texts = list(texts)
        column = columns.texts(texts, "texts")
        return [text for text in column.to_list() if keep or text is not None]

    def _read(self, groups: Sequence[Sequence[str]], workers: int = 1) -> tuple[Floats, Floats]:
        """Return the fields of groups and of their texts, [group, field] and [text, field]."""
        import numpy as np

        found, rows = self._kernel(groups, workers)
        if self.compat:
            place = len((*_BLEUS, *_MEANS)) + _ALIKE.index("homogenization_rougeL")
            found[found[:, place] == 0, place] = 1.0
        if not self.compression:
            return found, rows
        sizes = [compressions(" ".join(group)) if group else [np.nan] * 3 for group in groups]
        return np.hstack([found, np.array(sizes).reshape(len(groups), len(_SIZES))]), rows

    def _kernel(self, groups: Sequence[Sequence[str]], workers: int) -> tuple[Floats, Floats]:
        texts = columns.references(groups, "groups")
        tokens = self._text_options.texts(texts, "groups")
        return kernel.read(tokens, texts, field.kernel_name(self), self.near, workers)


def compressions(text: str) -> list[float]:
    """Return how many times smaller a text is by zlib, by gzip of gzip, by xz.

    >>> compressions("") == [0, 0, 0]
    True
    """
    import gzip
    import lzma
    import zlib

    data = text.encode("utf-8")
    small = zlib.compressobj(9)
    # a dictionary beyond the text changes no byte, but takes time
    room = {"id": lzma.FILTER_LZMA2, "preset": 6, "dict_size": min(max(4096, len(data)), 1 << 23)}
    tight = lzma.LZMACompressor(filters=[room])
    sizes = [0, 0]
    for begin in range(0, len(data), _PIECE):
        piece = data[begin : begin + _PIECE]
        sizes = [sizes[0] + len(small.compress(piece)), sizes[1] + len(tight.compress(piece))]
    twice = gzip.compress(gzip.compress(data, mtime=_TIME), mtime=0)
    name = len("compressed\0")  # in the header of its file
    once, by_xz = sizes[0] + len(small.flush()), sizes[1] + len(tight.flush())
    return [len(data) / size for size in (once, len(twice) + name, by_xz)]


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
