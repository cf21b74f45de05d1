"""ROUGE through the public functions: the numbers of the original programs, and its options."""

import gzip
import itertools
import json
import pickle

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from rouge_cases import HERE, Cases
from rouge_score import rouge_scorer
from shared import shared

import summeval
from summeval.metrics.rouge.measures import ROUGE_NAMES

SCRIPT = {"1": "rouge1", "2": "rouge2", "3": "rouge3", "4": "rouge4", "L": "rougeLsum"}


def options_of(opts: str) -> dict[str, object] | None:
    """The options of `metric` that mean the script's; None where the face has no word for one."""
    words = opts.split()
    if "-t" in words or "-3" in words:
        return None
    value = dict(itertools.pairwise(words))
    return {
        "stemmer": "rouge155" if "-m" in words else None,
        "stopwords": "-s" in words,
        "max_words": int(value.get("-l", 0)),
        "max_bytes": int(value.get("-b", 0)),
        "aggregate": "best" if value.get("-f") == "B" else "average",
        "alpha": float(value.get("-p", 0.5)),
    }


def wrong_scores(cases: Cases, every: int = 1) -> list[str]:
    """The scores of the script that the face does not give to the digit."""
    wrong = []
    kept: dict[str, summeval.Suite] = {}
    for number, row in enumerate(cases.expected):
        if row["kind"] != "score" or number % every or "scores" not in row:
            continue
        case, options = cases.inputs["cases"][row["case"]], options_of(row["opts"])
        if options is None or case["format"] != "SPL":
            continue
        names = {key: SCRIPT.get(key, f"rouge{key}") for key in row["scores"]}
        key = json.dumps([row["opts"], sorted(names)])
        if key not in kept:
            kept[key] = summeval.suite(
                [summeval.metric(name, **options) for name in names.values()]
            )
        try:
            texts = [cases.content(ids).decode() for ids in (case["peer"], *case["refs"])]
        except UnicodeDecodeError:
            continue  # the face reads text, the command bytes
        found = kept[key].score(texts[0], texts[1:])
        for measure, (recall, precision, fmeasure) in row["scores"].items():
            if found[names[measure]].values() != (precision, recall, fmeasure):
                wrong.append(f"{row['case']} {row['opts']} {measure}")
    return wrong


def test_scores_are_those_that_the_script_printed():
    assert wrong_scores(Cases(HERE)) == []


def test_scores_of_real_texts_are_those_that_the_script_printed():
    assert wrong_scores(Cases(shared("data/rouge")), every=3) == []


def test_jackknife_is_the_mean_over_the_sets_that_the_script_scored():
    cases = Cases(shared("data/rouge"))
    rows = [row for row in cases.expected if row["kind"] == "jackknife"]
    assert rows
    for row in rows:
        case = cases.inputs["cases"][row["case"]]
        texts = [cases.content(ids).decode() for ids in (case["peer"], *case["refs"])]
        for measure, (recall, precision, fmeasure) in row["mean"].items():
            name = SCRIPT.get(measure, f"rouge{measure}")
            metric = summeval.metric(name, jackknife=True, **options_of(row["opts"]))
            expected = pytest.approx((precision, recall, fmeasure), abs=6e-7)
            assert metric.score(texts[0], texts[1:]).values() == expected


words = st.sampled_from(
    "the The a cat cats sat sitting running ran nation national 1,000 caf\u00e9 don't x-ray".split()
)
texts = st.lists(st.one_of(words, st.just("\n"), st.text(max_size=3)), max_size=30).map(" ".join)
NAMES = ["rouge1", "rouge2", "rouge5", "rougeL", "rougeLsum"]


@settings(max_examples=300)
@given(texts, texts, st.booleans())
def test_equals_rouge_score(candidate, reference, stem):
    expected = rouge_scorer.RougeScorer(NAMES, use_stemmer=stem).score(reference, candidate)
    suite = summeval.suite(
        [summeval.metric(name, stemmer="porter" if stem else None) for name in NAMES]
    )
    # rouge-score lowers by Unicode first; these characters become ASCII letters there
    if any(char in candidate + reference for char in "\u212a\u0130"):
        return
    found = suite.score(candidate, reference)
    for name in NAMES:
        assert found[name].values() == pytest.approx(tuple(expected[name]), abs=1e-12)


@settings(max_examples=100)
@given(texts, st.lists(texts, min_size=1, max_size=4))
def test_maximum_over_references_equals_rouge_score(candidate, references):
    if any(char in candidate + "".join(references) for char in "\u212a\u0130"):
        return
    expected = rouge_scorer.RougeScorer(NAMES).score_multi(references, candidate)
    found = summeval.score(candidate, references, NAMES)
    for name in NAMES:
        assert found[name].values() == pytest.approx(tuple(expected[name]), abs=1e-12)


@pytest.mark.parametrize("stem", [False, True])
def test_equals_rouge_score_on_real_pairs(stem):
    with gzip.open(shared("data/pairs.jsonl.gz"), "rt", encoding="utf-8") as lines:
        rows = [json.loads(line) for line in lines][:: 10 if stem else 5]
    names = ["rouge1", "rouge2", "rougeL", "rougeLsum"]
    scorer = rouge_scorer.RougeScorer(names, use_stemmer=stem)
    table = summeval.score_batch(
        [row["candidate"] for row in rows],
        [row["references"] for row in rows],
        [summeval.metric(name, stemmer="porter" if stem else None) for name in names],
    )
    for i, row in enumerate(rows):
        expected = scorer.score_multi(row["references"], row["candidate"])
        for name in names:
            found = [table[f"{name}.{field}"][i] for field in ("precision", "recall", "fmeasure")]
            assert found == pytest.approx(list(expected[name]), abs=1e-12)


some = st.lists(words, min_size=1, max_size=20).map(" ".join)


@given(some)
def test_a_text_against_itself_scores_one(text):
    units = len(summeval.text.tokens(text))
    found = summeval.score(text, text, ["rouge1", "rougeL", "rougeLsum", "rouge2"])
    assert [found[name].value for name in ("rouge1", "rougeL", "rougeLsum")] == [1, 1, 1]
    assert found["rouge2"].value == (1 if units > 1 else 0)


@given(texts, texts)
def test_swapping_the_texts_swaps_precision_and_recall(one, other):
    names = [name for name in ROUGE_NAMES if name not in ("rougeLsum", "rougeW")]
    there, back = summeval.score(one, other, names), summeval.score(other, one, names)
    for name in names:
        assert there[name].precision == back[name].recall
        assert there[name].recall == back[name].precision


@given(texts, st.lists(texts, min_size=2, max_size=4))
def test_order_and_repetition_of_references_change_nothing(candidate, references):
    for aggregate in ("max", "best"):
        metric = summeval.metric("rougeSU4", aggregate=aggregate)
        value = metric.score(candidate, references)["fmeasure" if aggregate == "max" else "recall"]
        for others in (references[::-1], [*references, references[0]]):
            again = metric.score(candidate, others)
            assert again["fmeasure" if aggregate == "max" else "recall"] == value


def test_weight_option_is_the_suffix_of_the_name():
    texts = "a b c d x e", "a b c x d e"
    suffixed = summeval.metric("rougeW-1.5").score(*texts)
    assert suffixed == summeval.metric("rougeW", weight=1.5).score(*texts)
    assert suffixed != summeval.metric("rougeW").score(*texts)


def test_a_callable_tokenizer_gives_the_tokens():
    metric = summeval.metric("rouge1", tokenizer=str.split)
    assert metric.score("don't stop", "don't STOP").recall == 0.5
    table = metric.score_batch(["a-b c", None], ["a-b", "x"])
    assert table["rouge1.recall"][0] == 1
    assert np.isnan(table["rouge1.recall"][1])
    assert metric.prepare(["a-b", "c"]).score("c").value == 1
    assert "str.split" in metric.signature


def test_a_callable_tokenizer_sees_lines_apart():
    metric = summeval.metric("rougeLsum", tokenizer=str.split)
    plain = summeval.metric("rougeLsum")
    texts = "a b c\nd e\n\nf", "d e f\na x b c"
    assert metric.score(*texts) == plain.score(*texts)


@pytest.mark.parametrize(
    ("tokenizer", "error"),
    [
        (lambda text: [1], "the tokenizer, for candidate, gave a list with int"),
        (lambda text: None, "gave NoneType; it must give a list of str"),
        (lambda text: ["\ud800"], "unpaired surrogate"),
    ],
)
def test_a_bad_callable_tokenizer_is_told(tokenizer, error):
    with pytest.raises((TypeError, ValueError), match=error):
        summeval.metric("rouge1", tokenizer=tokenizer).score("a", "a")


def test_unicode_tokenizer_reads_every_script():
    metric = summeval.metric("rouge1", tokenizer="unicode")
    assert (
        metric.score(
            "\u041f\u0440\u0438\u0432\u0435\u0442",
            "\u043f\u0440\u0438\u0432\u0435\u0442 \u043c\u0438\u0440",
        ).recall
        == 0.5
    )
    assert metric.score("\u6771\u4eac", "\u6771\u4eac\u90fd").recall == pytest.approx(2 / 3)
    assert summeval.metric("rouge1").score("\u6771\u4eac", "\u6771\u4eac").value == 0


def test_sentence_splitter_parts_a_text_without_lines():
    candidate, reference = "It rained. The cat slept.", "The cat slept. It rained."
    split = summeval.metric("rougeLsum", sentences="rules")
    assert split.score(candidate, reference).value == 1
    assert summeval.metric("rougeLsum").score(candidate, reference).value < 1
    assert "sentences:rules" in split.signature


def test_stop_words_are_the_list_or_the_users():
    assert summeval.metric("rouge1", stopwords=True).score("the cat", "a cat").value == 1
    assert summeval.metric("rouge1", stopwords=["cat"]).score("the cat", "the dog").recall == 0.5
    one, other = (summeval.metric("rouge1", stopwords=w).signature for w in (["a"], ["b"]))
    assert one != other


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"stemer": "porter"}, "unknown option of rouge1 'stemer'; did you mean stemmer"),
        ({"stemmer": "snowball"}, "stemmer is 'snowball'; choose from None, 'rouge155'"),
        ({"aggregate": "mean"}, "aggregate is 'mean'; choose from 'max', 'average', 'best'"),
        ({"alpha": 2}, "alpha is 2; give a number from 0 to 1"),
        ({"weight": 0}, "weight is 0; give a number from 1 to 5"),
        ({"weight": 1e308}, r"weight is 1e\+308; give a number from 1 to 5"),
        ({"label": ""}, "label is ''; give a str that is not empty"),
        ({"max_bytes": 2**63}, "max_bytes is 9223372036854775808; give a number"),
        ({"stopwords": ["\ud800"]}, "an unpaired surrogate; leave it out"),
        ({"max_words": -1}, "max_words is -1; give a number of at least 0"),
        ({"max_words": 3, "max_bytes": 3}, "max_words and max_bytes are both set; set one"),
        ({"tokenizer": "bpe"}, "tokenizer is 'bpe'; choose from 'rouge155', 'unicode'"),
        ({"tokenizer": str.split, "max_words": 3}, "need the tokenizer rouge155 or unicode"),
        ({"digits": 3}, "digits is 3; choose from 'auto', None, 5"),
    ],
)
def test_a_bad_option_is_told_in_a_line(options, message):
    with pytest.raises(ValueError, match=message.replace("(", r"\(")) as caught:
        summeval.metric("rouge1", **options)
    assert "\n" not in str(caught.value)


def test_a_suite_pickles_and_scores_the_same():
    suite = summeval.suite(["rouge1", summeval.metric("rouge2", stemmer="porter")])
    again = pickle.loads(pickle.dumps(suite))
    assert again.score("cats sat", "the cats sat") == suite.score("cats sat", "the cats sat")


def test_script_digits_are_rounded_and_none_are_not():
    texts = "a b c", ["a x y", "a b z"]
    rounded = summeval.metric("rouge1", aggregate="average").score(*texts)
    exact = summeval.metric("rouge1", aggregate="average", digits=None).score(*texts)
    assert rounded.values() == (0.5, 0.5, 0.5) == exact.values()
    third = summeval.metric("rouge1", aggregate="average").score("a b c", "a x y")
    assert third.recall == 0.33333
    assert summeval.metric("rouge1").score("a b c", "a x y").recall == 1 / 3
