"""Content of the candidates of a topic, from the references and from each other."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Hashable, Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Any, NoReturn

from summeval._cached import cached_property
from summeval._core.columns import columns
from summeval.metrics.rouge.metric import Rouge
from summeval.metrics.run.base import Metric
from summeval.metrics.run.declared import OnError
from summeval.metrics.run.refusals import refusals
from summeval.metrics.run.signature import Signed, Value
from summeval.metrics.run.suite import Suite
from summeval.metrics.run.table import Layout, ScoreTable
from summeval.metrics.tesla.tesla_e import TeslaE

if TYPE_CHECKING:
    from summeval._arrays import Floats, Ints

# The recipe: how much each field counts in `value`, and how many candidates of a topic it takes.
WEIGHTS = {"recall": 1.0, "graded": 1.0, "peers": 0.5}
LEAST = 5
MOST = 2000  # candidates of a topic, since each is compared with all others
_PAIRS = 1 << 16  # compared at a time, so that memory stays small
_ROUNDING = 1e-12  # scores of a topic that spread no more are equal


class Consensus(Metric):
    """Content, with the candidates of a topic scored together: `score_batch(…, group=topics)`.

    Several systems or several answers to one prompt; one text alone has no consensus. Fields:

    - `recall`: ROUGE-1 recall, Porter stems, without stop words (`aggregate="average"`).
    - `graded`: the value of `tesla-e`, the mean over the references.
    - `peers`: that recall with the other candidates of the topic in place of the references.
    - `value`: the weighted mean of z(recall), z(graded) and ½ z(peers), z over the candidates of
      the topic. With fewer than five candidates it is z(recall) and `peers` is NaN; of a candidate
      alone it is NaN.

    A value is a place among the candidates of the topic: it changes with them, and those of
    different topics are compared by their order within the topic alone.

    Parameters
    ----------
    label : str or None
        Its name in results; distinguishes metrics of the same name.

    Examples
    --------
    >>> texts = ["a bridge fell", "the steel bridge fell", "a bridge", "rain", "a steel bridge"]
    >>> found = Consensus().score_batch(texts, ["a steel bridge fell"] * 5, group=["x"] * 5)
    >>> found["consensus.value"].round(2).tolist()
    [0.4, 1.32, -0.48, -1.64, 0.4]
    >>> found["consensus.peers"].round(2).tolist()
    [0.57, 0.83, 0.38, 0.0, 0.57]
    """

    others = _called = "consensus"  # scores the candidates of a topic together, not rows
    summary = "content, with several candidates of each topic"
    fields = ("value", *WEIGHTS)
    primary = "value"
    immutable = True
    compared_with = "references"
    unbounded = frozenset({"value"})

    def __post_init__(self) -> None:
        self.name = self.label or "consensus"

    @cached_property
    def _runner_words(self) -> Rouge:
        """What `recall` and `peers` are of."""
        return Rouge("rouge1", stemmer="porter", stopwords=True, aggregate="average")

    @cached_property
    def _runner_parts(self) -> Suite:
        """What `recall` and `graded` are of."""
        return Suite([self._runner_words, TeslaE(aggregate="average")])

    def signed(self) -> Signed:
        """Return the recipe and the signatures of the metrics in it."""
        weights = ",".join(f"{name}={weight:g}" for name, weight in WEIGHTS.items())
        metrics = tuple(part.timeless for part in self._runner_parts.signature.values())
        options: dict[str, Value] = {"weights": weights, "least": str(LEAST)}
        return options | {"metrics": metrics}

    def new_runner(self) -> NoReturn:
        raise ValueError(
            f"{self.name} scores the candidates of a topic together; call "
            "metric('consensus').score_batch(candidates, references, group=topics)"
        )

    def score_batch(
        self,
        candidates: Any,
        references: Any = None,
        *,
        group: Iterable[Hashable] | None = None,
        sources: Any = None,
        workers: int = 1,
        on_error: OnError = "raise",
    ) -> ScoreTable:
        """Score rows; `group` names the topic of each.

        Rows without a candidate or a reference have no score, and are nobody's peers.

        Raises
        ------
        ValueError
            `group` is missing, has not one name for each row, or a topic has more than 2,000
            candidates.
        """
        import numpy as np

        if not hasattr(candidates, "__len__") and hasattr(candidates, "__iter__"):
            candidates = list(candidates)  # which are read twice
        own = self._runner_parts.score_batch(
            candidates, references, sources=sources, workers=workers, on_error=on_error
        )
        recall, graded = own["rouge1.recall"], own["tesla-e.value"]
        scored = np.flatnonzero(~np.isnan(recall + graded))
        groups = list(_grouped(_names(group, own.rows), scored.tolist()))
        texts = columns.texts(candidates, "candidates", refused=refusals(on_error)).to_list()
        found = np.full((len(self.fields), own.rows), np.nan)
        found[1:3] = recall, graded
        found[3] = self._peers(texts, groups, workers)
        for rows in groups:
            found[0, rows] = _value(found[1:, rows])
        found.flags.writeable = False
        names = [f"{self.name}.{field}" for field in self.fields]
        return ScoreTable(
            zip(names, found, strict=True), Layout.of([self]), own.rows, dict(own.errors)
        )

    def _peers(self, texts: Sequence[Any], groups: Sequence[Ints], workers: int) -> Floats:
        """Return the recall of the other candidates of the topic; NaN with too few."""
        import numpy as np

        found = np.full(len(texts), np.nan)
        for rows in _blocks([rows for rows in groups if len(rows) >= LEAST]):
            some = [texts[row] for row, _ in rows]
            peers = [[texts[other] for other in own if other != row] for row, own in rows]
            table = self._runner_words.score_batch(some, peers, workers=workers)
            found[[row for row, _ in rows]] = table["rouge1.recall"]
        return found


def _blocks(groups: Sequence[Ints]) -> Iterator[list[tuple[int, Ints]]]:
    """Yield each row with the rows of its topic, as many as are compared at a time."""
    block: list[tuple[int, Ints]] = []
    pairs = 0
    for own in groups:
        for row in own.tolist():
            if block and pairs + len(own) > _PAIRS:
                yield block
                block, pairs = [], 0
            block.append((row, own))
            pairs += len(own)
    if block:
        yield block


def _names(group: Iterable[Hashable] | None, rows: int) -> list[Hashable]:
    """Return the names of topics, one for each row."""
    if group is None or isinstance(group, str):
        raise ValueError("consensus needs several candidates of a topic; pass group=, the topics")
    names = group.to_pylist() if hasattr(group, "to_pylist") else list(group)
    if len(names) != rows:
        raise ValueError(f"group has {len(names)} names and candidates {rows} rows; give one each")
    return names


def _grouped(names: Sequence[Hashable], rows: Sequence[int]) -> Iterator[Ints]:
    """Yield the rows of each topic."""
    import numpy as np

    places: dict[Hashable, list[int]] = defaultdict(list)
    for row in rows:
        places[names[row]].append(row)
    name, most = max(places.items(), key=lambda item: len(item[1]), default=(None, []))
    if len(most) > MOST:
        raise ValueError(
            f"group {name!r} has {len(most):,} candidates; name the topic of each row, of which "
            f"{MOST:,} candidates are compared at the most"
        )
    yield from map(np.array, places.values())


def _value(parts: Floats) -> Any:
    """Return the weighted mean of the z-scores of the candidates of a topic [field, candidate]."""
    import numpy as np

    if parts.shape[1] < 2:
        return np.nan
    if parts.shape[1] < LEAST:
        return _z(parts[0])
    weights = np.array(list(WEIGHTS.values()))
    return weights @ np.array([_z(part) for part in parts]) / weights.sum()


def _z(scores: Floats) -> Floats:
    """Return the scores with mean 0 and variance 1; 0 where all are equal."""
    apart: Floats = scores - scores.mean()
    spread = scores.std()
    return apart / spread if spread > _ROUNDING else apart * 0.0
