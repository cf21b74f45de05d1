"""sacrebleu's classes of metrics, scores and signatures, over summeval's metrics."""

# ruff: noqa: PLR0917  (as many positional arguments as sacrebleu takes)

from __future__ import annotations

import json
import os
from collections.abc import Mapping, Sequence
from dataclasses import InitVar, dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Any, ClassVar, Generic, TypeAlias, TypeVar

from summeval.interop.sacrebleu import __version__
from summeval.interop.sacrebleu.tokenizers import tokenizer
from summeval.metrics.field.bleu import Bleu
from summeval.metrics.field.chrf import Chrf
from summeval.metrics.field.edits import Ter
from summeval.metrics.run.corpus import SEED, resampled

if TYPE_CHECKING:
    from summeval._arrays import Floats
    from summeval.metrics.run.base import Summed

Streams: TypeAlias = Sequence[Sequence[str | None]]
_S = TypeVar("_S", bound="Score")
_SHORT = {"version": "v", "nrefs": "#", "test": "t", "lang": "l", "subset": "S", "origlang": "o"}
_SHORT |= {"seed": "rs", "case": "c", "eff": "e", "smooth": "s", "space": "s"}
_SHORT |= {"norm": "nr", "punct": "pn", "asian": "as"}


class Score:
    """A score from 0 to 100; `str` is the line that sacrebleu prints.

    Parameters
    ----------
    name : str
    score : float
    verbose : str
        What stands behind the number in its line.
    """

    def __init__(self, name: str, score: float, verbose: str = "") -> None:
        self.name = name
        self.score = score
        self._verbose = verbose
        self._mean = self._ci = -1.0

    def format(
        self, width: int = 2, score_only: bool = False, signature: str = "", is_json: bool = False
    ) -> str:
        """Return the score as a number, a line or JSON, with `width` digits after the point."""
        shown = f"{self.score:.{width}f}"
        found: dict[str, Any] = {"name": self.name, "score": float(shown), "signature": signature}
        if self._mean > 0:
            mean, half = f"{self._mean:.{width}f}", f"{self._ci:.{width}f}"
            interval = f"μ = {mean} ± {half}"
            shown = f"{shown} ({interval})"
            found["confidence_mean"], found["confidence_var"] = float(mean), float(half)
            found["confidence"] = interval
        if score_only:
            return shown
        if self._verbose:
            found["verbose_score"] = self._verbose
        if is_json:
            pairs = (part.partition(":") for part in signature.split("|") if part)
            found |= {key: value for key, _, value in pairs}
            return json.dumps(found, indent=1, ensure_ascii=False)
        head = "|".join(filter(None, (self.name, signature)))
        return " ".join(filter(None, (f"{head} = {shown}", self._verbose)))

    def __repr__(self) -> str:
        return self.format()


@dataclass(eq=False, repr=False)
class BLEUScore(Score):
    """BLEU with its counts, precisions in percent, brevity penalty and lengths in tokens."""

    score: float
    counts: list[float]
    totals: list[float]
    precisions: list[float]
    bp: float
    sys_len: int
    ref_len: int

    def __post_init__(self) -> None:
        self.prec_str = "/".join(f"{precision:.1f}" for precision in self.precisions)
        self.ratio = self.sys_len / self.ref_len if self.ref_len else 0
        lengths = f"ratio = {self.ratio:.3f} hyp_len = {self.sys_len:d} ref_len = {self.ref_len:d}"
        super().__init__("BLEU", self.score, f"{self.prec_str} (BP = {self.bp:.3f} {lengths})")


@dataclass(eq=False, repr=False)
class CHRFScore(Score):
    """ChrF with its orders; two orders of words make it chrF++."""

    score: float
    char_order: int
    word_order: int
    beta: float

    def __post_init__(self) -> None:
        super().__init__(f"chrF{self.beta}" + "+" * self.word_order, self.score)


class TERScore(Score):
    """TER, lower is better, with its edits and the words of the references."""

    def __init__(self, score: float, num_edits: float, ref_length: float) -> None:
        self.num_edits = int(num_edits)
        self.ref_length = ref_length
        super().__init__("TER", score)


@dataclass(eq=False, repr=False)
class Signature:
    """What a number depends on; `str` gives pairs such as "case:mixed" between bars."""

    info: dict[str, Any]
    _names: Mapping[str, str]

    def update(self, key: str, value: Any) -> None:
        """Add a pair, or change its value."""
        self.info[key] = value

    def format(self, short: bool = False) -> str:
        """Return all that is known; `short` has one or two letters for most names."""
        order = ("nrefs", "bs", "ar", "seed", "test", "lang", "origlang", "subset")
        keys = [*order, *(key for key in self.info if key not in (*order, "version")), "version"]
        return "|".join(
            f"{self._names.get(key, key) if short else key}:{_word(self.info[key])}"
            for key in keys
            if self.info.get(key) is not None
        )

    def __repr__(self) -> str:
        return self.format()


def _word(value: Any) -> Any:
    return ("no", "yes")[value] if isinstance(value, bool) else value


class Metric(Generic[_S]):
    """What sacrebleu's metrics share; `references` are kept for many systems."""

    _short = _SHORT

    def __init__(self, metric: Summed, references: Streams | None) -> None:
        self.formula = metric
        self._kept = None if references is None else _rows(references)
        self.n_bootstrap: int | None = None
        self.seed: str | None = None
        if self._kept is not None:
            self.num_refs = self._kept[1]

    def corpus_score(
        self, hypotheses: Sequence[str], references: Streams | None, n_bootstrap: int = 1
    ) -> _S:
        """Return the score of a corpus.

        Parameters
        ----------
        hypotheses : sequence of str
            A text for each row.
        references : sequence of sequences of str, or None
            A stream for each reference, with a text (or None) for each row; None takes those of the
            constructor.
        n_bootstrap : int
            With more than one bootstrap sample the score has their mean, and half the width of the
            interval of 95 % of them. SACREBLEU_SEED is their seed.

        Raises
        ------
        TypeError, ValueError
            Texts or streams that are none, streams of other lengths, a row without a reference.
        """
        rows = self.statistics(hypotheses, references)
        score = self.of_sums(rows.sum(axis=0))
        if n_bootstrap > 1:
            self.n_bootstrap, self.seed = n_bootstrap, os.environ.get("SACREBLEU_SEED", str(SEED))
            score._mean, score._ci = self.interval(rows, n_bootstrap, seed_of(self.seed))
        return score

    def sentence_score(self, hypothesis: str, references: Sequence[str]) -> _S:
        """Return the score of a text beside its references."""
        if not isinstance(hypothesis, str):
            raise TypeError(f"hypothesis is {type(hypothesis).__name__}; pass one text")
        if isinstance(references, str):
            raise TypeError("references is a str; pass a list of texts")
        streams = [[text] for text in references]
        return self.of_sums(self.statistics([hypothesis], streams)[0])

    def get_signature(self) -> Signature:
        """Return what the numbers depend on.

        Raises
        ------
        ValueError
            Before references were seen.
        """
        if not hasattr(self, "num_refs"):
            raise ValueError("the number of references is not known yet; score first")
        info = {"version": __version__, "nrefs": "var" if self.num_refs < 0 else self.num_refs}
        info |= {"bs": self.n_bootstrap, "seed": self.seed} | self._info()
        return Signature(info, self._short)

    def statistics(self, hypotheses: Sequence[str], references: Streams | None = None) -> Floats:
        """Return what adds up over rows, [row, statistic]."""
        if isinstance(hypotheses, str):
            raise TypeError("hypotheses is a str; pass a list, with a text for each row")
        own = list(hypotheses)
        if references is not None:
            rows, self.num_refs = _rows(references)
        elif self._kept is not None:
            rows, self.num_refs = self._kept
        else:
            raise RuntimeError("there are no references; pass them here or to the constructor")
        if len(own) != len(rows):
            raise ValueError(
                f"hypotheses has {len(own)} texts, but the streams of references have {len(rows)};"
                " pass a list for each reference, with a text for each row"
            )
        for row, text in enumerate(own):
            if not isinstance(text, str):
                raise TypeError(f"hypotheses[{row}] is {type(text).__name__}; pass a str")
        return self.formula.statistics(own, rows)

    def values(self, sums: Floats) -> list[float]:
        """Return the scores of many sums of statistics, [sum, statistic]."""
        place = self.formula.fields.index(self.formula.primary)
        found: list[float] = (100 * self.formula.of_sums(sums)[:, place]).tolist()
        return found

    def interval(self, rows: Floats, samples: int, seed: int) -> tuple[float, float]:
        """Return the mean of bootstrap samples, and half the width of their interval of 95 %."""
        parts = resampled(rows, samples, seed)
        ordered = sorted(value for part in parts for value in self.values(part))
        low = len(ordered) // 40
        return sum(ordered) / len(ordered), (ordered[len(ordered) - low - 1] - ordered[low]) / 2

    def of_sums(self, sums: Floats) -> _S:
        """Return the score of sums of statistics, [statistic]."""
        raise NotImplementedError

    def _info(self) -> dict[str, Any]:
        """Return what the signature tells of the options."""
        raise NotImplementedError


@dataclass(eq=False, repr=False)
class BLEU(Metric[BLEUScore]):
    """BLEU (Papineni and others 2002) with sacrebleu's arguments.

    Parameters
    ----------
    lowercase : bool
    force : bool
        Without effect: nothing is said about texts that look tokenised.
    tokenize : str, optional
        "13a" by default, or what `trg_lang` asks for; else "intl", "zh", "char", "none",
        "ja-mecab", "ko-mecab", "flores101" (also "spm"), "flores200", "spBLEU-1K".
    smooth_method : {"exp", "floor", "add-k", "none"}
    smooth_value : float, optional
        0.1 for "floor" and 1 for "add-k" by default.
    max_ngram_order : int
        At most 12.
    effective_order : bool
        Whether only orders count of which a text has n-grams.
    trg_lang : str
        "zh", "ja" and "ko" have tokenizers of their own.
    references : sequence of sequences of str, optional
        Streams, kept for many systems.
    """

    SMOOTH_DEFAULTS: ClassVar[dict[str, float | None]] = dict.fromkeys(("none", "exp"))
    SMOOTH_DEFAULTS |= {"floor": 0.1, "add-k": 1}
    TOKENIZER_DEFAULT: ClassVar[str] = "13a"
    TOKENIZERS: ClassVar[tuple[str, ...]] = (
        *("none", "zh", "13a", "intl", "char", "ja-mecab", "ko-mecab"),
        *("spm", "flores101", "flores200", "spBLEU-1K"),
    )

    lowercase: bool = False
    force: InitVar[bool] = False
    tokenize: InitVar[str | None] = None
    smooth_method: str = "exp"
    smooth_value: float | None = None
    max_ngram_order: int = 4
    effective_order: bool = False
    trg_lang: str = ""
    references: InitVar[Streams | None] = None

    def __post_init__(self, force: bool, tokenize: str | None, references: Streams | None) -> None:
        known = {"zh": "zh", "ja": "ja-mecab", "ko": "ko-mecab"}
        name = tokenize or known.get(self.trg_lang, self.TOKENIZER_DEFAULT)
        if name not in self.TOKENIZERS:
            raise ValueError(f"tokenize is {name!r}; choose from {', '.join(self.TOKENIZERS)}")
        self.tokenizer = tokenizer({"spm": "flores101"}.get(name, name))
        case = "lower" if self.lowercase else "keep"
        metric = _bleu(*self._smoothing, tokenizer=self.tokenizer.name, case=case)
        super().__init__(metric, references)

    @property
    def _smoothing(self) -> tuple[str, float | None, int, bool]:
        method, value = self.smooth_method, self.smooth_value
        return method, value, self.max_ngram_order, self.effective_order

    @property
    def tokenizer_signature(self) -> str:
        return self.tokenizer.signature()

    @staticmethod
    def compute_bleu(
        correct: Sequence[float],
        total: Sequence[float],
        sys_len: int,
        ref_len: int,
        smooth_method: str = "none",
        smooth_value: float | None = None,
        effective_order: bool = False,
        max_ngram_order: int = 4,
    ) -> BLEUScore:
        """Return the BLEU of shared n-grams, n-grams (both by order) and lengths in tokens."""
        import numpy as np

        metric = _bleu(smooth_method, smooth_value, max_ngram_order, effective_order)
        counts, totals = map(list, (correct, total))
        sums = np.array([sys_len, ref_len, *counts, *totals], dtype=np.float64)
        value, bp, _, _, *precisions = metric.of_sums(sums[None])[0].tolist()
        if smooth_method == "add-k" and any(counts):
            added = 1 if smooth_value is None else smooth_value
            counts[1:], totals[1:] = (
                [count + added for count in side[1:]] for side in (counts, totals)
            )
        return BLEUScore(
            100 * value, counts, totals, [100 * p for p in precisions], bp, sys_len, ref_len
        )

    def of_sums(self, sums: Floats) -> BLEUScore:
        own, other, *counts = map(int, sums.tolist())
        method, value, half, effective = self._smoothing
        known = counts[:half], counts[half:], own, other
        return self.compute_bleu(*known, method, value, effective, half)

    def _info(self) -> dict[str, Any]:
        method, value = self.smooth_method, self.smooth_value
        value = self.SMOOTH_DEFAULTS[method] if value is None else value
        shown = f"{method}[{value:.2f}]" if self.SMOOTH_DEFAULTS[method] is not None else method
        return {
            "case": "lc" if self.lowercase else "mixed",
            "eff": self.effective_order,
            "tok": self.tokenizer_signature,
            "smooth": shown,
        }


@lru_cache(64)
def _metric(kind: type[Summed], **options: Any) -> Any:
    """Return the metric, the same one for the same options."""
    return kind(**options)


def _bleu(smoothing: str, value: float | None, order: int, effective: bool, **options: Any) -> Any:
    """Return the metric; a count of 0 instead of none is none."""
    if value == 0 and smoothing in ("floor", "add-k"):
        smoothing, value = "none", None
    options |= {"smoothing": smoothing, "smoothing_value": value}
    return _metric(Bleu, max_order=order, effective_order=bool(effective), **options)


@dataclass(eq=False, repr=False)
class CHRF(Metric[CHRFScore]):
    """ChrF (Popović 2015), with `word_order=2` chrF++, with sacrebleu's arguments.

    Parameters
    ----------
    char_order, word_order : int
        The longest n-grams of characters (at most 12) and of words (at most 6).
    beta : float
        How many times recall weighs as much as precision.
    lowercase : bool
    whitespace : bool
        Whether blanks are characters, too.
    eps_smoothing : bool
        The mean of the F of every order, as in chrF++.py and NLTK.
    references : sequence of sequences of str, optional
        Streams, kept for many systems.
    """

    CHAR_ORDER: ClassVar[int] = 6
    WORD_ORDER: ClassVar[int] = 0
    BETA: ClassVar[int] = 2

    char_order: int = CHAR_ORDER
    word_order: int = WORD_ORDER
    beta: float = BETA
    lowercase: bool = False
    whitespace: bool = False
    eps_smoothing: bool = False
    references: InitVar[Streams | None] = None

    def __post_init__(self, references: Streams | None) -> None:
        orders = {"char_order": self.char_order, "word_order": self.word_order}
        case = "lower" if self.lowercase else "keep"
        smoothing = "eps" if self.eps_smoothing else None
        options = {"whitespace": bool(self.whitespace), "case": case, "smoothing": smoothing}
        super().__init__(_metric(Chrf, beta=self.beta, **orders, **options), references)

    def of_sums(self, sums: Floats) -> CHRFScore:
        value = self.values(sums[None])[0]
        return CHRFScore(value, self.char_order, self.word_order, self.beta)

    def _info(self) -> dict[str, Any]:
        return {
            "case": "lc" if self.lowercase else "mixed",
            "eff": not self.eps_smoothing,
            "nc": self.char_order,
            "nw": self.word_order,
            "space": bool(self.whitespace),
        }


@dataclass(eq=False, repr=False)
class TER(Metric[TERScore]):
    """TER (Snover and others 2006), with sacrebleu's arguments.

    Parameters
    ----------
    normalized : bool
        Part marks from words, as tercom does.
    no_punct : bool
        Leave out marks.
    asian_support : bool
        Ideographs and Asian marks, too.
    case_sensitive : bool
    references : sequence of sequences of str, optional
        Streams, kept for many systems.
    """

    tokenizer_signature: ClassVar[str] = "tercom"
    _short = _SHORT | {"tok": "t"}

    normalized: bool = False
    no_punct: bool = False
    asian_support: bool = False
    case_sensitive: bool = False
    references: InitVar[Streams | None] = None

    def __post_init__(self, references: Streams | None) -> None:
        options = {"normalized": bool(self.normalized), "asian": bool(self.asian_support)}
        case = "keep" if self.case_sensitive else "lower"
        metric = _metric(Ter, punctuation=not self.no_punct, case=case, **options)
        super().__init__(metric, references)

    def of_sums(self, sums: Floats) -> TERScore:
        return TERScore(self.values(sums[None])[0], *sums.tolist())

    def _info(self) -> dict[str, Any]:
        return {
            "case": "mixed" if self.case_sensitive else "lc",
            "tok": self.tokenizer_signature,
            "norm": bool(self.normalized),
            "punct": not self.no_punct,
            "asian": bool(self.asian_support),
        }


METRICS = {"BLEU": BLEU, "CHRF": CHRF, "TER": TER}


def _rows(streams: Streams) -> tuple[list[list[str]], int]:
    """Return the references row by row, and how many a row has; -1 if not all have as many."""
    if isinstance(streams, str) or any(isinstance(stream, str) for stream in streams):
        raise TypeError(
            "references has a str where a stream is meant; pass a list of lists: one for each"
            " reference, with a text for each row"
        )
    lists = [list(stream) for stream in streams]
    if not lists:
        raise ValueError("references has no stream; pass a list for each reference")
    sizes = {len(stream) for stream in lists}
    if len(sizes) > 1:
        raise ValueError(
            f"the streams of references have {' and '.join(map(str, sorted(sizes)))} texts; give"
            " each a text, or None, for each row"
        )
    rows = [[text for text in row if text is not None] for row in zip(*lists, strict=True)]
    numbers = {len(row) for row in rows}
    if 0 in numbers:
        empty = next(number for number, row in enumerate(rows) if not row)
        raise ValueError(f"row {empty} has no reference; give at least one, which may be empty")
    return rows, numbers.pop() if len(numbers) == 1 else -1


def seed_of(text: str) -> int:
    """Return the seed that SACREBLEU_SEED names; a new one for "none"."""
    return int.from_bytes(os.urandom(8), "big") if text.lower() == "none" else int(text)
