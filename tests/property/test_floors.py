"""Text without words scores the worst value of each field, for every registered metric."""

from __future__ import annotations

import math
import re
from typing import Any

import numpy as np
import pytest
from metric_cases import NEEDED

import summeval
from summeval.metrics.discourse.trained import Trained
from summeval.metrics.field.edits import EditSimilarity
from summeval.metrics.ngram_graphs import NGramGraphs
from summeval.metrics.registry import families, options_of
from summeval.metrics.run.text_options import one_or_more

REFERENCES = [
    "The storm hit the coast. Many houses were lost, officials said.\nThe army came to help.",
    "A storm struck the coast on Monday. It destroyed houses.\nThe army came to help, they said.",
]
SIDES: dict[str, list[str]] = {
    "ordinary": REFERENCES,
    "one": REFERENCES[:1],
    "a word": ["Cats"],
    "a bad text": ["the the the the the"],
    "no words": ["...", ""],
}
EMPTY = ["", " \n\t ", "...!?", "“—” …", "\u200b", "\n\n--\n(\n)"]
BAD = [
    "Cats purr.",
    "a",
    "A",
    "I.",
    "7",
    "the the the the",
    "the of and to",
    "zxqv blorp wug frindle. Gnarf! wibble wobble",
    "storm " * 400,
    "They said it. They said it. They said it. They said it. But because of of the",
    "coast the hit storm the officials lost were houses many said",
    "However, (because it. And so \"but. 's the the",
    "größe 東京は大きい",
    "storm\n" * 40,
    "She. He. They. It. Them. She. He.",
    " ".join(f"w{n}" for n in range(800)),
    REFERENCES[0] * 30,
]
OPTIONS: dict[str, list[dict[str, Any]]] = {
    "simetrix": [
        {"background": {"storm": 3, "said": 900, "houses": 100}},
        {"preset": "2013", "idf": ({"storm": 2.0}, 10)},
    ],
    "coherence-order": [{"features": name} for name in ("roles", "grid", "lin", "dicomer")],
    "npower": [{"compat": "npower-1"}, {"min_score": -5.0, "max_score": 5.0}],
    "rouge1": [{"aggregate": "average", "jackknife": True}],
    "pyramid-position": [{"length": 3}],
    "be": [{"mode": "hmr2"}],
}
# An empty text is what an empty reference asks for, edits and different words have no end.
EDITS = {"ter", "wer", "cer", "edit-similarity", "lexical-diversity", "reading-ease"}
METRICS = [(name, NEEDED.get(name, {})) for name in summeval.list_metrics()]
METRICS += [(name, options) for name, several in OPTIONS.items() for options in several]
IDS = [f"{name}-{'-'.join(map(str, options.values()))}"[:60] for name, options in METRICS]


def made(name: str, options: dict[str, Any]) -> summeval.Metric:
    """The metric, where what it parses with is there."""
    metric = summeval.metric(name, **options)
    try:
        metric.score("A cat.", ["A cat."] * metric.least_references, source="A cat.")
    except ImportError as error:
        pytest.skip(str(error))
    return metric


def sides(metric: summeval.Metric, texts: Any) -> dict[str, Any]:
    """What the metric compares with, as an argument of `score` and `prepare`."""
    if metric.compared_with == "source":
        return {"source": texts}
    return {"references": one_or_more(texts, "references") * metric.least_references}


def columns(metric: summeval.Metric, table: summeval.ScoreTable) -> list[Any]:
    return [table[f"{metric.name}.{field}"] for field in metric.fields]


@pytest.mark.parametrize(("name", "options"), METRICS, ids=IDS)
def test_nothing_scores_worse_than_an_empty_text(name: str, options: dict[str, Any]) -> None:
    if name in EDITS:
        pytest.skip("there is no worst text")
    metric = made(name, options)
    parses = "parser" in options_of(name)
    for what, texts in SIDES.items():
        floor = metric.score("", **sides(metric, texts))
        for text in BAD[: 12 if parses and what != "ordinary" else None]:
            found = metric.score(text, **sides(metric, texts))
            for field, rising in metric.directions.items():
                if metric.summed and field != metric.primary:  # a part of the formula
                    continue
                if math.isnan(floor[field]):  # no value for any text
                    assert math.isnan(found[field]), (what, field, text)
                    continue
                worse = found[field] < floor[field] if rising else found[field] > floor[field]
                assert not worse, (what, field, text, found[field], floor[field])


@pytest.mark.parametrize(("name", "options"), METRICS, ids=IDS)
def test_the_worst_value_is_the_same_however_it_is_asked_for(
    name: str, options: dict[str, Any]
) -> None:
    metric = made(name, options)
    floor = metric.score("", **sides(metric, REFERENCES))
    good = metric.score(REFERENCES[0], **sides(metric, REFERENCES))
    for field in metric.fields:
        if name != "lexical-diversity":  # which divides by the number of words
            assert math.isfinite(floor[field]) or math.isnan(good[field]), field
    # Marks and blanks are characters of a graph as others are; marks are tokens of other packages.
    marks = metric.summed or name == "lexical-diversity"
    blank = [text for text in EMPTY if not text.strip()] if marks else EMPTY
    if name == "reading-ease":  # to which a blank is a sentence
        blank = [""]
    for text in [] if isinstance(metric, (NGramGraphs, EditSimilarity)) else blank:
        found = metric.score(text, **sides(metric, REFERENCES))
        assert repr(found) == repr(floor), text

    texts: list[str | None] = ["", REFERENCES[0], None, "...!?", "", "Cats purr."]
    singles = [metric.score(text, **sides(metric, REFERENCES)) for text in texts]
    expected = [[single[field] for single in singles] for field in metric.fields]
    prepared = metric.prepare(**sides(metric, REFERENCES))
    scores = [prepared.score(text) for text in texts]
    np.testing.assert_equal([[s[field] for s in scores] for field in metric.fields], expected)
    np.testing.assert_equal(columns(metric, prepared.score_batch(texts)), expected)
    given = "sources" if metric.compared_with == "source" else "references"
    several = REFERENCES * metric.least_references
    for workers in (1, 2):
        rows: Any = {given: [several] * len(texts)}
        table = metric.score_batch(texts, **rows, workers=workers)
        np.testing.assert_equal(columns(metric, table), expected)
    pa = pytest.importorskip("pyarrow")
    for made_of in (pa.string(), pa.large_string(), pa.string_view()):
        rows = {given: pa.array([several] * len(texts), pa.list_(made_of))}
        table = metric.score_batch(pa.array(texts, made_of), **rows)
        np.testing.assert_equal(columns(metric, table), expected)


def test_every_class_documents_the_score_of_an_empty_text() -> None:
    said = re.compile("empty (text|candidate|extract)|ithout (words|nodes)|no words|is empty")
    told = {
        family.__name__: " ".join(
            " ".join(each.__doc__ or "" for each in family.__mro__[:2]).split()
        )
        for family in families()
    }
    assert [name for name, text in told.items() if not said.search(text)] == []


@pytest.mark.parametrize(
    ("name", "options"), [(n, o) for n, o in METRICS if isinstance(summeval.metric(n), Trained)]
)
def test_a_model_says_its_floor(name: str, options: dict[str, Any]) -> None:
    metric: Any = made(name, options)
    assert metric.score("", "A cat.").value == metric.floor
