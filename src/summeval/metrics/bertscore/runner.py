"""Runs BERTScore: texts are encoded once, part by part, and matched by the kernel."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterable, Sequence
from itertools import chain
from typing import TYPE_CHECKING, Any

from summeval._core.columns import columns
from summeval._core.rows.record import Score
from summeval._core.vectors.greedy import greedy
from summeval._forks import new_lock
from summeval.metrics.bertscore.reading import Read, Reader
from summeval.metrics.run.text_options import one_or_more

if TYPE_CHECKING:
    from numpy import float64
    from numpy.typing import NDArray

    from summeval.metrics.bertscore.tables import Baseline

FIELDS = ("precision", "recall", "fmeasure")
PART_ROWS = 4096
PART_BYTES = 16 << 20  # of vectors in a part, about; a text alone may have more
KEPT_BYTES = 128 << 20  # of vectors of references that may come again
_CHARACTERS = 3  # of a token, at the least on average
_DIMENSIONS = 1024  # before the first text is encoded


class VectorRunner:
    """Runs a metric of token vectors.

    Parameters
    ----------
    name : str
        Of the metric.
    reader : Reader
    aggregate : {"max", "average"}
    baseline : tuple of three float, or None
    kept : Kept
        Holds references of calls before; all runners of a metric share it.
    """

    progress_rows = 64  # a text takes milliseconds

    def __init__(
        self, name: str, reader: Reader, aggregate: str, baseline: Baseline | None, kept: Kept
    ) -> None:
        self._name = name
        self._reader = reader
        self._aggregate = aggregate
        self._baseline = baseline
        self._kept = kept
        self._dimensions = _DIMENSIONS

    def run_pair(self, candidate: str | None, references: Any) -> dict[str, Score]:
        return self._pair(candidate, given_texts(references), None)

    def run_rows(
        self, candidates: columns.TextColumn, references: columns.TextColumn, workers: int
    ) -> NDArray[float64]:
        left = candidates.to_list()
        right = [
            [text for text in texts or () if text is not None] for texts in references.to_list()
        ]
        return self.table(left, right, workers)

    def prepare(self, references: Any) -> PreparedVectors:
        given = given_texts(references)
        return PreparedVectors(self, given, self.read(given))

    def read(self, texts: Iterable[str]) -> dict[str, Read]:
        """Each distinct text, read."""
        distinct = list(dict.fromkeys(texts))
        found = dict(zip(distinct, self._reader.read(distinct), strict=True))
        for one in found.values():
            self._dimensions = one.vectors.shape[1]
            break
        return found

    def table(
        self,
        left: Sequence[str | None],
        right: Sequence[Sequence[str]],
        workers: int,
        known: dict[str, Read] | None = None,
    ) -> NDArray[float64]:
        """The scores [1, field, row]; rows with the same references are scored together."""
        import numpy as np

        found = np.full((1, len(FIELDS), len(left)), np.nan)
        for rows in self._parts(left, right):
            texts = dict.fromkeys(t for row in rows for t in (*right[row], str(left[row])))
            have = self._have(texts, [text for row in rows for text in right[row]], known)
            pairs = [(str(left[row]), text) for row in rows for text in right[row]]
            counts = [len(right[row]) for row in rows]
            found[0, :, rows] = self._scores(have, pairs, counts, workers)
            del have  # before the next part is read
        return found

    def _have(
        self, texts: Iterable[str], references: Sequence[str], known: dict[str, Read] | None
    ) -> dict[str, Read]:
        """Each text, read: those in `known`, else the references of calls before, are at hand."""
        find = self._kept.find if known is None else known.get
        have = {text: read for text in texts if (read := find(text)) is not None}
        have |= self.read(text for text in texts if text not in have)
        if known is None:
            self._kept.add({text: have[text] for text in references})
        return have

    def _parts(
        self, left: Sequence[str | None], right: Sequence[Sequence[str]]
    ) -> Iterable[list[int]]:
        """The rows to score, in parts that do not take too much memory."""
        places: dict[str, int] = {}
        keys = []
        for row, (text, others) in enumerate(zip(left, right, strict=True)):
            if text is not None and others:
                keys.append((places.setdefault(others[0], len(places)), row))
        part: list[int] = []
        seen: set[str] = set()
        size = 0
        for _, row in sorted(keys):
            new = {str(left[row]), *right[row]} - seen
            more = sum(len(text) // _CHARACTERS + 2 for text in new) * self._dimensions * 4
            if part and (size + more > PART_BYTES or len(part) == PART_ROWS):
                yield part
                part, seen, size = [], set(), 0
            part.append(row)
            seen |= new
            size += more
        if part:
            yield part

    def _pair(
        self, candidate: str | None, references: Sequence[str], known: dict[str, Read] | None
    ) -> dict[str, Score]:
        columns.check_text(candidate, "candidate")
        values: Sequence[float] = (float("nan"),) * len(FIELDS)
        if candidate is not None and references:
            have = self._have(dict.fromkeys((*references, candidate)), references, known)
            pairs = [(candidate, text) for text in references]
            values = self._scores(have, pairs, [len(pairs)], 1)[0].tolist()
        return {self._name: Score(FIELDS, tuple(values), FIELDS[2])}

    def _scores(
        self,
        have: dict[str, Read],
        pairs: Sequence[tuple[str, str]],
        counts: Sequence[int],
        workers: int,
    ) -> NDArray[float64]:
        """The scores [row, field]; row k has the next counts[k] pairs."""
        import numpy as np

        texts = {
            text: place for place, text in enumerate(dict.fromkeys(chain.from_iterable(pairs)))
        }
        reads = [have[text] for text in texts]
        dimensions = max((read.vectors.shape[1] for read in reads), default=1)
        some = [read.vectors for read in reads if len(read.vectors)]
        found = greedy(
            np.concatenate(some) if some else np.zeros((0, dimensions), np.float32),
            np.concatenate([read.weights for read in reads]),
            np.cumsum([0, *(len(read.weights) for read in reads)], dtype=np.int64),
            np.array([texts[own] for own, _ in pairs], dtype=np.int64),
            np.array([texts[other] for _, other in pairs], dtype=np.int64),
            workers,
        )
        found[:, [have[own].empty or have[other].empty for own, other in pairs]] = 0.0
        precision, recall = found
        with np.errstate(invalid="ignore", divide="ignore"):
            fmeasure = np.nan_to_num(2 * precision * recall / (precision + recall), nan=0.0)
        scores = np.stack([precision, recall, fmeasure], axis=1)
        begins = np.cumsum([0, *counts[:-1]])
        if self._aggregate == "max":
            best = np.maximum.reduceat(scores, begins)
        else:
            best = np.add.reduceat(scores, begins) / np.array(counts)[:, None]
        if self._baseline is not None:
            baseline = np.array(self._baseline)
            best = (best - baseline) / (1 - baseline)
        return np.asarray(best, dtype=np.float64)


class PreparedVectors:
    """References that were encoded."""

    progress_rows = VectorRunner.progress_rows

    def __init__(
        self, runner: VectorRunner, references: Sequence[str], known: dict[str, Read]
    ) -> None:
        self._runner = runner
        self._references = references
        self._known = known

    def run_pair(self, candidate: str | None) -> dict[str, Score]:
        return self._runner._pair(candidate, self._references, self._known)

    def run_rows(self, candidates: columns.TextColumn, workers: int) -> NDArray[float64]:
        left = candidates.to_list()
        return self._runner.table(left, [self._references] * len(left), workers, self._known)


def given_texts(references: Any) -> list[str]:
    """The references of one candidate that are not None, each checked."""
    found = []
    for place, text in enumerate(one_or_more(references, "references")):
        columns.check_text(text, f"references[{place}]")
        if text is not None:
            found.append(text)
    return found


class Kept:
    """Texts that were read last, up to a number of bytes; threads may share it."""

    def __init__(self, most: int | None = None) -> None:
        self._most = KEPT_BYTES if most is None else most
        self._size = 0
        self._found: OrderedDict[str, Read] = OrderedDict()
        self._lock = new_lock()

    def find(self, text: str) -> Read | None:
        with self._lock:
            found = self._found.get(text)
            if found is not None:
                self._found.move_to_end(text)
            return found

    def add(self, reads: dict[str, Read]) -> None:
        with self._lock:
            for text, read in reads.items():
                if text not in self._found:
                    self._found[text] = read
                    self._size += read.bytes
                else:
                    self._found.move_to_end(text)
            while self._size > self._most and self._found:
                _, gone = self._found.popitem(last=False)
                self._size -= gone.bytes
