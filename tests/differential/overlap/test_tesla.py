"""TESLA-S against hand-made cases, the textbook twin, the linear programme and its laws."""

import doctest
import json
import math
import pickle
import random
from itertools import product
from typing import Any

import numpy as np
import pytest
from definitions import tesla as twin
from hypothesis import given, settings
from hypothesis import strategies as st
from shared import CASE_FILES

import summeval
from summeval import TeslaS
from summeval._core.overlap.tesla import TeslaKernel
from summeval._core.text.analyzer import Analyzer
from summeval.metrics.tesla import bags
from summeval.metrics.tesla import reading as tagged
from summeval.metrics.tesla import tesla_s as tesla
from summeval.solvers import transport
from summeval.text import function_words, stemmer

CASES = {case["id"]: case for case in json.loads((CASE_FILES / "tesla.json").read_text())["cases"]}
OPTIONS: dict[str, list[Any]] = {
    "gap": [0, 1, 4, None],
    "skip_weight": ["product", "min"],
    "cross_sentences": [True, False],
    "aggregate": ["max", "max-per-bag", "average"],
    "recall_weight": [0.0, 0.5, 0.8, 1.0],
    "function_weight": [0.1, 0.0, 1.0, 1 / 3],
}


def solve(supply: Any, demand: Any, similarity: Any) -> float:
    """The optimum by HiGHS."""
    matrix = np.reshape(similarity, (len(supply), len(demand)))
    return transport(supply, demand, matrix, solver="highs").value


options = st.fixed_dictionaries({key: st.sampled_from(values) for key, values in OPTIONS.items()})

# Words of which any may be a function word here and another there: weights differ by occurrence.
words = st.tuples(st.sampled_from("abcde"), st.booleans()).map(lambda pair: twin.Word(*pair))
lines = st.lists(st.lists(words, max_size=9), min_size=1, max_size=3)
texts = st.lists(st.sampled_from("the of cat dog sat mat".split()), min_size=2, max_size=20)
plain = texts.map(" ".join)


def write(text: list[list[twin.Word]]) -> str:
    """The tagged text of some sentences."""
    return "\n".join(
        " ".join(f"{word.form}/{'DT' if word.function else 'NN'}" for word in line) for line in text
    )


def numbers(score: Any) -> list[float]:
    """All numbers of a Score, or of what the twin gives."""
    if isinstance(score, twin.TeslaScore):
        return [*score[:3], *score.unigram, *score.skip]
    parts = score.parts
    return [*score.values()[:3], *parts.unigram.values(), *parts.skip.values()]


@pytest.mark.parametrize("module", [twin, tesla, tagged, bags])
def test_examples_of_the_docstrings(module: Any) -> None:
    assert doctest.testmod(module).failed == 0


# Worked out by hand


def test_the_case_of_one_reference() -> None:
    case = CASES["tesla_s_one_model"]
    score = TeslaS().score_units(case["input"]["candidate"], case["input"]["models"])
    (expected,) = case["expect"]["per_model"]
    assert score.value == pytest.approx(case["expect"]["score"], abs=1e-12)
    for kind in ("unigram", "skip"):
        found, wanted = score.parts[kind], expected[kind]
        expected_numbers = [wanted[name] for name in "SPRF"]
        assert list(found.values()) == pytest.approx(expected_numbers, abs=1e-12)


@pytest.mark.parametrize(
    ("option", "name"), [({"gap": 2}, "window4(j-i<=3)"), ({"skip_weight": "min"}, "weight_min")]
)
def test_the_other_readings_of_the_paper(option: dict[str, Any], name: str) -> None:
    case = CASES["tesla_s_one_model"]
    score = TeslaS(**option).score_units(case["input"]["candidate"], case["input"]["models"])
    assert score.value == pytest.approx(case["alt"][name], abs=1e-12)


def test_the_case_of_identity() -> None:
    case = CASES["tesla_identity"]["input"]
    assert TeslaS().score_units(case["candidate"], case["models"]).value == 1.0


def test_the_linear_program_of_figure_1() -> None:
    case = CASES["lp_figure1_reconstructed"]
    found = solve(case["input"]["x_w"], case["input"]["y_w"], case["input"]["sim"])
    assert found == pytest.approx(case["expect"]["S"], abs=1e-9)


# Twin and linear program


@given(lines, st.lists(lines, min_size=1, max_size=3), options)
def test_kernel_equals_twin(candidate: Any, references: Any, chosen: dict[str, Any]) -> None:
    score = TeslaS(**chosen).score_units(write(candidate), [write(text) for text in references])
    expected = twin.score(candidate, references, **chosen)
    assert numbers(score) == pytest.approx(numbers(expected), rel=1e-12, abs=1e-12)


@pytest.mark.parametrize("gap", [4, 60])
def test_kernel_equals_twin_on_texts_of_many_types(gap: int) -> None:
    rng = random.Random(7)
    text = [
        [twin.Word(f"w{rng.randrange(900)}", rng.random() < 0.4) for _ in range(1500)]
        for _ in range(2)
    ]
    score = TeslaS(gap=gap).score_units(write(text[:1]), [write(text[1:])])
    expected = twin.score(text[:1], [text[1:]], gap=gap)
    assert numbers(score) == pytest.approx(numbers(expected), rel=1e-12, abs=1e-12)


# Few words and few weights: many references have the same F, with other P and R.
few = st.lists(
    st.tuples(st.sampled_from("abc"), st.booleans()).map(lambda pair: twin.Word(*pair)), max_size=6
)


@settings(max_examples=400, deadline=None)
@given(few, st.lists(few, min_size=2, max_size=4), options)
def test_ties_have_one_winner(candidate: Any, references: Any, chosen: dict[str, Any]) -> None:
    texts = write([candidate]), [write([reference]) for reference in references]
    by_twin = twin.score([candidate], [[reference] for reference in references], **chosen)
    by_programme = TeslaS(**chosen, solver="kernel").score_units(*texts)
    for other in (by_twin, by_programme):
        found = numbers(TeslaS(**chosen).score_units(*texts))
        assert found == pytest.approx(numbers(other), rel=1e-9, abs=1e-12)


@pytest.mark.parametrize("solver", [None, "highs", "kernel", "scipy"])
def test_of_equal_references_the_first_counts(solver: str | None) -> None:
    metric = TeslaS(gap=4, aggregate="max-per-bag", recall_weight=1.0, solver=solver)
    texts = "f/NN b/NN c/DT e/NN c/NN", ["c/NN", "c/NN b/DT c/DT"]
    score = metric.score_units(*texts)
    assert score.parts.unigram.recall == pytest.approx(1)  # of both: 1 of 1, and 1.2 of 1.2
    assert score.parts.unigram.precision == pytest.approx(1 / 4.1)  # that of the first
    turned = metric.score_units(texts[0], texts[1][::-1])
    assert turned.parts.unigram.precision == pytest.approx(1.2 / 4.1)
    whole = TeslaS(gap=4, aggregate="max", recall_weight=1.0, solver=solver)
    tied = "a/NN b/DT", ["a/NN", "a/NN"]
    assert whole.score_units(*tied) == whole.score_units(tied[0], tied[1][:1])


# Words of the candidate, words that it shares with the first reference, words of that, and how many
# times as many of both the second has: recall is the same, and F, which is recall here,
# comes out greater for the second by a rounding.
@pytest.mark.parametrize(
    ("length", "shared", "size", "times"),
    [(4, 1, 5, 3), (8, 1, 9, 5), (11, 1, 5, 7), (13, 3, 7, 3)],
)
def test_a_tie_that_rounding_hides_is_a_tie(
    length: int, shared: int, size: int, times: int
) -> None:
    def reference(times: int) -> str:
        own = [f"x{k}" for k in range(times * (size - shared))]
        return " ".join([f"w{k}" for k in range(times * shared)] + own)

    def rounded(times: int) -> float:
        precision, recall = times * shared / length, times * shared / (times * size)
        return recall * precision / precision

    assert rounded(times) > rounded(1)
    candidate = " ".join(f"w{k}" for k in range(length))
    for solver in (None, "kernel"):
        metric = TeslaS(aggregate="max-per-bag", recall_weight=1, function_words=[], solver=solver)
        found = metric.score(candidate, [reference(1), reference(times)]).parts.unigram
        assert found.precision == pytest.approx(shared / length)


def test_the_kernel_weighs_units_as_it_is_told() -> None:
    analyzer = Analyzer(function_words=[b"the"])
    kernel = TeslaKernel(analyzer, "x", 0, True, (3.0, 0.5), (5.0, 7.0, 11.0), "max", 0.5)
    parts = kernel.score_pair("the the cat sat", "the the cat sat")["x"].parts
    assert (parts.unigram.S, parts.skip.S) == (2 * 0.5 + 2 * 3.0, 11.0 + 7.0 + 5.0)


@given(lines, lines, st.sampled_from([0, 2, 4]), st.sampled_from(["product", "min"]))
def test_what_bags_share_is_the_optimum_of_the_linear_program(
    candidate: Any, reference: Any, gap: int, skip_weight: str
) -> None:
    metric = TeslaS(gap=gap, skip_weight=skip_weight)
    parts = metric.score_units(write(candidate), write(reference)).parts
    unigram = [twin.unigrams(text, 0.1) for text in (candidate, reference)]
    skip = [
        twin.skip_bigrams(text, 0.1, gap=gap, skip_weight=skip_weight)
        for text in (candidate, reference)
    ]
    for part, (mine, theirs) in zip(parts.values(), (unigram, skip), strict=True):
        similarity = [[float(a == b) for b, _ in theirs] for a, _ in mine]
        optimum = solve([w for _, w in mine], [w for _, w in theirs], similarity)
        assert abs(part.S - optimum) < 1e-9


@given(plain, plain, st.sets(st.sampled_from(["the", "of", "sat"])))
def test_a_word_list_does_what_tags_do(candidate: str, reference: str, functions: set[str]) -> None:
    def tags(text: str) -> str:
        return " ".join(f"{w}/{'DT' if w in functions else 'NN'}" for w in text.split())

    metric = TeslaS(function_words=functions)
    assert metric.score(candidate, reference) == metric.score_units(
        tags(candidate), tags(reference)
    )


# Laws


@given(plain, st.lists(plain, max_size=3), st.sampled_from(OPTIONS["aggregate"]))
def test_identity_scores_1(text: str, others: list[str], aggregate: str) -> None:
    assert TeslaS(aggregate=aggregate).score(text, [text, text]).value == 1.0
    if aggregate != "average":
        assert TeslaS(aggregate=aggregate).score(text, [*others, text]).value == 1.0


@given(lines, lines, options)
def test_swapping_sides_swaps_precision_and_recall(
    one: Any, other: Any, chosen: dict[str, Any]
) -> None:
    there = TeslaS(**chosen).score_units(write(one), write(other))
    chosen["recall_weight"] = 1.0 - chosen["recall_weight"]
    back = TeslaS(**chosen).score_units(write(other), write(one))
    assert (there.precision, there.recall, there.fmeasure) == pytest.approx(
        (back.recall, back.precision, back.fmeasure), abs=1e-12
    )


@given(plain, st.lists(plain, min_size=2, max_size=4), st.randoms(use_true_random=False))
def test_the_order_of_references_does_not_matter(
    text: str, references: list[str], rng: random.Random
) -> None:
    shuffled = rng.sample(references, len(references))
    for aggregate in OPTIONS["aggregate"]:
        metric = TeslaS(aggregate=aggregate)
        one, other = metric.score(text, references).value, metric.score(text, shuffled).value
        assert one == (pytest.approx(other, abs=1e-12) if aggregate == "average" else other)


@given(plain, st.lists(plain, min_size=1, max_size=3), st.integers(0, 2))
def test_a_repeated_reference_changes_nothing(text: str, references: list[str], which: int) -> None:
    again = [*references, references[which % len(references)]]
    for aggregate in ("max", "max-per-bag"):
        metric = TeslaS(aggregate=aggregate)
        assert metric.score(text, again) == metric.score(text, references)


@given(plain, plain)
def test_without_function_words_and_gap_it_counts_words_and_bigrams(
    candidate: str, reference: str
) -> None:
    parts = TeslaS(function_words=[], gap=0).score(candidate, reference).parts
    rouge = summeval.score(candidate, reference, ["rouge1", "rouge2"])
    assert parts.unigram.recall == rouge["rouge1"].recall
    assert parts.skip.precision == rouge["rouge2"].precision


def test_the_score_is_the_mean_of_both_parts() -> None:
    score = TeslaS().score("the cat sat on a mat", "a cat sat down on the mat")
    unigram, skip = score.parts.unigram, score.parts.skip
    for field in TeslaS.fields:
        assert score[field] == (unigram[field] + skip[field]) / 2


def test_max_takes_one_reference_and_max_per_bag_one_for_each_bag() -> None:
    candidate = "one two three four five"
    references = ["five three one four two", "one two three"]
    alone = [TeslaS().score(candidate, reference) for reference in references]
    best = max(alone, key=lambda score: score.value)
    assert TeslaS().score(candidate, references) == best
    parts = TeslaS(aggregate="max-per-bag").score(candidate, references).parts
    assert parts.unigram == alone[0].parts.unigram
    assert parts.skip == alone[1].parts.skip
    mean = TeslaS(aggregate="average").score(candidate, references)
    assert mean.value == pytest.approx((alone[0].value + alone[1].value) / 2, abs=1e-15)


# One way or another


@given(
    st.lists(
        st.tuples(st.none() | plain, st.none() | st.lists(st.none() | plain, max_size=3)),
        max_size=20,
    ),
    options,
    st.integers(1, 4),
)
def test_batch_single_and_threads_agree_to_the_bit(
    rows: Any, chosen: dict[str, Any], workers: int
) -> None:
    metric = TeslaS(**chosen)
    candidates = [candidate for candidate, _ in rows]
    references = [texts for _, texts in rows]
    table = metric.score_batch(candidates, references, workers=workers)
    for row, (candidate, given_references) in enumerate(rows):
        score = metric.score(candidate, given_references)
        prepared = metric.prepare(given_references)
        assert repr(prepared.score(candidate)) == repr(score)
        many = prepared.score_batch([candidate, None, candidate], workers=workers)
        for field in TeslaS.fields:
            found = table[f"tesla-s.{field}"][row]
            assert repr(float(found)) == repr(score[field])
            assert repr(many[f"tesla-s.{field}"].tolist()) == repr(
                [score[field], math.nan, score[field]]
            )


def test_threads_agree_on_many_rows() -> None:
    rng = np.random.default_rng(3)
    vocabulary = [*sorted(function_words.english())[:40], *(f"w{i}" for i in range(80))]
    rows = [" ".join(rng.choice(vocabulary, rng.integers(0, 40))) for _ in range(1500)]
    one = TeslaS().score_batch(rows[:750], rows[750:])
    four = TeslaS().score_batch(rows[:750], rows[750:], workers=4)
    assert all(np.array_equal(one[name], four[name]) for name in one.columns)


def test_nothing_to_score_is_nan_and_an_empty_text_is_0() -> None:
    metric = TeslaS()
    for candidate, references in ((None, ["a b"]), ("a b", None), ("a b", []), ("a b", [None])):
        assert all(math.isnan(number) for number in numbers(metric.score(candidate, references)))
        score = metric.score_units(candidate and "a/NN b/NN", references and [None])
        assert math.isnan(score.value)
    for candidate, reference in (("", "a b"), ("a b", ""), ("", ""), ("...", "a b")):
        assert metric.score(candidate, reference).value == 0.0


# Reading


def test_case_counts_where_it_is_kept() -> None:
    metric = TeslaS(case="keep")
    assert metric.score("Police ARRESTED", "police arrested").value == 0.0
    assert metric.score("Police the", "Police The").parts.unigram.S == 1.0
    assert metric.score("The man", "The man").parts.unigram.S == 1.1
    unicode = TeslaS(case="keep", tokenizer="unicode")
    assert unicode.score("Élan Ärger", "Élan ärger").parts.unigram.S == 1.0
    assert TeslaS(tokenizer="unicode").score("Élan Ärger", "ÉLAN ärger").value == 1.0
    assert metric.score_units("The/DT man/NN", "the/DT man/NN").parts.unigram.S == 1.0


@given(st.text(max_size=40), st.sampled_from(["rouge155", "unicode"]))
def test_case_is_all_that_lower_casing_changes(text: str, tokenizer: str) -> None:
    # ASCII capitals alone, for some letters fold to several, and so do not come back
    lower = "".join(c.lower() if c.isascii() else c for c in text)
    kept = TeslaS(case="keep", tokenizer=tokenizer, function_words=[])
    folded = TeslaS(tokenizer=tokenizer, function_words=[])
    assert kept.score(lower, lower + " x y") == folded.score(text, text + " X y")


def test_function_words_are_told_before_stemming_and_in_any_case() -> None:
    stem = stemmer("rouge155")
    assert stem("ours") == stem("our") == "our"
    metric = TeslaS(stemmer="rouge155", function_words=["our", "CITIES"])
    parts = metric.score("Our cities", "ours city").parts
    # ours and city are no function words, but have the stems of two: the lighter side counts
    assert parts.unigram.S == 0.2
    assert parts.unigram.recall == pytest.approx(0.1)


def test_stems_are_compared_where_wanted() -> None:
    assert TeslaS().score("bombing cities", "bombed city").value == 0.0
    assert TeslaS(stemmer="rouge155").score("bombing cities", "bombed city").value == 1.0
    assert (
        TeslaS(stemmer="rouge155").score_units("Bombing/VBG", "bombed/VBD").parts.unigram.S == 1.0
    )


def test_punctuation_is_dropped_or_kept_as_function_words() -> None:
    text = "-LRB-/-LRB- yes/NN ,/, sir/NN ./."
    dropped, kept = TeslaS(), TeslaS(keep_punctuation=True)
    assert dropped.score_units(text, text).parts.unigram.S == 2.0
    assert round(kept.score_units(text, text).parts.unigram.S, 12) == 2.3
    split = TeslaS(keep_punctuation=True, tokenizer=str.split)
    assert split.score("Cat , sir .", "cat , sir !").parts.unigram.S == 2.1


def test_a_callable_gives_the_tokens() -> None:
    metric = TeslaS(tokenizer=str.split)
    score = metric.score("The state-of-the-art , today", "the state-of-the-art")
    assert score.parts.unigram.S == 1.1
    assert metric.score_batch(["The art"], ["the art"])["tesla-s"].tolist() == [1.0]
    assert metric.prepare("the art").score("The , ART").value == 1.0
    with pytest.raises(TypeError, match="the tokenizer, for candidate, gave a list with int"):
        TeslaS(tokenizer=lambda text: [1]).score("a", "a")


def test_skip_bigrams_cross_sentences_unless_told_otherwise() -> None:
    apart, crossed = TeslaS(cross_sentences=False), TeslaS()
    assert crossed.score("cat\nsat", "cat sat").parts.skip.S == 1.0
    assert apart.score("cat\nsat", "cat sat").parts.skip.S == 0.0
    assert apart.score_units("cat/NN\nsat/NN", "cat/NN sat/NN").parts.skip.S == 0.0
    split = TeslaS(cross_sentences=False, sentences=lambda text: text.split(". "))
    assert split.score("cat. sat", "cat\nsat").parts.skip.S == 0.0
    assert apart.score("cat. sat", "cat sat").parts.skip.S == 1.0


def test_tags_say_what_a_function_word_is() -> None:
    metric = TeslaS(function_tags=["NN"], function_weight=0.25)
    assert metric.score_units("cat/NN the/DT", "cat/NN the/DT").parts.unigram.S == 1.25
    assert metric.score("cat of", "cat of").parts.unigram.S == 1.25


# The face


def test_it_stands_beside_the_others() -> None:
    assert "tesla-s" in summeval.list_metrics()
    two = [TeslaS(), TeslaS(gap=0, label="close")]
    scores = summeval.score("the cat sat", ["the dog sat"], ["rouge1", *two])
    assert list(scores) == ["rouge1", "tesla-s", "close"]
    table = summeval.score_batch(["the cat sat"], ["the dog sat"], ["rouge1", *two])
    assert table.columns[3:6] == ["tesla-s.precision", "tesla-s.recall", "tesla-s.fmeasure"]
    assert table["close"].tolist() == [scores["close"].value] != [scores["tesla-s"].value]


def test_metrics_with_other_numbers_have_other_signatures() -> None:
    signatures = {
        TeslaS(**dict(zip(OPTIONS, values, strict=True))).signature
        for values in product(*OPTIONS.values())
    }
    assert len(signatures) == math.prod(map(len, OPTIONS.values()))
    for option in (
        {"case": "keep"},
        {"stemmer": "rouge155"},
        {"keep_punctuation": True},
        {"function_tags": ["DT"]},
        {"function_words": ["the"]},
        {"tokenizer": "unicode"},
    ):
        signatures.add(TeslaS(**option).signature)  # type: ignore[arg-type]
    assert len(signatures) == math.prod(map(len, OPTIONS.values())) + 6


def test_metrics_and_scores_pickle() -> None:
    metric = TeslaS(gap=2)
    score = metric.score_units("the/DT cat/NN", "a/DT cat/NN")
    again = pickle.loads(pickle.dumps(metric))
    assert again.signature == metric.signature
    assert again.score_units("the/DT cat/NN", "a/DT cat/NN") == score
    assert pickle.loads(pickle.dumps(score)) == score


# Bad input


@pytest.mark.parametrize(
    ("option", "message"),
    [
        ({"gap": -1}, "gap is -1; give a number of tokens, or None for any"),
        ({"gap": 1.5}, "gap is 1.5"),
        ({"gap": True}, "gap is True"),
        ({"recall_weight": 1.1}, "recall_weight is 1.1; give a number from 0 to 1"),
        ({"function_weight": "x"}, "function_weight is 'x'"),
        ({"skip_weight": "sum"}, "skip_weight is 'sum'; choose from 'product', 'min'"),
        ({"aggregate": "best"}, "choose from 'max', 'max-per-bag', 'average'"),
        ({"tokenizer": "bert"}, "tokenizer is 'bert'"),
        ({"stemmer": "poter"}, "stemmer is 'poter'"),
        ({"stemmer": "rouge155", "case": "keep"}, "stemmer is .rouge155. and case .keep."),
        ({"function_wods": []}, "did you mean function_words"),
    ],
)
def test_what_an_option_does_not_take_is_refused(option: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        summeval.metric("tesla-s", **option)


@pytest.mark.parametrize("option", ["function_words", "function_tags"])
def test_a_str_is_no_list_of_words(option: str) -> None:
    with pytest.raises(TypeError, match=f"{option} is a str"):
        summeval.metric("tesla-s", **{option: "the of"})


@pytest.mark.parametrize("token", ["cat", "/NN", "cat/", "/"])
def test_a_token_without_word_or_tag_is_named(token: str) -> None:
    with pytest.raises(ValueError, match=f"candidate: token 2 of line 2, '{token}', is not"):
        TeslaS().score_units(f"a/DT\nbig/JJ {token}", ["a/DT"])
    with pytest.raises(ValueError, match=r"references\[1\]: token 1 of line 1"):
        TeslaS().score_units("a/DT", [None, token])


def test_texts_that_are_no_texts_are_refused() -> None:
    for score in (TeslaS().score, TeslaS().score_units):
        with pytest.raises(TypeError, match="candidate is int"):
            score(5, ["a/DT"])  # type: ignore[arg-type]
        with pytest.raises(TypeError, match=r"references\[0\] is float"):
            score("a/DT", [0.5])  # type: ignore[list-item]
        with pytest.raises(ValueError, match="surrogate"):
            score("a\ud800/DT", ["a/DT"])
    with pytest.raises(ValueError, match=r"candidates\[1\] contains an unpaired surrogate"):
        TeslaS().score_batch(["a", "\ud800"], ["a", "a"])


def test_too_many_pairs_are_refused() -> None:
    text = " ".join(f"w{i}" for i in range(6000))
    with pytest.raises(ValueError, match="row 0: too many skip-bigrams; set a smaller gap"):
        TeslaS(gap=None).score_batch([text], [text])


@given(st.text(), st.text())
def test_any_text_has_a_score(candidate: str, reference: str) -> None:
    for tokenizer in ("rouge155", "unicode", list):
        score = TeslaS(tokenizer=tokenizer, keep_punctuation=True).score(candidate, reference)
        assert all(number >= 0 for number in numbers(score))
        assert max(score.precision, score.recall, score.fmeasure) <= 1 + 1e-12
