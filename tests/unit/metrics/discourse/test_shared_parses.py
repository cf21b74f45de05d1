"""Discourse metrics of one run parse and relate each text once."""

from __future__ import annotations

import json
import pickle
from collections.abc import Iterator, Sequence
from typing import Any

import pytest
from shared import CASE_FILES

import summeval
from summeval.annotate import Document, from_json
from summeval.annotate.discourse import parse
from summeval.annotate.discourse import parser as relations_parser
from summeval.metrics import parsed


class Stored:
    """A provider of the parses of a file, which remembers what it was asked."""

    name = "stored"
    signature = "stored:1"

    def __init__(self) -> None:
        rows = json.loads((CASE_FILES / "shipped_models.json").read_text(encoding="utf-8"))["rows"]
        found = [from_json(json.dumps(row["document"])) for row in rows]
        self.documents = {document.text: document for document in found}
        self.asked: list[str] = []

    def parse(self, texts: Sequence[str]) -> Iterator[Document]:
        for text in texts:
            self.asked.append(text)
            yield self.documents[text]


@pytest.fixture
def stored(monkeypatch: pytest.MonkeyPatch) -> Stored:
    monkeypatch.setattr(parsed, "_RELATED", parsed.Last())
    return Stored()


def metrics_of(provider: Stored, **options: Any) -> list[Any]:
    names = ("dicomer", "cremer", "coherence-order")
    return [summeval.metric(name, parser=provider, cache=False, **options) for name in names]


def related_times(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """How many documents each call of the kernel's parser had."""
    called: list[int] = []
    real = relations_parser.related

    def counted(documents: Sequence[Document], workers: int = 1) -> list[relations_parser.Related]:
        called.append(len(documents))
        return real(documents, workers)

    monkeypatch.setattr(relations_parser, "related", counted)
    return called


def test_a_suite_parses_and_relates_each_text_once(
    stored: Stored, monkeypatch: pytest.MonkeyPatch
) -> None:
    called = related_times(monkeypatch)
    texts = list(stored.documents)
    table = summeval.score_batch(texts, texts, metrics=metrics_of(stored))
    assert sorted(stored.asked) == sorted(texts)
    assert sum(called) == len(texts)
    for metric in metrics_of(Stored()):
        alone = metric.score_batch(texts, texts)
        assert [table[name].tolist() for name in alone.columns] == [
            column.tolist() for column in alone.values()
        ]


def test_a_text_that_was_read_is_at_hand(stored: Stored, monkeypatch: pytest.MonkeyPatch) -> None:
    metric, texts = metrics_of(stored)[0], list(stored.documents)[:4]
    first = [metric.score(text) for text in texts]
    called = related_times(monkeypatch)
    assert [metric.score(text) for text in texts] == first
    assert stored.asked == texts
    assert sum(called) == 0


def test_another_parser_reads_anew(stored: Stored) -> None:
    other, text = Stored(), next(iter(stored.documents))
    for provider in (stored, other, stored):
        metrics_of(provider)[0].score(text)
    assert (stored.asked, other.asked) == ([text, text], [text])


def test_few_texts_are_kept(stored: Stored, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(parsed, "_MOST_KEPT", 3)
    metric, texts = metrics_of(stored)[0], list(stored.documents)[:5]
    both = metric.score_batch([*texts, *texts])["dicomer.value"].tolist()
    assert both[:5] == both[5:]
    assert list(parsed._RELATED.found) == texts[2:]
    metric.score(texts[0])
    assert list(parsed._RELATED.found) == [*texts[3:], texts[0]]


ASKED: list[str] = []


def relations(document: Document) -> Any:
    ASKED.append(document.text)
    return parse(document)


def test_relations_of_the_user_are_found_for_each_metric(stored: Stored) -> None:
    ASKED.clear()
    text = next(iter(stored.documents))
    for given, plain in zip(
        metrics_of(stored, relations=relations), metrics_of(Stored()), strict=True
    ):
        assert given.score(text, text) == plain.score(text, text)
    assert [text] * 3 == ASKED


def test_a_pickled_metric_scores_the_same(stored: Stored) -> None:
    text = next(iter(stored.documents))
    for metric in metrics_of(stored):
        wanted = metric.score(text, text)
        assert pickle.loads(pickle.dumps(metric)).score(text, text) == wanted
