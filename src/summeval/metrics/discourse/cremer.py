"""CREMER: predicts overall responsiveness from content (TESLA-S) and readability (DICOMER)."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from math import isnan
from os import PathLike
from typing import TYPE_CHECKING, Any

from summeval._core.rows.record import Score
from summeval._options import Option, check_choice, checked
from summeval.learn import model_file as _model_file
from summeval.learn.svm_kernels import KERNELS, least, predict
from summeval.metrics.discourse.dicomer import Dicomer
from summeval.metrics.discourse.shipped import shipped
from summeval.metrics.discourse.trained import Trained, column_of, finite
from summeval.metrics.option_groups import CACHE, LABEL, MODEL, PARSER, RELATIONS
from summeval.metrics.option_groups import C as MACHINE_C
from summeval.metrics.run.candidate_runner import has_words
from summeval.metrics.run.protocols import PreparedRunner
from summeval.metrics.run.signature import Signature, Value
from summeval.metrics.tesla.tesla_s import TeslaS

if TYPE_CHECKING:
    from numpy import float64
    from numpy.typing import ArrayLike, NDArray

    from summeval.annotate import Provider
    from summeval.annotate.discourse import DiscourseDocument
    from summeval.metrics.discourse.parser import FindRelations

TESLA = Option("tesla", "By default with its default options.", None, (None,), "object")
FIELDS = ("value", "content", "readability")
_ARRAYS = ("support_vectors", "dual_coef", "intercept")


class Cremer(Trained):
    """A regression over two numbers of a summary: its TESLA-S and its DICOMER.

    It is trained on human scores (`fit`) and then scores other summaries. To `score` texts it also
    needs the `dicomer` that computed the second number. `summeval.metric("cremer")` is already
    trained; docs/readability.md describes its training data and its accuracy.

    Source: Lin, Liu, Ng and Kan 2012, "Combining Coherence Models and Machine Translation
    Evaluation Metrics for Summarization Evaluation", section 5. Its kernels LF, PF and RBF are
    "linear", "poly" and "rbf" with SVM-light's parameters; "rbf" did best there.

    Fields: `value`, on the scale of the scores it was trained on; `content`, the F of TESLA-S, and
    `readability`, the value of DICOMER. A text without words gets the content 0, the floor of
    `dicomer` as readability, and as `value` the `floor`: the least value that the regression gives
    for any two such numbers. No text scores below it.

    Parameters
    ----------
    kernel : {"linear", "poly", "rbf"}
        Of the regression.
    C : {None, "cv"} or float
        The `C` of `summeval.learn.SVMLightRegressor`.
    tesla : TeslaS, optional
        By default with its default options.
    dicomer : Dicomer, optional
        A trained one.
    label : str or None
        Its name in results; distinguishes metrics of the same name.

    Raises
    ------
    ValueError
        For a value that an option does not accept; if used before training, or without `dicomer`.

    Examples
    --------
    >>> rows = [[0.1, 0.5], [0.4, 0.1], [0.6, 0.9], [0.9, 0.6]]
    >>> metric = Cremer(kernel="linear").fit(rows, [2, 2.5, 4, 4.5])
    >>> bool(metric.predict([[0.8, 0.8]])[0] > metric.predict([[0.2, 0.2]])[0])
    True
    """

    fields = FIELDS
    primary = "value"
    unbounded = frozenset({"value", "readability"})
    kind = "cremer"
    compared_with = "references"
    options = (MODEL, TESLA, PARSER, RELATIONS, CACHE, LABEL)
    training_options = (
        Option("kernel", "Of the regression.", "rbf", KERNELS),
        MACHINE_C._replace(says="The `C` of `summeval.learn.SVMLightRegressor`."),
        TESLA,
        TESLA._replace(name="dicomer", says="A trained one."),
        LABEL,
    )

    def __init__(
        self,
        *,
        kernel: str = "rbf",
        C: float | str | None = None,
        tesla: TeslaS | None = None,
        dicomer: Dicomer | None = None,
        label: str | None = None,
    ) -> None:
        chosen = checked(self.training_options, locals())
        for name, given, kind in (("tesla", tesla, TeslaS), ("dicomer", dicomer, Dicomer)):
            if given is not None and not isinstance(given, kind):
                raise TypeError(f"{name} is {type(given).__name__}; pass a {kind.__name__}")
        self.name = label or "cremer"
        self._kernel, self._C = kernel, chosen["C"]
        self.tesla = tesla or TeslaS()
        self.dicomer = dicomer
        self._model: dict[str, NDArray[Any]] = {}
        self._trained: dict[str, Any] = {}

    @classmethod
    def named(  # type: ignore[override]  # names the options, for registry.options_of
        cls,
        name: str,
        *,
        model: str | PathLike[str] | None = None,
        tesla: TeslaS | None = None,
        parser: str | Provider = "spacy",
        relations: FindRelations | None = None,
        cache: bool = True,
        label: str | None = None,
    ) -> Cremer:
        """Load the metric from a `model` file; by default from the package's model."""
        return cls.load(
            shipped(name, model),
            tesla=tesla,
            parser=parser,
            relations=relations,
            cache=cache,
            label=label,
        )

    @property
    def signature(self) -> Signature:
        """The options, models (part of their checksums) and version that the numbers depend on."""
        readability = self.dicomer.signature if self.dicomer else Signature("dicomer|none")
        options: dict[str, Value] = {
            "kernel": self._kernel,
            "model": str(self._digest),
            "metrics": (self.tesla.signature.timeless, readability.timeless),
        }
        return Signature.of(self.name, options)

    @property
    def tokenizer(self) -> object:
        """The same as for its TESLA-S."""
        return self.tesla.tokenizer

    def fusion_key(self) -> Hashable:
        return (Cremer, self.name)

    @staticmethod
    def fuse(metrics: Sequence[Cremer]) -> CremerRunner:
        return CremerRunner(metrics[0])

    def fit(
        self, rows: ArrayLike, scores: ArrayLike, topics: Sequence[Any] | None = None
    ) -> Cremer:
        """Learn from rows of (TESLA-S, DICOMER) with human scores. Needs the extra `learn`.

        Parameters
        ----------
        rows : array [summaries, 2]
        scores : array [summaries]
        topics : sequence [summaries], optional
            For C="cv".

        Raises
        ------
        ImportError
            If scikit-learn is missing; the message has the command that installs it.
        ValueError
            For shapes that do not match, and numbers that are not finite.
        """
        import numpy as np

        from summeval.learn.svm import SVMLightRegressor

        table = _table(rows)
        target = column_of(scores, len(table), "scores")
        machine = SVMLightRegressor(self._kernel, C=self._C).fit(table, target, topics)
        self._model = {
            "support_vectors": machine.support_vectors_,
            "dual_coef": machine.dual_coef_,
            "intercept": np.array([machine.intercept_]),
        }
        self._trained = {"C": machine.C_, "rows": len(table)}
        return self

    def fit_documents(
        self,
        documents: Sequence[DiscourseDocument],
        content: ArrayLike,
        readability: ArrayLike,
        scores: ArrayLike,
        topics: Sequence[Any],
        *,
        cross_fit: bool = False,
        folds: int = 5,
    ) -> Cremer:
        """Learn DICOMER from scores of readability, then the regression from overall scores.

        In the paper DICOMER scores its own training documents. With `cross_fit` the regression
        learns from values of machines trained on other topics, as it will see for new summaries.

        Parameters
        ----------
        documents : sequence of DiscourseDocument
        content : array [documents]
            The TESLA-S of each document.
        readability, scores : arrays [documents]
            Human scores.
        topics : sequence [documents]
        cross_fit : bool
        folds : int
            Number of parts into which `cross_fit` divides the topics.
        """
        import numpy as np

        dicomer = self.dicomer if self.dicomer is not None else Dicomer()
        dicomer.fit(documents, readability, topics)
        if cross_fit:
            values = dicomer.cross_predict(documents, readability, topics, folds=folds)
        else:
            values = dicomer.predict(documents)
        self.dicomer = dicomer
        shares = column_of(content, len(documents), "content")
        return self.fit(np.column_stack([shares, values]), scores, topics)

    def predict(self, rows: ArrayLike) -> NDArray[float64]:
        """The value of each row (TESLA-S, DICOMER); NaN if one of them is. Needs only NumPy."""
        vectors, weights, intercept = (self._fitted()[name] for name in _ARRAYS)
        return predict(self._kernel, _table(rows, finite=False), vectors, weights, intercept[0])

    @property
    def floor(self) -> float:
        """The `value` of a text without words: no text with words has a lower one.

        Raises
        ------
        ValueError
            Before training, or without `dicomer`: its bounds are needed.
        """
        model, dicomer = self._fitted(), self._reader()
        known = self.__dict__.get("_runner_floor")
        if known is None or known[0] is not model or known[1] is not dicomer._fitted():
            low, high = dicomer.bounds
            machine = model["support_vectors"], model["dual_coef"], float(model["intercept"][0])
            found = least(self._kernel, *machine, ends=[(0.0, low), (1.0, high)])
            known = self.__dict__["_runner_floor"] = (model, dicomer._fitted(), found)
        return float(known[2])

    def _reader(self) -> Dicomer:
        if self.dicomer is None:
            raise ValueError(f"{self.name} has no dicomer to score texts with; pass dicomer=")
        return self.dicomer

    def kept(self) -> tuple[dict[str, Any], dict[str, NDArray[Any]]]:
        """The signature of `tesla` instead of its options; `load` requires the same signature."""
        arrays = dict(self._fitted())
        content = {
            "kernel": self._kernel,
            "tesla": str(self.tesla.signature.timeless),
            **self._training(),
        }
        if self.dicomer is not None:
            content["dicomer"], own = self.dicomer.kept()
            arrays |= {f"dicomer.{name}": array for name, array in own.items()}
        return content, arrays

    @classmethod
    def load(
        cls, path: str | PathLike[str], *, tesla: TeslaS | None = None, **reading: Any
    ) -> Cremer:
        """Load a metric that `save` wrote. Runs no code from the file; needs only NumPy.

        Parameters
        ----------
        path : str or path
        tesla
            As in the class.
        **reading
            `label`, as in the class; `parser`, `relations` and `cache` for its `Dicomer`.

        Raises
        ------
        OSError, ValueError
            If the file cannot be read, is not such a model, was changed, has another version, or
            was trained with another `tesla`; the message names the file.
        """
        made = cls(tesla=tesla, label=reading.get("label"))
        dicomer = Dicomer(**reading)
        dicomer.name = "dicomer"
        content, arrays = _model_file.load_model(path, cls.kind)
        with _model_file.restoring(path, cls.kind):
            check_choice("kernel", content["kernel"], KERNELS)
            made._kernel = content["kernel"]
            made._take(content, _checked(arrays))
            then = {"tesla": content["tesla"]}
            if "dicomer" in content:
                rest = {n[8:]: array for n, array in arrays.items() if n.startswith("dicomer.")}
                dicomer.restore(content["dicomer"], rest)
                made.dicomer = dicomer
        _model_file.check_basis(path, then, {"tesla": made.tesla.signature}, "pass that tesla=")
        return made


class CremerRunner:
    """Runs TESLA-S and DICOMER, then the regression over both."""

    def __init__(self, metric: Cremer) -> None:
        dicomer = metric._reader()
        self._metric = metric
        self.tesla = metric.tesla.fuse([metric.tesla])
        self.dicomer = dicomer.fuse([dicomer])

    def run_pair(self, candidate: str | None, references: Any) -> dict[str, Score]:
        return self.prepare(references).run_pair(candidate)

    def run_rows(self, candidates: Any, references: Any, workers: int) -> NDArray[float64]:
        content = self.tesla.run_rows(candidates, references, workers)
        return self.table(content, self.dicomer.run_rows(candidates, None, workers), candidates)

    def prepare(self, references: Any) -> PreparedCremer:
        return PreparedCremer(self, self.tesla.prepare(references))

    def table(
        self, content: NDArray[float64], readability: NDArray[float64], candidates: Any
    ) -> NDArray[float64]:
        """The scores [metric, field, row] from those of TESLA-S and of DICOMER."""
        import numpy as np

        place = self._metric.tesla.fields.index(self._metric.tesla.primary)
        rows = np.column_stack([content[0, place], readability[0, 0]])
        values = self._metric.predict(rows)
        empty = [text is not None and not has_words(text) for text in candidates.to_list()]
        if any(empty):
            values[empty & ~np.isnan(rows[:, 0])] = self._metric.floor
        return np.ascontiguousarray(np.vstack([values, rows.T])[None])


class PreparedCremer:
    """References that TESLA-S has read."""

    def __init__(self, runner: CremerRunner, tesla: PreparedRunner) -> None:
        self._runner = runner
        self._tesla = tesla

    def run_pair(self, candidate: str | None) -> dict[str, Score]:
        metric = self._runner._metric
        content = self._tesla.run_pair(candidate)[metric.tesla.name].value
        (readability,) = self._runner.dicomer.run_pair(candidate, None).values()
        row = (content, readability.value)
        value = float(metric.predict([row])[0])
        if not isnan(content) and candidate is not None and not has_words(candidate):
            value = metric.floor
        return {metric.name: Score(FIELDS, (value, *row), "value")}

    def run_rows(self, candidates: Any, workers: int) -> NDArray[float64]:
        content = self._tesla.run_rows(candidates, workers)
        readability = self._runner.dicomer.run_rows(candidates, None, workers)
        return self._runner.table(content, readability, candidates)


def _table(rows: ArrayLike, finite: bool = True) -> NDArray[float64]:
    import numpy as np

    table = np.asarray(rows, dtype=np.float64)
    if table.ndim != 2 or table.shape[1] != 2:
        raise ValueError(f"rows have the shape {table.shape}; give (TESLA-S, DICOMER) for each")
    bad = np.flatnonzero(~np.isfinite(table).all(axis=1))
    if finite and len(bad):
        raise ValueError(f"rows[{bad[0]}] is {table[bad[0]].tolist()}; leave the summary out")
    return table


def _checked(arrays: Mapping[str, NDArray[Any]]) -> dict[str, NDArray[float64]]:
    """Check that the arrays of a model are a regression over two numbers; return them."""
    found = finite(arrays, *_ARRAYS)
    shapes = [list(array.shape) for array in found.values()]
    if shapes != [[*shapes[1], 2], shapes[1][:1], [1]]:
        raise ValueError("its arrays do not match")
    return found
