"""The contract of the explanation of every registered metric."""

from __future__ import annotations

import copy
import json
import math
from collections.abc import Iterator
from html.parser import HTMLParser
from typing import Any

import pytest
from metric_cases import CASES, ONE, SHORT, TWO, case_id, side

import summeval
from summeval.metrics.run.base import Metric
from summeval.metrics.run.explain.explanation import ExplainedItem, Explanation
from summeval.report.explanation_page import _explanation

SIGNS = "\t 🦊 The stórm hit\r\nthe “coast”…  Many cafe\u0301s 🏚\ufe0f were lost, ONE\xa0man said."
CJK = "東京で the storm 𝔥it 3 coasts.\u2028It destroyed houses, ﬁnally; İstanbul straße."
PAIRS = [
    (ONE, [TWO]),
    (SHORT, [ONE, TWO]),
    (ONE, [ONE, SHORT, TWO]),
    ("Nothing is like this.", [ONE]),
    ("", [ONE, TWO]),
    (ONE, [""]),
    (SIGNS, [ONE, CJK]),
    (CJK, [SIGNS, TWO]),
]


@pytest.fixture(scope="module", params=CASES, ids=case_id)
def case(request: pytest.FixtureRequest) -> tuple[str, dict[str, Any]]:
    """Name and options of a metric."""
    found: tuple[str, dict[str, Any]] = request.param
    return found


@pytest.fixture(scope="module")
def made(case: tuple[str, dict[str, Any]]) -> Metric:
    """The metric, which may lack what it parses with."""
    return summeval.metric(case[0], **case[1])


@pytest.fixture(scope="module")
def metric(case: tuple[str, dict[str, Any]], made: Metric) -> Metric:
    """The metric, where what it parses with is there."""
    try:
        made.score(ONE, [ONE] * made.least_references, source=ONE)
    except ImportError as error:
        pytest.skip(f"{made.name}: {error}")
    return made


@pytest.fixture(scope="module")
def told(metric: Metric) -> list[Explanation]:
    """The explanations of `PAIRS`."""
    return [explained(metric, *pair) for pair in PAIRS]


def explained(metric: Metric, candidate: str, texts: list[str]) -> Explanation:
    return metric.explain(candidate, **side(metric, texts))


def whole(told: list[Explanation]) -> Iterator[Explanation]:
    """Explanations and those of their parts."""
    for one in told:
        yield one
        yield from whole(list(one.parts))


def spans(told: Explanation, item: ExplainedItem) -> Iterator[tuple[str, int, int]]:
    """Each span of an item with its text."""
    for begin, end in item.candidate_spans:
        yield told.candidate, begin, end
    for number, begin, end in item.reference_spans:
        assert number >= 0
        yield told.references[number], begin, end
    for number, begin, end in item.source_spans:
        assert number >= 0
        yield told.sources[number], begin, end


# Their items stand for words, and name them. Stems of others are found by the words around them.
WORDS = (
    "rouge",
    "tesla",
    "support",
    "bertscore",
    "be",
    "bewte",
    "bipartite",
    "paraeval",
    "extract",
)


def test_it_is_of_the_score_its_shares_add_up_and_its_spans_hold_the_words(
    metric: Metric, told: list[Explanation]
) -> None:
    assert type(metric).explain_texts is not Metric.explain_texts
    assert type(metric).explain is Metric.explain
    for one, (candidate, texts) in zip(told, PAIRS, strict=True):
        score = metric.score(candidate, **side(metric, texts)).value
        assert type(one.value) is float
        assert one.value == score or (math.isnan(one.value) and math.isnan(score))
        assert one.metric == metric.name
        assert one.candidate == candidate
        (given,) = side(metric, texts).values()
        reads = metric.compared_with
        assert one.references == (tuple(given) if reads in ("references", "both") else ())
        assert one.sources == (tuple(given) if reads in ("source", "both") else ())
        written = json.loads(json.dumps(one.to_dict()))
        assert set(written) >= {"metric", "value", "items", "candidate", "references", "sources"}
        assert [item["text"] for item in written["items"]] == [item.text for item in one.items]
    for one in whole(told):
        if not math.isnan(one.value):
            assert all(type(item.share) is float for item in one.items)
            added = math.fsum(item.share for item in one.items)
            assert abs(added - one.value) <= 1e-9 * max(1.0, abs(one.value))
        for item in one.items:
            assert item.text
            for text, begin, end in spans(one, item):
                assert 0 <= begin < end <= len(text)
    for one in told[:4] if metric.name.startswith(WORDS) else []:
        for item in one.items:
            said = set(summeval.text.tokens(item.text))
            for text, begin, end in spans(one, item):
                here = summeval.text.tokens(text[begin:end])
                assert said.intersection(here), (item.text, text[begin:end])


def test_none_and_no_text_to_compare_with_are_refused(metric: Metric) -> None:
    explained(metric, ONE, [ONE])
    with pytest.raises(ValueError, match="nothing to explain; give a candidate") as caught:
        metric.explain(None, **side(metric, [ONE]))
    assert "\n" not in str(caught.value)
    if metric.compared_with == "nothing":
        return
    for nothing in ([], [None], None):
        with pytest.raises(ValueError, match=r"give a candidate and a|pass source=") as caught:
            metric.explain(ONE, **side(metric, nothing))
        assert "\n" not in str(caught.value)
    with pytest.raises(TypeError, match="candidate is int; pass a str"):
        metric.explain(3, **side(metric, [ONE]))  # type: ignore[arg-type]


class Text(str):
    """A str of one's own."""

    __slots__ = ()


def test_once_more_it_is_the_same_on_a_page_too_and_changes_no_score(
    metric: Metric, told: list[Explanation]
) -> None:
    other = copy.copy(metric)
    before = [metric.score(candidate, **side(metric, texts)).value for candidate, texts in PAIRS]
    again = []
    for first, (candidate, texts) in zip(told, PAIRS, strict=True):
        found = explained(other, Text(candidate), [Text(text) for text in texts])
        assert str(found) == str(first)
        again.append(other.score(candidate, **side(metric, texts)).value)
        unread = explained(other, candidate, texts)
        assert _explanation(unread) == _explanation(first)
        assert unread == first or math.isnan(first.value)
    assert str(again) == str(before)
    assert other.signature == metric.signature


class Page(HTMLParser):
    """Checks that tags are closed in their order, and collects the text between them."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.open: list[str] = []
        self.found: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag not in ("br", "hr", "meta", "wbr"):
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        if "style" not in self.open:
            self.found.append(data)


def test_it_becomes_html_without_unescaped_text(metric: Metric) -> None:
    sign = "<b>&amp; the \"storm' & <i>coast</i></script>"
    one = explained(metric, sign, [sign.upper()] * metric.least_references)
    page = Page()
    page.feed(one.to_html())
    page.close()
    assert page.open == []
    assert sign in "".join(page.found)
