"""What a report is made of, gathered before any of it is written."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from summeval.meta.overview import Overview
from summeval.meta.ranking.result import Ranking
from summeval.meta.survey import Survey


@dataclass(frozen=True)
class Told:
    """A row that the page shows.

    Attributes
    ----------
    row : int
        From 0.
    name : str
        Its id and topic, for people.
    system : str
    why : str
        A sentence: why it is shown.
    scores : dict of str to float
        By metric.
    candidate : str
    explanations : sequence of (str, str)
        Names of metrics and HTML.
    note : str
        What there is to say about the explanations, or nothing.
    """

    row: int
    name: str
    system: str
    why: str
    scores: Mapping[str, float]
    candidate: str = ""
    explanations: Sequence[tuple[str, str]] = ()
    note: str = ""


@dataclass(frozen=True)
class Contents:
    """All that a page shows.

    Attributes
    ----------
    name : str
        Of the file of scores.
    title : str
        Title of the page.
    metrics : tuple of str
        Columns of the metrics; the first is the one that the first sentence is about.
    labels : dict of str to str
        How the columns are called on the page.
    survey : Survey
    ranking : Ranking or None
        None if the rows name no systems, or cannot be paired.
    people : Overview or None
        None without human scores.
    ceilings : dict of (str, str) to float
        By dimension and level, the correlation that a perfect metric would have, as far as known.
    told : tuple of Told
    settings, signatures : dict of str to str
    notes : tuple of str
    """

    name: str
    title: str
    metrics: tuple[str, ...]
    labels: Mapping[str, str]
    survey: Survey
    ranking: Ranking | None = None
    people: Overview | None = None
    ceilings: Mapping[tuple[str, str], float] = field(default_factory=dict)
    told: tuple[Told, ...] = ()
    settings: Mapping[str, str] = field(default_factory=dict)
    signatures: Mapping[str, str] = field(default_factory=dict)
    notes: tuple[str, ...] = ()

    def label(self, column: str) -> str:
        """How a column is called on the page."""
        return self.labels.get(column, column)

    @property
    def main(self) -> str:
        """The metric that the first sentence is about: the first whose scores differ."""
        spreads = self.survey.spreads
        told = [name for name in self.metrics if spreads[name].rows and not spreads[name].constant]
        return (told or list(self.metrics))[0]
