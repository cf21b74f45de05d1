"""Rows with extracts, links, features, and the ranker of utterances."""

from __future__ import annotations

import json

import numpy as np
import pytest
from every import every

from summeval.learn.label_chain import LabelChain
from summeval.metrics.pyramid import ExtractRanker, select
from summeval.metrics.pyramid.extract_documents import Document, RowColumns, read_extracts
from summeval.metrics.pyramid.extract_features import (
    LEAST_COSINE,
    NAMES,
    centrality,
    features_of,
    links_of,
    near_cosines,
    terms_of,
)

TEXTS = ["Shall we meet on Friday?", "> Shall we meet?", "Yes.", "--", "At nine we must decide it."]
ROW = {"topic": "t", "annotator": "x", "utterances": TEXTS, "extract": [0, 4]}
DOCUMENTS = [TEXTS, ["Hi.", "We must vote on the new plan today.", "Bye."]]
EXTRACTS = [[[0, 4], [0]], [[1], [1]]]


def test_rows_are_gathered_by_topic_whatever_their_order():
    rows = [
        ROW | {"topic": topic, "annotator": who, "extract": extract}
        for topic, who, extract in (("a", "c", []), (7, "b", [4, 0]), (7, "a", [1]))
    ]
    found = read_extracts(rows)
    assert [one.topic for one in found] == ["7", "a"]
    assert (found[0].annotators, found[0].extracts) == (("a", "b"), ((1,), (0, 4)))
    assert found == read_extracts(rows[::-1])


def test_fields_of_a_document_may_be_in_one_row_only():
    more = {"speakers": ["x", "y", 1, "x", "y"], "links": [[4, 0], [2, 1]], "title": "When"}
    found = read_extracts([ROW, ROW | {"annotator": "y"} | more])
    wanted = Document(tuple(TEXTS), ("x", "y", "1", "x", "y"), ((2, 1), (4, 0)), "When")
    assert [one.document for one in found] == [wanted]


def test_columns_may_have_other_names():
    row = {"id": "t", "who": "x", "lines": TEXTS, "kept": [1]}
    columns = RowColumns("id", "who", "lines", "kept")
    assert read_extracts([row], columns)[0].extracts == ((1,),)
    with pytest.raises(ValueError, match=r"^row 1: 'lines' holds no utterances; give one or more$"):
        read_extracts([row | {"lines": []}], columns)


OTHERS = {
    "topic": ({"topic": None}, "row 2 has no 'topic'; add it, or name another column"),
    "bool": ({"topic": True}, "row 2: 'topic' is True; give a name"),
    "utterances": ({"utterances": "text"}, "row 2: 'utterances' is 'text'; give a list of texts"),
    "number": ({"utterances": [1]}, "row 2: 'utterances' holds 1 as utterance 0; give texts"),
    "none": ({"utterances": []}, "row 2: 'utterances' holds no utterances; give one or more"),
    "empty": (
        {"utterances": ["", " -- "]},
        "row 2: 'utterances' holds no words; give utterances with ASCII letters or digits",
    ),
    "surrogate": (
        {"utterances": ["a \ud800"]},
        "row 2: 'utterances' holds an unpaired surrogate; leave it out",
    ),
    "range": (
        {"extract": [5]},
        "row 2: 'extract' selects utterance 5 of 5, which are numbered from 0; correct it",
    ),
    "negative": (
        {"extract": [-1]},
        "row 2: 'extract' selects utterance -1 of 5, which are numbered from 0; correct it",
    ),
    "twice": ({"extract": [1, 1]}, "row 2: 'extract' selects utterance 1 twice; give it once"),
    "text": ({"extract": ["1"]}, "row 2: 'extract' holds '1'; give whole numbers"),
    "float": ({"extract": [1.0]}, "row 2: 'extract' holds 1.0; give whole numbers"),
    "speakers": (
        {"speakers": ["x"]},
        "row 2: 1 'speakers' for 5 utterances; give one for each",
    ),
    "speaker": (
        {"speakers": ["x", "x", None, "x", "x"]},
        "row 2: 'speakers' holds None; give names",
    ),
    "forwards": (
        {"links": [[1, 2]]},
        "row 2: 'links' holds [1, 2]; a link leads from an utterance to an earlier one",
    ),
    "to itself": (
        {"links": [[1, 1]]},
        "row 2: 'links' holds [1, 1]; a link leads from an utterance to an earlier one",
    ),
    "link range": (
        {"links": [[5, 0]]},
        "row 2: 'links' holds [5, 0], but there are 5 utterances, numbered from 0; correct it",
    ),
    "parents": (
        {"links": [[2, 0], [2, 1]]},
        "row 2: 'links' has two links from utterance 2; give each at most one",
    ),
    "link": (
        {"links": [[2]]},
        "row 2: 'links' holds [2]; give [from, to], numbers of utterances",
    ),
    "title": ({"title": 1}, "row 2: 'title' is 1; give a text"),
    "other": (
        {"utterances": ["a", *TEXTS[1:]]},
        "row 2 has other utterances than row 1, which has the same topic 't'; give the same"
        " document to all its annotators",
    ),
    "annotator": ({"annotator": "x"}, "row 2 is another row of 'x' on topic 't'; keep one"),
}


@every(("change", "message"), OTHERS.values(), ids=OTHERS)
def test_a_bad_row_is_one_line(change, message):
    with pytest.raises(ValueError) as caught:
        read_extracts([ROW, ROW | {"annotator": "y"} | change])
    assert str(caught.value) == message


def test_near_cosines_and_centrality_are_those_of_dense_vectors():
    chance = np.random.default_rng(1)
    texts = [" ".join(chance.choice(list("abcdefgh"), chance.integers(5))) for _ in range(30)]
    terms = terms_of(texts)
    dense = np.zeros((30, len(terms.names)))
    for row, text in enumerate(texts):
        for word in text.split():
            dense[row, terms.names.index(word.encode())] += 1
    dense *= np.log(31 / (dense > 0).sum(axis=0))
    dense /= np.maximum(np.linalg.norm(dense, axis=1, keepdims=True), 1e-300)
    cosines = dense @ dense.T
    for place in range(30):
        wanted = [cosines[place, place - d] if place >= d else 0.0 for d in range(1, 5)]
        assert near_cosines(terms, 4)[place] == pytest.approx(wanted)
    others = (cosines.sum(axis=1) - np.diag(cosines)) / 29
    assert centrality(terms) == pytest.approx(others)


def links(utterances, **more):
    document = Document(tuple(utterances), **more)
    return links_of(document, terms_of(utterances)).tolist()


def test_links_go_to_questions_of_others_then_quotes_then_like_utterances():
    far = [f"word{n}" for n in range(8)]
    assert links(["> When?", "Now.", "> Who?", "Me."]) == [[1, 0], [3, 2]]
    assert links(["> When?", *far, "late"]) == [[n + 1, 0] for n in range(8)]
    assert links(["the plan", *far[1:], "the plan"]) == [[8, 0]]
    assert links(["When?", "> Who?", "Me."], speakers=("a", "a", "b")) == [[2, 1]]
    assert links(["When?", "So.", "Me."], speakers=("a", "a", "b")) == [[2, 0]]
    assert links(["When?", "Now."]) == []  # it may be the same speaker
    assert links(["the plan", "a cat", "the plan"]) == [[2, 0]]
    assert links(["the plan", *far, "the plan"]) == []
    assert links(["a cat", "a dog and its owner"]) == []
    assert 0 < near_cosines(terms_of(["a cat", "a dog and its owner"]), 1)[1, 0] < LEAST_COSINE
    assert links(["> When?", "Now."], links=()) == []


def column(texts, name, **more):
    found = features_of(Document(tuple(texts), **more), terms_of(texts))
    assert found.shape == (len(texts), len(NAMES))
    assert np.isfinite(found).all()
    return found[:, NAMES.index(name)].tolist()


def test_features_say_what_their_names_say():
    texts = ["The plan.", "", "> The PLAN!", "We must go now, must we?", "see www.plan.org 2 9"]
    assert column(texts, "position:relative") == [0.0, 0.2, 0.4, 0.6, 0.8]
    assert column(texts, "length:words") == [2.0, 0.0, 2.0, 6.0, 6.0]
    assert column(texts, "length:short") == [1.0, 1.0, 1.0, 0.0, 0.0]
    assert column(texts, "lexical:title-words", title="A plan") == [1.0, 0.0, 1.0, 0.0, 1.0]
    assert column(texts, "lexical:title", title="the the") == [0.0] * 5  # a stop word
    assert column(texts, "lexical:cues") == [1.0, 0.0, 1.0, 2.0, 1.0]
    assert column(texts, "lexical:function-words")[0] == 0.5
    assert column(texts, "lexical:numbers")[4] == pytest.approx(2 / 6)
    assert column(texts, "structure:question") == [0.0, 0.0, 0.0, 1.0, 0.0]
    assert column(texts, "structure:ended") == [1.0, 0.0, 1.0, 1.0, 0.0]
    assert column(texts, "structure:quoted") == [0.0, 0.0, 1.0, 0.0, 0.0]
    assert column(texts, "structure:after-quote") == [1.0, 0.0, 0.0, 1.0, 0.0]
    assert column(texts, "structure:address") == [0.0, 0.0, 0.0, 0.0, 1.0]
    assert column(texts, "structure:capitals")[0] == 1 / 9
    assert column(texts, "structure:marks")[2] == 2 / 11
    assert column(texts, "structure:repeats") == [0.0, 0.0, 1.0, 0.0, 0.0]
    assert column(texts, "structure:repeated") == [1.0, 0.0, 0.0, 0.0, 0.0]
    assert column(texts, "previous:question") == [0.0, 0.0, 0.0, 0.0, 1.0]
    assert column(texts, "next:quoted") == [0.0, 1.0, 0.0, 0.0, 0.0]
    speakers = ("x", "y", "x", "x", "y")
    assert column(texts, "speaker:share", speakers=speakers)[:2] == [10 / 16, 6 / 16]
    assert column(texts, "speaker:first-of-turn", speakers=speakers) == [1.0, 1.0, 1.0, 0.0, 1.0]
    assert column(texts, "speaker:share") == [0.0] * 5


def test_a_ranker_is_a_label_chain_over_these_features():
    ranker = ExtractRanker(l2=0.5).fit(DOCUMENTS, EXTRACTS)
    tables = [features_of(Document(tuple(texts)), terms_of(texts)) for texts in DOCUMENTS]
    labels = [[[1, 0, 0, 0, 1], [1, 0, 0, 0, 0]], [[0, 1, 0], [0, 1, 0]]]
    chain = LabelChain(l2=0.5).fit(tables, labels)
    assert ranker.rank(TEXTS).tolist() == chain.rank(tables[0]).tolist()
    assert ranker.rank({"utterances": TEXTS}).tolist() == ranker.rank(TEXTS).tolist()
    assert ranker.rank(DOCUMENTS[1]).argmax() == 1


@pytest.mark.parametrize("rank_by", ["posterior", "cost", "prediction"])
@pytest.mark.parametrize("model", ["order0", "chain", "skip-chain"])
def test_a_ranker_is_the_same_after_saving(tmp_path, model, rank_by):
    ranker = ExtractRanker(model, 2, "local", rank_by, 2.0).fit(DOCUMENTS, EXTRACTS)
    path = tmp_path / "a.model"
    ranker.save(path, note="two documents")
    again = ExtractRanker.load(path)
    assert again.signature == ranker.signature
    assert "trained:none" not in ranker.signature
    assert again.rank(TEXTS).tolist() == ranker.rank(TEXTS).tolist()
    assert again.rank_by == rank_by
    if rank_by == "prediction":
        assert set(again.rank(TEXTS).tolist()) <= {0.0, 1.0}


def test_only_a_skip_chain_reads_links():
    rows = [{"utterances": texts, "links": [[2, 0]]} for texts in DOCUMENTS]
    for model, edges in (("chain", None), ("skip-chain", [[2, 0]])):
        ranker = ExtractRanker(model).fit(rows, EXTRACTS)
        found = ranker.describe(rows[0])[1]
        assert (found if found is None else found.tolist()) == edges
    without = {"utterances": TEXTS, "links": []}
    assert ranker.rank(without).tolist() != ranker.rank(rows[0]).tolist()


def test_rankings_do_not_depend_on_other_documents_or_their_order():
    ranker = ExtractRanker("skip-chain").fit(DOCUMENTS, EXTRACTS)
    turned = ExtractRanker("skip-chain").fit(DOCUMENTS[::-1], EXTRACTS[::-1])
    assert turned.rank(TEXTS) == pytest.approx(ranker.rank(TEXTS), abs=1e-4)


def test_files_of_other_models_are_refused(tmp_path):
    path = tmp_path / "a.model"
    LabelChain().fit([[[0.0], [1.0]]], [[[0, 1]]]).save(path)
    with pytest.raises(ValueError, match="a model of the kind 'label chain'"):
        ExtractRanker.load(path)


def test_a_model_with_other_features_is_refused(tmp_path, monkeypatch):
    path = tmp_path / "a.model"
    ExtractRanker().fit(DOCUMENTS, EXTRACTS).save(path)
    names = ("position:other", *NAMES[1:])
    monkeypatch.setattr("summeval.metrics.pyramid.ranker.NAMES", names)
    with pytest.raises(ValueError, match="it was trained with other features"):
        ExtractRanker.load(path)


@pytest.mark.parametrize(
    ("documents", "extracts", "message"),
    [
        ("text", [[[0]]], "documents is str; give a list"),
        ([], [], "0 documents and extracts of 0; give one document"),
        (DOCUMENTS, EXTRACTS[:1], "2 documents and extracts of 1;"),
        ([[]], [[[]]], r"documents\[0\] holds no utterances; give one or more"),
        ([["", "."]], [[[0]]], r"documents\[0\] holds no words;"),
        ([["a", "b"]], [[[2]]], r"extracts\[0\]\[0\] selects utterance 2 of 2"),
        ([["a", "b"]], [[[]]], "no utterance is chosen in the extracts"),
        ([["a", "b"]], [[[0, 1]]], "every utterance is chosen in the extracts"),
    ],
)
def test_what_cannot_be_learnt_from_is_one_line(documents, extracts, message):
    with pytest.raises((TypeError, ValueError), match=message):
        ExtractRanker().fit(documents, extracts)


def test_what_cannot_be_ranked_is_one_line():
    with pytest.raises(ValueError, match="not trained"):
        ExtractRanker().rank(TEXTS)
    ranker = ExtractRanker().fit(DOCUMENTS, EXTRACTS)
    for given, message in (
        ([], "document holds no utterances"),
        ("a text", "document is 'a text'; give a list of texts"),
        ({"title": "no"}, "document has no 'utterances'"),
    ):
        with pytest.raises((TypeError, ValueError), match=message):
            ranker.rank(given)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"model": "crf"}, "model is 'crf'; choose from"),
        ({"order": 4}, "order is 4; give a whole number from 1 to 3"),
        ({"order": 0}, "order is 0;"),
        ({"normalisation": "both"}, "normalisation is 'both'"),
        ({"rank_by": "score"}, "rank_by is 'score'"),
        ({"l2": 0}, "l2 is 0; give a number above 0"),
    ],
)
def test_options_are_checked(options, message):
    with pytest.raises(ValueError, match=message):
        ExtractRanker(**options)


def test_select_stops_at_the_first_that_does_not_fit():
    texts = ["a b c", "d e", "f"]
    assert select(texts, [3, 2, 1], 4) == [0]  # "f" would fit, but comes after "d e"
    assert select(texts, [1, 2, 3], 3) == [1, 2]
    assert select(texts, [1, 1, 1], 5) == [0, 1]  # ties in document order
    assert select(texts, [1, 2, 3], 0) == []
    assert select([], [], 3) == []
    assert json.dumps(select(texts, np.array([1, 2, 3]), np.int64(6))) == "[0, 1, 2]"


@pytest.mark.parametrize(
    ("utterances", "scores", "budget", "message"),
    [
        ("a b", [1], 1, "utterances is 'a b'; give a list of texts"),
        (["a", None], [1, 2], 1, r"utterances\[1\] is None; give a text"),
        (["a"], [1, 2], 1, r"scores has the shape \(2,\) for 1 utterances"),
        (["a"], ["x"], 1, "scores is \\['x'\\]; give a number"),
        (["a", "b"], [1, float("nan")], 1, r"scores\[1\] is NaN"),
        (["a"], [1], -1, "word_budget is -1; give a number of words"),
        (["a"], [1], float("nan"), "word_budget is nan"),
        (["a"], [1], "3", "word_budget is '3'"),
    ],
)
def test_select_refuses_what_it_cannot_use(utterances, scores, budget, message):
    with pytest.raises((TypeError, ValueError), match=message):
        select(utterances, scores, budget)
