"""What the divergence of SIMetrix comes from, by hand."""

from __future__ import annotations

from math import fsum, log

import pytest

from summeval import Simetrix
from summeval.metrics.simetrix import MOST_WORDS


def test_each_word_has_its_term_of_the_divergence() -> None:
    told = Simetrix().explain(
        "Bridges fell. A bridge!", source=["The bridge", "closed bridge: closed"]
    )
    # bridge 2 of 3 and 2 of 4, fell 1 of 3, closed 2 of 4
    both = (2 / 3 + 1 / 2) / 2
    wanted = {
        "Bridges": (2 / 3 * log(2 / 3 / both) + 1 / 2 * log(1 / 2 / both)) / 2,
        "fell": log(2) / 6,
        "closed": log(2) / 4,
    }
    assert {item.text: item.share for item in told.items} == pytest.approx(wanted)
    bridges, fell, closed = told.items
    assert (bridges.kind, fell.kind, closed.kind) == ("match", "extra", "missing")
    assert bridges.candidate_spans == ((0, 7), (16, 22))
    assert bridges.source_spans == ((0, 4, 10), (1, 7, 13))
    assert closed.reference_spans == ()
    assert bridges.details == {"candidate": 2.0, "source": 2.0}


def test_the_logarithm_is_that_of_the_options() -> None:
    metric = Simetrix(preset="2013")
    told = metric.explain("bridge", source="house")
    assert [item.share for item in told.items] == pytest.approx([0.5, 0.5])
    assert told.value == metric.score("bridge", source="house").value


def test_words_of_a_long_source_are_told_by_their_share_and_then_together() -> None:
    words = [f"w{number}x" for number in range(MOST_WORDS + 50)]
    source = " ".join([*words, "w7x", "w7x"])
    told = Simetrix().explain("bridge", source=source)
    assert len(told.items) == 1 + MOST_WORDS + 1
    assert told.items[1].text == "w7x"
    rest = told.items[-1]
    assert (rest.text, rest.kind) == ("50 other words", "part")
    assert rest.details == {"source": 50.0}
    assert fsum(item.share for item in told.items) == pytest.approx(told.value, abs=1e-12)


@pytest.mark.parametrize("candidate", ["", "the of"])
def test_a_summary_without_words_has_one_item(candidate: str) -> None:
    told = Simetrix().explain(candidate, source="The bridge closed.")
    assert [(item.text, item.share) for item in told.items] == [("no words", log(2))]


def test_lines_of_punctuation_are_words_of_the_program() -> None:
    metric = Simetrix(compat="simetrix-1")
    told = metric.explain("bridge\n---", source="bridge")
    assert fsum(item.share for item in told.items) == pytest.approx(told.value, abs=1e-12)
    assert all(item.text for item in told.items)
