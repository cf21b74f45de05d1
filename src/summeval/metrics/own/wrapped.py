"""Functions and classes as metrics: what scores them row by row."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from copy import copy
from math import inf, isnan
from typing import TYPE_CHECKING, Any, ClassVar

from summeval._core.columns import columns
from summeval._core.rows.record import Score
from summeval._options import checked
from summeval.metrics.own.plan import READS, Plan
from summeval.metrics.run.base import Metric
from summeval.metrics.run.callables import label as label_of
from summeval.metrics.run.protocols import Both, block_of
from summeval.metrics.run.signature import Signature, Value
from summeval.metrics.run.text_options import one_or_more

if TYPE_CHECKING:
    from collections.abc import Mapping

    from numpy import float64
    from numpy.typing import NDArray

    from summeval.metrics.run.explain.explanation import Explanation
    from summeval.metrics.run.refusals import Refused

Texts = tuple[tuple[str, ...], tuple[str, ...]]  # the references and the documents of the source


class OwnMetric(Metric):
    """A metric that a function, or a class with `run_pair`, computes.

    `summeval.register` and entry points make subclasses of it.
    """

    plan: ClassVar[Plan]
    fields = ("value",)
    primary = "value"

    def __init__(self, *, label: str | None = None, **options: Any) -> None:
        given = {option.name: option.default for option in self.options} | options
        found = checked(self.options, {**given, "label": label})
        self.name = found.pop("label") or self.plan.name
        self._given = {key: found[key] for key in options}
        self._values = found
        self._call: Callable[..., Any] = self.plan.bound(self._given)

    def __reduce__(self) -> tuple[Any, ...]:
        return remade, (self.plan, self.name, self._given)

    @property
    def signature(self) -> Signature:
        """Where it comes from, with the version or the place, and its options."""
        plan = self.plan
        origin = plan.origin.replace(" ", "-")
        options: dict[str, Value] = {"from": origin or label_of(plan.scorer, plan.name)}
        for key, value in self._values.items():
            options[key] = label_of(value, plan.name) if callable(value) else str(value)
        return Signature.of(plan.name, options)

    @property
    def best(self) -> dict[str, float]:
        """The bounds that it was registered with; infinite where there are none."""
        low, high = self.plan.bounds or (-inf, inf)
        return {field: high if rising else low for field, rising in self.directions.items()}

    @staticmethod
    def fuse(metrics: Sequence[OwnMetric]) -> OwnRunner:
        return OwnRunner(metrics[0])

    def score_texts(self, candidate: str, texts: Texts) -> Score:
        """The score of texts, of which there is at least one of each kind."""
        plan = self.plan
        asked = [self._arguments(what, texts) for what in plan.takes]
        several = [len(found) for found in asked if len(found) > 1]
        found = []
        for number in range(max(several, default=1)):
            each = [one[number] if len(one) > 1 else one[0] for one in asked]
            found.append(plan.numbers(self._call(candidate, *each)))
        place = plan.fields.index(plan.primary)
        sign = -1.0 if plan.primary in plan.falling else 1.0
        known = [one for one in found if not isnan(one[place])] or found[:1]
        best = max(known, key=lambda one: sign * one[place])
        return Score(plan.fields, best, plan.primary)

    def _arguments(self, what: str, texts: Texts) -> list[Any]:
        """What is passed: one value, or for "reference" one for each reference."""
        references, sources = texts
        if what == "reference":
            return list(references)
        if what == "references":
            return [list(references)]
        return [list(sources) if what == "sources" else "\n\n".join(sources)]

    def explain_texts(
        self, candidate: str, references: tuple[str, ...], sources: tuple[str, ...]
    ) -> Explanation:
        """What its own function of explanations gives; otherwise one item."""
        own = self.plan.explain
        if own is None:
            return super().explain_texts(candidate, references, sources)
        from summeval.metrics.own.explained import explanation_of

        if isinstance(self.plan.scorer, type):
            own = self._call.__self__.explain  # type: ignore[attr-defined]
        if "reference" in self.plan.takes and len(references) > 1:
            # of the reference that scores best, as the score
            texts = [self.score_texts(candidate, ((one,), sources)).value for one in references]
            sign = 1.0 if self.higher_is_better else -1.0
            number = max(range(len(texts)), key=lambda place: sign * texts[place])
        else:
            number = 0
        asked = [self._arguments(what, (references, sources)) for what in self.plan.takes]
        each = [one[number] if len(one) > 1 else one[0] for one in asked]
        given = {} if isinstance(self.plan.scorer, type) else self._given
        value = self.score_texts(candidate, (references, sources)).value
        result = own(candidate, *each, **given)
        return explanation_of(self, result, value, (candidate, references, sources))


def class_of(plan: Plan) -> type[OwnMetric]:
    """The class of the metrics of a plan."""
    named = getattr(plan.scorer, "__name__", type(plan.scorer).__name__)
    attributes = {
        "plan": plan,
        "fields": plan.fields,
        "primary": plan.primary,
        "falling": plan.falling,
        "unbounded": frozenset(plan.fields if plan.bounds != (0.0, 1.0) else ()),
        "compared_with": plan.compared_with,
        "options": plan.options,
        "__doc__": getattr(plan.scorer, "__doc__", None) or f"A metric of {plan.origin or 'yours'}",
        "__module__": __name__,
    }
    return type(str(named), (OwnMetric,), attributes)


def remade(plan: Plan, name: str, options: Mapping[str, Any]) -> OwnMetric:
    """The metric again, in a process where it need not be registered."""
    return class_of(plan)(label=name, **options)


def copied(name: str, made: Metric) -> type[Metric]:
    """A class whose metrics are copies of an object, under a name."""

    def named(cls: type[Metric], _: str, label: str | None = None) -> Metric:
        found = copy(made)
        found.__dict__["name"] = label or name
        return found

    from summeval.metrics.option_groups import LABEL

    attributes = {
        "fields": made.fields,
        "primary": made.primary,
        "falling": made.falling,
        "unbounded": made.unbounded,
        "compared_with": made.compared_with,
        "least_references": made.least_references,
        "options": (LABEL,),
        "named": classmethod(named),
        "__doc__": type(made).__doc__,
    }
    return type(type(made).__name__, (type(made),), attributes)


class OwnRunner:
    """Runs one metric row by row, in Python: so more threads would not be faster."""

    notes_rows = True

    def __init__(self, metric: OwnMetric) -> None:
        self.metric = metric
        self._unscored = Score(
            metric.fields, (float("nan"),) * len(metric.fields), metric.plan.primary
        )

    def run_pair(self, candidate: str | None, references: Any) -> dict[str, Score]:
        return self.prepare(references).run_pair(candidate)

    def prepare(self, references: Any) -> OwnPrepared:
        return OwnPrepared(self, self._texts(*self._sides(references)))

    def run_rows(
        self,
        candidates: columns.TextColumn,
        references: Any,
        workers: int,
        refused: Refused | None = None,
    ) -> NDArray[float64]:
        sides = [
            [None] * len(candidates) if side is None else side.to_list()
            for side in self._sides(references)
        ]
        texts = [self._texts(*row) for row in zip(*sides, strict=True)]
        return self.block(candidates, texts, refused)

    def block(
        self, candidates: columns.TextColumn, texts: Sequence[Texts], refused: Refused | None
    ) -> NDArray[float64]:
        """The scores [metric, field, row] of candidates and the texts of each."""
        scores = []
        rows = zip(candidates.to_list(), texts, strict=True)
        for row, (candidate, others) in enumerate(rows, candidates.first):
            try:
                scores.append(self.score(candidate, others))
            except Exception as error:
                if refused is None:
                    raise self._of_row(row, error) from error
                refused.add(row, error)
                scores.append(self._unscored)
        return block_of(scores, self.metric.fields)

    def score(self, candidate: str | None, texts: Texts) -> Score:
        """The score of a row; NaN where a text is missing."""
        wanted = READS[self.metric.plan.compared_with]
        if candidate is None or ("references" in wanted and not texts[0]):
            return self._unscored
        if "source" in wanted and not texts[1]:
            return self._unscored
        return self.metric.score_texts(candidate, texts)

    def _of_row(self, row: int, error: Exception) -> Exception:
        """The error with the row and the metric; its type is kept where that is possible."""
        said = " ".join(str(error).split()) or type(error).__name__
        told = self.metric.plan.told
        if not said.startswith(told):
            said = f"{told}: {type(error).__name__}: {said}"
        kind = type(error) if isinstance(error, ImportError) else ValueError
        return kind(f"row {row}: {said}")

    def _sides(self, given: Any) -> tuple[Any, Any]:
        """The references and the source, None for what is not read."""
        reads = self.metric.plan.compared_with
        if isinstance(given, Both):
            return given.references, given.source
        return (given if reads == "references" else None), (given if reads == "source" else None)

    def _texts(self, references: Any, sources: Any) -> Texts:
        return _given(references, "references"), _given(sources, "source")


class OwnPrepared:
    """References and the source, as lists."""

    notes_rows = True

    def __init__(self, runner: OwnRunner, texts: Texts) -> None:
        self._runner = runner
        self._texts = texts

    def run_pair(self, candidate: str | None) -> dict[str, Score]:
        if candidate is not None:
            columns.check_text(candidate, "candidate")
        return {self._runner.metric.name: self._runner.score(candidate, self._texts)}

    def run_rows(
        self, candidates: columns.TextColumn, workers: int, refused: Refused | None = None
    ) -> NDArray[float64]:
        return self._runner.block(candidates, [self._texts] * len(candidates), refused)


def _given(texts: Any, what: str) -> tuple[str, ...]:
    """The texts that are not None, each checked."""
    found = [text for text in one_or_more(texts, what) if text is not None]
    for place, text in enumerate(found):
        columns.check_text(text, f"{what}[{place}]")
    return tuple(found)
