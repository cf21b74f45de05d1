"""Each plain feature of readability on small texts, with the value worked out by hand."""

from __future__ import annotations

from math import log, sqrt
from typing import Any

import numpy as np
import pytest

from summeval.annotate import DiscourseDocument, Document, Sentence, Token
from summeval.metrics.discourse.readability_features import (
    GROUPS,
    feature_rows,
    features_of,
    names_of,
)


def token(written: str) -> Token:
    """`form/tag/head/label/lemma`, of which only the form must be there; a head counts from 0."""
    form, tag, head, label, lemma = (*written.split("/"), *[""] * 4)[:5]
    return Token(form, tag, lemma, int(head or -1), label)


def document(sentences: str, text: str | None = None) -> Document:
    """Sentences between bars; the text is the forms with blanks between unless it is given."""
    tokens = [[token(word) for word in sentence.split()] for sentence in sentences.split("|")]
    forms = " ".join(each.form for sentence in tokens for each in sentence)
    return Document(tuple(Sentence(tuple(each)) for each in tokens), text=text or forms)


def words(number: int) -> str:
    return " ".join(f"w{k}" for k in range(number))


# Feature, sentences, value; the fourth is the text where the forms with blanks between are not.
CASES: list[tuple[Any, ...]] = [
    ("sentence_length", "a b c|d", log(3)),  # (3 + 1) / 2 = 2
    ("sentence_length", "a b ,/,|c ./.", log(2.5)),  # marks are no words
    ("shortest_sentence", "a b c|d e", log(3)),
    ("sentence_length_spread", "a b c|d", 0.5),  # 1 by 2
    ("sentence_length_spread", "a b|c d", 0),
    ("short_sentences", "a b c d|a b c d e", 0.5),
    ("long_sentences", f"{words(34)}|{words(35)}|{words(36)}", 2 / 3),
    ("long_sentences", words(34), 0),
    ("one_sentence", "a b", 1),
    ("one_sentence", "a b|c", 0),
    ("word_length", "ab abcd ./.", 3),
    ("distinct_words", "a A b b", 2 / sqrt(4)),
    ("quotation_marks", "``/`` a ''/'' b", 2 / 4),
    ("symbols", "(/-LRB- a )/-RRB- b %/SYM #/# */NFP ?/XX $/$ c", 6 / 10),
    ("unbalanced", "a", 1, "(a"),
    ("unbalanced", "a", 0, "(a)"),
    ("unbalanced", "a", 1, 'say "a'),
    ("unbalanced", "a", 0, '"a"'),
    ("repeated_words", "a b|A c", 1 / 4),
    ("repeated_bigrams", "a b|a b", 1 / 3),  # ab ba ab
    ("repeated_trigrams", "a b c|a b c", 1 / 4),  # abc bca cab abc
    ("repeated_4grams", "a b c d|a b c d", 1 / 5),  # abcd bcda cdab dabc abcd
    ("bigrams_within", "a b a b|c d", (1 / 3 + 0) / 2),
    ("bigrams_within", "a b|a b", 0),
    ("trigrams_within", "a b c a b c|d", (1 / 4 + 0) / 2),
    ("most_bigrams_within", "a b a b|c d", 1 / 3),
    ("soon_again", "rain a b c rain d", 1 / 6),  # the fourth word before
    ("soon_again", "rain a b c d rain", 0),  # the fifth
    ("soon_again", "the cat the cat", 0),  # of 3 letters
    ("soon_again", "rain|rain", 0),  # another sentence
    ("doubled_words", "the the the cat", 2 / 4),
    ("doubled_words", "the|the", 0),
    ("repeated_content", "Cats/NNS///cat a/DT cat/NN a/DT ran/VBD big/JJ soon/RB", 1 / 5),
    ("content_within", "cat/NN cat/NN|cat/NN a/DT a/DT", (1 / 2 + 0) / 2),
    ("repeated_nouns", "cat/NN cat/NN Ann/NNP run/VB run/VB", 1 / 3),
    ("repeated_names", "Ann/NNP Ann/NNP cat/NN cat/NN cat/NN", 1 / 2),
    ("commonest_content", "cat/NN cat/NN|cat/NN dog/NN the/DT the/DT", 3 / 4),
    ("shared_content", "cat/NN nap/VB|cat/NN dog/NN run/VB|emu/NN", 1 / 2),
    ("shared_content", "cat/NN|the/DT", 0),
    ("alike_sentences", "the cat|the dog|a emu", 1 / 3),
    ("shared_bigrams", "a b c|x a b d e", 1 / 2),  # ab, of the 2 that the shorter has
    ("shared_bigrams", "a|a", 0),
    ("equal_sentences", "a b|A b|b a|a b", 2 / 4),
    ("new_content", "cat/NN|cat/NN dog/NN|emu/NN", (1 / 2 + 1) / 2),
    ("new_content", "cat/NN|the/DT|cat/NN dog/NN", 1 / 2),  # a sentence without any is left out
    ("least_new_content", "cat/NN|cat/NN dog/NN emu/NN|fox/NN", 2 / 3),
    ("new_content_at_end", "cat/NN|cat/NN dog/NN|cat/NN fox/NN hen/NN", 2 / 3),
    ("carried_content", "cat/NN|cat/NN dog/NN|emu/NN", (1 / 2 + 0) / 2),
    ("least_carried", "cat/NN|cat/NN dog/NN|cat/NN dog/NN emu/NN", 1 / 2),
    ("unlinked", "cat/NN|cat/NN dog/NN|emu/NN|fox/NN", 2 / 3),
    ("dangling_pronoun", "So they/PRP slept/VBD cats/NNS", 1),
    ("dangling_pronoun", "Cats/NNS said/VBD they/PRP slept/VBD", 0),
    ("dangling_pronoun", "We/PRP slept/VBD", 0),
    ("opens_with_pronoun", "Their cat", 1),
    ("opens_with_pronoun", "Such cats", 1),
    ("opens_with_pronoun", "The cat they saw", 0),
    ("first_person", "I saw my cat ./.", 2 / 4),
    ("verbless", "cats/NNS|cats/NNS can/MD|to/TO nap/VB", 1 / 3),
    ("not_finite", "cats/NNS|cats/NNS can/MD|to/TO nap/VB|napping/VBG", 3 / 4),
    ("not_finite", "a ran/VBD|a run/VBP|a runs/VBZ|taken/VBN", 1 / 4),
    ("subjectless", "it//1/expl rained//-1/root|rained//-1/root", 1 / 2),
    (
        "subjectless",
        "a//1/nsubj b|a//1/nsubjpass b|a//1/csubj b|a//1/csubjpass b|a//1/dobj b",
        1 / 5,
    ),
    ("root_no_verb", "cat/NN/-1/root ran/VBD/0/acl|ran/VBD/-1/root", 1 / 2),
    ("root_not_finite", "nap/VB/-1|napping/VBG/-1|naps/VBZ/-1|napped/VBN/-1", 2 / 4),
    ("broken_off", "cats/NNS of/IN the/DT ./.|cats/NNS nap/VBP|a/NN and/CC", 2 / 3),
    ("broken_end", "cats/NNS of/IN|cats/NNS nap/VBP", 0),
    ("broken_end", "cats/NNS nap/VBP|cats/NNS of/IN ./.", 1),
    ("unclear", "a//1/dep b//-1/root c//1/meta d//1/det", 2 / 4),
    ("unknown_tags", "a/XX b/ADD c/FW d/LS e/AFX f/NN", 5 / 6),
    ("interjections", "oh/UH no/UH a/DT cat/NN", 2 / 4),
    ("parataxis", "a//1/parataxis b c//1/parataxis|d", 2 / 2),
    ("tense_mixture", "a/VBD b/VBZ c/VBP d/VBZ e/VB", 1 / 4),
    ("tense_mixture", "a/VBD b/VBD c/VBZ", 1 / 3),
    ("depth", "a//1 b//2 c//-1|d//-1", (2 + 0) / 2),
    (
        "clauses",
        "a//-1/root b//0/advcl c//0/ccomp d//0/relcl e//0/acl f//0/xcomp g//0/csubj h//0/det|i",
        6 / 2,
    ),
    ("adverbial_clauses", "a//-1/root b//0/advcl c//0/ccomp|d", 1 / 2),
    ("relative_clauses", "a//-1/root b//0/relcl c//0/acl d//0/advcl|e", 2 / 2),
    ("conjuncts", "a//-1/root b//0/conj c//1/conj|d|e|f", 2 / 4),
    ("conjunctions", "a/CC b/NN c/CC d/IN", 2 / 4),
    ("prepositions", "a/IN b/NN c/TO d/CC", 1 / 4),
    ("verbs", "a/VB b/VBD c/VBN d/MD e/NN", 3 / 5),
    ("opens_with_connective", "However , cats", 1),
    ("opens_with_connective", "Cats however", 0),
    ("lower_case_starts", "cats|Cats|9 cats|it", 2 / 4),
    ("capitals", "The Cat saw a NATO ./.", 3 / 6),
    ("spaced_marks", "a b c d", 3 / 4, "a , b . c 's 'd"),
    ("spaced_marks", "a b", 0, "a, b."),
    ("no_final_mark", "a", 1, "a b"),
    ("no_final_mark", "a", 0, 'He said "a."  '),
    ("no_final_mark", "a", 0, "a?"),
    ("no_final_mark", "a", 1, "a ,"),
]


def of(written: Document, relations: list[dict[str, Any]] | None = None) -> dict[str, float]:
    return features_of(written, DiscourseDocument.of(written, relations or []))


@pytest.mark.parametrize("case", CASES, ids=lambda case: f"{case[0]}: {case[1][:20]}")
def test_a_feature_has_the_value_worked_out_by_hand(case: tuple[Any, ...]) -> None:
    name, sentences, value, *text = case
    written = document(sentences, *text)
    assert of(written)[name] == pytest.approx(value, abs=1e-12)
    (row,) = feature_rows([written], [DiscourseDocument.of(written)], ["verbs", name])
    assert row[1] == pytest.approx(value, abs=1e-12)  # found by its name


RELATED = document("Cats nap|But dogs bark|It rains so we nap|Cats nap")
RELATIONS: list[dict[str, Any]] = [
    # opens the second sentence
    {"type": "Explicit", "sense": "Comparison", "conn_tokens": [2], "arg1": [0, 2], "arg2": [3, 5]},
    # stands within the third
    {
        "type": "Explicit",
        "sense": "Contingency",
        "conn_tokens": [7],
        "arg1": [5, 7],
        "arg2": [8, 10],
    },
    {"type": "Implicit", "sense": "Expansion", "arg1": [2, 5], "arg2": [5, 10]},
    {"type": "NoRel", "arg1": [5, 10], "arg2": [10, 12]},
    {"type": "EntRel", "arg1": [0, 2], "arg2": [10, 12]},
]
RELATIONAL = {"explicit_relations": 2 / 4, "opening_relations": 1 / 4, "no_relation": 1 / 3}


def test_relations_are_counted_by_sentences_and_norel_by_those_without_a_connective() -> None:
    values = of(RELATED, RELATIONS)
    assert {name: values[name] for name in RELATIONAL} == pytest.approx(RELATIONAL)
    nothing = of(RELATED)
    assert {name: nothing[name] for name in RELATIONAL} == dict.fromkeys(RELATIONAL, 0)


def test_every_plain_feature_has_a_case() -> None:
    plain = {name for name in names_of(GROUPS) if "->" not in name}
    assert plain == {case[0] for case in CASES} | set(RELATIONAL)


def test_nothing_to_count_is_0_and_no_sentence_without_words_counts() -> None:
    empty = of(Document())
    assert {name for name, value in empty.items() if value} == {"no_final_mark"}
    marks = of(document("./. ,/,|cats/NNS nap/VBP ./."))
    assert marks["one_sentence"] == 1 and marks["verbless"] == 0


def test_features_of_several_texts_stand_in_their_rows_and_columns() -> None:
    texts = [document("a b"), document("a a"), document("cat/NN")]
    names = ["doubled_words", "one_sentence", "repeated_words"]
    table = feature_rows(texts, [DiscourseDocument.of(each) for each in texts], names)
    np.testing.assert_array_equal(table, [[0, 1, 0], [0.5, 1, 0.5], [0, 1, 0]])


# More of these reads better, whatever judgements say; of all other plain features less does.
BETTER = """
    sentence_length shortest_sentence word_length distinct_words new_content least_new_content
    new_content_at_end carried_content least_carried depth clauses adverbial_clauses
    relative_clauses conjuncts conjunctions prepositions verbs explicit_relations opening_relations
""".split()


def test_directions_are_as_the_definition_says() -> None:
    told = {name: feature.direction for group in GROUPS.values() for name, feature in group.items()}
    left_to_judgements = set(names_of(["style"])) | {name for name in told if "->" in name}
    for name, direction in told.items():
        assert direction == (0 if name in left_to_judgements else 1 if name in BETTER else -1), name
    assert set(BETTER) <= set(told)
