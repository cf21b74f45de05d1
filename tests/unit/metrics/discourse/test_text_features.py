"""Each feature of a text that needs no parse, with the value worked out by hand."""

from __future__ import annotations

from math import log1p, sqrt

import numpy as np
import pytest
from every import every
from word_pairs import BOUNDARY, class_of, likeliness

from summeval._core.columns import columns
from summeval._core.likeness.likeness import WordTable
from summeval._core.readability.text_features import NAMES, TextFeatures
from summeval.metrics.discourse.readability import FEATURES, NORMED, FeatureReader, class_numbers

# Classes: 3 the, 4 of, 5 words in -ing; 0 the boundary, 1 numbers, 2 others.
WORDS = {b"the": (3, True, True), b"of": (4, True, True), b"it": (2, True, False)}
SUFFIXES = [(b"ing", 5)]
PAIRS = np.arange(36.0).reshape(6, 6)
RULES = ({b"mr"}, {b"no"}, {b"inc"}, {b"the"})
# cat and cats point one way, dog another, bird between them; fog away from cat
VECTORS = WordTable(
    b"cat\ncats\ndog\nbird\nfog\nrare\n",
    np.array([[10, 0], [20, 0], [0, 5], [3, 4], [-2, 0]], dtype=np.int8),
    np.array([1.0, 1.0, 2.0, 1.0, 1.0, 9.0]),
    5.0,
)
KERNEL = TextFeatures(WORDS, SUFFIXES, PAIRS, RULES, VECTORS)
MANY = " ".join(f"w{k}" for k in range(40))

CASES: list[tuple[str, str, float]] = [
    ("words", "a b,\n1.5", 4),
    ("sentences", "a b\n...\n\nc", 2),
    ("sentences", "Mr. Cat sat. So? It left!", 3),
    ("sentence_length", "a b c\nd", log1p(2)),
    ("shortest_sentence", "a b c\nd e", log1p(2)),
    ("sentence_length_spread", "a b c\nd", 0.5),  # 1 by 2
    ("sentence_length_spread", "a b\nc d", 0),
    ("distinct_words", "a A b b", 2 / sqrt(4)),
    ("distinct_content", "cats the cat dog of it", 2 / sqrt(3)),
    ("repeated_words", "a b\nA c", 1 / 4),
    ("repeated_bigrams", "a b\na b", 1 / 3),  # ab ba ab
    ("repeated_content", "cats the cat the", 1 / 2),
    ("words_within", "a a b c\na", 1 / 8),  # a quarter and 0
    ("most_words_within", "a a b c\na", 1 / 4),
    ("near_content", "cat the cat dog cat", (1 + 1 / 2) / 4),
    ("near_content", "cat dog\nbird the cat", (1 / 3) / 4),
    ("commonest_content", "cat dog cat the the the", 2 / 3),
    ("shared_content", "cat dog of\nbird cats\nthe", 1 / 2),
    ("alike_sentences", "a b c\nb c d\ne", 2 / 4),
    ("new_content", "cat dog\ncat bird\nthe\ndog", 1 / 4),  # a half and 0
    ("new_content", "cat dog", 1),
    ("least_new_content", "cat dog\ncat bird", 1 / 2),
    ("function_runs", "the of it cat", 1 / 2),
    ("function_runs", "the of", 0),
    ("short_sentences", "a b c d\na b c d e", 1 / 2),
    ("broken_off", "cat of\nof cat\nthe", 2 / 3),
    ("spaced_marks", "cat , sat .\n't was.", 2 / 4),
    ("unbalanced", 'say "a', 1),
    ("unbalanced", "(a", 1),
    ("unbalanced", '"(a)"', 0),
    ("no_final_mark", "a b", 1),
    ("no_final_mark", 'so "it is."  ', 0),
    ("no_final_mark", "so it is…”", 0),
    ("no_final_mark", "a. b”", 1),
    ("continuity", "cat\ncats\nbird", 0.6),
    ("continuity", "cat\nbird\nbird", 0.6),
    ("continuity", "cat dog\nbird", (0.6 + 2 * 0.8) / sqrt(5)),  # (1, 2) by weight
    ("continuity", "cat\nrare the what\nbird", 0.6),  # no vector: left out
    ("continuity", "cat\nfog", -1),
    ("continuity", "cat dog bird", 1),
    ("worst_pairs", "the of", 3),  # <the 3, the-of 22, of> 24
    ("worst_pairs", "walking 2", 5),  # <walking 5, walking-2 31, 2> 6
    ("worst_pairs", "king 2", 2),  # too short for its end
    ("worst_pairs", MANY, (2 + 12 + 14 + 14) / 4),  # 41 pairs: <w 2, w> 12, between words 14
]


@every(("name", "text", "value"), CASES)
def test_a_feature_has_the_value_worked_out_by_hand(name: str, text: str, value: float) -> None:
    (row,) = KERNEL.rows(columns.texts([text], "texts"))
    assert row[NAMES.index(name)] == pytest.approx(value, abs=1e-12)


def test_every_feature_has_a_case() -> None:
    assert {name for name, _, _ in CASES} == set(NAMES)


def test_sentences_are_compared_with_the_32_before() -> None:
    def shared(between: int) -> tuple[float, float]:
        others = [f"x{k} y{k}" for k in range(between)]
        text = "\n".join(["cat dog", *others, "cat dog"])
        (row,) = KERNEL.rows(columns.texts([text], "texts"))
        return row[NAMES.index("shared_content")], row[NAMES.index("alike_sentences")]

    assert shared(31) == (1, 1)
    assert shared(32) == (0, 0)


def test_long_texts_count_their_lowest_pairs_as_short_ones_do() -> None:
    line = "the of it the of it of the it cat dog walking it the 3 4"  # 17 pairs
    (row,) = KERNEL.rows(columns.texts(["\n".join([line] * 5000)], "texts"))
    (ten,) = KERNEL.rows(columns.texts(["\n".join([line] * 10)], "texts"))
    place = NAMES.index("worst_pairs")
    assert row[place] == pytest.approx(ten[place], abs=1e-12)


def test_no_text_has_no_features() -> None:
    rows = KERNEL.rows(columns.texts([None, "", "cat"], "texts"))
    assert np.isnan(rows[0]).all()
    assert dict(zip(NAMES, rows[1], strict=True)) == dict.fromkeys(NAMES, 0.0) | {
        "no_final_mark": 1.0
    }


def test_tables_that_do_not_fit_are_refused() -> None:
    with pytest.raises(ValueError, match="a word has the class 6 of 6"):
        TextFeatures({b"the": (6, True, True)}, [], PAIRS, RULES)
    with pytest.raises(ValueError, match="a suffix has the class 9 of 6"):
        TextFeatures({}, [(b"s", 9)], PAIRS, RULES)
    for pairs in (PAIRS[:5].copy(), PAIRS[:2, :2].copy()):
        with pytest.raises(ValueError, match="no square of 3 to 65,535 classes"):
            TextFeatures({}, [], pairs, RULES)


def test_errors_are_summed() -> None:
    reader = FeatureReader(np.zeros((len(class_numbers()),) * 2))

    def errors(text: str) -> float:
        rows, _, _ = reader.read([text])
        return float(rows[0, list(FEATURES).index("errors")])

    long = "This is a sentence of nine words in all."
    assert errors(long) == 0
    assert errors(long[:-1]) == 1  # no final mark
    assert errors(f'"{long}') == 1  # an open quotation mark
    assert errors(f"{long} Too short.") == pytest.approx(1 / 2)
    assert errors(f"{long} It is the end of the.") == pytest.approx(1 / 2)
    assert errors("This is a sentence , of nine words in all.") == 1  # 1 of 9 words


def test_features_are_in_the_order_of_their_names() -> None:
    reader = FeatureReader(np.zeros((len(class_numbers()),) * 2))
    rows, words, _ = reader.read(["Cats sleep all day. Cats eat."])
    found = dict(zip(FEATURES, rows[0], strict=True))
    assert list(NORMED) == list(FEATURES)[:-1]
    assert words.tolist() == [6]
    assert found["sentence_length"] == pytest.approx(log1p(3))
    assert found["repeated_words"] == pytest.approx(1 / 6)


def test_likeliness_is_mutual_information() -> None:
    the, cat = class_of("the"), class_of("cat")
    table = likeliness([[the, cat]] * 50 + [[cat]] * 50)
    assert table.shape == (len(class_numbers()),) * 2
    assert table[the, cat] > 0 > table[the, the]
    assert table[cat, the] < 0 < table[cat, BOUNDARY]
    assert np.isfinite(table).all()
    assert (table[class_of("of")] == 0).all()  # never seen: nothing is known


def test_the_kernel_has_the_normed_features_in_their_order() -> None:
    first = NAMES.index("sentence_length")
    assert list(NAMES[first : first + len(NORMED)]) == list(NORMED)
