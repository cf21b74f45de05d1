"""Metrics by name."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from types import MappingProxyType
from typing import Any

from summeval._options import Option, unknown
from summeval.metrics.bipartite import BipartiteMatching
from summeval.metrics.discourse.cremer import Cremer
from summeval.metrics.discourse.dicomer import Dicomer
from summeval.metrics.discourse.readability import Readability
from summeval.metrics.elements.basic_elements import BasicElements
from summeval.metrics.elements.bewte import BEwTE
from summeval.metrics.ngram_graphs import AutoSummENG, MeMoG, NPowER
from summeval.metrics.paraeval import ParaEval
from summeval.metrics.pyramid.position import PositionPyramid
from summeval.metrics.qarla.similarities import QarlaSimilarity
from summeval.metrics.rouge.metric import Rouge
from summeval.metrics.run.base import Metric
from summeval.metrics.run.suite import Suite
from summeval.metrics.simetrix import Simetrix
from summeval.metrics.tesla.tesla_m import TeslaM
from summeval.metrics.tesla.tesla_s import TeslaS

FAMILIES: tuple[type[Metric], ...] = (
    Rouge,
    TeslaS,
    TeslaM,
    BasicElements,
    BEwTE,
    AutoSummENG,
    MeMoG,
    NPowER,
    BipartiteMatching,
    PositionPyramid,
    QarlaSimilarity,
    Simetrix,
    ParaEval,
    Dicomer,
    Readability,
    Cremer,
)

VALUE = "value"  # stands for the field that a metric is known by, where no field has this name

_NONE: Mapping[str, bool] = MappingProxyType({})

DEFAULT = ("rouge1", "rouge2", "rougeL")


def metrics() -> list[str]:
    """The names that `metric` takes; `rougeS` and `rougeSU` take any gap, `rougeW-<w>` any weight.

    >>> "rougeSU4" in metrics()
    True
    """
    return [name for family in FAMILIES for name in family.names]


def metric(name: str, **options: Any) -> Metric:
    """The metric of that name with the options set.

    Raises
    ------
    ValueError
        For an unknown name or option (the message suggests the nearest), or a value that the option
        does not take.

    Examples
    --------
    >>> metric("rougeSU4", stemmer="rouge155", aggregate="average").score("a cat", "a cat").recall
    1.0
    """
    family = _family(name)
    known = options_of(name)
    for option in options:
        if option not in known:
            raise ValueError(unknown(f"option of {name}", option, known))
    return family.named(name, **options)


def options_of(name: str) -> dict[str, Option]:
    """The options that the metric of that name has, by their names.

    >>> options_of("rouge1")["stemmer"].choices
    (None, 'rouge155', 'porter', 'porter-java')
    """
    return {option.name: option for option in _family(name).options}


def direction_of(column: str) -> bool | None:
    """Whether a higher number is better in the column of a registered metric.

    Parameters
    ----------
    column : str
        `<metric>.<field>`, or the name of a metric, or `<metric>.value`, for the field that it is
        known by.

    Returns
    -------
    bool or None
        None for a column of which no registered metric tells.

    Examples
    --------
    >>> direction_of("rouge1.recall"), direction_of("simetrix.smoothedJSD"), direction_of("words")
    (True, False, None)
    >>> direction_of("simetrix.value"), direction_of("simetrix")
    (False, False)
    """
    for name, field in ((column, ""), column.rpartition(".")[::2]):
        family = next((family for family in FAMILIES if name and family.accepts(name)), None)
        if family is not None and field in family.fields:
            return field not in family.falling
        if family is not None and field in ("", VALUE):
            return family.higher_is_better
    return None


def directions_of(columns: Iterable[str], known: Mapping[str, bool] = _NONE) -> dict[str, bool]:
    """For each column of scores whether a higher number is better.

    Parameters
    ----------
    columns : iterable of str
    known : mapping of str to bool
        What the file states, which goes before what the names of columns tell.

    Returns
    -------
    dict of str to bool
        Without the columns of which nothing is known.

    Examples
    --------
    >>> directions_of(["rouge1.recall", "mine", "words", "simetrix.smoothedJSD"], {"mine": False})
    {'rouge1.recall': True, 'mine': False, 'simetrix.smoothedJSD': False}
    """
    found = {column: known.get(column, direction_of(column)) for column in columns}
    return {column: rising for column, rising in found.items() if rising is not None}


def _family(name: str) -> type[Metric]:
    if not isinstance(name, str):
        raise TypeError(f"a metric's name is a str, not {type(name).__name__}")
    family = next((family for family in FAMILIES if family.accepts(name)), None)
    if family is None:
        raise ValueError(unknown("metric", name, metrics()))
    return family


def suite(metrics: Iterable[str | Metric] | str | Metric = DEFAULT) -> Suite:
    """Several metrics as one: the names and metric objects, in the order of the results.

    >>> stemmed = metric("rouge2", stemmer="porter")
    >>> suite(["rouge1", stemmed]).score("a cat", "a cat")["rouge2"].value
    1.0
    """
    if isinstance(metrics, (str, Metric)):
        metrics = [metrics]
    return Suite([item if isinstance(item, Metric) else metric(item) for item in metrics])
