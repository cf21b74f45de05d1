"""The word counts that the package brings, and SIMetrix with them."""

from __future__ import annotations

import math
import pickle

import pytest

import summeval
from summeval import Simetrix
from summeval.text.background import shipped_counts, shipped_idf
from summeval.text.stopwords import rouge155

SOURCE = [
    "The bridge over the Tamm was closed on Tuesday after engineers found cracks in its piers.",
    "Engineers closed the bridge because of cracks. The bridge will stay closed for months.",
]


def test_counts_are_those_of_a_corpus_of_the_size_of_the_program() -> None:
    counts = shipped_counts(None)
    assert 1_500_000 < sum(counts.values()) < 1_607_568
    assert min(counts.values()) == 1
    assert not {word.decode() for word in counts} & rouge155()
    assert counts[b"time"] > counts[b"bridge"] > counts[b"bailiff"] > 0
    assert counts[b"2004"] > 0


def test_counts_of_a_stem_are_added() -> None:
    plain, stems = shipped_counts(None), shipped_counts("porter-java")
    forms = [word for word in plain if word in (b"bridge", b"bridges", b"bridged", b"bridging")]
    assert stems[b"bridg"] == sum(plain[word] for word in forms)
    assert sum(plain.values()) == sum(stems.values())


def test_idf_is_that_of_occurrences_in_any_documents() -> None:
    counts, idf = shipped_counts("porter-java"), shipped_idf("porter-java")
    for stem in (b"bridg", b"time"):
        documents = 5000 * (1 - math.exp(-counts[stem] / 5000))
        assert idf[stem] == pytest.approx(math.log(5000 / documents), rel=1e-12)
    assert 0 < min(idf.values()) < max(idf.values()) < math.log(5001)


def test_every_field_has_a_number_without_an_option() -> None:
    score = summeval.score("Cracks closed the bridge.", source=SOURCE, metrics=["simetrix"])
    assert all(map(math.isfinite, score["simetrix"]))
    assert score["simetrix"].percentTopicTokens == 1
    assert Simetrix().topic_words(SOURCE) == ["bridg", "close", "crack", "tamm"]


def test_only_the_topic_fields_depend_on_the_background() -> None:
    shipped, bare = Simetrix(), Simetrix(background=None)
    text = "Cracks closed the bridge."
    (found, without) = (metric.score(text, source=SOURCE) for metric in (shipped, bare))
    for field, number in without.items():
        assert math.isnan(number) if "opic" in field else found[field] == number


def test_the_signature_names_the_table() -> None:
    assert "|background:wordfreq-3.1.1|idf:none|" in str(Simetrix().signature)
    assert "|idf:wordfreq-3.1.1|" in str(Simetrix(idf="wordfreq").signature)
    assert "|background:none|" in str(Simetrix(background=None).signature)


def test_the_table_is_not_part_of_a_pickle() -> None:
    metric = Simetrix(idf="wordfreq")
    expected = metric.score("a bridge", source=SOURCE)
    kept = pickle.dumps(metric)
    assert len(kept) < 50_000
    assert pickle.loads(kept).score("a bridge", source=SOURCE) == expected


def test_shipped_idf_weighs_rare_words_more() -> None:
    weighed, plain = Simetrix(idf="wordfreq"), Simetrix()
    rare, common = (
        metric.score("engineers", source=SOURCE).cosineAllWords
        / metric.score("months", source=SOURCE).cosineAllWords
        for metric in (weighed, plain)
    )
    assert rare > common


@pytest.mark.parametrize("stemmer", [None, "porter", "rouge155"])
def test_shipped_tables_take_any_stemmer(stemmer: str | None) -> None:
    score = Simetrix(stemmer=stemmer, idf="wordfreq").score("cracks", source=SOURCE)
    assert all(map(math.isfinite, score))
