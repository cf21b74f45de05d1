"""What the parser of the package and spaCy both find in texts."""

from __future__ import annotations

import pytest

from summeval.annotate import Document, Provider, provider


@pytest.fixture(scope="module", params=["compiled", "spacy"])
def parser(request: pytest.FixtureRequest) -> Provider:
    if request.param == "spacy":
        pytest.importorskip("spacy")
    return provider(request.param)


def parse(source: Provider, *texts: str) -> list[Document]:
    return list(source.parse(texts))


def test_tokens_have_tags_lemmas_heads_and_labels(parser: Provider) -> None:
    (document,) = parse(parser, "The cats didn't sleep.")
    (sentence,) = document.sentences
    rows = [(t.form, t.tag, t.lemma, t.head, t.label) for t in sentence.tokens]
    assert rows == [
        ("The", "DT", "the", 1, "det"),
        ("cats", "NNS", "cat", 4, "nsubj"),
        ("did", "VBD", "do", 4, "aux"),
        ("n't", "RB", "not", 4, "neg"),
        ("sleep", "VB", "sleep", -1, "root"),
        (".", ".", ".", 4, "punct"),
    ]


def test_entities_are_persons_organisations_and_locations(parser: Provider) -> None:
    text = "On Monday, John Smith of Google Inc. flew to France.\nHe met Mary Jones."
    (document,) = parse(parser, text)
    tokens = [token for sentence in document.sentences for token in sentence.tokens]
    named = [
        (e.label, " ".join(token.form for token in tokens[e.first : e.last + 1]))
        for e in document.entities
    ]
    assert named == [
        ("PER", "John Smith"),
        ("ORG", "Google Inc."),
        ("LOC", "France"),
        ("PER", "Mary Jones"),
    ]


def test_offsets_point_into_the_text_as_given(parser: Provider) -> None:
    text = '  He did n\'t\u00a0say "yes" -- he left...\r\n\n“Never” , she said .He went.'
    (document,) = parse(parser, text)
    assert document.text == text
    places = [(t.form, text[t.start : t.end]) for s in document.sentences for t in s.tokens]
    differing = [place for place in places if place[0] != place[1]]
    assert differing == [
        ("``", '"'), ("''", '"'), ("-", "--"), (".", "..."), ('"', "“"), ('"', "”"),
    ]  # fmt: skip
    assert "".join(place for _, place in places) == "".join(text.split())


def test_newlines_end_sentences_and_the_parser_splits_lines(parser: Provider) -> None:
    document, lines = parse(parser, "The cat sat down. The dog ran away.", "the cat\nsat down")
    assert document.starts == (0, 5, 10)
    assert lines.starts == (0, 2, 4)


@pytest.mark.parametrize("text", ["", " \n\t\n", "\u0018"])
def test_text_without_words_has_no_sentences(parser: Provider, text: str) -> None:
    (document,) = parse(parser, text)
    assert document == Document(text=text, provider=parser.signature)
