"""The runs that the ROUGE kernel finds are those of its twin; their counts are those of scores."""

import math

import pytest
from definitions import rouge as twin
from hypothesis import given, settings
from hypothesis import strategies as st

from summeval._core.overlap.rouge import TOO_LONG_TO_EXPLAIN, RougeKernel, counts
from summeval._core.text.analyzer import Analyzer
from summeval.metrics.rouge.measures import parse

NAMES = ("rougeL", "rougeLsum", "rougeW-1.2", "rougeW-2")
WORDS = ["a", "b", "c", "The", "the", "x1", "\u00e9t\u00e9", "q" * 40, "B"]
SPACES = [" ", " ", " ", "\n", "\n\n", " \n ", "  ", "\r\n"]
texts = st.lists(st.tuples(st.sampled_from(WORDS), st.sampled_from(SPACES)), max_size=40).map(
    lambda parts: "".join(word + space for word, space in parts)
)
limits = st.one_of(
    st.just({}),
    st.integers(1, 30).map(lambda n: {"max_words": n}),
    st.integers(1, 90).map(lambda n: {"max_bytes": n}),
)


def found(name, candidate, references, analyzer=None):
    kernel = RougeKernel(analyzer or Analyzer(), [parse(name)], (name,))
    return kernel.find(candidate, references)


@pytest.mark.parametrize("name", NAMES)
@settings(max_examples=150, deadline=None)
@given(texts, st.lists(texts, min_size=1, max_size=3), limits)
def test_runs_equal_the_twin(name, candidate, references, limit):
    analyzer = Analyzer(stopwords=(b"c",), **limit)
    own, *others = [
        twin.analyse(text.encode(), stopwords={b"c"}, **limit) for text in (candidate, *references)
    ]
    _, wanted = counts(analyzer, [parse(name)], [candidate], [references])
    told = found(name, candidate, references, analyzer)
    assert [each for each, _ in told] == [tuple(row[0]) for row in wanted.tolist()]
    for (totals, runs), reference in zip(told, others, strict=True):
        assert runs == twin.runs(reference, own, twin.parse_measure(name))
        assert totals[0] == math.fsum(weight for weight, _, _ in runs) or "W" in name


@pytest.mark.parametrize("name", NAMES)
def test_lines_of_more_than_a_word_of_bits_equal_the_twin(name):
    rows = " ".join(str(k * k % 13) for k in range(200)) + "\n" + " ".join(map(str, range(90)))
    columns = " ".join(str(k * 7 % 17) for k in range(150))
    own, other = (twin.analyse(text.encode()) for text in (columns, rows))
    ((_, runs),) = found(name, columns, [rows])
    assert runs == twin.runs(other, own, twin.parse_measure(name))
    assert sum(len(rows) for _, rows, _ in runs) > 40


def test_rows_of_a_large_table_are_made_again():
    """Of 40,000 by 30,000 tokens not all rows are kept; each has one partner at most."""
    text = [str(k % 19_997 * 31 % 19_997) for k in range(40_000)]
    ((totals, runs),) = found("rougeL", " ".join(text[:30_000]), [" ".join(text)])
    assert totals == (30_000.0, 40_000.0, 30_000.0, 40_000.0)
    assert [text[row] for _, rows, _ in runs for row in rows] == text[:30_000]
    columns = [column for _, _, columns in runs for column in columns]
    assert columns == list(range(30_000))


def test_lines_that_are_too_long_for_rouge_w_are_refused():
    assert found("rougeW", "a " * 4096, ["a " * 4096])[0][0][0] == 4096**1.2
    with pytest.raises(ValueError, match=r"too long to explain rougeW.*; put sentences on lines"):
        found("rougeW", "a " * 4097, ["a " * 4096])
    assert TOO_LONG_TO_EXPLAIN


def test_other_texts_than_str_are_refused():
    with pytest.raises(TypeError):
        found("rougeL", 3, ["a"])
    assert found("rougeL", "a", []) == []
    assert found("rougeL", "", [""]) == [((0.0, 0.0, 0.0, 0.0), [])]
