"""What several adapters share: columns of scores, which others ask for by name."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any

from summeval._core.rows.record import Score
from summeval._options import unknown
from summeval.metrics.registry import VALUE, expanded, shared, split_field
from summeval.metrics.registry import metric as metric_of
from summeval.metrics.run.base import Metric
from summeval.metrics.run.suite import NO_OPTIONS, Suite

Terms = str | Metric | Iterable[str | Metric]

DEFAULT_ROUGE = ("rouge1", "rouge2", "rougeL", "rougeLsum")  # what others' own ROUGE gives


@dataclass(frozen=True)
class Term:
    """One field of one metric."""

    metric: Metric
    field: str

    @property
    def name(self) -> str:
        """The metric's name; with the field if it is not the one that `Score.value` returns."""
        return self.metric.name if self.field == self.metric.primary else self.column

    @property
    def column(self) -> str:
        """The name of its column in a ScoreTable."""
        return f"{self.metric.name}.{self.field}"

    def of(self, scores: Mapping[str, Score]) -> float:
        """Its number among the scores of a suite."""
        return float(scores[self.metric.name][self.field])

    @property
    def higher_is_better(self) -> bool:
        """Whether a higher score is better."""
        return self.field not in self.metric.lower_is_better


def choose(
    keys: Terms,
    field: str | None = None,
    *,
    every_field: bool = False,
    options: Mapping[str, Any] = NO_OPTIONS,
) -> tuple[Suite, list[Term]]:
    """Return the terms that names or metric objects mean, and one suite for them all.

    Parameters
    ----------
    keys : name, metric object, or iterable of these
        A name may end in a field: `rouge2.recall`; `rouge2.value` is the one that `Score.value`
        returns.
    field : str, optional
        Of those that name none; by default the one that `Score.value` returns.
    every_field : bool
        A key without a field means all its fields.
    options : mapping
        Those that the metrics given by name share; see `summeval.score`.

    Raises
    ------
    TypeError, ValueError
        For an unknown metric or field, two metrics of one name, no metric at all.

    Examples
    --------
    >>> suite, terms = choose(["rouge1", "rouge1.recall", "rougeW-1.5"])
    >>> [term.name for term in terms], [metric.name for metric in suite.metrics]
    (['rouge1', 'rouge1.recall', 'rougeW-1.5'], ['rouge1', 'rougeW-1.5'])
    """
    terms = []
    given = expanded([keys] if isinstance(keys, (str, Metric)) else keys)
    names = {split_field(key)[0]: None for key in given if isinstance(key, str)}
    own_options = shared(names, options) if options else {}
    made = {name: metric_of(name, **own) for name, own in own_options.items()}
    for key in given:
        found, own = _term(key, field, made)
        every = every_field and not own
        fields = found.metric.fields if every else (found.field,)
        terms += [Term(found.metric, name) for name in fields]
    suite = Suite(list(dict.fromkeys(term.metric for term in terms)))
    return suite, list(dict.fromkeys(terms)) if every_field else terms


def weights_of(metrics: Terms | Mapping[str | Metric, float]) -> dict[str | Metric, float]:
    """The weight of each metric, 1 where none is given; a preset gives its metrics the weight.

    >>> weights_of({"preset:classic": 0.5, "tesla-s": 2.0})
    {'rouge1': 0.5, 'rouge2': 0.5, 'rougeLsum': 0.5, 'tesla-s': 2.0}
    """
    if isinstance(metrics, Mapping):
        return {one: weight for key, weight in metrics.items() for one in expanded([key])}
    several = [metrics] if isinstance(metrics, (str, Metric)) else metrics
    return dict.fromkeys(expanded(several), 1.0)


def need_source(suite: Suite, source: object) -> None:
    """Raise unless the source is given where a metric compares with it.

    >>> need_source(choose("support")[0], None)
    Traceback (most recent call last):
    ValueError: support compares with the source; pass source=
    """
    if source is None and "source" in suite.reads:
        name = next(m.name for m in suite.metrics if m.compared_with in ("source", "both"))
        raise ValueError(f"{name} compares with the source; pass source=")


def late_class(module: str, name: str, make: Callable[[], Any]) -> Callable[[str], Any]:
    """The `__getattr__` of a module with a class whose base is another library's, made when needed.

    The class is made once, and pickles as that of the module.
    """
    made = cache(make)

    def find(asked: str) -> Any:
        if asked != name:
            raise AttributeError(f"module {module!r} has no attribute {asked!r}")
        found = made()
        found.__module__, found.__qualname__ = module, name
        return found

    return find


def direction(terms: Iterable[Term]) -> bool | None:
    """Return whether a higher score of these is better, None where they differ.

    >>> direction(choose(["rouge1", "simetrix"])[1])
    """
    found = {term.higher_is_better for term in terms}
    return found.pop() if len(found) == 1 else None


def _term(key: str | Metric, field: str | None, made: dict[str, Metric]) -> tuple[Term, str | None]:
    """Return what a key means, and the field that it names itself."""
    if isinstance(key, Metric):
        metric, own = key, None
    else:
        name, own = split_field(key) if isinstance(key, str) else (key, None)
        metric = made[name] = made.get(name) or metric_of(name)
    if own == VALUE and VALUE not in metric.fields:
        own = metric.primary  # as a Score has it
    found = own or field or metric.primary
    if found not in metric.fields:
        raise ValueError(unknown(f"field of {metric.name}", found, metric.fields))
    return Term(metric, found), own
