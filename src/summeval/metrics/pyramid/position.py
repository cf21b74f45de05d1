"""The position Pyramid: a Pyramid with word positions of a document as units.

Galley 2006, "A skip-chain conditional random field for ranking meeting utterances by importance".
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterable, Sequence
from operator import index
from typing import Any, SupportsIndex, cast

from summeval._core.rows.record import Score
from summeval._options import Option, check_whole
from summeval.metrics.option_groups import LANGUAGE, TOKENIZER
from summeval.metrics.pyramid import scores as pyramid
from summeval.metrics.pyramid.scores import UnitLists, Units, ideal, ratio
from summeval.metrics.run.base import PairMetric
from summeval.metrics.run.explain.items import Asked, Items, attribute
from summeval.metrics.run.explain.spans import places
from summeval.metrics.run.signature import Signed
from summeval.metrics.run.text_options import Tokenizer, tokens_signed

LENGTH: Any = Option("length", None, (None,), "whole", low=0, give="give 0 or more words, or None")
Chosen = Iterable[Iterable[int]]  # of each model the utterances that it selects
FIELDS = ("P", "D", "D_star", "PR", "PR_star")


class PositionPyramid(PairMetric):
    r"""How much of what models select from a document an extract selects, by words and places.

    A unit is a word at its place in the document, and weighs as many models as select it. D is the
    sum of the weights of what the peer selects, D* the sum of the L heaviest weights, and P = D/D*
    (0 where D* is 0). PR is the mean over the models of the share of the peer that a model selects
    too, D / (n |peer|), and PR* = D* / (n L) what it can be at most; so PR/PR* = P L / |peer|,
    which is P where L is the number of units of the peer.

    `score_units` takes places as they are, numbers or other names. `score` and `score_batch`
    take the text of extracts: its lines, or its sentences where it has one line only, stand for
    utterances of the document, the k-th of like lines for the k-th such utterance there, and two
    extracts share the words of an utterance that both hold whole. Lines that are worded anew share
    nothing, so this is no metric for abstracts.

    Fields: `P` (which is `value`), `D`, `D_star`, `PR`, `PR_star`. Of an empty extract all are 0,
    but with a `length` the two that the models alone make.

    Parameters
    ----------
    length : int or None
        L, where a call sets none; by default the number of units of the peer.
    tokenizer : {"rouge155", "unicode", "uax29", "icu"} or callable
        What the words of a text are.
    language : str or None
        A code such as "de" sets the tokenizer, unless it is given.
    label : str or None
        Its name in results; distinguishes metrics of the same name.

    Raises
    ------
    ValueError
        For a value that an option does not take.

    Examples
    --------
    >>> metric = PositionPyramid()
    >>> score = metric.score_units([1, 2, 9], [[1, 2, 3], [1, 3, 4]])
    >>> score.D, score.D_star, score.P
    (3, 5, 0.6)
    >>> metric.score("The cat sat.\nIt slept.", ["The cat sat.", "It slept."]).PR
    0.5
    """

    names = ("pyramid-position",)
    summary = "words of the lines that extracts share, by weight"
    fields = FIELDS
    primary = "P"
    unbounded = frozenset({"D", "D_star"})
    length: int | None = LENGTH
    tokenizer: str | Tokenizer = TOKENIZER
    language: str | None = LANGUAGE

    def signed(self) -> Signed:
        """Return the options and version that the numbers depend on.

        >>> PositionPyramid().signature.rsplit("|", 1)[0]
        'pyramid-position|length:peer|utterances:lines-or-sentences|tokenizer:rouge155'
        """
        length = "peer" if self.length is None else self.length
        return {
            "length": str(length),
            "utterances": "lines-or-sentences",
            **dict(tokens_signed(self)),
        }

    def score_units(self, peer: Units, models: UnitLists, length: int | None = None) -> Score:
        """Score the positions that a peer selects; each position counts once per list.

        Parameters
        ----------
        peer : iterable
            Positions of words in the document: numbers, or other unique names.
        models : iterable of iterables
            Those that each model selects.
        length : int, optional
            L, in words.

        Returns
        -------
        Score
            `P`, `D`, `D_star`, `PR`, `PR_star`; PR of an empty peer, and PR* for a length of 0, are
            0.

        Raises
        ------
        TypeError, ValueError
            For places that are no list, no model, a length below 0.

        Examples
        --------
        >>> PositionPyramid().score_units([1, 2], [[2, 3], [3]], length=1)
        Score(P=0.5, D=1, D_star=2, PR=0.25, PR_star=1.0)
        """
        given = pyramid.model_units(models, "models")
        return self.compare(pyramid.units(peer, "peer"), given, LENGTH.check(length))

    def leave_one_out(
        self, models: UnitLists, peer: Units | None = None, length: int | None = None
    ) -> Score:
        """Score models, and a peer, against all models but one, as a comparison with people.

        Parameters
        ----------
        models, peer, length
            As in `score_units`.

        Returns
        -------
        Score
            `human`, a list: P of each model against the others; `peer`, a list: P of the peer
            against the models without each one, empty without a peer; `human_mean` and `peer_mean`.
            `value` is `peer_mean`, NaN without a peer.

        Raises
        ------
        TypeError, ValueError
            As `score_units`, and where there are fewer than 2 models.

        Examples
        --------
        >>> found = PositionPyramid().leave_one_out([[1, 2], [1, 3], [1, 2]], peer=[2])
        >>> found.human, found.peer, found.peer_mean
        ([1.0, 0.5, 1.0], [0.5, 1.0, 0.5], 0.6666666666666666)
        """
        given, size = pyramid.model_units(models, "models"), LENGTH.check(length)
        peer_units = None if peer is None else pyramid.units(peer, "peer")
        return pyramid.left_out(
            given, peer_units, "models", lambda rest, of: self.compare(of, rest, size).value
        )

    def optimal(self, utterances: UnitLists, models: Chosen, word_budget: int) -> Score:
        """Return the optimal summary: the utterances that most models select, within a word budget.

        Utterances are ranked by the number of models that select them, ties in document order, and
        taken in that order until the next one does not fit.

        Parameters
        ----------
        utterances : iterable of iterables
            The document: for each utterance the places of its words.
        models : iterable of iterables of int
            For each model the utterances that it selects, numbered from 0.
        word_budget : int
            How many words the summary may have.

        Returns
        -------
        Score
            `ranking` and `selected`, lists of utterances, best first; `words`, how many were
            selected; and the fields of `score_units` for them, with L their number.

        Raises
        ------
        TypeError, ValueError
            For an utterance that is not there, a place that two utterances have, no model, a budget
            below 0.

        Examples
        --------
        >>> document = [["a", "b", "c"], ["d", "e"], ["f"]]
        >>> best = PositionPyramid().optimal(document, [[1], [0, 1], [2]], word_budget=5)
        >>> best.ranking, best.selected, best.words, best.D, best.P
        ([1, 0, 2], [1, 0], 5, 7, 1.0)
        """
        document, chosen = _document(utterances, models)
        weight = Counter(number for model in chosen for number in model)
        ranking = sorted(range(len(document)), key=lambda number: -weight[number])
        return self._selection(document, chosen, word_budget, ranking)

    def lead(self, utterances: UnitLists, models: Chosen, word_budget: int) -> Score:
        """Return the lead baseline: the first utterances, until the next one does not fit.

        Parameters, result and errors are those of `optimal`; `ranking` is the order of the
        document.

        >>> document = [["a", "b", "c"], ["d", "e"], ["f"]]
        >>> PositionPyramid().lead(document, [[1], [0, 1], [2]], word_budget=4).P
        0.6
        """
        document, chosen = _document(utterances, models)
        return self._selection(document, chosen, word_budget, [*range(len(document))])

    def _selection(
        self,
        document: pyramid.Checked,
        chosen: list[list[int]],
        word_budget: int,
        ranking: list[int],
    ) -> Score:
        budget = check_whole("word_budget", word_budget)
        selected: list[int] = []
        peer: list[Hashable] = []
        for number in ranking:
            if len(peer) + len(document[number]) > budget:
                break
            selected.append(number)
            peer += document[number]
        others = [[place for number in model for place in document[number]] for model in chosen]
        score = self.compare(peer, others, len(peer))
        numbers = (ranking, selected, len(peer), *score.values())
        return Score(("ranking", "selected", "words", *FIELDS), numbers, self.primary)

    def compare(self, peer: Units, models: Sequence[Units], length: int | None = None) -> Score:
        own, weight = set(peer), pyramid.weights(models)
        limit = self.length if length is None else length
        size = len(own) if limit is None else limit
        found, most = sum(weight[place] for place in own), ideal(weight, size)
        share, best = ratio(found, len(models) * len(own)), ratio(most, len(models) * size)
        return Score(FIELDS, (ratio(found, most), found, most, share, best), self.primary)

    def read(self, text: str, place: str) -> list[Hashable]:
        """The words of a text as (utterance, number of earlier equal utterances, word number)."""
        found = self._utterances(_lines(text))
        return [(*key, number) for key, words in found for number in range(words)]

    def _utterances(self, lines: Iterable[str]) -> list[tuple[tuple[str, int], int]]:
        """Of each utterance what tells it, with the number of earlier equal ones; and its words."""
        from summeval.text.tokenizers import words

        seen: Counter[str] = Counter()
        found = []
        for line in lines:
            tokens = words(line, self.tokenizer)
            utterance = "\n".join(tokens)
            found.append(((utterance, seen[utterance]), len(tokens)))
            seen[utterance] += 1
        return found

    def explain_texts(self, asked: Asked) -> Items:
        r"""An item for each utterance of the extract, then for those that only models select.

        All words of an utterance weigh the same, as many models as select it: its share is their
        number times this `weight` by D*, so that the shares add up to P. Details: `words`,
        `weight`.

        Examples
        --------
        >>> explanation = PositionPyramid().explain("Yes.\nIt did.", ["It did.", "It did.\nYes."])
        >>> [(item.text, item.share) for item in explanation.items]
        [('Yes.', 0.2), ('It did.', 0.8)]
        """
        placed = []
        words: dict[tuple[str, int], int] = {}
        for text in asked.texts:
            lines = _lines(text)
            spans = places(text, [line.strip() for line in lines])
            found = self._utterances(lines)
            words |= dict(found)
            both = zip(found, spans, strict=True)
            placed.append([(key, [span]) for (key, size), span in both if size])
        own, *others = placed
        weight = Counter(key for of in others for key, _ in of)
        ideal = asked.score.D_star
        return attribute(
            asked,
            own,
            [(key, [(k, *span)]) for k, of in enumerate(others) for key, (span,) in of],
            {key: weight[key] * words[key] / ideal if ideal else 0.0 for key, _ in own},
            details=lambda key: {"words": float(words[key]), "weight": float(weight[key])},
        )


def _lines(text: str) -> list[str]:
    """Return the utterances of an extract."""
    from summeval.text import sentences

    return text.split("\n") if "\n" in text.strip() else sentences(text)


def _document(
    utterances: UnitLists, models: Chosen
) -> tuple[list[list[Hashable]], list[list[int]]]:
    """Check a document and the models' selections; an utterance counts once per model."""
    document = pyramid.unit_lists(utterances, "utterances")
    owner: dict[Hashable, int] = {}
    for number, within in enumerate(document):
        for place in within:
            if place in owner:
                raise ValueError(
                    f"utterances[{number}] has {place!r}, as utterances[{owner[place]}] has;"
                    " give each word a place of its own"
                )
            owner[place] = number
    chosen = []
    for i, model in enumerate(pyramid.model_units(models, "models")):
        for item in model:
            if isinstance(item, bool) or not isinstance(item, SupportsIndex):
                raise TypeError(f"models[{i}] holds {item!r}; give numbers of utterances")
            if not 0 <= index(item) < len(document):
                raise ValueError(
                    f"models[{i}] selects utterance {item!r}; there are {len(document)},"
                    " numbered from 0"
                )
        chosen.append([index(cast(SupportsIndex, item)) for item in dict.fromkeys(model)])
    return document, chosen
