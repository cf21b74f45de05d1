"""Combinations of metrics, fitted to human judgements.

The regression over the features of SIMetrix (Louis and Nenkova 2009), linear combinations of ROUGE
scores as in ROSE (Conroy and Dang 2008, "Mind the Gap"), support vector regression over any metrics
as in CREMER (Lin, Liu, Ng and Kan 2012). No coefficients of theirs are public: fit your own.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping, Sequence
from copy import copy
from functools import partial
from os import PathLike
from typing import TYPE_CHECKING, Any, ClassVar, Self

import numpy as np
from numpy.typing import ArrayLike

from summeval._arrays import AnyArray, Bools, Floats
from summeval._core.columns import columns
from summeval._core.rows.record import Score
from summeval._options import Option, checked, unknown
from summeval.learn import regression
from summeval.learn.model_file import Saved, check_basis, digest, load_model, restoring
from summeval.metrics import parts
from summeval.metrics.option_groups import CACHE, LABEL, MODEL, PARSER
from summeval.metrics.option_groups import C as MACHINE_C
from summeval.metrics.parts import PartsRunner, is_empty
from summeval.metrics.rouge.metric import Rouge
from summeval.metrics.run.base import Metric, Metrics
from summeval.metrics.run.explain.items import Asked, Items
from summeval.metrics.run.signature import Signed, Value
from summeval.metrics.run.suite import Suite

if TYPE_CHECKING:
    from summeval.annotate import Provider


__all__ = ["Combination", "NouveauRouge"]

FIELDS = ("prediction",)
KINDS = ("linear", *regression.WEIGHTED, *regression.MACHINES)


class Combination(Saved, Metric):
    """A combination of columns of other metrics, fitted to human scores.

    With all columns of `Simetrix` and the kind "linear" this is the regression of Louis and
    Nenkova, and `cross_predict` their evaluation. With columns of `Rouge` it is in the manner of
    ROSE, whose canonical correlation with a single human judgement is least squares with an
    intercept.

    CLASSY adds term overlap, redundancy and the entropies of terms and sentences, but no formulas
    of these are public, so nothing here claims to be CLASSY.

    The metrics may compare with references, with the source, or with nothing, in any mixture; the
    combination then needs what they need.

    Fields: `prediction`, NaN where a column is. A text without words has the least that the model
    gives. Of the kind "linear" that is for columns from their worst to their best values: what it
    has itself where each column counts in the direction in which it is better, and minus infinity
    where one without bounds counts the other way.

    Parameters
    ----------
    metrics : names and metric objects
        A name may end in a field, `simetrix.unsmoothedJSD`.
    columns : sequence of str, optional
        `<metric>.<field>` of those that count; by default the named fields, and all of a metric
        without one.
    kind : {"linear", "mean", "ridge", "signed-ridge", "svm-linear", "svm-poly", "svm-rbf"}
        Least squares; or a model of normed columns: their equal-weight mean, ridge regression on
        ranks within topics, the same where no column counts against its direction, or support
        vector regression with a kernel.
    C : {None, "cv"} or float
        Of the svm kinds: a number, or "cv" to choose it by topics; by default SVM-light's.
    weights : dict of str to float, optional
        Known weights of a linear combination, by column; then `fit` is not needed.
    label : str or None
        Its name in results; distinguishes metrics of the same name.

    Raises
    ------
    ValueError
        For an unknown column, or a value that an option does not accept.

    Examples
    --------
    >>> rose = Combination(["rouge1", "rouge2"], ["rouge1.recall", "rouge2.recall"])
    >>> texts = ["a cat sat", "a cat", "a dog", "so it goes"]
    >>> rose = rose.fit(texts, [5, 3.5, 2, 1], references=["a cat sat"] * 4)
    >>> round(rose.score("a cat sat", "a cat sat").prediction, 3)
    5.0
    >>> both = Combination(["rouge1.recall", "simetrix.unsmoothedJSD"], kind="mean")
    >>> both = both.fit(["a cat", "a dog"], [2, 1], references=["a cat"] * 2, sources=["cats"] * 2)
    >>> both.score("a cat", "a cat", source="cats").prediction
    1.0
    """

    fields: tuple[str, ...] = FIELDS
    primary = "prediction"
    kind = "combination"
    _told_kind, _given_as = "a combination", "metrics"  # in errors
    others: str = "combination"  # without a model of your own there is none
    options: ClassVar[tuple[Option, ...]] = (MODEL, PARSER, CACHE, LABEL)
    training_options: ClassVar[tuple[Option, ...]] = (
        Option("kind", "linear", KINDS),
        MACHINE_C,
        Option("weights", None, (None,), "object"),
        LABEL,
    )

    def __init__(
        self,
        metrics: Metrics,
        columns: Sequence[str] | str | None = None,
        *,
        kind: str = "linear",
        C: float | str | None = None,
        weights: Mapping[str, float] | None = None,
        label: str | None = None,
    ) -> None:
        options = checked(self.training_options, locals())
        if isinstance(columns, str):
            columns = [columns]
        self.name = self._called = options["label"] or "combination"
        named = self._take_metrics(metrics)
        known = list(self._suite.directions)
        if columns is None:
            columns = [
                column
                for name, field in named
                for column in known
                if field in (None, column.rpartition(".")[2]) and column.rpartition(".")[0] == name
            ]
        self._check_columns(columns)
        self.model = self._new_model(columns, options)

    def _take_metrics(self, given: Metrics) -> list[tuple[str, str | None]]:
        """Combine these metrics; returns for each part its metric's name and its field."""
        made, named = parts.metrics_of(given)
        self._suite = Suite(made)
        self._recipes = parts.recipes(made)
        self.compared_with = parts.read_by(self._suite)  # type: ignore[misc]
        self.least_references = max(m.least_references for m in made)  # type: ignore[misc]
        return named

    def _check_columns(self, names: Sequence[str]) -> None:
        known = list(self._suite.directions)
        for name in names:
            if name not in known:
                raise ValueError(unknown("column", name, known))

    def _new_model(self, names: Sequence[str], options: Mapping[str, Any]) -> regression.Regression:
        kind, weights = options["kind"], options["weights"]
        plain = regression.LinearModel(names)  # checks the names
        if weights is not None:
            if kind != "linear" or not isinstance(weights, Mapping):
                raise ValueError("weights must be a dict by column, of the kind 'linear'")
            for name in weights:
                if name not in names:
                    raise ValueError(unknown("column", name, names))
            plain = regression.LinearModel(list(weights), 0.0, list(weights.values()))
        if kind == "linear":
            return plain
        return regression.NormedModel(
            names, kind, parts.directions(self._suite, names), options["C"]
        )

    @classmethod
    def named(
        cls, name: str, *, model: str | PathLike[str] | None = None, **reading: Any
    ) -> Combination:
        """Load the metric from a `model` file, which it needs.

        Parameters
        ----------
        model : path or None
            A file from `summeval train combination` or `save`.
        parser : str or Provider
            The parser of texts; see `summeval.annotate.provider`.
        cache : bool
            Keep parses on disk, so that later runs need not parse again.
        """
        if model is None:
            raise ValueError(
                f"{name} needs a model file; pass model= (--option {name}.model=FILE), from"
                f" `summeval train {name}`"
            )
        return cls.load(model, **reading)

    @property
    def columns_used(self) -> tuple[str, ...]:
        """The columns `<metric>.<field>` that count, in their order."""
        return self.model.features

    @property
    def model_kind(self) -> str:
        """The kind of its model, one of `KINDS`."""
        return self.model.kind

    def new_model(self) -> regression.Regression:
        """Return a model of the same kind and columns that is not fitted."""
        return self.model.new()

    def signed(self) -> Signed:
        """Return the columns, coefficients and metrics that the numbers depend on."""
        model = self.model
        options: dict[str, Value] = {}
        if not isinstance(model, regression.LinearModel):
            options["kind"] = model.kind
            fitted = digest({}, model.kept()[1])[:8] if model.is_fitted else "none"
        else:
            numbers = repr((model.intercept, model.coefficients)) if model.is_fitted else ""
            fitted = hashlib.sha256(numbers.encode()).hexdigest()[:8] if numbers else "none"
        options |= {
            "columns": ",".join(model.features),
            "model": fitted,
            "metrics": tuple(part.timeless for part in self._suite.signature.values()),
        }
        return options

    def without_jackknife(self) -> Combination:
        other = copy(self)
        other.__dict__.pop("_runner", None)
        other._suite = Suite([metric.without_jackknife() for metric in self._suite.metrics])
        return other

    def new_runner(self) -> PartsRunner:
        return PartsRunner(self, self._suite, self.columns_used, hollow=self._knows_hollow)

    def fit(
        self,
        candidates: Any,
        targets: ArrayLike,
        *,
        references: Any = None,
        sources: Any = None,
        topics: Sequence[Any] | None = None,
    ) -> Combination:
        """Fit to human judgements, one for each candidate; returns the metric.

        `topics`, one for each candidate, are for the kinds that rank within them and for "cv".

        Raises
        ------
        ValueError
            As `LinearModel.fit`, and as `score_batch` of the metrics.
        """
        return self.fit_rows(self.columns(candidates, references, sources), targets, topics)

    def fit_rows(
        self, rows: ArrayLike, targets: ArrayLike, topics: Sequence[Any] | None = None
    ) -> Self:
        """Fit to columns [row, column] that were scored before; otherwise as `fit`."""
        self.model.fit(rows, targets, topics)
        return self

    def predict(self, rows: ArrayLike) -> Floats:
        """Return the prediction of each row of columns [row, column]; NaN if one of them is."""
        return self.model.predict(rows)

    def cross_predict(
        self,
        candidates: Any,
        targets: ArrayLike,
        groups: Sequence[Sequence[Any]],
        *,
        references: Any = None,
        sources: Any = None,
    ) -> Floats:
        """Predictions by models of other groups' rows; see `LinearModel.cross_predict`.

        With `groups=[inputs, systems]` both the input and the system of a row are left out; the
        score of a system is the mean of its predictions. The first kind of group are the topics.
        """
        x = self.columns(candidates, references, sources)
        return self.model.cross_predict(x, targets, groups)

    def columns(self, candidates: Any, references: Any = None, sources: Any = None) -> Floats:
        """Return the columns [row, column] that are combined.

        A text without words has NaN if the worst values depend on the source; such rows are not
        used for fitting.
        """
        if "source" not in self._suite.reads:
            table = self._suite.score_batch(candidates, references)
            return np.column_stack([table[column] for column in self.columns_used])
        texts = columns.texts(candidates, "candidates")
        if hasattr(sources, "__arrow_c_stream__"):  # read only once
            sources = columns.references(sources, "sources")
        table = self._suite.score_batch(texts, references, sources=sources)
        found = np.column_stack([table[column] for column in self.columns_used])
        empty = np.array([parts.is_empty(text) for text in texts.to_list()], bool)
        if self._knows_hollow:
            hollow = self._suite.score_batch([""] * table.rows, references, sources=sources)
            empty |= parts.same_rows(table, hollow)
        found[empty] = np.nan
        return found

    @property
    def _knows_hollow(self) -> bool:
        """Whether a text that the source tells from no empty one counts as empty.

        So it is where all metrics compare with the source, and the worst values depend on it.
        """
        return isinstance(self.model, regression.LinearModel) and self.compared_with == "source"

    def kept(self) -> tuple[dict[str, Any], dict[str, AnyArray]]:
        basis = self._suite.signature
        if isinstance(self.model, regression.LinearModel):
            content = regression.linear_content(basis, {"prediction": self.model})
            return content | {"recipes": self._recipes}, {}
        normed, arrays = self.model.kept()
        return {"basis": dict(basis), "recipes": self._recipes, "normed": normed}, arrays

    @classmethod
    def load(
        cls,
        path: str | PathLike[str],
        metrics: Metrics | None = None,
        *,
        label: str | None = None,
        parser: str | Provider = "compiled",
        cache: bool = True,
    ) -> Combination:
        """Return the metric of a file that `save` wrote.

        Parameters
        ----------
        path : str or path
        metrics : names and metric objects, optional
            Needed where the file was made with other options than those that a name stands for.
        label : str
            As of the class.
        parser, cache
            For those of its metrics that parse, unless `metrics` are given.

        Raises
        ------
        OSError, ValueError
            Naming the file: one that cannot be read, is no such model, was changed, is of another
            version, or was made with other metrics or options.
        """
        given = {"parser": parser, "cache": cache}
        reading = {key: value for key, value in given.items() if value not in ("compiled", True)}

        content, arrays = load_model(path, cls.kind)
        make = partial(cls, label=label)
        return cls._restored(path, content, arrays, make, metrics=metrics, reading=reading)

    @classmethod
    def _restored(
        cls,
        path: str | PathLike[str],
        content: Mapping[str, Any],
        arrays: Mapping[str, Any],
        make: Callable[[Metrics], Self],
        *,
        metrics: Metrics | None,
        reading: Mapping[str, Any],
    ) -> Self:
        """Return the metric that `make` makes of these metrics, by default of those of the file."""
        with restoring(path, cls._told_kind):
            then, model = _restored(content, arrays)
            if metrics is None:  # what it refuses is the fault of the file
                metrics = parts.restored(then, content.get("recipes", {}), reading)
        made = make(metrics)
        hint = f"pass {cls._given_as}= with the options as they were"
        check_basis(path, then, made._suite.signature, hint)
        with restoring(path, cls._told_kind):
            made._take_model(model)
        return made

    def _take_model(self, model: regression.Regression) -> None:
        """Use a model of columns of the metrics; of a file, it need not be true."""
        self._check_columns(model.features)
        self.model = model

    def explain_texts(self, asked: Asked) -> Items:
        """Return what each column adds to the prediction; `parts` explains each metric.

        Of a linear model the share of a column is its number times its weight, of a model of
        normed columns its normed number times its weight. Support vector regression is no sum: its
        shares are Shapley's, from the prediction of the mean of the training rows, which is the
        intercept. Where the prediction is the least that the model gives, an item "floor" has what
        that adds.
        """
        return parts.by_part(asked, self._suite, self.columns_used, self.model.shares)

    def values_of(self, x: Floats, empty: Bools) -> Floats:
        """The predictions [field, row] of columns [row, column]; `empty` marks empty texts."""
        found = self.predict(x)
        if empty.any():
            found[empty] = self._least(x[empty])
        return found[None]

    def _least(self, x: Floats) -> Floats:
        """Return the values of texts without words, of columns [row, column]."""
        best = {
            f"{metric.name}.{field}": number
            for metric in self._suite.metrics
            for field, number in metric.best.items()
        }
        return self.model.least(x, [best[name] for name in self.columns_used])


def _restored(
    content: Mapping[str, Any], arrays: Mapping[str, Any]
) -> tuple[dict[str, Any], regression.Regression]:
    """Return the basis and the model of a file, which need not be true."""
    if "normed" not in content:
        then, models = regression.linear_models(content)
        return then, models["prediction"]
    if not isinstance(content["basis"], dict):
        raise TypeError("what it was trained with is no object")
    return content["basis"], regression.NormedModel.restored(content["normed"], arrays)


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
        Of the measures.
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
    options = (
        Option("field", "recall", ("recall", "precision", "fmeasure")),
        Option("coefficients", None, (None,), "object"),
    )

    def __init__(
        self,
        measures: Sequence[str] | str = ("rouge2", "rougeSU4"),
        *,
        field: str = "recall",
        coefficients: Mapping[str, Sequence[float]] | None = None,
        **options: Any,
    ) -> None:
        given = checked(self.options, locals())
        chosen = {"stemmer": "rouge155", "aggregate": "average"} | options
        listed = [measures] if isinstance(measures, str) else measures
        self._suite = Suite([Rouge(measure, **chosen) for measure in listed])
        self._field = given["field"]
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
        sides = [self._suite.score(candidate, side) for side in (earlier, current)]
        values = []
        for name, model in self.models.items():
            row = np.array([[scores[name][self._field] for scores in sides]])
            values.append(float(_floored(model, row, [candidate])[0]))
        return Score(self.fields, tuple(values), self.fields[0])

    def score_batch(self, candidates: Any, *, earlier: Any, current: Any) -> dict[str, Floats]:
        """The scores [row] of each measure, beside references as in `summeval.score_batch`."""
        texts = columns.texts(candidates, "candidates").to_list()
        pairs = self._pairs(texts, earlier, current)
        return {name: _floored(self.models[name], x, texts) for name, x in pairs.items()}

    def kept(self) -> tuple[dict[str, Any], dict[str, AnyArray]]:
        return regression.linear_content(self._basis(), self.models), {}

    @classmethod
    def load(cls, path: str | PathLike[str], **options: Any) -> NouveauRouge:
        """Return the metric of a file that `save` wrote.

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
            then, models = regression.linear_models(content)
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

    def _pairs(self, candidates: Any, earlier: Any, current: Any) -> dict[str, Floats]:
        """For each measure its scores [row, side]."""
        sides = [self._suite.score_batch(candidates, side) for side in (earlier, current)]
        column = f".{self._field}"
        return {
            name: np.column_stack([table[name + column] for table in sides]) for name in self.fields
        }


def _floored(model: regression.LinearModel, x: Floats, candidates: Sequence[str | None]) -> Floats:
    """Return a model's values of rows [row, side], and the least for texts without words."""
    found = model.predict(x)
    for row, text in enumerate(candidates):
        if is_empty(text):
            found[row : row + 1] = model.least(x[row : row + 1], (1.0, 1.0))
    return found


def _nouveau_model(name: str, coefficients: Sequence[float] | None) -> regression.LinearModel:
    if coefficients is None:
        return regression.LinearModel(("earlier", "current"))
    if isinstance(coefficients, str) or not hasattr(coefficients, "__len__"):
        raise TypeError(f"coefficients[{name!r}] is {coefficients!r}; give three numbers")
    if len(coefficients) != 3:
        raise ValueError(f"coefficients[{name!r}] has {len(coefficients)} numbers; give three")
    return regression.LinearModel(("earlier", "current"), coefficients[0], coefficients[1:])
