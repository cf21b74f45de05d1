"""The ROUGE kernel gives the counts of its twin, through every entry point."""

import math

import numpy as np
import pytest
from definitions import rouge as twin
from every import every
from hypothesis import given, settings
from hypothesis import strategies as st

from summeval._core.columns import columns
from summeval._core.overlap.rouge import RougeKernel, counts, five_decimals
from summeval._core.text.analyzer import Analyzer
from summeval.metrics.rouge.measures import parse

NAMES = (
    *(f"rouge{n}" for n in range(1, 10)),
    "rougeL",
    "rougeLsum",
    "rougeW-1.2",
    "rougeW-2",
    "rougeS0",
    "rougeS4",
    "rougeSU4",
    "rougeS*",
    "rougeSU*",
)
MEASURES = [parse(name) for name in NAMES]

# Few words, so that texts share much; sentence ends, blanks, bytes outside ASCII, a long word.
WORDS = ["a", "b", "c", "The", "the", "x1", "don't", "\u00e9t\u00e9", "-", ",", "q" * 40, "B"]
SPACES = [" ", " ", " ", "\n", "\n\n", " \n ", "\t", "  ", "\r\n", ""]
texts = st.lists(st.tuples(st.sampled_from(WORDS), st.sampled_from(SPACES)), max_size=40).map(
    lambda parts: "".join(word + space for word, space in parts)
)
limits = st.one_of(
    st.just({}),
    st.integers(1, 30).map(lambda n: {"max_words": n}),
    st.integers(1, 90).map(lambda n: {"max_bytes": n}),
)
stop_lists = st.sampled_from([(), (b"a", b"the"), (b"a", b"b", b"c", b"the")])


def expected_counts(candidate, references, stopwords=(), **limit):
    """[reference][measure] of the twin."""
    read = [
        twin.analyse(text.encode(), stopwords=set(stopwords), **limit)
        for text in (candidate, *references)
    ]
    return [
        [twin.count(ref, read[0], twin.parse_measure(name)) for name in NAMES] for ref in read[1:]
    ]


@settings(max_examples=400, deadline=None)
@given(texts, st.lists(texts, min_size=1, max_size=4), limits, stop_lists)
def test_counts_equal_the_twin(candidate, references, limit, stopwords):
    analyzer = Analyzer(stopwords=stopwords, **limit)
    offsets, found = counts(analyzer, MEASURES, [candidate], [references])
    assert offsets.tolist() == [0, len(references)]
    expected = np.array(expected_counts(candidate, references, stopwords, **limit))
    np.testing.assert_allclose(found, expected, rtol=1e-12, atol=0)
    integral = [i for i, name in enumerate(NAMES) if "W" not in name]
    assert (found[:, integral] == expected[:, integral]).all()


@settings(max_examples=300, deadline=None)
@given(
    texts,
    st.lists(texts, min_size=1, max_size=4),
    st.tuples(
        st.sampled_from(["max", "average", "best"]),
        st.booleans(),
        st.booleans(),
        st.sampled_from([0.0, 0.2, 0.5, 1.0]),
    ),
)
def test_scores_equal_the_twin(candidate, references, options):
    aggregate, jackknife, script, alpha = options
    kernel = RougeKernel(Analyzer(), MEASURES, NAMES, *options)
    found = kernel.score_pair(candidate, references)
    rows = expected_counts(candidate, references)
    for m, name in enumerate(NAMES):
        expected = twin.aggregate_score(
            [row[m] for row in rows],
            twin.parse_measure(name),
            aggregate=aggregate,
            alpha=alpha,
            digits=5 if script else None,
            jackknife=jackknife,
        )
        assert found[name].values() == pytest.approx(tuple(expected), rel=1e-12, abs=1e-15), name


@settings(max_examples=100, deadline=None)
@given(st.lists(st.tuples(texts, st.lists(texts, max_size=3)), min_size=1, max_size=12))
def test_batch_single_prepared_and_threads_agree_to_the_bit(rows):
    candidates = [candidate for candidate, _ in rows]
    references = [refs for _, refs in rows]
    kernel = RougeKernel(Analyzer(), MEASURES, NAMES)
    left = columns.texts(candidates, "candidates")
    right = columns.references(references, "references")
    one, three = (np.empty((len(NAMES), 3, len(rows))) for _ in range(2))
    kernel.fill_rows(left, right, one, 1)
    kernel.fill_rows(left, right, three, 3)
    assert one.tobytes() == three.tobytes()
    for row, (candidate, refs) in enumerate(rows):
        single = kernel.score_pair(candidate, refs)
        prepared = kernel.prepare(refs).score_pair(candidate)
        for m, name in enumerate(NAMES):
            batch = np.array(one[m, :, row])
            assert batch.tobytes() == np.array(single[name].values()).tobytes()
            assert batch.tobytes() == np.array(prepared[name].values()).tobytes()


@pytest.mark.parametrize("words", [63, 64, 65, 127, 128, 129, 255, 256, 257, 300, 700])
def test_longest_common_subsequences_across_machine_words(words):
    rng = np.random.default_rng(words)
    # 40 types, so that some pair tables are addressed directly, and 3000, so that some are hashed
    for types in (40, 3000):
        text = [" ".join(f"w{i}" for i in rng.integers(0, types, words + d)) for d in (0, 3)]
        measures = [parse(name) for name in NAMES[:13]]
        _, found = counts(Analyzer(), measures, text[:1], [text[1:]])
        expected = expected_counts(text[0], text[1:])[0][:13]
        np.testing.assert_allclose(found[0], np.array(expected), rtol=1e-12)


def test_hashed_pair_tables_count_as_the_direct_ones():
    rng = np.random.default_rng(0)
    text = [" ".join(f"w{i}" for i in rng.integers(0, 900, 1500)) for _ in range(2)]
    names = ["rouge2", "rouge3", "rougeS4", "rougeSU4", "rougeS*"]
    _, found = counts(Analyzer(), [parse(n) for n in names], text[:1], [text[1:]])
    read = [twin.analyse(t.encode()) for t in text]
    expected = [twin.count(read[1], read[0], twin.parse_measure(n)) for n in names]
    assert (found[0] == np.array(expected)).all()


@settings(max_examples=500)
@given(st.integers(0, 10**6), st.integers(1, 10**6))
def test_script_digits_are_those_of_printf(hits, more):
    total = max(hits, more)
    assert five_decimals(hits / total) == float(f"{hits / total:.5f}")


@every("halfway", [k / 64 for k in range(65)] + [0.000005, 0.123455, 0.5 / 1e5])
def test_script_digits_at_ties(halfway):
    assert five_decimals(halfway) == float(f"{halfway:.5f}")


def test_missing_texts_score_nan():
    kernel = RougeKernel(Analyzer(), MEASURES[:1], NAMES[:1])
    left = columns.texts([None, "a", "a", "a"], "candidates")
    right = columns.references(["a", None, [], [None, "a"]], "references")
    out = np.empty((1, 3, 4))
    kernel.fill_rows(left, right, out)
    assert np.isnan(out[:, :, :3]).all()
    assert (out[:, :, 3] == 1).all()
    assert math.isnan(kernel.score_pair(None, "a")["rouge1"].value)
    assert math.isnan(kernel.score_pair("a", [])["rouge1"].value)
    assert math.isnan(kernel.prepare([None]).score_pair("a")["rouge1"].value)


def test_a_table_too_large_is_refused_with_its_row():
    kernel = RougeKernel(Analyzer(), [parse("rougeS*")], ("rougeS*",))
    huge = "a " * 200_000
    left = columns.texts(["a", huge], "candidates")
    right = columns.references(["a", huge], "references")
    with pytest.raises(ValueError, match=r"row 1: too many skip-bigrams.*rougeS4"):
        kernel.fill_rows(left, right, np.empty((1, 3, 2)))


@settings(max_examples=100, deadline=None)
@given(
    st.lists(st.tuples(st.none() | texts, st.lists(st.none() | texts, max_size=4)), max_size=5),
    st.sampled_from([{}, {"aggregate": "average", "script_digits": True}, {"alpha": 0.2}]),
    st.integers(1, 2),
)
def test_scores_beside_each_reference_are_those_of_it_alone(rows, options, workers):
    kernel = RougeKernel(Analyzer(), MEASURES, NAMES, **options)
    left = columns.texts([candidate for candidate, _ in rows], "candidates")
    right = columns.references([references for _, references in rows], "references")
    for begin in range(min(2, len(rows) + 1)):  # of a part, too
        some = rows[begin:]
        flat = [(candidate, text) for candidate, several in some for text in several]
        out = np.zeros((len(NAMES), 3, len(flat)))
        parts = left.part(begin, len(rows)), right.part(begin, len(rows))
        kernel.fill_each(*parts, out, workers)
        for place, (candidate, reference) in enumerate(flat):
            alone = kernel.score_pair(candidate, [reference])
            np.testing.assert_array_equal(out[:, :, place], [list(alone[name]) for name in NAMES])


def test_scores_beside_each_reference_need_room_for_them():
    kernel = RougeKernel(Analyzer(), MEASURES[:1], NAMES[:1])
    left = columns.texts(["a"], "candidates")
    right = columns.references([["a", "b"]], "references")
    for shape in ((1, 3, 1), (2, 3, 2), (1, 2, 2)):
        with pytest.raises(ValueError, match="has another shape than measures and references"):
            kernel.fill_each(left, right, np.zeros(shape))
    with pytest.raises(ValueError, match="1 candidates but 2 rows of references"):
        kernel.fill_each(left, columns.references(["a", "b"], "references"), np.zeros((1, 3, 2)))


@settings(max_examples=40, deadline=None)
@given(
    candidate=texts,
    references=st.lists(texts, min_size=2, max_size=12),
    again=st.lists(st.integers(0, 11), max_size=3),
    aggregate=st.sampled_from(["max", "average", "best"]),
    digits=st.booleans(),
)
def test_the_jackknife_is_the_mean_over_the_sets_to_the_last_bit(
    candidate, references, again, aggregate, digits
):
    """Whichever reference is left out; equal ones tie for the best."""
    references = references + [references[k % len(references)] for k in again]
    analyzer = Analyzer("rouge155", None)

    def scored(jackknife, given):
        kernel = RougeKernel(analyzer, MEASURES, NAMES, aggregate, jackknife, digits)
        return kernel.score_pair(candidate, given)

    found = scored(True, references)
    sets = [references[:out] + references[out + 1 :] for out in range(len(references))]
    each = [scored(False, given) for given in sets]
    for name in NAMES:
        for field in ("precision", "recall", "fmeasure"):
            total = 0.0
            for scores in each:
                total += scores[name][field]
            assert found[name][field] == total / len(sets)
