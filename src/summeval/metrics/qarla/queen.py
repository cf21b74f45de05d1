"""QUEEN as a metric: a set of similarity metrics combined without weights.

Amigó, Gonzalo, Peñas and Verdejo 2005, "QARLA: A Framework for the Evaluation of Text Summarization
Systems", ACL, section 3.1.
"""

from __future__ import annotations

from collections.abc import Sequence
from copy import copy
from math import isnan
from typing import Any

import numpy as np

from summeval._arrays import AnyArray, Bools, Floats, Ints
from summeval._core.columns import columns, lists
from summeval._core.rows.record import Score
from summeval._options import option
from summeval._problem import of_row, row_of
from summeval.metrics.parts import with_parts
from summeval.metrics.qarla import READINGS, count_triples
from summeval.metrics.qarla.parts import Parts
from summeval.metrics.run.base import Metric, Metrics
from summeval.metrics.run.explain.items import Asked, ExplainedItem, Items
from summeval.metrics.run.notices import ASCII_ONLY, warn_cut_texts
from summeval.metrics.run.runner import has_words, texts_of
from summeval.metrics.run.signature import Signed, Value

FIELDS = ("value",)
DEFAULT = ("rouge1", "rouge2", "rougeL", "rougeSU4")
LEAST = 3  # references; as the program Asiya demands
_PART_ROWS = 2048  # scored at a time, so that their similarities stay in the cache
_PART_CELLS = 1 << 18  # similarities of references with each other at a time


class Queen(Metric):
    """QUEEN: how often a candidate is as close to a reference as references are to each other.

    The share of triples of references (m, m', m'') with x(candidate, m) >= x(m', m'') for every
    similarity metric x. No weights are needed, and adding metrics can only lower it. It needs 3
    references or more; a row with fewer is refused. `value` is QUEEN, from 0 to 1; a text without
    words scores 0, and NaN is the score where a similarity is NaN.

    Parameters
    ----------
    metrics : names and metric objects
        The similarities: a metric's value, or the field that its name gives, `rouge2.recall`.

        Each compares a candidate with one reference; where lower is more similar it is negated. A
        str has names between commas or blanks.
    triples : {"pairs", "distinct", "all"}
        Which triples count: m' and m'' different; all three different; every triple.
    label : str or None
        Its name in results; distinguishes metrics of the same name.

    Raises
    ------
    ValueError
        For a metric that is unknown, is trained, or does not compare with a single reference; when
        scoring, for a row of fewer than 3 references.

    Examples
    --------
    >>> queen = Queen(metrics=["rouge1", "rouge2.recall"])
    >>> references = ["the cat sat down", "the cat sat on a mat", "a cat lay down"]
    >>> round(queen.score("the cat sat", references).value, 4)
    0.6111
    """

    names = ("queen",)
    summary = "as close to references as these are to each other (QARLA)"
    fields = FIELDS
    primary = "value"
    least_references = LEAST
    metrics: Metrics = option(default=DEFAULT, kind="any")
    triples: str = option(default="pairs", choices=READINGS)

    def __post_init__(self) -> None:
        self.parts = Parts(vars(self).pop("metrics"))
        metrics = self.parts.suite.metrics
        found = [metric.tokenizer for metric in metrics]
        self.tokenizer = ASCII_ONLY if ASCII_ONLY in found else found[0]
        self.needs_sentences = any(metric.needs_sentences for metric in metrics)

    def signed(self) -> Signed:
        """Return the similarities and the triples that the numbers depend on.

        >>> Queen(metrics="rouge1").signature.split("|metrics")[0]
        'queen|columns:rouge1.fmeasure|triples:pairs'
        """
        metrics = tuple(part.timeless for part in self.parts.suite.signature.values())
        columns = ",".join(self.parts.columns)
        options: dict[str, Value] = {"columns": columns, "triples": self.triples}
        return options | {"metrics": metrics}

    @property
    def immutable(self) -> bool:  # type: ignore[override]
        """Whether none of its metrics can change."""
        return all(metric.immutable for metric in self.parts.suite.metrics)

    def explain_texts(self, asked: Asked) -> Items:
        """The share of the triples that each reference m adds; `parts` has those of the metrics.

        The details of a reference have the similarity of the candidate to it by each metric, and
        ("rouge1 alone") the share of its triples that this metric alone allows.
        """
        metrics = self.parts.suite.metrics
        return with_parts(asked, by_reference(asked, self.parts, self.triples), metrics)

    def without_jackknife(self) -> Queen:
        other = copy(self)
        other.__dict__ = self.__getstate__() | {"parts": self.parts.without_jackknife()}
        return other

    def new_runner(self) -> QueenRunner:
        return QueenRunner(self)


class QueenRunner:
    """Runs the similarities of candidates and references, then counts triples.

    Rows with the same references follow each other in one pass, and these are compared with each
    other once.
    """

    def __init__(self, metric: Queen) -> None:
        self.name = metric.name
        self.parts = metric.parts
        self._triples = metric.triples
        self._strict = metric.tokenizer == ASCII_ONLY
        self._references: Any = None  # a row of them, if they are known beforehand
        self._cells: Floats | None = None  # their similarities, if they are enough

    def prepare(self, references: Any) -> QueenRunner:
        given = texts_of(references)
        self.look(given)
        runner = copy(self)
        runner._references = row = lists.present(columns.references([given], "references"))
        if lists.sizes(row)[0] >= LEAST:
            texts = lists.items(row)
            runner._cells = self.beside(texts, row.take(np.zeros(len(texts), np.int64)), 1)
        return runner

    def run_pair(self, candidate: str | None, *references: Any) -> dict[str, Score]:
        if references:
            return self.prepare(*references).run_pair(candidate)
        columns.check_text(candidate, "candidate")
        if self._cells is not None:
            self.look([candidate])
        value = float(self.run_rows(columns.texts([candidate], "candidate"), 1)[0, 0, 0])
        return {self.name: Score(FIELDS, (value,), "value")}

    def run_rows(self, candidates: columns.TextColumn, *given: Any) -> Floats:
        *references, workers = given
        present = lists.present(references[0]) if references else self._references
        places = np.arange(len(candidates)) * bool(references)
        sizes = lists.sizes(present)[places]
        scored = ~candidates.missing() & (sizes > 0)
        for row in np.flatnonzero(scored & (sizes < LEAST)).tolist()[:1]:
            few, number = self.few(int(sizes[row])), candidates.first + row
            raise of_row(ValueError(f"row {number}: {few}"), number) if references else few
        out = np.full((1, 1, len(candidates)), np.nan)
        rows = np.flatnonzero(scored)
        step = max(1, min(_PART_ROWS, _PART_CELLS // int(sizes.max(initial=1)) ** 2))
        for begin in range(0, len(rows), step):
            some = rows[begin : begin + step]
            own = candidates.take(some)
            values = self._values(own, present.take(places[some]), workers)
            out[0, 0, some] = [
                value if has_words(text) else 0.0  # models that share nothing would give 1
                for value, text in zip(values.tolist(), own.to_list(), strict=True)
            ]
        return out

    def look(self, texts: Sequence[str | None]) -> None:
        """Warn of texts of which the tokenizer cuts or drops words."""
        if self._strict:
            warn_cut_texts([text for text in texts if text is not None])

    def few(self, references: int) -> ValueError:
        """Return the error of too few references."""
        said = f"{references} reference{'s' * (references != 1)}"
        return ValueError(f"{said}; {self.name} needs at least {LEAST}")

    def _values(
        self, candidates: columns.TextColumn, references: columns.TextColumn, workers: int
    ) -> Floats:
        """QUEEN of rows that all have a candidate and enough references.

        Of each set of references one pass compares its texts, and then the candidates of its rows,
        with all of the set.
        """
        if self._cells is not None:
            sizes, places = lists.sizes(self._references), np.zeros(len(candidates), np.int64)
            peers = self.beside(candidates, references, workers)
            return self.queens(self._cells, sizes, peers, places, workers)
        first, places = lists.distinct(references)
        order = np.argsort(places, kind="stable")
        sets = references.take(first)
        sizes = lists.sizes(sets)
        texts = lists.items(sets)
        set_of = np.concatenate([np.repeat(np.arange(len(first)), sizes), places[order]])
        turn = np.argsort(set_of, kind="stable")
        left = lists.joined(texts, candidates.take(order)).take(turn)
        found = self.beside(left, sets.take(set_of[turn]), workers)
        of_sets = np.repeat(turn < len(texts), sizes[set_of[turn]])
        values = np.empty(len(candidates))
        cells, peers = found[:, of_sets], found[:, ~of_sets]
        values[order] = self.queens(cells, sizes, peers, places[order], workers)
        return values

    def beside(
        self, candidates: columns.TextColumn, references: columns.TextColumn, workers: int
    ) -> Floats:
        """As `Parts.beside`; an error does not name the row, which is one of a part of its own."""
        try:
            return self.parts.beside(candidates, references, workers)
        except ValueError as error:
            if (row := row_of(error)) is None:
                raise
            raise ValueError(str(error).removeprefix(f"row {row}: ")) from error.__cause__

    def queens(
        self, cells: Floats, sizes: Ints, peers: Floats, set_of_row: Ints, workers: int
    ) -> Floats:
        """QUEEN [row] of similarities as `row_hits` takes them; NaN where one is NaN."""
        from summeval._core.agreement.dominance import row_hits

        own: Ints | None = None
        if self._triples != "all":  # references beside themselves do not count
            begins = np.cumsum(sizes**2) - sizes**2
            within = np.arange(sizes.sum()) - np.repeat(np.cumsum(sizes) - sizes, sizes)
            own = np.repeat(begins, sizes) + within * np.repeat(sizes + 1, sizes)
        cells, bad_sets = _numbers(cells, sizes**2, own)
        peers, bad_rows = _numbers(peers, sizes[set_of_row])
        hits = row_hits(cells, sizes, peers, set_of_row, self._triples, workers)
        found = hits / count_triples(sizes, self._triples)[set_of_row]
        return np.where(bad_rows | bad_sets[set_of_row], np.nan, found)


def _numbers(values: Floats, sizes: Ints, unused: Ints | None = None) -> tuple[Floats, AnyArray]:
    """Return the numbers [metric, item] without NaN, and which stretch of `sizes` items had one."""
    values = np.ascontiguousarray(values)
    missing = np.isnan(values)
    if not missing.any():
        return values, np.zeros(len(sizes), bool)
    bad = np.asarray(missing.any(axis=0))
    if unused is not None:
        bad[unused] = False
    stretch = np.repeat(np.arange(len(sizes)), sizes)
    found = np.bincount(stretch, bad, len(sizes)) > 0
    return np.where(missing, 0.0, values), found


def by_reference(asked: Asked, similarities: Parts, triples: str) -> list[ExplainedItem]:
    """Return the share of the triples of each reference m in which the candidate is as close to m.

    The details of a reference have the similarity of the candidate by each metric, and the share of
    its triples that this metric alone allows.
    """
    candidate, references, value = asked.candidate, asked.references, asked.value
    count, names = len(references), similarities.names
    others = columns.texts(list(references), "references")
    sets = columns.references([list(references)], "references")
    own = columns.texts([candidate], "candidate")
    cells = similarities.beside(others, sets.take(np.zeros(count, np.int64)), 1)
    peers = similarities.beside(own, sets, 1)
    hits = peers[:, :, None, None] >= cells.reshape(len(names), 1, count, count)
    counted = _counted(count, triples)
    close = (hits.all(axis=0) & counted).sum(axis=(1, 2)).tolist()
    alone = ((hits & counted).sum(axis=(2, 3)) / counted.sum(axis=(1, 2))).tolist()
    worded = has_words((candidate,))
    span = ((0, len(candidate)),) if worded else ()
    items = []
    for m in range(count):
        details: dict[str, float] = {}
        for k, (similarity, up) in enumerate(zip(names, similarities.directions, strict=True)):
            details[similarity] = float(peers[k, m]) * (1 if up else -1)
            details[f"{similarity} alone"] = alone[k][m]
        share = close[m] / count_triples(count, triples) if worded else 0.0
        share = value if isnan(value) else share
        place = ((m, 0, len(references[m])),) if references[m] else ()
        items.append(ExplainedItem(f"reference {m + 1}", span, place, share, details))
    return items


def _counted(count: int, triples: str) -> Bools:
    """Return which triples [m, m', m''] count.

    >>> [int(_counted(4, triples).sum()) for triples in ("pairs", "distinct", "all")]
    [48, 24, 64]
    """
    m, one, two = np.indices((count, count, count))
    if triples == "all":
        return np.ones((count, count, count), bool)
    apart = [one != two, *([m != one, m != two] if triples == "distinct" else [])]
    return np.asarray(np.logical_and.reduce(apart))
