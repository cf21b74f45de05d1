"""CREMER: predicts overall responsiveness from content (TESLA-S) and readability (DICOMER)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from os import PathLike
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike

from summeval._arrays import AnyArray, Bools, Floats
from summeval._options import Option, check_choice, option
from summeval.learn import model_file as _model_file
from summeval.learn.regression import NormedModel
from summeval.learn.svm_kernels import KERNELS, least, predict
from summeval.metrics import parts as _parts
from summeval.metrics.discourse import trained
from summeval.metrics.discourse.dicomer import Dicomer
from summeval.metrics.option_groups import CACHE, LABEL, MODEL, PARSER, RELATIONS
from summeval.metrics.option_groups import C as MACHINE_C
from summeval.metrics.parts import PartsRunner
from summeval.metrics.run.base import Metrics
from summeval.metrics.run.explain.items import Asked, Items
from summeval.metrics.run.signature import Signature, Signed, Value
from summeval.metrics.run.suite import Suite
from summeval.metrics.tesla.tesla_s import TeslaS

if TYPE_CHECKING:
    from summeval.annotate.discourse import DiscourseDocument
    from summeval.learn.regression import Shares

TESLA: Any = Option("tesla", None, (None,), "object")
PARTS: Any = Option("parts", None, (None,), "object")
FIELDS = ("value", "content", "readability")


class Cremer(trained.Trained):
    """A regression over two numbers of a summary: its TESLA-S and its DICOMER.

    It is trained on human scores (`fit`) and then scores other summaries. To `score` texts it also
    needs the `dicomer` that computed the second number. `summeval.metric("cremer")` is already
    trained; docs/readability.md describes its training data and its accuracy.

    With `parts` it is the same regression over any other metrics, which may compare with
    references, with the source, or with nothing, in any mixture. Their numbers are normed to mean 0
    and deviation 1 of the training rows.

    Source: Lin, Liu, Ng and Kan 2012, "Combining Coherence Models and Machine Translation
    Evaluation Metrics for Summarization Evaluation", section 5. Its kernels LF, PF and RBF are
    "linear", "poly" and "rbf" with SVM-light's parameters; "rbf" did best there.

    Fields: `value`, on the scale of the scores it was trained on; `content`, the F of TESLA-S, and
    `readability`, the value of DICOMER. A text without words gets the content 0, the floor of
    `dicomer` as readability, and as `value` the `floor`: the least value that the regression gives
    for any two such numbers. No text scores below it.

    With `parts` the fields are `value` and one for each part: `rouge2`, or `rouge2_recall` if it is
    not the main field, `tesla_s`. The `floor` is then the least value of the training rows.

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
    parts : names and metric objects, optional
        Names and metric objects in place of TESLA-S and DICOMER; a name may end in a field.
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
    names = ("cremer",)
    summary = "overall quality, predicted from tesla-s and dicomer"
    compared_with = "references"
    languages = ("en",)
    options = (MODEL, TESLA, PARSER, RELATIONS, CACHE, PARTS, LABEL)
    kernel: str = option(default="rbf", choices=KERNELS)
    C: float | str | None = MACHINE_C
    tesla: Any = TESLA
    dicomer: Dicomer | None = TESLA
    parts: Metrics | None = PARTS

    def __post_init__(self) -> None:
        given = vars(self)
        tesla, dicomer, parts = self.tesla, self.dicomer, given.pop("parts")
        for name, part, kind in (("tesla", tesla, TeslaS), ("dicomer", dicomer, Dicomer)):
            if part is not None and not isinstance(part, kind):
                raise TypeError(f"{name} is {type(part).__name__}; pass a {kind.__name__}")
        self._kernel, self._C = given.pop("kernel"), given.pop("C")
        self.tesla = tesla or TeslaS()
        super().__post_init__()
        self._suite: Suite | None = None
        self._names: tuple[str, ...] = ()
        if parts is not None:
            if tesla is not None or dicomer is not None:
                raise ValueError("parts stand in place of tesla and dicomer; leave these out")
            self._take_parts(parts)
        members = [self.tesla] if self._suite is None else self._suite.metrics
        found = (part.tokenizer for part in members if part.tokenizer is not None)
        self.tokenizer = next(found, None)

    def _take_parts(self, parts: Metrics) -> None:
        made, chosen = _parts.metrics_of(parts)
        self._suite = Suite(made)
        self._recipes = _parts.recipes(made)
        self.compared_with = _parts.read_by(self._suite)  # type: ignore
        self.least_references = max(m.least_references for m in made)  # type: ignore[misc]
        main = {metric.name: metric.primary for metric in made}
        names = [f"{name}.{field or main[name]}" for name, field in chosen]
        if len(set(names)) < len(names):
            raise ValueError(f"parts are {', '.join(names)}; give each once")
        self.take_columns(names)

    def _parts_suite(self) -> Suite:
        """Return the metrics of `columns_used`."""
        return self._suite or Suite([self.tesla, self._reader()])

    def take_columns(self, names: Sequence[str]) -> None:
        """Use these columns `<metric>.<field>` of the `parts`, in this order; untrained then."""
        found = _parts.fields_of(self._parts_suite(), names)
        self._names, self.fields = tuple(names), ("value", *found.names)  # type: ignore[assignment]
        self.lower_is_better = found.lower_is_better  # type: ignore
        self.unbounded = found.unbounded | {"value"}  # type: ignore
        self._normed = NormedModel(names, self.model_kind, found.rising, self._C)

    @classmethod
    def named(
        cls,
        name: str,
        *,
        model: str | PathLike[str] | None = None,
        parts: Metrics | None = None,
        **reading: Any,
    ) -> Cremer:
        """Load the metric from a `model` file; by default from the package's model.

        The parts tesla-e, support and readability have a model of the package's, too.

        Parameters
        ----------
        model : path or None
            A file that `save` or `summeval train` wrote, in place of the package's model.
        parser : str or Provider
            The parser of texts; see `summeval.annotate.provider`.
        relations : callable or None
            Finds the relations of an annotated Document and returns its DiscourseDocument; by
            default `summeval.annotate.discourse.parse`.
        cache : bool
            Keep parses on disk, so that later runs need not parse again.
        """
        own = None if parts is None or model is not None else trained.model_of_parts(parts)
        path, given = own or trained.shipped(name, model), None if own else parts
        return cls.load(path, parts=given, **reading)

    @property
    def columns_used(self) -> tuple[str, ...]:
        """The columns `<metric>.<field>` of its parts, in their order."""
        if self._suite is not None:
            return self._names
        dicomer = self._reader()
        return f"{self.tesla.name}.{self.tesla.primary}", f"{dicomer.name}.{dicomer.primary}"

    @property
    def model_kind(self) -> str:
        """Of its regression."""
        return f"svm-{self._kernel}"

    def new_model(self) -> NormedModel:
        """Return a regression of its `parts` that is not fitted."""
        return self._normed.new()

    def signed(self) -> Signed:
        """Return the options and models (part of their checksums) that numbers depend on."""
        options: dict[str, Value] = {"kernel": self._kernel}
        if self._suite is not None:
            signatures = list(self._suite.signature.values())
            options["columns"] = ",".join(self._names)
        else:
            readability = self.dicomer.signature if self.dicomer else Signature("dicomer|none")
            signatures = [self.tesla.signature, readability]
        options["model"] = str(self._digest)
        options["metrics"] = tuple(part.timeless for part in signatures)
        return options

    def new_runner(self) -> PartsRunner:
        return PartsRunner(self, self._parts_suite(), self.columns_used)

    def fit(
        self, rows: ArrayLike, scores: ArrayLike, topics: Sequence[Any] | None = None
    ) -> Cremer:
        """Learn from rows of (TESLA-S, DICOMER) with human scores. Needs the extra `learn`.

        With `parts` a row has the number of each part, in their order.

        Parameters
        ----------
        rows : array [summaries, parts]
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
        from summeval.learn.svm import SVMLightRegressor

        if self._suite is not None:
            self._normed.fit(rows, scores, topics)
            self._trained, self._model = self._normed.trained, self._normed.kept()[1]
            return self
        table = trained.pairs_of(rows)
        target = trained.column_of(scores, len(table), "scores")
        machine = SVMLightRegressor(self._kernel, C=self._C).fit(table, target, topics)
        self._model = {
            "support_vectors": machine.support_vectors_,
            "dual_coef": machine.dual_coef_,
            "intercept": np.array([machine.intercept_]),
        }
        self._trained = {"C": machine.C_, "rows": len(table)}
        return self

    fit_rows = fit  # as `Combination` calls it

    def fit_texts(
        self,
        candidates: Sequence[str | None],
        scores: ArrayLike,
        *,
        references: Any = None,
        sources: Any = None,
        topics: Sequence[Any] | None = None,
        workers: int = 1,
    ) -> Cremer:
        """Score texts by the parts, then learn from these rows with human scores as `fit` does.

        Examples
        --------
        >>> metric = Cremer(kernel="linear", parts=["rouge1", "rougeL.recall"])
        >>> texts = ["a cat sat", "a cat", "a dog", "so it goes"]
        >>> metric = metric.fit_texts(texts, [5, 3.5, 2, 1], references=["a cat sat"] * 4)
        >>> score = metric.score("a cat sat", "a cat sat")
        >>> round(score.value, 1), score.rouge1, score.rougeL_recall
        (4.6, 1.0, 1.0)
        """
        suite = self._parts_suite()
        table = suite.score_batch(candidates, references, sources=sources, workers=workers)
        rows = np.column_stack([table[name] for name in self.columns_used])
        return self.fit(rows, scores, topics)

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
        if self._suite is not None:
            raise ValueError("fit_documents learns from TESLA-S and DICOMER; with parts= call fit")
        dicomer = self.dicomer if self.dicomer is not None else Dicomer()
        dicomer.fit(documents, readability, topics)
        if cross_fit:
            values = dicomer.cross_predict(documents, readability, topics, folds=folds)
        else:
            values = dicomer.predict(documents)
        vars(self)["dicomer"] = dicomer
        shares = trained.column_of(content, len(documents), "content")
        return self.fit(np.column_stack([shares, values]), scores, topics)

    def predict(self, rows: ArrayLike) -> Floats:
        """Return the value of each row of parts; NaN if one of them is. Needs only NumPy."""
        if self._fitted() and self._suite is not None:
            return self._normed.predict(rows)
        vectors, weights, intercept = (self._fitted()[name] for name in trained.REGRESSION)
        return predict(
            self._kernel, trained.pairs_of(rows, finite=False), vectors, weights, intercept[0]
        )

    @property
    def floor(self) -> float:
        """The `value` of a text without words: no text with words has a lower one.

        Raises
        ------
        ValueError
            Before training, or without `dicomer`: its bounds are needed.
        """
        if self._fitted() and self._suite is not None:
            return self._normed.floor
        model, dicomer = self._fitted(), self._reader()
        known = self.__dict__.get("_runner_floor")
        if known is None or known[0] is not model or known[1] is not dicomer._fitted():
            low, high = dicomer.bounds
            machine = model["support_vectors"], model["dual_coef"], float(model["intercept"][0])
            found = least(self._kernel, *machine, ends=[(0.0, low), (1.0, high)])
            known = self.__dict__["_runner_floor"] = (model, dicomer._fitted(), found)
        return float(known[2])

    def explain_texts(self, asked: Asked) -> Items:
        """Return what each part adds to `value`; `parts` has their own explanations.

        The regression is no sum: the shares are Shapley's, from its value for the mean of the
        support vectors (with `parts`: of the training rows), which is the intercept. Where `value`
        is the floor, an item "floor" has what that adds.
        """
        shares = self._shares if self._suite is None else self._normed.shares
        return _parts.by_part(asked, self._parts_suite(), self.columns_used, shares)

    def _shares(self, row: Sequence[float]) -> Shares:
        """Return what TESLA-S and DICOMER add to the prediction."""
        from summeval.learn.regression import beside

        return beside(self.predict, row, self._fitted()["support_vectors"].mean(axis=0))

    def values_of(self, x: Floats, empty: Bools) -> Floats:
        """Return the fields [field, row] of rows of parts; `empty` marks texts without words."""
        values = self.predict(x)
        if empty.any():
            values[empty & ~np.isnan(values)] = self.floor
        return np.vstack([values, x.T])

    def _reader(self) -> Dicomer:
        if self.dicomer is None:
            raise ValueError(f"{self.name} has no dicomer to score texts with; pass dicomer=")
        return self.dicomer

    def kept(self) -> tuple[dict[str, Any], dict[str, AnyArray]]:
        """The signature of `tesla` instead of its options; `load` requires the same signature.

        Of `parts` the signatures, what they can be made of again, and the norms of their columns.
        """
        if self._fitted() and self._suite is not None:
            normed, arrays = self._normed.kept()
            basis = {name: str(text.timeless) for name, text in self._suite.signature.items()}
            kept: dict[str, Any] = {"kernel": self._kernel, "basis": basis, "normed": normed}
            return kept | {"recipes": self._recipes, **self._training()}, arrays
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
        cls,
        path: str | PathLike[str],
        *,
        tesla: TeslaS | None = None,
        parts: Metrics | None = None,
        **reading: Any,
    ) -> Cremer:
        """Load a metric that `save` wrote. Runs no code from the file; needs only NumPy.

        Parameters
        ----------
        path : str or path
        tesla, parts
            As in the class; `parts` are needed where one was made of what no file can set.
        **reading
            `label`, as in the class; `parser`, `relations` and `cache` for what it parses with.

        Raises
        ------
        OSError, ValueError
            If the file cannot be read, is not such a model, was changed, has another version, or
            was trained with another `tesla` or other `parts`; the message names the file.
        """
        content, arrays = _model_file.load_model(path, cls.kind)
        if "normed" in content and tesla is None:
            label = reading.pop("label", None)
            with _model_file.restoring(path, cls.kind):
                check_choice("kernel", content["kernel"], KERNELS)
                then = dict(content["basis"])
                model = NormedModel.restored(content["normed"], arrays)
                if parts is None:
                    parts = _parts.restored(then, content["recipes"], reading)
            made = cls(kernel=content["kernel"], parts=parts, label=label)
            hint = "pass parts= with the options as they were"
            _model_file.check_basis(path, then, made._parts_suite().signature, hint)
            with _model_file.restoring(path, cls.kind):
                if model.kind != made.model_kind:
                    raise ValueError("its regression has another kernel")
                made.take_columns(model.features)
                made._normed = model
                made._take(content, dict(arrays))
            return made
        if parts is not None or "normed" in content:
            other = "tesla" if tesla is not None else "parts"
            raise ValueError(f"{path}: not trained with {other}; leave {other}= out")
        dicomer = Dicomer(**reading)
        dicomer.name = "dicomer"
        made = cls(tesla=tesla, dicomer=dicomer, label=reading.get("label"))
        with _model_file.restoring(path, cls.kind):
            made.restore(content, arrays)
            then = {"tesla": content["tesla"]}
        _model_file.check_basis(path, then, {"tesla": made.tesla.signature}, "pass that tesla=")
        return made

    def restore(self, content: Mapping[str, Any], arrays: Mapping[str, AnyArray]) -> None:
        check_choice("kernel", content["kernel"], KERNELS)
        self._kernel = content["kernel"]
        self._take(content, trained.machine_of(arrays))
        if "dicomer" in content:
            rest = {n[8:]: array for n, array in arrays.items() if n.startswith("dicomer.")}
            self._reader().restore(content["dicomer"], rest)
        else:
            vars(self)["dicomer"] = None
