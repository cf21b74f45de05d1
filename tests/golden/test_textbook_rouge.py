"""The textbook ROUGE prints what ROUGE-1.5.5 printed, and obeys the definition's laws."""

import doctest
from functools import cache
from typing import Any

import pytest
from definitions import rouge
from definitions.rouge import Count, RougeScore, analyse, count, parse_measure
from definitions.text import stemmer
from hypothesis import given
from hypothesis import strategies as st
from rouge_cases import HERE, Cases, option
from shared import shared

from summeval.text import stopwords
from summeval.text.stemmers import exceptions

MEASURES = ["rouge1", "rouge3", "rougeL", "rougeLsum", "rougeW-1.2", "rougeS4", "rougeSU*"]


def test_examples_of_the_docstrings() -> None:
    assert doctest.testmod(rouge).failed == 0


# Numbers printed by ROUGE-1.5.5


def printed(cases: Cases, row: dict[str, Any], analysis: dict[str, Any]) -> dict[str, list[float]]:
    """What the twin says where the script printed row["scores"]."""
    opts = row["opts"]
    case = cases.inputs["cases"][row["case"]]
    limits = {
        "max_words": int(option(opts, "-l", "0")),
        "max_bytes": int(option(opts, "-b", "0")),
    }
    candidate = analyse(cases.content(case["peer"]), **limits, **analysis)
    references = [analyse(cases.content(ids), **limits, **analysis) for ids in case["refs"]]
    aggregate = "best" if option(opts, "-f") == "B" else "average"
    alpha = float(option(opts, "-p", "0.5"))
    found = {}
    for name in row["scores"]:
        measure = parse_measure("rougeLsum" if name == "L" else f"rouge{name}")
        counts = [count(reference, candidate, measure) for reference in references]
        if "-t" in opts.split():
            pooled = rouge.pool(counts, measure, aggregate=aggregate)
            totals = (pooled.reference, pooled.candidate, pooled.hits)
            found[name] = [float(f"{total:.15g}") for total in totals]
        else:
            score = rouge.aggregate_score(
                counts, measure, aggregate=aggregate, alpha=alpha, digits=5
            )
            found[name] = [score.recall, score.precision, score.fmeasure]
    return found


@cache
def script_stem(token: bytes) -> bytes:
    return stemmer.rouge155(token.decode("ascii"), exceptions()).encode("ascii")


def check_printed_scores(cases: Cases, step: int = 1) -> None:
    known = cases.sentence_cases()
    rows = [row for row in cases.expected if row["kind"] == "score" and row["case"] in known]
    assert rows
    stop_list = {word.encode("ascii") for word in stopwords.rouge155()}
    for row in rows[::step]:
        options = row["opts"].split()
        analysis = {
            "stem": script_stem if "-m" in options else None,
            "stopwords": stop_list if "-s" in options else (),
        }
        assert printed(cases, row, analysis) == row["scores"], (row["case"], row["opts"])


def test_scores_of_rouge_155_on_our_texts() -> None:
    check_printed_scores(Cases(HERE))


@pytest.mark.slow
def test_every_seventh_score_of_rouge_155_on_real_texts() -> None:
    check_printed_scores(Cases(shared("data/rouge")), step=7)


# The definition


def counts_of(
    name: str, reference: bytes, candidate: bytes, **options: Any
) -> tuple[float, float, float, float]:
    return tuple(
        count(analyse(reference, **options), analyse(candidate, **options), parse_measure(name))
    )


def test_ngrams_cross_sentences() -> None:
    assert counts_of("rouge2", b"a b\nc\n", b"b c") == (1, 2, 1, 2)


def test_the_last_unigram_of_a_text_is_not_counted_in_su() -> None:
    assert counts_of("rougeSU4", b"a b", b"b a") == (0, 2, 2, 2)
    assert counts_of("rougeSU4", b"a", b"a") == (0, 0, 0, 0)


def test_gap_is_the_number_of_tokens_between() -> None:
    assert counts_of("rougeS0", b"a b c", b"a c") == (0, 2, 1, 2)
    assert counts_of("rougeS1", b"a b c", b"a c") == (1, 3, 1, 3)


def test_a_token_is_hit_as_often_as_both_texts_have_it() -> None:
    assert counts_of("rougeLsum", b"a b\na b", b"a b") == (2, 4, 2, 4)


def test_a_run_goes_on_over_a_position_without_a_token_left() -> None:
    assert counts_of("rougeW-2", b"a\nx a y", b"x a y") == (1 + 2**2, (1 + 9) ** 2, 9, 10)


def test_a_run_still_open_at_the_end_of_its_sentence_is_lost() -> None:
    assert counts_of("rougeW-2", b"a\nx a", b"x a") == (1, (1 + 4) ** 2, 4, 5)


def test_bytes_of_earlier_sentences_are_forgotten_by_l_only() -> None:
    text = b"aa bb\ncc dd\n"
    assert counts_of("rouge1", text, text, max_bytes=8)[:3] == (3, 3, 3)
    assert counts_of("rougeLsum", text, text, max_bytes=8)[:3] == (3, 4, 3)


def test_stop_words_go_before_stems_and_short_tokens_keep_their_form() -> None:
    text = analyse(b"was being seen", stem=lambda word: word[:1], stopwords={b"being"})
    assert text.flat == [b"was", b"s"]


def test_best_compares_rounded_recall_for_n_and_doubles_for_l() -> None:
    nearly_equal = [Count(333333, 1e6, 9, 1e6), Count(333334, 1e6, 9, 1e6)]
    choose = {"aggregate": "best"}
    assert rouge.pool(nearly_equal, parse_measure("rouge1"), **choose) == nearly_equal[0]
    assert rouge.pool(nearly_equal, parse_measure("rougeLsum"), **choose) == nearly_equal[1]


def test_max_takes_the_best_f_and_best_the_best_recall() -> None:
    counts = [Count(2.0, 2.0, 8.0, 2.0), Count(4.0, 5.0, 8.0, 5.0)]
    measure = parse_measure("rouge1")
    assert rouge.pool(counts, measure, aggregate="best") == counts[0]
    assert rouge.pool(counts, measure, aggregate="max") == counts[1]


def test_average_divides_sums() -> None:
    counts = [Count(1.0, 2.0, 4.0, 2.0), Count(1.0, 6.0, 4.0, 6.0)]
    assert rouge.aggregate_score(counts, parse_measure("rouge1")) == RougeScore(0.25, 0.25, 0.25)


def test_jackknife_is_the_mean_over_sets_that_leave_one_out() -> None:
    counts = [Count(float(k), 4.0, 4.0, 4.0) for k in (1, 2, 3)]
    measure = parse_measure("rouge1")
    score = rouge.aggregate_score(counts, measure, aggregate="best", jackknife=True)
    assert score.recall == (3 + 3 + 2) / 4 / 3
    alone = rouge.aggregate_score(counts[:1], measure, jackknife=True)
    assert alone == rouge.aggregate_score(counts[:1], measure)


def test_f_comes_from_the_rounded_precision_and_recall() -> None:
    score = rouge.score(Count(1.0, 3.0, 7.0, 3.0), parse_measure("rouge1"), digits=5)
    assert score == RougeScore(0.14286, 0.33333, 0.2)


@pytest.mark.parametrize("name", ["rouge0", "rougeX", "rougeW-", "rougeS-1", "Rouge1", "rougeLs"])
def test_a_name_that_is_no_measure_is_refused(name: str) -> None:
    with pytest.raises(ValueError, match="unknown measure"):
        parse_measure(name)


texts = st.lists(
    st.lists(st.sampled_from(["a", "b", "c", "d"]), max_size=6).map(" ".join), max_size=4
).map(lambda lines: "\n".join(lines).encode())


@cache
def measure_of(name: str) -> rouge.RougeMeasure:
    return parse_measure(name)


@given(texts, texts, st.sampled_from(MEASURES))
def test_hits_are_no_more_than_either_total(a: bytes, b: bytes, name: str) -> None:
    found = count(analyse(a), analyse(b), measure_of(name))
    slack = 1e-9
    assert 0.0 <= found.hits <= min(found.base, found.candidate) + slack


@given(texts, texts, st.sampled_from(["rouge1", "rouge2", "rougeL", "rougeS1", "rougeSU4"]))
def test_swapping_the_texts_swaps_the_totals(a: bytes, b: bytes, name: str) -> None:
    one = count(analyse(a), analyse(b), measure_of(name))
    other = count(analyse(b), analyse(a), measure_of(name))
    assert (one.hits, one.reference, one.candidate) == (
        other.hits,
        other.candidate,
        other.reference,
    )


@given(texts.filter(lambda text: b"a" in text), st.sampled_from(["rouge1", "rougeL", "rougeLsum"]))
def test_a_text_scores_one_against_itself(text: bytes, name: str) -> None:
    found = count(analyse(text), analyse(text), measure_of(name))
    assert rouge.score(found, measure_of(name)) == RougeScore(1.0, 1.0, 1.0)
