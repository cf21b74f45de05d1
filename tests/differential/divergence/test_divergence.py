"""SIMetrix gives the numbers of the program SIMetrix, version 1, and of its textbook twin."""

from __future__ import annotations

import json
import math
import pickle
from collections import Counter
from typing import Any

import numpy as np
import pytest
from definitions import divergence as twin
from every import every
from hypothesis import example, given
from hypothesis import strategies as st
from shared import CASE_FILES

import summeval
from summeval import Simetrix
from summeval._core.divergence import divergence as kernel

GOLDEN = json.loads((CASE_FILES / "simetrix.json").read_text())
RESOURCES = GOLDEN["simetrix_resources"]
CASES = [case for case in GOLDEN["cases"] if case["kind"] == "simetrix"]
BRIDGE = CASES[0]["input"]["documents"]
LN2 = math.log(2)

words = st.text("abcd", min_size=1, max_size=2)
texts = st.lists(words, max_size=30).map(" ".join)
filled = st.lists(words, min_size=1, max_size=30).map(" ".join)
tables = st.dictionaries(words, st.integers(1, 50), min_size=1, max_size=10)
weights = st.dictionaries(words, st.floats(0, 9), max_size=10)


def program(case: dict[str, Any], **options: Any) -> Simetrix:
    """SIMetrix as a case of the program sets it."""
    given = case["input"]
    idf = RESOURCES["idf_stemmed" if given["stem"] else "idf_unstemmed"]
    chosen = {
        "stemmer": "porter-java" if given["stem"] else None,
        "stopwords": given["remove_stopwords"],
        "topic_cutoff": given["topic_cutoff"],
        "gamma": given["gamma"],
        "background": RESOURCES["background_counts_unstemmed"],
        "idf": (idf, RESOURCES["idf_total_docs"]),
        "compat": "simetrix-1",
    }
    return Simetrix(**(chosen | options))


def numbers(score: Any) -> list[float]:
    return [score[field] for field in Simetrix.fields]


def letters(**options: Any) -> Simetrix:
    """SIMetrix of words that are neither stemmed nor stop words."""
    return Simetrix(stemmer=None, stopwords=False, **options)


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["id"])
def test_numbers_are_those_of_the_program(case: dict[str, Any]) -> None:
    score = program(case).score(case["input"]["summary"], source=case["input"]["documents"])
    expected = [case["expected"][field] for field in Simetrix.fields]
    assert numbers(score) == pytest.approx(expected, abs=case["tolerance"])


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["id"])
def test_words_are_those_of_the_program(case: dict[str, Any]) -> None:
    metric, given, expected = program(case), case["input"], case["expected"]
    summary, source = metric.counts(given["summary"]), metric.counts(given["documents"])
    assert metric.topic_words(given["documents"]) == expected["topic_words"]
    assert [len(summary), sum(summary.values())] == [
        expected["summary_types"],
        expected["summary_tokens"],
    ]
    assert [len(source), sum(source.values())] == [
        expected["input_types"],
        expected["input_tokens"],
    ]
    assert summary == expected.get("summary_counts", summary)
    ratios = metric.likelihood_ratios(given["documents"])
    assert ratios == pytest.approx(expected.get("input_llr_log10", ratios), abs=1e-9)


def test_divergence_of_counts_is_that_of_the_hand_case() -> None:
    case = next(case for case in GOLDEN["cases"] if case["kind"] == "jsd")
    score = Simetrix().score_counts(case["input"]["q"], case["input"]["p"])
    assert score.unsmoothedJSD == pytest.approx(case["expected"], abs=case["tolerance"])


# ------------------------------------------------------------------------------- kernel = twin


@pytest.mark.parametrize("article", [False, True], ids=["simetrix", "2013"])
@pytest.mark.parametrize("compat", [False, True], ids=["nan", "compat"])
@example(sides=("a a b", "a c"), background={"a": 1}, idf={"a": 1.2e-154, "b": 1e-154, "c": 3e-154})
@given(sides=st.tuples(texts, texts), background=tables, idf=weights)
def test_kernel_is_its_twin(
    article: bool,
    compat: bool,
    sides: tuple[str, str],
    background: dict[str, int],
    idf: dict[str, float],
) -> None:
    summary, source = sides
    metric = letters(
        preset="2013" if article else "simetrix",
        background=background,
        idf=(idf, 20),
        topic_cutoff=0.5,
        compat="simetrix-1" if compat else None,
    )
    expected = twin.features(
        Counter(summary.split()),
        Counter(source.split()),
        background=background,
        idf=idf,
        unknown_idf=math.log(20),
        gamma=0.0005 if article else 0.005,
        log_scale=1 / LN2 if article else 1.0,
        ratio_scale=1.0 if article else 1 / math.log(10),
        topic_cutoff=0.5,
        compat=compat,
    )
    found = numbers(metric.score(summary, source=source))
    assert found == pytest.approx(list(expected), rel=1e-12, abs=1e-12, nan_ok=True)


@given(st.integers(0, 10**6), st.integers(1, 10**6), st.integers(0, 10**9), st.integers(1, 10**9))
def test_likelihood_ratio_is_its_twin(word: int, rest: int, outside: int, others: int) -> None:
    background = {"w": outside, "x": others}
    metric = Simetrix(background=background, llr_log="ln")
    found = metric._runner_kernel.likelihood_ratios({b"w": word, b"y": rest})[0]
    expected = twin.likelihood_ratio(word, word + rest, outside, outside + others)
    scale = sum(count * math.log(2 + count) for count in (word, rest, outside, others))
    assert found == pytest.approx(expected, abs=1e-14 * scale)


@pytest.mark.parametrize("n", [1, 2, 170, 171, 255, 256, 257, 5000, 10**6, 10**12])
def test_factorials_are_those_of_the_gamma_function(n: int) -> None:
    score = Simetrix().score_counts({"a": n, "b": 1}, {"c": 1})
    assert score.unigramProb == 0
    assert score.multinomialProb == pytest.approx(math.log10(n + 1), abs=1e-9 * n**0.5)


@given(filled, st.lists(texts, min_size=1, max_size=3))
def test_counts_score_as_the_text_does(summary: str, documents: list[str]) -> None:
    metric = Simetrix(background={"ab": 3, "cd": 9}, compat="simetrix-1")
    counted = metric.score_counts(metric.counts(summary), metric.counts(documents))
    direct = metric.score(summary, source=documents)
    assert numbers(counted) == pytest.approx(numbers(direct), rel=1e-12, nan_ok=True)


# --------------------------------------------------------------------------------- properties


@given(filled)
def test_equal_texts_diverge_by_nothing(text: str) -> None:
    score = letters().score(text, source=text)
    assert numbers(score)[:4] == [0, 0, 0, 0]
    assert score.cosineAllWords == 1


@given(filled, filled)
def test_divergence_is_symmetric_and_at_most_ln_2(left: str, right: str) -> None:
    there, back = letters().score(left, source=right), letters().score(right, source=left)
    assert there.unsmoothedJSD == pytest.approx(back.unsmoothedJSD, abs=1e-15)
    assert 0 <= there.unsmoothedJSD <= LN2 * (1 + 1e-15)
    assert there.smoothedJSD >= 0


@given(filled, filled, tables, weights)
def test_shares_and_cosines_are_from_0_to_1(
    summary: str, source: str, background: dict[str, int], idf: dict[str, float]
) -> None:
    metric = letters(background=background, idf=(idf, 5), topic_cutoff=0.1)
    assert all(0 <= value <= 1 for value in numbers(metric.score(summary, source=source))[4:8])


@given(filled, st.lists(filled, min_size=2, max_size=4))
def test_order_of_documents_and_of_words_is_nothing(summary: str, documents: list[str]) -> None:
    metric = letters(background={"a": 1, "b": 1}, topic_cutoff=0.1)
    one = metric.score(summary, source=documents)
    other = metric.score(
        " ".join(reversed(summary.split())), source=[" ".join(reversed(documents))]
    )
    assert numbers(one) == pytest.approx(numbers(other), rel=1e-12, abs=1e-13)


def test_texts_without_a_common_word_are_ln_2_apart() -> None:
    assert letters().score("a b c", source="d e").unsmoothedJSD == LN2


def test_smoothed_divergence_can_be_negative_since_shares_do_not_sum_to_1() -> None:
    source = " ".join(f"w{i}" for i in range(100))
    assert letters(gamma=0.5).score("w0", source=source).KLSummaryInput < 0


# -------------------------------------------------------------------------------- empty texts

EMPTY = {"nothing": "", "stop words": "the and of\n\nthat", "punctuation": " ... !\n--"}


@pytest.mark.parametrize("text", EMPTY.values(), ids=EMPTY)
@pytest.mark.parametrize("options", [{}, {"preset": "2013"}, {"gamma": 2.0, "bins": 0.25}])
def test_summary_without_words_has_the_worst_value_of_each_field(
    text: str, options: dict[str, Any]
) -> None:
    """Beside texts that make one field after the other as bad as they can."""
    metric = Simetrix(background={"bridge": 2, "steel": 98}, **options)
    found = metric.score(text, source=BRIDGE)
    assert found.unsmoothedJSD == LN2 * (1 / LN2 if "preset" in options else 1)
    assert numbers(found)[4:8] == [0.0] * 4
    assert all(map(math.isfinite, numbers(found)))
    counts = metric.counts(BRIDGE)
    rarest = min(counts, key=lambda word: counts[word])
    summaries: list[dict[str, int]] = [
        {"elsewhere": 1},
        {"elsewhere": 2**31},
        {rarest: 2**31},
        {f"elsewhere{n}": 1 for n in range(10**5)},
        {f"elsewhere{n}": 1 for n in range(10**5)} | {"elsewhere": 2**31 - 10**5},
    ]
    for summary in summaries:
        bad = metric.score_counts(summary, counts)
        for field, rising in metric.directions.items():
            assert bad[field] >= found[field] if rising else bad[field] <= found[field], field


def test_bounds_of_divergences_are_near_what_a_text_can_have() -> None:
    """One word that the input lacks, for ever: all but what different words would add."""
    counts = {f"word{n}": 1 for n in range(1000)}
    found = Simetrix().score_counts({}, counts)
    far = Simetrix().score_counts({"elsewhere": 2**31}, counts)
    assert 0 < found.KLSummaryInput - far.KLSummaryInput < 0.1
    assert 0 < found.KLInputSummary - far.KLInputSummary < 50
    assert found.unigramProb == 2**31 * math.log10(1 / 1000)


@pytest.mark.parametrize("text", EMPTY.values(), ids=EMPTY)
def test_input_without_words_is_nan(text: str) -> None:
    assert all(map(math.isnan, numbers(Simetrix().score("A bridge.", source=[text]))))


@pytest.mark.parametrize("text", ["", "the and of"])
def test_compat_gives_an_empty_summary_what_the_program_does(text: str) -> None:
    score = program(CASES[0]).score(text, source=BRIDGE)
    assert score.unsmoothedJSD == pytest.approx(LN2 / 2, abs=1e-15)  # .34657
    assert 0 <= score.smoothedJSD < 0.15
    assert score.KLSummaryInput < 0
    assert numbers(score)[4:] == [0.0] * 6


def test_compat_gives_an_empty_input_infinite_divergences() -> None:
    score = program(CASES[0]).score("A bridge.", source="")
    assert (score.KLInputSummary, score.KLSummaryInput) == (math.inf, -math.inf)
    assert math.isnan(score.smoothedJSD)
    assert numbers(score)[4:9] == [0.0] * 5


@pytest.mark.parametrize(
    ("text", "count"), [("a\n---\n***", 2), (" \t\n", 0), ("!\r\n\r?", 2), ("é \x01", 1)]
)
def test_compat_counts_a_line_of_punctuation_as_an_empty_word(text: str, count: int) -> None:
    metric = letters(compat="simetrix-1")
    assert metric.counts(text).get("", 0) == count
    expected = metric.score_counts({"a": 1}, metric.counts([text, "b"]))
    found = metric.score("a", source=[text, "b"])
    assert numbers(found) == pytest.approx(numbers(expected), rel=1e-12, nan_ok=True)


def test_missing_texts_are_nan() -> None:
    for found in (Simetrix().score(None, source=BRIDGE), Simetrix().score("a", source=[None])):
        assert all(map(math.isnan, numbers(found)))


def test_topic_fields_need_a_background() -> None:
    metric = Simetrix(background=None)
    score = metric.score("A bridge.", source=BRIDGE)
    assert [math.isnan(value) for value in numbers(score)] == [False] * 5 + [True] * 3 + [False] * 2
    with pytest.raises(ValueError, match="topic words need a background"):
        metric.topic_words(BRIDGE)


# ------------------------------------------------------------------------------ entry points


def rows() -> tuple[list[str | None], list[Any]]:
    """Summaries of a few inputs, those of one input together and apart."""
    given = [case["input"] for case in CASES]
    summaries: list[str | None] = [case["summary"] for case in given] * 3
    sources: list[Any] = [case["documents"] for case in given] * 3
    summaries[4], sources[7], sources[8] = None, None, "".join(BRIDGE)
    return summaries, sources


def test_batch_is_the_loop_for_any_number_of_workers() -> None:
    metric = program(CASES[0])
    summaries, sources = rows()
    expected = [
        numbers(metric.score(summary, source=[] if source is None else source))
        for summary, source in zip(summaries, sources, strict=True)
    ]
    for workers in (1, 3):
        table = metric.score_batch(summaries, sources=sources, workers=workers)
        found = np.array([table[f"simetrix.{field}"] for field in Simetrix.fields]).T
        np.testing.assert_array_equal(found, np.array(expected))


def test_prepared_input_scores_as_a_single_call() -> None:
    metric = program(CASES[0])
    summaries = rows()[0]
    prepared = metric.prepare(source=BRIDGE)
    expected = [numbers(metric.score(summary, source=BRIDGE)) for summary in summaries]
    np.testing.assert_array_equal([numbers(prepared.score(text)) for text in summaries], expected)
    table = pickle.loads(pickle.dumps(prepared)).score_batch(summaries, workers=2)
    np.testing.assert_array_equal(table["simetrix"], [row[2] for row in expected])


def test_prepared_input_of_no_text_is_nan() -> None:
    table = Simetrix().prepare(source=[None]).score_batch(["a bridge"])
    assert math.isnan(table["simetrix"][0])


def test_runs_beside_metrics_with_references() -> None:
    found = summeval.score("a bridge", ["a bridge"], ["rouge1", "simetrix"], source=BRIDGE)
    assert found["rouge1"].value == 1
    alone = Simetrix().score("a bridge", source=BRIDGE)
    np.testing.assert_array_equal(numbers(found["simetrix"]), numbers(alone))


def test_own_tokenizer_reads_the_texts() -> None:
    metric = Simetrix(tokenizer=str.split, stemmer=None, stopwords=["the"])
    expected = metric.score_counts({"Brücke,": 1}, {"Brücke,": 1, "la": 1})
    found = metric.score("the Brücke,", source=["la the", "Brücke,"])
    np.testing.assert_array_equal(numbers(found), numbers(expected))
    table = metric.score_batch(["the Brücke,"], sources=[["la the", "Brücke,"]])
    assert table["simetrix.KLInputSummary"][0] == expected.KLInputSummary


# -------------------------------------------------------------------------- options and errors


def test_presets_are_their_parts() -> None:
    case = CASES[0]
    article = program(case, preset="2013", gamma=None)
    parts = program(case, gamma=0.0005, divergence_log="log2", llr_log="ln")
    summary = case["input"]["summary"]
    assert article.score(summary, source=BRIDGE) == parts.score(summary, source=BRIDGE)
    assert article.signature == parts.signature
    assert article.signature != program(case).signature


def test_natural_logarithm_finds_the_same_topic_words_at_the_same_level() -> None:
    by_ten = program(CASES[0])
    assert letters(background={"a": 1}).signature != letters(background={"a": 2}).signature
    natural = Simetrix(
        background=RESOURCES["background_counts_unstemmed"],
        llr_log="ln",
        topic_cutoff=10 * math.log(10),
        compat="simetrix-1",
    )
    assert natural.topic_words(BRIDGE) == by_ten.topic_words(BRIDGE) == ["bridg", "marlow"]


BAD: dict[str, tuple[dict[str, Any], str]] = {
    "preset": ({"preset": "2009"}, "preset is '2009'"),
    "gamma": ({"gamma": 0}, "gamma is 0; give a number above 0"),
    "bins": ({"bins": math.inf}, "bins is inf"),
    "cutoff": ({"topic_cutoff": math.nan}, "topic_cutoff is nan"),
    "llr": ({"llr_log": "log2"}, "llr_log is 'log2'"),
    "log": ({"divergence_log": "log10"}, "divergence_log is 'log10'"),
    "compat": (
        {"compat": "simetrix-1", "tokenizer": "unicode"},
        "compat is .simetrix-1. and",
    ),
    "count": ({"background": {"a": -1}}, r"background\['a'\] is -1; give a whole number"),
    "share": ({"background": {"a": 0.5}}, r"background\['a'\] is 0.5"),
    "nothing": ({"background": {}}, "background has 0 words"),
    "word": ({"background": {5: 1}}, "background has 5 for a word; give a str"),
    "surrogate": ({"background": {"\ud800": 1}}, "unpaired surrogate"),
    "list": ({"background": ["a"]}, "background is list"),
    "idf": ({"idf": {"a": 1.0}}, "idf is not a pair"),
    "weight": ({"idf": ({"a": -1.0}, 5)}, r"idf\['a'\] is -1.0"),
    "not a number": ({"idf": ({"a": math.nan}, 5)}, r"idf\['a'\] is nan"),
    "documents": ({"idf": ({}, 0)}, "idf has 0 documents"),
}


@every(("options", "message"), BAD.values(), ids=BAD)
def test_bad_option_is_named(options: dict[str, Any], message: str) -> None:
    with pytest.raises((ValueError, TypeError), match=message):
        Simetrix(**options)


def test_bad_text_is_named() -> None:
    with pytest.raises(TypeError, match=r"source\[1\] is int"):
        Simetrix().score("a", source=["b", 1])  # type: ignore[list-item]
    with pytest.raises(ValueError, match=r"sources\[0\]\[1\] contains an unpaired surrogate"):
        Simetrix().score_batch(["a"], sources=[["b", "\ud800"]])
    with pytest.raises(ValueError, match="source"):
        Simetrix().score("a", "references alone")
    with pytest.raises(ValueError, match=r"candidate\['a'\] is 0; give a whole number of"):
        Simetrix().score_counts({"a": 0}, {"a": 1})


@pytest.mark.parametrize("texts", [5, b"a", {"a": 1}], ids=lambda texts: type(texts).__name__)
def test_documents_that_are_no_texts_are_named(texts: Any) -> None:
    with pytest.raises(TypeError, match=f"texts is {type(texts).__name__}; pass a str or a seq"):
        Simetrix(background={"a": 1}).topic_words(texts)


def test_documents_that_are_missing_have_no_words() -> None:
    metric = letters(background={"a": 1})
    assert metric.counts(["a b", None]) == metric.counts("a b")  # type: ignore[list-item]
    assert metric.topic_words(None) == []  # type: ignore[arg-type]
    with pytest.raises(
        ValueError, match=r"texts\[1\] contains an unpaired surrogate at character 0"
    ):
        metric.counts(["a", "\ud800"])


def test_kernel_names_the_fields_of_the_twin() -> None:
    assert kernel.FIELDS == twin.Features._fields == Simetrix.fields
