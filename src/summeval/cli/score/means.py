"""The means, and scores of the corpus, that `summeval score --means` prints."""

from __future__ import annotations

import shutil
import sys
from argparse import Namespace
from collections.abc import Mapping, Sequence
from itertools import chain
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from summeval.cli.shared.errors import UsageError
from summeval.io.directions import LOWER_IS_BETTER, Stored
from summeval.meta.ranking import rank_of_sample
from summeval.meta.resampling import half_widths
from summeval.metrics.run.corpus import half_width, resampled
from summeval.report.tables import csv_lines, json_lines, table
from summeval.table.cells import text_of

if TYPE_CHECKING:
    import summeval
    from summeval.cli.score.totals import Totals
    from summeval.io.rows import Chunk, Columns
    from summeval.metrics.run.table import ScoreTable

CONFIDENCE = 0.95
_DRAWS = 1000
_CORPUS = "corpus: the score of the sums of all rows, not a mean of rows"
_DIGITS = 5
_WIDTH = 100  # of a table that is not printed on a terminal
_MOST_SYSTEMS = 20
_UNBOUNDED = (
    ", in the unbounded fields of SIMetrix a very large number, which dominates their means: drop"
    " such rows, or use unsmoothedJSD"
)
Array = NDArray[np.float64]


class Means:
    """Collects the scores of a run by system, and tells their means.

    Metrics that are summed, such as BLEU, have the score of the corpus instead, made of the sums of
    their statistics. Without intervals there are only running sums. Intervals hold the scores of
    each unit: the topic, or the id, or the row.
    """

    def __init__(self, arguments: Namespace, suite: summeval.Suite, columns: Columns) -> None:
        self._suite = suite
        self._fields = {metric.name: metric.fields for metric in suite.metrics}
        self._kinds = {m.name: "corpus" if m.summed else "mean" for m in suite.metrics}
        self._summed: dict[str, Any] = {m.name: m for m in suite.metrics if m.summed}
        self._statistics = {
            name: [f"{name} statistic {k}" for k in range(metric.statistics_size)]
            for name, metric in self._summed.items()
        }
        self._system, self._topic, self._id = arguments.system, arguments.topic, columns.id
        self._digits = _DIGITS if arguments.digits is None else arguments.digits
        self._samples: str | None = arguments.samples
        self._intervals: bool = arguments.ci
        self._units: _Units | None = None
        self.reads = [self._system]
        if arguments.ci or self._samples is not None:
            names = [*suite.directions, *chain(*self._statistics.values())]
            self._units = _Units(names, self._samples, arguments.seed)
            self.reads += [self._topic, self._id]
        self._sizes: set[int] = set()  # of units under an interval
        self._found: dict[str | None, tuple[dict[str, float], dict[str, float]]] = {}

    def add(self, chunk: Chunk, scores: ScoreTable, totals: Totals) -> None:
        """Add the scores of a chunk, of which `totals` already knows the number of rows."""
        known: Sequence[Mapping[str, Any]] = [{}] * len(chunk)
        if chunk.has_any(self.reads):
            known = chunk.rows
        systems = [_name(row.get(self._system)) for row in known]
        columns = [*self._suite.directions, *chain(*self._statistics.values())]
        values = np.column_stack(
            [*(scores[name] for name in self._suite.directions)]
            + [scores.statistics(name) for name in self._summed]
        )
        totals.add_systems(systems, columns, values)
        if self._units is None:
            return
        keys: list[tuple[_Key, _Key]] = []
        rows = zip(known, systems, strict=True)
        for number, (row, system) in enumerate(rows, totals.rows - len(chunk)):
            topic, identity = row.get(self._topic), row.get(self._id)
            if self._samples is not None and identity is None:
                raise UsageError(f"--samples: row {number + 1} has no {self._id!r}; omit --samples")
            own = number if identity is None else _name(identity)
            unit = own if topic is None else ("topic", _name(topic))
            keys.append(((system, unit), (system, own)))
        self._units.add(keys, values)

    def lines(
        self, totals: Totals, cleaned: Sequence[str], signatures: Mapping[str, str]
    ) -> list[str]:
        """Return the table, what it says besides, and the signatures."""
        systems = list(totals.systems)
        several = len(systems) > 1 and "" not in systems
        head = f"{totals.rows:,} rows, {totals.rows - totals.null:,} scored, {totals.null:,} null"
        if several:
            head += f"; {len(systems):,} systems"
        elif len(systems) == 1 and systems[0]:
            head += f"; system {systems[0]}"
        lines = [head, *(self._by_system(totals) if several else self._by_metric(totals))]
        notes = [self._interval_note()] if self._intervals else []
        notes += [f"{_CORPUS}: {', '.join(self._summed)}"] * bool(self._summed)
        if self._samples is not None:
            notes.append(f"several outputs for one id: {_SAMPLES[self._samples]}")
        lower_is_better = [column for column, up in self._suite.directions.items() if not up]
        notes += [f"{LOWER_IS_BETTER}{', '.join(lower_is_better)}"] * bool(lower_is_better)
        lines += (line for note in notes for line in ("", note))
        lines += ["", *cleaned] if cleaned else []
        if totals.empty:
            line = f"empty candidates: {totals.empty:,}; an empty text gets the lowest score of"
            unbounded = any(name.startswith("simetrix") for name in self._fields)
            lines += ["", f"{line} each field" + _UNBOUNDED * unbounded]
        return [*lines, "", *(f"{metric}: {text}" for metric, text in signatures.items())]

    def data(self, totals: Totals, signatures: Mapping[str, str], form: str) -> list[str]:
        """The numbers as JSON with all that is told about them, or as CSV: a row for each system.

        The JSON says of each metric whether its numbers are of the "corpus" or the "mean"; the CSV
        names those of the corpus.
        """
        systems = list(totals.systems)
        several = len(systems) > 1 and "" not in systems
        rows: list[dict[str, Any]] = []
        for system in systems if several else [None]:
            row: dict[str, Any] = {"system": system or systems[0] or None}
            for column in self._suite.directions:
                row[column], half = self._numbers(totals, system, column)
                row |= {} if half is None else {f"{column} half width": half}
            if self._summed and form == "csv":
                row["scores of the corpus"] = " ".join(self._summed)
            rows.append(row)
        if form == "csv":
            return csv_lines(rows)
        document = {
            "rows": totals.rows,
            "scored": totals.rows - totals.null,
            "null": totals.null,
            "empty": totals.empty,
            "intervals": self._interval_note().removeprefix("± ") if self._intervals else None,
            "kinds": self._kinds,
            "means": rows,
            **Stored(dict(signatures), dict(self._suite.directions)).to_dict(),
        }
        return json_lines(document)

    def _by_metric(self, totals: Totals) -> list[str]:
        """Return a line for each metric; metrics with equal fields share a table."""
        tables: dict[tuple[str, ...], list[list[str]]] = {}
        for metric, fields in self._fields.items():
            cells = (self._cell(totals, None, f"{metric}.{field}") for field in fields)
            tables.setdefault((self._kinds[metric], *fields), []).append([metric, *cells])
        return [line for head, rows in tables.items() for line in ("", *table(head, rows))]

    def _by_system(self, totals: Totals) -> list[str]:
        """Return a line for each system, with the value of each metric."""
        lines: list[str] = []
        for kind in dict.fromkeys(self._kinds.values()):
            chosen = [m for m in self._suite.metrics if self._kinds[m.name] == kind]
            lines += self._parts(totals, kind, [f"{m.name}.{m.primary}" for m in chosen])
        if (more := len(totals.systems) - _MOST_SYSTEMS) > 0:
            lines.append(f"… {more:,} more systems: write -o FILE")
        return lines

    def _parts(self, totals: Totals, kind: str, columns: Sequence[str]) -> list[str]:
        """Return tables with these columns, none wider than the terminal."""
        shown = list(totals.systems)[:_MOST_SYSTEMS]
        found = [[self._cell(totals, system, column) for column in columns] for system in shown]
        width = shutil.get_terminal_size().columns if sys.stdout and sys.stdout.isatty() else _WIDTH
        most = width - max(len(kind), *map(len, shown))
        parts, taken = [0], 0  # the first column of each table
        for place, cells in enumerate(zip(columns, *found, strict=True)):
            taken += (own := max(map(len, cells)) + 2)
            if place > parts[-1] and taken > most:
                parts.append(place)
                taken = own
        lines: list[str] = []
        for part in map(slice, parts, [*parts[1:], None]):
            rows = [[name, *row[part]] for name, row in zip(shown, found, strict=True)]
            lines += ["", *table([kind, *columns[part]], rows)]
        return lines

    def _cell(self, totals: Totals, system: str | None, column: str) -> str:
        """The number of a column for a system, or for all rows, as it is shown."""
        mean, half = self._numbers(totals, system, column)
        text = f"{mean:.{self._digits}f}"
        return text if half is None else f"{text} ± {half:.{self._digits}f}"

    def _numbers(
        self, totals: Totals, system: str | None, column: str
    ) -> tuple[float, float | None]:
        """Return the number, and half the width of its interval if there are intervals."""
        if system not in self._found:
            self._found[system] = self._of(totals, system)
        numbers, halves = self._found[system]
        return numbers[column], halves.get(column)

    def _of(self, totals: Totals, system: str | None) -> tuple[dict[str, float], dict[str, float]]:
        """Return the number of each column for a system or all rows, and the half widths."""
        columns = list(self._suite.directions)
        numbers = {column: totals.mean(column, system) for column in columns}
        halves: dict[str, float] = {}
        if self._units is not None:
            sums, counts = self._units.of(system)
            self._sizes.add(len(sums))
            scores = slice(len(columns))
            if self._samples is not None:
                with np.errstate(invalid="ignore"):
                    of_units = sums[:, scores].sum(axis=0) / counts[:, scores].sum(axis=0)
                numbers = dict(zip(columns, of_units.tolist(), strict=True))
            if self._intervals:
                widths = half_widths(sums[:, scores], counts[:, scores], CONFIDENCE)
                halves = dict(zip(columns, widths.tolist(), strict=True))
        for name, metric in self._summed.items():
            own = self._statistics[name]
            fields = [f"{name}.{field}" for field in metric.fields]
            if self._units is None:
                totalled = [totals.total(statistic, system) for statistic in own]
                whole, scored = np.array([total for total, _ in totalled]), totalled[0][1]
            else:
                first = self._units.columns.index(own[0])
                there = sums[counts[:, first] > 0, first : first + len(own)]
                whole, scored = there.sum(axis=0), len(there)
                if self._intervals:
                    halves |= zip(fields, _bootstrapped(metric, there), strict=True)
            values = metric.of_sums(whole[None])[0] if scored else np.full(len(fields), np.nan)
            numbers |= zip(fields, values.tolist(), strict=True)
        return numbers, halves

    def _interval_note(self) -> str:
        """Return what the intervals are."""
        assert self._units is not None
        few, most = min(self._sizes), max(self._sizes)
        many = f"{few:,}" if few == most else f"{few:,} to {most:,}"
        units = self._units.what[: -1 if many == "1" else None]
        means = "Student's t" if len(self._summed) < len(self._fields) else ""
        sums = f"bootstrap of {_DRAWS:,} samples" if self._summed else ""
        how = f"{means}; of the corpus: {sums}" if means and sums else means or sums
        width = f"± half the width of the {100 * CONFIDENCE:g} % interval"
        return f"{width} over {many} {units} ({how})"


def _bootstrapped(metric: Any, statistics: Array) -> list[float]:
    """Return half the width of the interval of each field, of sums of units that are drawn."""
    if len(statistics) < 2:
        return [float("nan")] * len(metric.fields)
    parts = [metric.of_sums(sums) for sums in resampled(statistics, _DRAWS, None)]
    found: list[float] = half_width(np.concatenate(parts)).tolist()
    return found


_SAMPLES = {"mean": "their mean counts", "first": "the first counts", "draw": "one is drawn"}


_Key = tuple[str, Any]  # a system and a unit, or what counts once


class _Units:
    """The sums and counts of each column for each unit of each system."""

    def __init__(self, columns: Sequence[str], samples: str | None, seed: int) -> None:
        self.columns = list(columns)
        self.what = "rows"
        self.samples = samples
        self._seed = seed
        self._keys: dict[_Key, int] = {}
        self._units: list[_Key] = []
        self._seen: list[int] = []  # how many rows had the key
        self._ranks: dict[int, bytes] = {}
        self._sums = np.zeros((1024, len(columns)))
        self._counts = np.zeros((1024, len(columns)))

    def add(self, keys: Sequence[tuple[_Key, _Key]], values: Array) -> None:
        """Add rows: the unit of each, what counts once if samples are chosen, and its scores."""
        places: list[int] = []
        taken: list[int] = []
        for index, (unit, own) in enumerate(keys):
            key = unit if self.samples is None else own
            place = self._keys.setdefault(key, len(self._keys))
            if place == len(self._units):
                self._units.append(unit)
                self._seen.append(0)
                if self.what != "topics":
                    kinds: dict[type, str] = {tuple: "topics", str: "ids"}
                    self.what = kinds.get(type(unit[1]), self.what)
            if self._takes(place, key):
                places.append(place)
                taken.append(index)
            self._seen[place] += 1
        while len(self._sums) < len(self._units):
            self._sums = np.concatenate([self._sums, np.zeros_like(self._sums)])
            self._counts = np.concatenate([self._counts, np.zeros_like(self._counts)])
        there = ~np.isnan(values[taken])
        known = np.where(there, values[taken], 0.0)
        if self.samples == "draw":
            last = {place: index for index, place in enumerate(places)}
            rows = list(last.values())
            self._sums[list(last)], self._counts[list(last)] = known[rows], there[rows]
        else:
            np.add.at(self._sums, places, known)
            np.add.at(self._counts, places, there)

    def _takes(self, place: int, key: _Key) -> bool:
        """Whether a further row of this key counts, and replaces the one before if one is drawn."""
        seen = self._seen[place]
        if self.samples == "first":
            return seen == 0
        if self.samples == "draw":
            rank = rank_of_sample(self._seed, key[1], seen)
            if seen and rank >= self._ranks[place]:
                return False
            self._ranks[place] = rank
        return True

    def of(self, system: str | None) -> tuple[Array, Array]:
        """Return the sums and counts [unit, column] of a system, or of all rows."""
        here = [n for n, unit in enumerate(self._units) if system in (None, unit[0])]
        sums, counts = self._sums[here], self._counts[here]
        if self.samples == "mean":
            sums, counts = sums / np.maximum(counts, 1.0), np.minimum(counts, 1.0)
        names: dict[Any, int] = {}
        places = [names.setdefault(self._units[n][1], len(names)) for n in here]
        return _joined(sums, places, len(names)), _joined(counts, places, len(names))


def _joined(values: Array, places: Any, size: int) -> Array:
    if len(values) == size:
        return values
    found = np.zeros((size, values.shape[1]))
    np.add.at(found, places, values)
    return found


def _name(value: object) -> str:
    """Return a value of a column as a name; empty for none."""
    return "" if value is None else text_of(value)
