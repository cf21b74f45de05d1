"""How an explanation is shown: marks, text with and without colours, HTML."""

from __future__ import annotations

import io
import math
import pickle
import sys
from dataclasses import replace

import pytest

import summeval
from summeval.metrics.run.explain.explanation import ExplainedItem, Explanation
from summeval.metrics.run.explain.shown import marked_texts, marks

CANDIDATE, REFERENCE = "the old cat sat", "the cat \x1b[31m<ran>"
TOLD = Explanation(
    "mine",
    0.5,
    (
        ExplainedItem("the", ((0, 3),), ((0, 0, 3),), 0.25),
        ExplainedItem("old cat", ((4, 11),), ((0, 4, 7),), 0.5, {"weight": 2.0}),
        ExplainedItem("<ran>", (), ((0, 13, 18),), 0.0),
        ExplainedItem("sat", ((12, 15),), (), 0.0),
        ExplainedItem("intercept", (), (), -0.25),
    ),
    CANDIDATE,
    (REFERENCE, "unused"),
    ("a source",),
)


def test_kinds_of_items() -> None:
    kinds = ["match", "match", "missing", "extra", "part"]
    assert [item.kind for item in TOLD.items] == kinds
    assert ExplainedItem("a", ((0, 1),), (), 0.1, source_spans=((0, 0, 1),)).kind == "match"
    assert ExplainedItem("a", (), (), 0.1, source_spans=((0, 0, 1),)).kind == "missing"


def test_an_item_is_a_value() -> None:
    item = TOLD.items[1]
    assert replace(item, share=0.1).share == 0.1
    assert replace(item) == item == pickle.loads(pickle.dumps(item))
    with pytest.raises(AttributeError):
        item.share = 3.0  # type: ignore[misc]
    first, second = ExplainedItem("a", (), (), 0.0), ExplainedItem("a", (), (), 0.0)
    assert first.details is not second.details


def test_overlapping_items_share_a_mark() -> None:
    items = (
        ExplainedItem("ab", ((0, 3),), ((0, 0, 3),), 0.5),
        ExplainedItem("bc", ((2, 5), (5, 6)), (), 0.0),
    )
    found = marks(Explanation("m", 0.5, items, "a b c d"), "candidate")
    assert [mark[:3] for mark in found] == [
        (0, 2, "match"),
        (2, 3, "match"),
        (3, 5, "extra"),
        (5, 6, "extra"),
    ]
    assert [len(mark.items) for mark in found] == [1, 2, 1, 1]
    assert [mark.weight for mark in found] == [0.5, 0.5, 0.0, 0.0]


def test_the_places_of_an_item_share_its_weight() -> None:
    item = ExplainedItem("a", ((0, 1), (2, 3)), ((0, 0, 1),), -0.5)
    told = Explanation("m", -0.5, (item,), "a a", ("a",))
    weights = [mark.weight for side in ("candidate", "reference") for mark in marks(told, side)]
    assert weights == [0.25, 0.25, 0.5]


def test_each_text_has_a_name() -> None:
    names = [(text.name, len(text.marks)) for text in marked_texts(TOLD)]
    assert names == [("candidate", 3), ("reference 1", 3), ("reference 2", 0), ("source", 0)]


def test_plain_text() -> None:
    assert TOLD.to_text(colour=False) == (
        "mine 0.5000\n"
        "  +0.250  the  <-  the cat \\x1b[31m<ran>\n"
        "  +0.500  old cat  weight 2.00  <-  the cat \\x1b[31m<ran>\n"
        "  -0.250  intercept\n"
        "  missing: <ran>\n"
        "  extra: sat"
    )


def test_a_terminal_gets_colours_and_no_codes_of_the_texts() -> None:
    lines = TOLD.to_text(colour=True).split("\n")
    green, red, grey, end = "\x1b[1;32m", "\x1b[31m", "\x1b[90m", "\x1b[0m"
    assert lines[1] == f"  candidate: {green}the{end} {green}old cat{end} {grey}sat{end}"
    assert lines[2] == (f"  reference 1: {green}the{end} {green}cat{end} \\x1b[31m{red}<ran>{end}")
    assert lines[-2:] == [f"  missing: {red}<ran>{end}", f"  extra: {grey}sat{end}"]


class Terminal(io.StringIO):
    """A standard output that says that it is one."""

    def isatty(self) -> bool:
        return True


@pytest.mark.parametrize(
    ("terminal", "variables", "coloured"),
    [
        (True, {}, True),
        (False, {}, False),
        (True, {"NO_COLOR": "1"}, False),
        (True, {"NO_COLOR": ""}, True),
        (False, {"FORCE_COLOR": "1"}, True),
        (True, {"TERM": "dumb"}, False),
        (True, {"FORCE_COLOR": "1", "NO_COLOR": "1"}, False),
    ],
)
def test_str_has_colours_where_they_are_shown(
    monkeypatch: pytest.MonkeyPatch, terminal: bool, variables: dict[str, str], coloured: bool
) -> None:
    for name in ("NO_COLOR", "FORCE_COLOR", "TERM"):
        monkeypatch.delenv(name, raising=False)
    for name, value in variables.items():
        monkeypatch.setenv(name, value)
    monkeypatch.setattr(sys, "stdout", Terminal() if terminal else io.StringIO())
    assert ("\x1b" in str(TOLD)) == coloured


def test_without_standard_output_there_are_no_colours(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("FORCE_COLOR", raising=False)
    monkeypatch.setattr(sys, "stdout", None)
    assert str(TOLD) == TOLD.to_text(colour=False)


def test_many_words_that_add_nothing_are_cut() -> None:
    text = " ".join(f"w{k}" for k in range(60))
    lines = summeval.metric("rouge1").explain(text, "nothing").to_text(colour=False).split("\n")
    assert lines[1] == "  missing: nothing"
    assert lines[2].endswith("w38, w39, and 20 more")


def test_html_tells_kinds_by_words_and_lines() -> None:
    page = TOLD.to_html()
    for kind, line in (("match", "solid"), ("missing", "dashed"), ("extra", "dotted")):
        assert f"underline {line}" in page
        assert f'<mark class="{kind}' in page
    assert 'title="old cat: match +0.500"' in page
    assert 'title="&lt;ran&gt;: missing"' in page
    assert "<summary>1 reference, which does not count</summary>" in page
    assert "\ufffd[31m" in page  # a character that HTML does not allow
    assert page.count("<script") == page.count("http") == 0
    assert TOLD._repr_html_() == page
    style = page[page.index("<style") : page.index("</style>") + len("</style>")]
    assert TOLD.to_html(style=False) == page.replace(style, "")


def test_how_much_a_part_adds_is_told_by_its_ground() -> None:
    page = TOLD.to_html(style=False)
    candidate = page[page.index("<h4>candidate") : page.index("<h4>reference")]
    assert 'class="match l2"' in candidate  # the, half of the most
    assert 'class="match l4"' in candidate


def test_the_parts_of_a_combination_are_shown_within() -> None:
    whole = Explanation("both", 0.5, (), CANDIDATE, (REFERENCE,), (), (TOLD,))
    assert "\n  mine 0.5000\n    +0.250  the" in whole.to_text(colour=False)
    assert "<summary>mine 0.5000</summary>" in whole.to_html()
    assert whole.to_dict()["parts"][0]["metric"] == "mine"


def test_a_value_that_is_none_is_shown() -> None:
    told = Explanation("mine", math.nan, (), "a")
    assert str(told.to_text(colour=False)) == "mine nan"
    assert "<h3>mine nan</h3>" in told.to_html()
