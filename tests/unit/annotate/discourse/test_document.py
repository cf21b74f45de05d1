"""Documents with discourse relations: which are accepted, and the errors for others."""

from __future__ import annotations

import pytest
from every import every

from summeval.annotate import DiscourseDocument, Document, Sentence, Token
from summeval.annotate.discourse import Relation

SENTENCES = [
    [("It", "PRP"), ("rained", "VBD"), (".", ".")],
    [("So", "RB"), ("we", "PRP"), ("left", "VBD")],
]
RELATION = {
    "type": "Explicit",
    "sense": "Contingency.Cause.Result",
    "conn_tokens": [3],
    "arg1": [0, 2],
    "arg2": [4, 6],
}


def test_relations_are_kept_as_given() -> None:
    document = DiscourseDocument(SENTENCES, [RELATION])
    assert document.starts == (0, 3, 6)
    assert document.relations == (
        Relation("Explicit", ("Contingency.Cause.Result",), (3,), ((0, 2),), ((4, 6),)),
    )
    assert DiscourseDocument(document.sentences, document.relations) == document
    assert hash(DiscourseDocument(SENTENCES, [RELATION])) == hash(document)


def test_arguments_may_have_several_spans_and_overlap() -> None:
    split = {
        **RELATION,
        "arg1": [[4, 6], [0, 1]],
        "arg2": [[0, 2]],
        "sense": ["Temporal", "Expansion"],
    }
    (relation,) = DiscourseDocument(SENTENCES, [split]).relations
    assert relation.arg1 == ((0, 1), (4, 6))
    assert relation.level_1 == "Temporal"


@pytest.mark.parametrize("sense", [None, "EntRel", []])
def test_types_without_sense(sense: object) -> None:
    given = {"type": "EntRel", "sense": sense, "arg1": (0, 1), "arg2": (1, 2)}
    (relation,) = DiscourseDocument(SENTENCES, [given]).relations
    assert (relation.senses, relation.sense, relation.conn_tokens) == ((), "EntRel", ())


def test_one_sentence_without_relations() -> None:
    document = DiscourseDocument([[("Yes", "UH")]])
    assert (document.relations, document.starts) == ((), (0, 1))
    assert DiscourseDocument().starts == (0,)


def test_sentences_of_an_annotated_document() -> None:
    parsed = Document((Sentence((Token("Yes", "UH"), Token(".", "."))),))
    assert DiscourseDocument.of(parsed).sentences == ((("Yes", "UH"), (".", ".")),)


@every(
    ("change", "error", "message"),
    [
        ({"type": "Explict"}, ValueError, r"relations\[0\]: unknown type 'Explict'; did you mean"),
        ({"type": None}, ValueError, r"relations\[0\] has no 'type'"),
        ({"arg2": None}, ValueError, r"relations\[0\] has no 'arg2'"),
        ({"sense": "Expanson"}, ValueError, r"unknown sense 'Expanson'; did you mean Expansion"),
        ({"sense": None}, ValueError, "Explicit without sense; give one of Comparison"),
        ({"type": "NoRel"}, ValueError, "NoRel with sense 'Contingency.Cause.Result'; remove"),
        ({"sense": 3}, TypeError, "sense is int; pass a str or several"),
        ({"arg1": [0, 7]}, ValueError, "arg1: tokens 0 to 7 exceed the document of 6; a span is"),
        ({"arg1": [2, 2]}, ValueError, "arg1: tokens 2 to 2 exceed the document"),
        ({"arg1": [-1, 2]}, ValueError, "arg1: tokens -1 to 2 exceed the document"),
        ({"arg1": []}, ValueError, "arg1 has no tokens"),
        ({"arg1": [0, 1, 2]}, ValueError, r"arg1 is \[0, 1, 2\]; pass \[first, last \+ 1\]"),
        (
            {"arg1": [[0, 2], [1, 3]]},
            ValueError,
            r"spans \[0, 2\] and \[1, 3\] overlap; merge them",
        ),
        ({"arg1": "all"}, TypeError, "arg1 is 'all'; pass"),
        ({"arg1": [0.0, 1.0]}, TypeError, "pass token numbers"),
        (
            {"conn_tokens": [6]},
            ValueError,
            "conn_tokens: token 6 is outside the document of 6 tokens",
        ),
        ({"conn_tokens": 3}, TypeError, "conn_tokens is 3; pass token numbers"),
    ],
)
def test_bad_relations_are_named(change: dict[str, object], error: type, message: str) -> None:
    with pytest.raises(error, match=message):
        DiscourseDocument(SENTENCES, [{**RELATION, **change}])


def test_what_is_no_relation_or_no_sentence_is_named() -> None:
    with pytest.raises(TypeError, match=r"relations\[0\] is int; pass a mapping"):
        DiscourseDocument(SENTENCES, [3])
    with pytest.raises(TypeError, match=r"sentences\[0\] is str; pass a list of \(token, tag\)"):
        DiscourseDocument(["a cat"])
    with pytest.raises(TypeError, match=r"sentences\[0\]\[0\] is 'a'; pass \(token, tag\)"):
        DiscourseDocument([["a", "cat"]])
