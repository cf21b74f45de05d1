"""Nouveau-ROUGE for update summaries (Conroy, Schlesinger and O'Leary 2011).

No coefficients of it are public: fit your own.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from os import PathLike
from typing import TYPE_CHECKING, Any

from summeval._core.columns import columns
from summeval._core.rows.record import Score
from summeval._options import Option, checked, unknown
from summeval.learn.model_file import Saved, check_basis, load_model, restoring
from summeval.learn.regression import LinearModel, linear_content, linear_models
from summeval.metrics.parts import is_empty
from summeval.metrics.rouge.metric import Rouge
from summeval.metrics.run.suite import Suite

if TYPE_CHECKING:
    from numpy import float64
    from numpy.typing import ArrayLike, NDArray


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
        checked(self.options, locals())
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
        return linear_content(self._basis(), self.models), {}

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
            then, models = linear_models(content)
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
        if is_empty(text):
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
