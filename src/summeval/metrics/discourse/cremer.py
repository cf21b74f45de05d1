"""CREMER: predicts overall responsiveness from content (TESLA-S) and readability (DICOMER)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from os import PathLike
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np
from numpy.typing import ArrayLike

from summeval._arrays import AnyArray, Bools, Floats
from summeval._options import Option, check_choice, checked
from summeval._version import __version__
from summeval.learn import model_file as _model_file
from summeval.learn.regression import MachineModel, NormedModel, Regression
from summeval.learn.svm_kernels import KERNELS
from summeval.metrics import parts as _parts
from summeval.metrics.combination import Combination
from summeval.metrics.discourse import trained
from summeval.metrics.discourse.dicomer import Dicomer
from summeval.metrics.option_groups import CACHE, LABEL, MODEL, PARSER, RELATIONS
from summeval.metrics.option_groups import C as MACHINE_C
from summeval.metrics.run.base import Metrics
from summeval.metrics.run.signature import Signature, Signed, Value
from summeval.metrics.run.suite import Suite
from summeval.metrics.tesla.tesla_s import TeslaS

if TYPE_CHECKING:
    from summeval.annotate.discourse import DiscourseDocument

TESLA: Any = Option("tesla", None, (None,), "object")
PARTS: Any = Option("parts", None, (None,), "object")
FIELDS = ("value", "content", "readability")
PRESET = ("tesla-s.fmeasure", "dicomer.value")


class Cremer(Combination):
    """A combination of two numbers of a summary: its TESLA-S and its DICOMER.

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
        A number, or "cv" to choose it by topics; by default SVM-light's.
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
    others = ""
    summary = "overall quality, predicted from tesla-s and dicomer"
    compared_with = "references"
    languages = ("en",)
    options = (MODEL, TESLA, PARSER, RELATIONS, CACHE, PARTS, LABEL)
    training_options = (
        Option("kernel", "rbf", KERNELS),
        MACHINE_C,
        TESLA,
        TESLA._replace(name="dicomer"),
        PARTS,
        LABEL,
    )
    declared: ClassVar[Mapping[str, Option]] = {one.name: one for one in training_options}
    _told_kind, _given_as = "cremer", "parts"
    dicomer: Dicomer | None

    def __init__(
        self,
        *,
        kernel: str = "rbf",
        C: float | str | None = None,
        tesla: TeslaS | None = None,
        dicomer: Dicomer | None = None,
        parts: Metrics | None = None,
        label: str | None = None,
    ) -> None:
        given = checked(self.training_options, locals())
        for name, part, kind in (("tesla", tesla, TeslaS), ("dicomer", dicomer, Dicomer)):
            if part is not None and not isinstance(part, kind):
                raise TypeError(f"{name} is {type(part).__name__}; pass a {kind.__name__}")
        self._kernel, self._C = given["kernel"], given["C"]
        self.label, self.tesla = given["label"], tesla or TeslaS()
        self.name = self._called = self.label or "cremer"
        self._take_dicomer(dicomer)
        self.model = MachineModel(PRESET, self._kernel, self._C)
        if parts is not None:
            if tesla is not None or dicomer is not None:
                raise ValueError("parts stand in place of tesla and dicomer; leave these out")
            chosen = self._take_metrics(parts)
            main = {metric.name: metric.primary for metric in self._suite.metrics}
            names = [f"{name}.{field or main[name]}" for name, field in chosen]
            if len(set(names)) < len(names):
                raise ValueError(f"parts are {', '.join(names)}; give each once")
            self.take_columns(names)
        found = (part.tokenizer for part in self._suite.metrics if part.tokenizer is not None)
        self.tokenizer = next(found, None)

    def _take_dicomer(self, dicomer: Dicomer | None) -> None:
        vars(self)["dicomer"] = dicomer
        self._suite = Suite([self.tesla] if dicomer is None else [self.tesla, dicomer])

    def take_columns(self, names: Sequence[str]) -> None:
        """Use these columns `<metric>.<field>` of the `parts`, in this order; untrained then."""
        found = _parts.fields_of(self._suite, names)
        self.fields = ("value", *found.names)  # type: ignore[assignment]
        self.lower_is_better = found.lower_is_better  # type: ignore
        self.unbounded = found.unbounded | {"value"}  # type: ignore
        self.model = NormedModel(names, f"svm-{self._kernel}", found.directions, self._C)

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
    def _is_preset(self) -> bool:
        return isinstance(self.model, MachineModel)

    @property
    def columns_used(self) -> tuple[str, ...]:
        """The columns `<metric>.<field>` of its parts, in their order."""
        if not self._is_preset:
            return self.model.features
        return tuple(f"{one.name}.{one.primary}" for one in (self.tesla, self._reader()))

    @property
    def trained(self) -> dict[str, Any]:
        """The results of training, such as C, and how much there was to learn from."""
        return dict(self.model.trained)

    def signed(self) -> Signed:
        """Return the options and models (part of their checksums) that numbers depend on."""
        options: dict[str, Value] = {"kernel": self._kernel}
        if self._is_preset:
            readability = self.dicomer.signature if self.dicomer else Signature("dicomer|none")
            signatures = [self.tesla.signature, readability]
        else:
            signatures = list(self._suite.signature.values())
            options["columns"] = ",".join(self.columns_used)
        fitted = self.model.is_fitted and _model_file.digest(self.trained, self.model.kept()[1])
        options["model"] = fitted[:12] if fitted else "None"
        options["metrics"] = tuple(part.timeless for part in signatures)
        return options

    def fit(  # type: ignore[override]
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
        if self._is_preset:
            rows = _pairs(rows)
            scores = trained.column_of(scores, len(rows), "scores")
        return self.fit_rows(rows, scores, topics)

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
        sides = {"sources": sources, "workers": workers}
        table = self._suite.score_batch(candidates, references, **sides)
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
            Train the regression on predictions for unseen topics.
        folds : int
            Number of parts into which `cross_fit` divides the topics.
        """
        if not self._is_preset:
            raise ValueError("fit_documents learns from TESLA-S and DICOMER; with parts= call fit")
        dicomer = self.dicomer if self.dicomer is not None else Dicomer()
        dicomer.fit(documents, readability, topics)
        if cross_fit:
            values = dicomer.cross_predict(documents, readability, topics, folds=folds)
        else:
            values = dicomer.predict(documents)
        self._take_dicomer(dicomer)
        shares = trained.column_of(content, len(documents), "content")
        return self.fit(np.column_stack([shares, values]), scores, topics)

    def predict(self, rows: ArrayLike) -> Floats:
        """Return the value of each row of parts; NaN if one of them is. Needs only NumPy."""
        self._check_trained()
        return super().predict(_pairs(rows, finite=False) if self._is_preset else rows)

    @property
    def floor(self) -> float:
        """The `value` of a text without words: no text with words has a lower one.

        Raises
        ------
        ValueError
            Before training, or without `dicomer`: its bounds are needed.
        """
        self._check_trained()
        if isinstance(self.model, NormedModel):
            return self.model.floor
        dicomer = self._reader()
        of, read = self.model.trained, dicomer._fitted()
        known = self.__dict__.get("_runner_floor")
        if known is None or known[0] is not of or known[1] is not read:
            low, high = dicomer.bounds
            (found,) = self.model.least([[0.0, low]], [1.0, high]).tolist()
            known = self.__dict__["_runner_floor"] = (of, read, found)
        return float(known[2])

    def values_of(self, x: Floats, empty: Bools) -> Floats:
        """Return the fields [field, row] of rows of parts; `empty` marks texts without words."""
        return np.vstack([super().values_of(x, empty), x.T])

    def _least(self, x: Floats) -> Floats:
        return np.where(np.isnan(x).any(axis=1), np.nan, self.floor)

    def _check_trained(self) -> None:
        if not self.model.is_fitted:
            raise ValueError(f"{self.name} is not trained; call fit or load a model")

    def _reader(self) -> Dicomer:
        if self.dicomer is None:
            raise ValueError(f"{self.name} has no dicomer to score texts with; pass dicomer=")
        return self.dicomer

    def kept(self) -> tuple[dict[str, Any], dict[str, AnyArray]]:
        """The signature of `tesla` instead of its options; `load` requires the same signature.

        Of `parts` the signatures, what they can be made of again, and the norms of their columns.
        """
        self._check_trained()
        training = {"kernel": self._kernel, "trained": self.trained, "summeval": __version__}
        if not self._is_preset:
            content, arrays = super().kept()
            return content | training, arrays
        content = training | {"tesla": str(self.tesla.signature.timeless)}
        arrays = self.model.kept()[1]
        if self.dicomer is not None:
            content["dicomer"], own = self.dicomer.kept()
            arrays |= {f"dicomer.{name}": array for name, array in own.items()}
        return content, arrays

    @classmethod
    def load(  # type: ignore[override]
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
        with _model_file.restoring(path, cls.kind):
            check_choice("kernel", content["kernel"], KERNELS)
        if "normed" in content and tesla is None:
            label = reading.pop("label", None)
            make = partial(cls, kernel=content["kernel"], label=label)
            return cls._restored(
                path, content, arrays, lambda of: make(parts=of), metrics=parts, reading=reading
            )
        if parts is not None or "normed" in content:
            other = "tesla" if tesla is not None else "parts"
            raise ValueError(f"{path}: not trained with {other}; leave {other}= out")
        dicomer = Dicomer(**reading)
        dicomer.name = "dicomer"
        made = cls(
            kernel=content["kernel"], tesla=tesla, dicomer=dicomer, label=reading.get("label")
        )
        with _model_file.restoring(path, cls.kind):
            then = {"tesla": content["tesla"]}
            made.model = MachineModel.restored(content, arrays, PRESET)
            if "dicomer" in content:
                rest = {n[8:]: array for n, array in arrays.items() if n.startswith("dicomer.")}
                dicomer.restore(content["dicomer"], rest)
            else:
                made._take_dicomer(None)
        _model_file.check_basis(path, then, {"tesla": made.tesla.signature}, "pass that tesla=")
        return made

    def _take_model(self, model: Regression) -> None:
        if model.kind != self.model_kind:
            raise ValueError("its regression has another kernel")
        self.take_columns(model.features)
        super()._take_model(model)


def _pairs(rows: ArrayLike, finite: bool = True) -> Floats:
    """Rows of (TESLA-S, DICOMER), checked."""
    table = np.asarray(rows, dtype=np.float64)
    if table.ndim != 2 or table.shape[1] != 2:
        raise ValueError(f"rows have the shape {table.shape}; give (TESLA-S, DICOMER) for each")
    bad = np.flatnonzero(~np.isfinite(table).all(axis=1))
    if finite and len(bad):
        raise ValueError(f"rows[{bad[0]}] is {table[bad[0]].tolist()}; leave the summary out")
    return table
