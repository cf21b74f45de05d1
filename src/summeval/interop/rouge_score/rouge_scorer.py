"""RougeScorer, implemented by summeval's kernels."""

from __future__ import annotations

import warnings
from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Sequence
from typing import TYPE_CHECKING, Any

import summeval
from summeval.interop.rouge_score import scoring, tokenizers
from summeval.interop.rouge_score.scoring import Score

if TYPE_CHECKING:
    from summeval._arrays import Floats

Tokens = Sequence[Hashable]

_LSUM = "rougeLsum"
_TYPES = (*(f"rouge{n}" for n in range(1, 10)), "rougeL", _LSUM)

# A suite, and how it reads (candidate, reference).
_Pass = tuple[summeval.Suite, Callable[[str, str], tuple[str, str]]]


class RougeScorer(scoring.BaseScorer):
    """ROUGE between a target (the reference) and a prediction.

    Parameters
    ----------
    rouge_types : sequence of str
        `rouge1` to `rouge9`, `rougeL` and `rougeLsum`.
    use_stemmer : bool
        Stem words of more than three letters as NLTK's PorterStemmer does.
    split_summaries : bool
        Split sentences for `rougeLsum` with `nltk.sent_tokenize`, not at newlines. If NLTK or its
        data are not installed (an error in rouge-score), `summeval.text.sentences` is used, with a
        warning.
    tokenizer : object with a method `tokenize`, optional
        Gives the tokens of a text, any values that can be hashed, instead of `DefaultTokenizer`.
        It gets targets and predictions unchanged, so they may also be lists of tokens, except for
        `rougeLsum`, which splits lines.

    Examples
    --------
    >>> scorer = RougeScorer(["rouge2", "rougeLsum"])
    >>> scorer.score("the cat sat", "the cat")["rouge2"]
    Score(precision=1.0, recall=0.5, fmeasure=0.6666666666666666)
    >>> scorer.score_batch(["the cat", "a dog"], ["the cat", "dog"])[1]["rougeLsum"].recall
    0.5
    """

    def __init__(
        self,
        rouge_types: Sequence[str],
        use_stemmer: bool = False,
        split_summaries: bool = False,
        tokenizer: tokenizers.Tokenizer | None = None,
    ) -> None:
        self.rouge_types = rouge_types
        self._split_summaries = split_summaries
        self._tokenizer = tokenizer or tokenizers.DefaultTokenizer(use_stemmer)
        self._kept: tuple[tuple[str, ...], list[_Pass]] = ((), [])

    def score(self, target: str, prediction: str) -> dict[str, Score]:
        """Return the Score of each type.

        Raises
        ------
        TypeError
            If a text is neither str nor UTF-8 bytes; what a tokenizer of one's own takes, it tells.
        ValueError
            For a type that is none of ROUGE's.
        """
        names, passes = self._passes()
        if self._reads_text():
            prediction, target = _str(prediction, "prediction"), _str(target, "target")
        found: dict[str, Score] = {}
        for suite, read in passes:
            candidate, reference = read(prediction, target)
            for name, score in suite.score(candidate, reference).items():
                precision, recall, _ = score.values()
                found[name] = Score(precision, recall, scoring.fmeasure(precision, recall))
        return found if len(passes) == 1 else {name: found[name] for name in names}

    def score_multi(self, targets: Sequence[str], prediction: str) -> dict[str, Score]:
        """For each type the Score of the target with the highest F; the first one on ties.

        Raises
        ------
        TypeError, ValueError
            As `score`; ValueError if there are no targets.
        """
        rows = [self.score(target, prediction) for target in targets]
        if not rows and len(self.rouge_types):
            raise ValueError("targets is empty; give at least one")
        return {
            name: max((row[name] for row in rows), key=lambda score: score.fmeasure)
            for name in self.rouge_types
        }

    def score_batch(
        self, targets: Iterable[str], predictions: Iterable[str], *, workers: int = 1
    ) -> list[dict[str, Score]]:
        """Equivalent to `[self.score(t, p) for t, p in zip(targets, predictions)]`.

        Parameters
        ----------
        targets, predictions : iterables of str
        workers : int
            Threads; -1 is one for each processor. The scores do not depend on it.

        Raises
        ------
        TypeError, ValueError
            As `score`, naming the row; ValueError if the lengths differ.
        """
        if self._reads_text():
            left, right = _strs(predictions, "predictions"), _strs(targets, "targets")
        else:
            left, right = list(predictions), list(targets)
        if len(left) != len(right):
            raise ValueError(f"{len(right)} targets but {len(left)} predictions; give one for each")
        names, passes = self._passes()
        found: dict[str, list[Score]] = {}
        for suite, read in passes:
            texts = list(map(read, left, right))
            candidates, references = ([pair[side] for pair in texts] for side in (0, 1))
            table = suite.score_batch(candidates, references, workers=workers)
            for metric in suite.metrics:
                precision, recall = (table[f"{metric.name}.{f}"] for f in ("precision", "recall"))
                fmeasures = _fmeasures(precision, recall)
                rows = zip(precision.tolist(), recall.tolist(), fmeasures.tolist(), strict=True)
                found[metric.name] = list(map(Score._make, rows))
        if not names:
            return [{} for _ in left]
        columns = [found[name] for name in names]
        return [dict(zip(names, row, strict=True)) for row in zip(*columns, strict=True)]

    def __getstate__(self) -> dict[str, Any]:
        return {**self.__dict__, "_kept": ((), [])}

    def _reads_text(self) -> bool:
        """Whether the kernel makes the tokens; a tokenizer of one's own takes what it will."""
        return type(self._tokenizer) is tokenizers.DefaultTokenizer

    def _passes(self) -> tuple[tuple[str, ...], list[_Pass]]:
        """Return the types, and the suites that give them with how each reads a pair of texts."""
        names = tuple(self.rouge_types)
        if self._kept[0] != names:
            self._kept = (names, self._new_passes(tuple(dict.fromkeys(names))))
        return self._kept

    def _new_passes(self, names: tuple[str, ...]) -> list[_Pass]:
        for name in names:  # of which summeval has more
            if name == "rouge0":
                raise ValueError("rougen requires positive n: rouge0")
            if name not in _TYPES:
                raise ValueError(f"Invalid rouge type: {name}; choose from {', '.join(_TYPES)}")
        if isinstance(self._tokenizer, tokenizers.DefaultTokenizer) and self._reads_text():
            whole, parts = _read_text, _read_sentences if self._split_summaries else _read_text
            stemmer = "porter" if self._tokenizer.use_stemmer else None
        else:
            whole, parts, stemmer = self._number_whole, self._number_sentences, None
        groups: dict[Any, list[Any]] = {}
        for name in names:
            read = parts if name == _LSUM else whole
            groups.setdefault(read, []).append(summeval.metric(name, stemmer=stemmer))
        return [(summeval.suite(metrics), read) for read, metrics in groups.items()]

    def _number_whole(self, candidate: str, reference: str) -> tuple[str, str]:
        """Texts of which each is one sentence of numbers in the place of tokens."""
        return self._number([candidate], [reference])

    def _number_sentences(self, candidate: str, reference: str) -> tuple[str, str]:
        """Texts with the sentences on lines and numbers in the place of tokens."""
        part = _sentences if self._split_summaries else _lines
        return self._number(part(_str(candidate, "prediction")), part(_str(reference, "target")))

    def _number(self, candidate: list[str], reference: list[str]) -> tuple[str, str]:
        # Tokens may be any values; equal tokens are replaced by equal numbers.
        numbers: dict[Hashable, str] = {}

        def line(text: str) -> str:
            tokens = self._tokenizer.tokenize(text)
            return " ".join(numbers.setdefault(token, str(len(numbers))) for token in tokens)

        return "\n".join(map(line, candidate)), "\n".join(map(line, reference))


def _str(text: str | bytes, place: str) -> str:
    if isinstance(text, bytes):
        return text.decode()
    if not isinstance(text, str):
        raise TypeError(f"{place} is {type(text).__name__}; pass a str")
    return text


def _strs(texts: Iterable[str | bytes], name: str) -> list[str]:
    return [
        text if isinstance(text, str) else _str(text, f"{name}[{row}]")
        for row, text in enumerate(texts)
    ]


def _fmeasures(precision: Floats, recall: Floats) -> Floats:
    """`scoring.fmeasure` of columns, to the bit."""
    import numpy as np

    both = precision + recall
    return np.divide(2 * precision * recall, both, out=np.zeros_like(both), where=both > 0)


def _read_text(candidate: str, reference: str) -> tuple[str, str]:
    return _readable(candidate), _readable(reference)


def _read_sentences(candidate: str, reference: str) -> tuple[str, str]:
    """Texts with the sentences on lines; within one a newline is a blank."""
    found = ("\n".join(s.replace("\n", " ") for s in _sentences(t)) for t in (candidate, reference))
    return _read_text(*found)


def _readable(text: str) -> str:
    """Return the text as the kernel reads it to the tokens of rouge-score.

    rouge-score lowers letters by Unicode, which makes ASCII of two others (the Kelvin sign and the
    dotted capital I), and takes an unpaired surrogate for a blank.
    """
    if text.isascii():
        return text
    if "\u212a" in text or "\u0130" in text:
        text = text.lower()
    try:
        text.encode()
    except UnicodeEncodeError:
        return text.encode("utf-8", "replace").decode()
    return text


def _lines(text: str) -> list[str]:
    return [line for line in text.split("\n") if line]


def _sentences(text: str) -> list[str]:
    """Sentences split by NLTK, or by summeval if NLTK is unavailable."""
    try:
        import nltk

        found: list[str] = nltk.sent_tokenize(text)
    except (ImportError, LookupError):
        reason = "because NLTK or its data (nltk.download('punkt_tab')) are not installed"
        message = f"split_summaries=True uses summeval.text.sentences, {reason}"
        warnings.warn(message, RuntimeWarning, stacklevel=2)
        from summeval.text import sentences

        return sentences(text)
    return found


# Functions that rouge-score defines here; some programs call them. The scorer counts in the kernel.


def _lcs_table(ref: Tokens, can: Tokens) -> list[list[int]]:
    """table[i][j]: the length for the first i tokens of `ref` and the first j of `can`.

    >>> _lcs_table("ab", "b")
    [[0, 0], [0, 0], [0, 1]]
    """
    table = [[0] * (len(can) + 1)]
    for own in ref:
        above, row = table[-1], [0]
        for j, other in enumerate(can):
            row.append(above[j] + 1 if own == other else max(above[j + 1], row[j]))
        table.append(row)
    return table


def _backtrack_norec(table: Sequence[Sequence[int]], ref: Tokens, can: Tokens) -> list[int]:
    """The places in `ref` of the subsequence that is read from the end, up before left in ties.

    >>> _backtrack_norec(_lcs_table("abc", "ca"), "abc", "ca")
    [0]
    """
    places = []
    i, j = len(ref), len(can)
    while i and j:
        if ref[i - 1] == can[j - 1]:
            i, j = i - 1, j - 1
            places.append(i)
        elif table[i][j - 1] > table[i - 1][j]:
            j -= 1
        else:
            i -= 1
    return places[::-1]


def lcs_ind(ref: Tokens, can: Tokens) -> list[int]:
    """Return the places in `ref` of one longest common subsequence."""
    return _backtrack_norec(_lcs_table(ref, can), ref, can)


def _find_union(lcs_list: Iterable[Iterable[int]]) -> list[int]:
    """Return the places in any of the lists, in order."""
    return sorted(set().union(*lcs_list))


def _union_lcs(ref: Tokens, c_list: Iterable[Tokens]) -> list[Hashable]:
    """The tokens of a sentence that are on a subsequence with some sentence of the candidate.

    >>> _union_lcs("abcde", ["abxyz", "acqse"])
    ['a', 'b', 'c', 'e']
    """
    return [ref[i] for i in _find_union(lcs_ind(ref, can) for can in c_list)]


def _summary_level_lcs(ref_sent: Sequence[Tokens], can_sent: Sequence[Tokens]) -> Score:
    """ROUGE-Lsum of tokenised sentences; a token counts no more often than either side has it."""
    left_of_ref: Counter[Hashable] = Counter(token for sent in ref_sent for token in sent)
    left_of_can: Counter[Hashable] = Counter(token for sent in can_sent for token in sent)
    ref_size, can_size = left_of_ref.total(), left_of_can.total()
    if not ref_size or not can_size:
        return Score(0.0, 0.0, 0.0)
    hits = 0
    for sentence in ref_sent:
        for token in _union_lcs(sentence, can_sent):
            if left_of_ref[token] > 0 and left_of_can[token] > 0:
                hits += 1
                left_of_ref[token] -= 1
                left_of_can[token] -= 1
    precision, recall = hits / can_size, hits / ref_size
    return Score(precision, recall, scoring.fmeasure(precision, recall))
