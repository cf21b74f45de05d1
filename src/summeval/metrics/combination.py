"""Linear combinations of metrics, fitted to human judgements.

The regression over the features of SIMetrix (Louis and Nenkova 2009), linear combinations of ROUGE
scores as in ROSE (Conroy and Dang 2008, "Mind the Gap"), and Nouveau-ROUGE for update summaries
(Conroy, Schlesinger and O'Leary 2011). No coefficients of theirs are public: fit your own.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping, Sequence
from copy import copy
from os import PathLike
from typing import TYPE_CHECKING, Any

from summeval._core.columns import columns
from summeval._core.rows.record import Score
from summeval._options import check_choice, unknown
from summeval.learn import linear
from summeval.learn.linear import LinearModel
from summeval.learn.model_file import Saved, check_basis, load_model, restoring
from summeval.metrics.option_groups import LABEL
from summeval.metrics.rouge.metric import Rouge
from summeval.metrics.run.base import Metric
from summeval.metrics.run.candidate_runner import has_words
from summeval.metrics.run.protocols import PreparedRunner
from summeval.metrics.run.signature import Signature, Value
from summeval.metrics.run.suite import Prepared, Suite
from summeval.metrics.run.table import ScoreTable

if TYPE_CHECKING:
    from numpy import float64
    from numpy.typing import ArrayLike, NDArray

FIELDS = ("prediction",)


class Combination(Saved, Metric):
    """A linear combination of columns of other metrics, fitted by least squares.

    With all columns of `Simetrix` this is the regression of Louis and Nenkova, and `cross_predict`
    their evaluation. With columns of `Rouge` it is in the manner of ROSE, whose canonical
    correlation with a single human judgement is least squares with an intercept.

    CLASSY adds term overlap, redundancy and the entropies of terms and sentences, but no formulas
    of these are public, so nothing here claims to be CLASSY.

    Fields: `prediction`, NaN where a column is. A text without words has the least that the model
    gives for columns from their worst to their best values: what it has itself where each column
    counts in the direction in which it is better, and minus infinity where one without bounds
    counts the other way.

    Parameters
    ----------
    metrics : names and metric objects
        All compare with references, or all with the source.
    columns : sequence of str, optional
        `<metric>.<field>` of those that count; by default all.
    label : str
        Its name in results.

    Raises
    ------
    ValueError
        For an unknown column, or metrics that compare with different things.

    Examples
    --------
    >>> rose = Combination(["rouge1", "rouge2"], ["rouge1.recall", "rouge2.recall"])
    >>> texts = ["a cat sat", "a cat", "a dog", "so it goes"]
    >>> rose = rose.fit(texts, [5, 3.5, 2, 1], references=["a cat sat"] * 4)
    >>> round(rose.score("a cat sat", "a cat sat").prediction, 3)
    5.0
    """

    fields = FIELDS
    primary = "prediction"
    kind = "combination"

    def __init__(
        self,
        metrics: Iterable[str | Metric] | str | Metric,
        columns: Sequence[str] | str | None = None,
        *,
        label: str | None = None,
    ) -> None:
        from summeval.metrics.scoring import suite

        LABEL.check(label)
        if isinstance(columns, str):
            columns = [columns]
        self.name = label or "combination"
        self._suite = suite(metrics)
        compared_with = {metric.compared_with for metric in self._suite.metrics}
        if len(compared_with) > 1:
            raise ValueError(
                f"the metrics compare with {' and '.join(sorted(compared_with))}; choose one"
            )
        self.compared_with = compared_with.pop()  # type: ignore[misc]
        known = [
            f"{metric.name}.{name}" for metric in self._suite.metrics for name in metric.fields
        ]
        for column in known if columns is None else columns:
            if column not in known:
                raise ValueError(unknown("column", column, known))
        self.model = LinearModel(known if columns is None else columns)

    @property
    def signature(self) -> Signature:
        """The columns, coefficients and metrics that the numbers depend on."""
        model = self.model
        fitted = repr((model.intercept, model.coefficients)) if model.is_fitted else ""
        digest = hashlib.sha256(fitted.encode()).hexdigest()[:8] if fitted else "none"
        options: dict[str, Value] = {
            "columns": ",".join(model.features),
            "model": digest,
            "metrics": tuple(part.timeless for part in self._suite.signature.values()),
        }
        return Signature.of(self.name, options)

    def without_jackknife(self) -> Combination:
        other = copy(self)
        other._suite = Suite([metric.without_jackknife() for metric in self._suite.metrics])
        return other

    @staticmethod
    def fuse(metrics: Sequence[Combination]) -> CombinationRunner:
        return CombinationRunner(metrics[0])

    def fit(
        self, candidates: Any, targets: ArrayLike, *, references: Any = None, sources: Any = None
    ) -> Combination:
        """Fit to human judgements, one for each candidate; returns the metric.

        Raises
        ------
        ValueError
            As `LinearModel.fit`, and as `score_batch` of the metrics.
        """
        self.model.fit(self.columns(candidates, references, sources), targets)
        return self

    def cross_predict(
        self,
        candidates: Any,
        targets: ArrayLike,
        groups: Sequence[Sequence[Any]],
        *,
        references: Any = None,
        sources: Any = None,
    ) -> NDArray[float64]:
        """Predictions by models of other groups' rows; see `LinearModel.cross_predict`.

        With `groups=[inputs, systems]` both the input and the system of a row are left out; the
        score of a system is the mean of its predictions.
        """
        x = self.columns(candidates, references, sources)
        return self.model.cross_predict(x, targets, groups)

    def columns(
        self, candidates: Any, references: Any = None, sources: Any = None
    ) -> NDArray[float64]:
        """The columns [row, column] that are combined.

        A text without words has NaN if the worst values depend on the source; such rows are not
        used for fitting.
        """
        import numpy as np

        if self.compared_with == "source" and hasattr(
            sources, "__arrow_c_stream__"
        ):  # read only once
            sources = columns.references(sources, "sources")
        table = self._suite.score_batch(candidates, references, sources=sources)
        found = self._chosen(table)
        if self.compared_with == "source":
            hollow = self._suite.score_batch([""] * table.rows, references, sources=sources)
            found[_same(table, hollow)] = np.nan
        return found

    def kept(self) -> tuple[dict[str, Any], dict[str, NDArray[Any]]]:
        return linear.kept(self._suite.signature, {"prediction": self.model}), {}

    @classmethod
    def load(
        cls,
        path: str | PathLike[str],
        metrics: Iterable[str | Metric] | str | Metric | None = None,
        *,
        label: str | None = None,
    ) -> Combination:
        """The metric of a file that `save` wrote.

        Parameters
        ----------
        path : str or path
        metrics : names and metric objects, optional
            Needed where the file was made with other options than those that a name stands for.
        label : str
            As of the class.

        Raises
        ------
        OSError, ValueError
            Naming the file: one that cannot be read, is no such model, was changed, is of another
            version, or was made with other metrics or options.
        """
        content, _ = load_model(path, cls.kind)
        with restoring(path, "a combination"):
            then, models = linear.restored(content)
            model = models["prediction"]
            if metrics is None:
                cls(list(then))  # what it refuses is the fault of the file
        made = cls(list(then) if metrics is None else metrics, label=label)
        mend = "pass metrics= with the options as they were"
        check_basis(path, then, made._suite.signature, mend)
        with restoring(path, "a combination"):
            for column in model.features:
                if column not in made.model.features:
                    raise ValueError(unknown("column", column, made.model.features))
        made.model = model
        return made

    def _chosen(self, table: ScoreTable) -> NDArray[float64]:
        import numpy as np

        return np.column_stack([table[column] for column in self.model.features])

    def _predict(
        self, table: ScoreTable, candidates: Sequence[str | None], hollow: ScoreTable | None
    ) -> NDArray[float64]:
        """As a block [metric, field, row].

        `hollow` has what an empty candidate scores, in as many rows or in one; None where that is
        the same as what others may score.
        """
        import numpy as np

        empty = np.array([_is_empty(text) for text in candidates], bool)
        if hollow is not None:
            empty |= _same(table, hollow)
        return self._values(self._chosen(table), empty)[None, None]

    def _values(self, x: NDArray[float64], empty: NDArray[Any]) -> NDArray[float64]:
        """The predictions of rows [row, column], of which some are those of empty texts."""
        found = self.model.predict(x)
        if empty.any():
            best = {
                f"{metric.name}.{field}": number
                for metric in self._suite.metrics
                for field, number in metric.best.items()
            }
            found[empty] = self.model.least(x[empty], [best[name] for name in self.model.features])
        return found


def _is_empty(text: str | None) -> bool:
    return text is not None and not has_words(text)


def _same(table: ScoreTable, other: ScoreTable) -> NDArray[Any]:
    """Which rows are those of the other table (or its only row), column by column."""
    import numpy as np

    pairs = [(table[name], other[name]) for name in table.columns]
    equal = [(one == two) | (np.isnan(one) & np.isnan(two)) for one, two in pairs]
    return np.asarray(np.logical_and.reduce(equal))


class CombinationRunner:
    """Runs the metrics of a combination, then combines."""

    def __init__(self, metric: Combination) -> None:
        self._metric = metric
        self._suite = metric._suite

    def run_pair(self, candidate: str | None, references: Any) -> dict[str, Score]:
        return self.prepare(references).run_pair(candidate)

    def run_rows(
        self, candidates: columns.TextColumn, references: columns.TextColumn, workers: int
    ) -> NDArray[float64]:
        hollow, texts = None, candidates.to_list()
        if self._metric.compared_with == "source":
            empty = columns.texts([""] * len(texts), "candidates")
            hollow = self._table(empty, references, workers)
        table = self._table(candidates, references, workers)
        return self._metric._predict(table, texts, hollow)

    def _table(
        self, candidates: columns.TextColumn, references: columns.TextColumn, workers: int
    ) -> ScoreTable:
        runners = self._suite._runners
        blocks = [runner.run_rows(candidates, references, workers) for runner in runners]
        return self._suite.table(blocks, len(candidates))

    def prepare(self, references: Any) -> PreparedRunner:
        sides = {self._metric.compared_with: references}
        prepared = self._suite.prepare(sides.get("references"), source=sides.get("source"))
        return PreparedCombination(self._metric, prepared)


class PreparedCombination:
    """What candidates are compared with, read by each of the metrics."""

    def __init__(self, metric: Combination, prepared: Prepared[dict[str, Score]]) -> None:
        self._metric = metric
        self._prepared = prepared
        self._hollow = prepared.score_batch([""]) if metric.compared_with == "source" else None

    def run_pair(self, candidate: str | None) -> dict[str, Score]:
        value = self._row(candidate)
        return {self._metric.name: Score(FIELDS, (value,), "prediction")}

    def run_rows(self, candidates: columns.TextColumn, workers: int) -> NDArray[float64]:
        texts = candidates.to_list()
        table = self._prepared.score_batch(texts, workers=workers)
        return self._metric._predict(table, texts, self._hollow)

    def _row(self, candidate: str | None) -> float:
        import numpy as np

        scores, model = self._prepared.score(candidate), self._metric.model
        pairs = (column.rpartition(".") for column in model.features)
        row = np.array([[scores[name][field] for name, _, field in pairs]])
        empty = _is_empty(candidate)
        if self._hollow is not None and not empty:
            parts = [(name.rpartition("."), self._hollow[name][0]) for name in self._hollow.columns]
            mine = [scores[name][field] for (name, _, field), _ in parts]
            empty = np.array_equal(mine, [number for _, number in parts], equal_nan=True)
        return float(self._metric._values(row, np.array([empty]))[0])


class NouveauRouge(Saved):
    """Nouveau-ROUGE: whether an update summary has new content and does not repeat earlier content.

    For each measure i, N_i = a_i0 + a_i1 R_i(earlier) + a_i2 R_i(current), with R_i the ROUGE of
    the summary beside the models of the earlier documents and those of the current ones. The
    published coefficients are not available: fit them, or give your own. A text without words has
    the least that the model gives for any two R from 0 to 1.

    Parameters
    ----------
    measures : sequence of str
        ROUGE measures.
    field : {"recall", "precision", "fmeasure"}
    coefficients : dict of str to three floats, optional
        For each measure a_i0, a_i1 and a_i2.
    options
        Of `Rouge`; `stemmer="rouge155", aggregate="average"` are as in TAC, and the default.

    Raises
    ------
    ValueError
        For an unknown measure or option.

    Examples
    --------
    >>> nouveau = NouveauRouge(["rouge1"], coefficients={"rouge1": (0.0, -0.5, 1.0)})
    >>> nouveau.score("a cat sat", earlier=["a cat lay"], current=["the cat sat"]).rouge1
    0.333335
    """

    kind = "nouveau-rouge"

    def __init__(
        self,
        measures: Sequence[str] | str = ("rouge2", "rougeSU4"),
        *,
        field: str = "recall",
        coefficients: Mapping[str, Sequence[float]] | None = None,
        **options: Any,
    ) -> None:
        check_choice("field", field, ("recall", "precision", "fmeasure"))
        chosen = {"stemmer": "rouge155", "aggregate": "average"} | options
        listed = [measures] if isinstance(measures, str) else measures
        self._suite = Suite([Rouge(measure, **chosen) for measure in listed])
        self._field = field
        self.fields = tuple(metric.name for metric in self._suite.metrics)
        if not isinstance(coefficients or {}, Mapping):
            raise TypeError(f"coefficients is {type(coefficients).__name__}; give a dict")
        for name in coefficients or ():
            if name not in self.fields:
                raise ValueError(unknown("measure", name, self.fields))
        self.models = {
            name: _nouveau_model(name, (coefficients or {}).get(name)) for name in self.fields
        }

    def fit(
        self,
        candidates: Any,
        targets: ArrayLike | Mapping[str, ArrayLike],
        *,
        earlier: Any,
        current: Any,
    ) -> NouveauRouge:
        """Fit every measure to human judgements, one for each candidate; returns the metric.

        `targets` may also give each measure judgements of its own.
        """
        for name, x in self._pairs(candidates, earlier, current).items():
            self.models[name].fit(x, targets[name] if isinstance(targets, Mapping) else targets)
        return self

    def score(self, candidate: str | None, *, earlier: Any, current: Any) -> Score:
        """Score an update summary beside the earlier and the current references."""
        import numpy as np

        sides = [self._suite.score(candidate, side) for side in (earlier, current)]
        values = []
        for name, model in self.models.items():
            row = np.array([[scores[name][self._field] for scores in sides]])
            values.append(float(_told(model, row, [candidate])[0]))
        return Score(self.fields, tuple(values), self.fields[0])

    def score_batch(
        self, candidates: Any, *, earlier: Any, current: Any
    ) -> dict[str, NDArray[float64]]:
        """The scores [row] of each measure, beside references as in `summeval.score_batch`."""
        texts = columns.texts(candidates, "candidates").to_list()
        pairs = self._pairs(texts, earlier, current)
        return {name: _told(self.models[name], x, texts) for name, x in pairs.items()}

    def kept(self) -> tuple[dict[str, Any], dict[str, NDArray[Any]]]:
        return linear.kept(self._basis(), self.models), {}

    @classmethod
    def load(cls, path: str | PathLike[str], **options: Any) -> NouveauRouge:
        """The metric of a file that `save` wrote.

        Parameters
        ----------
        path : str or path
        **options
            Of `Rouge`, as they were when the model was fitted.

        Raises
        ------
        OSError, ValueError
            Naming the file: one that cannot be read, is no such model, was changed, is of another
            version, or was made with other options.
        """
        content, _ = load_model(path, cls.kind)
        with restoring(path, "Nouveau-ROUGE"):
            then, models = linear.restored(content)
            (field,) = {signature.partition("|")[0] for signature in then.values()}
            cls(list(then), field=field)
            if {name: model.features for name, model in models.items()} != dict.fromkeys(
                then, ("earlier", "current")
            ):
                raise ValueError("its models are of other measures")
        made = cls(list(then), field=field, **options)
        check_basis(path, then, made._basis(), "pass the options as they were")
        made.models = models
        return made

    def _basis(self) -> dict[str, str]:
        found = self._suite.signature.items()
        return {name: f"{self._field}|{signature}" for name, signature in found}

    def _pairs(self, candidates: Any, earlier: Any, current: Any) -> dict[str, NDArray[float64]]:
        """For each measure its scores [row, side]."""
        import numpy as np

        sides = [self._suite.score_batch(candidates, side) for side in (earlier, current)]
        column = f".{self._field}"
        return {
            name: np.column_stack([table[name + column] for table in sides]) for name in self.fields
        }


def _told(
    model: LinearModel, x: NDArray[float64], candidates: Sequence[str | None]
) -> NDArray[float64]:
    """What a model of two shares gives rows [row, side], and the least for texts without words."""
    found = model.predict(x)
    for row, text in enumerate(candidates):
        if _is_empty(text):
            found[row : row + 1] = model.least(x[row : row + 1], (1.0, 1.0))
    return found


def _nouveau_model(name: str, coefficients: Sequence[float] | None) -> LinearModel:
    if coefficients is None:
        return LinearModel(("earlier", "current"))
    if isinstance(coefficients, str) or not hasattr(coefficients, "__len__"):
        raise TypeError(f"coefficients[{name!r}] is {coefficients!r}; give three numbers")
    if len(coefficients) != 3:
        raise ValueError(f"coefficients[{name!r}] has {len(coefficients)} numbers; give three")
    return LinearModel(("earlier", "current"), coefficients[0], coefficients[1:])
