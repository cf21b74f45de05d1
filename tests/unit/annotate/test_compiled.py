"""The compiled parser as a provider."""

from __future__ import annotations

import threading
from dataclasses import replace

import pytest

from summeval._core.documents.packed import is_packed
from summeval.annotate import Document, annotate, provider
from summeval.annotate.compiled import CompiledProvider, from_file, sections, to_file
from summeval.annotate.document import ENTITY_LABELS


@pytest.fixture(scope="module")
def compiled() -> CompiledProvider:
    return CompiledProvider()


def parse(source: CompiledProvider, *texts: str) -> list[Document]:
    return list(source.parse(texts))


def test_blocks_are_whole_documents(compiled: CompiledProvider) -> None:
    texts = [
        "日本語のテキスト。",
        "naïve café — “Zoë” said: 😀!",
        ")(*&^ %$#@! ... :-) http://a.b/c?d",
    ]
    for document in parse(compiled, *texts, " ".join(texts) * 50):
        assert document.block is not None
        assert is_packed(document.block, ENTITY_LABELS)
        assert replace(document).sentences == document.sentences


def test_what_nobody_asks_for_is_left_out(compiled: CompiledProvider) -> None:
    text = "John Smith left Paris. He was sad."
    lean = compiled.asking_for(())
    (whole,), (rest,) = parse(compiled, text), list(lean.parse([text]))
    assert (lean.signature, lean.asked_for) == (f"{compiled.signature}-entities-lemmas", ())
    assert whole.entities and not rest.entities
    pairs = zip(whole.sentences, rest.sentences, strict=True)
    for one, other in pairs:
        assert tuple(replace(token, lemma="") for token in one.tokens) == other.tokens
    (lemmas,) = compiled.asking_for({"lemmas"}).parse([text])
    assert (lemmas.sentences, lemmas.entities) == (whole.sentences, ())


def test_documents_do_not_depend_on_other_texts_or_threads(compiled: CompiledProvider) -> None:
    texts = [f"Ann saw {number} dogs in Rome. " * (number % 7 + 1) for number in range(60)]
    alone = [parse(compiled, text)[0] for text in texts]
    assert parse(compiled, *texts) == alone
    for workers in (2, 5):
        assert list(compiled.parse_on_threads(texts, workers)) == alone


def test_callers_may_be_threads(compiled: CompiledProvider) -> None:
    text = "The committee, which met on Friday, did not say why it had voted against the plan."
    (expected,) = parse(compiled, text)
    found: list[Document] = []

    def call() -> None:
        for _ in range(20):
            found.extend(compiled.parse([text]))

    threads = [threading.Thread(target=call) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found == [expected] * 80


def test_it_is_a_provider_by_name(compiled: CompiledProvider) -> None:
    assert provider("compiled").signature == compiled.signature == "compiled-en-3.8.0+clean:1"
    with pytest.raises(ValueError, match="unknown provider 'compiled:de'; write compiled"):
        provider("compiled:de")
    texts = ["The cat sat.", None, "A dog ran.", "The cat sat."]
    one, none, two, same = annotate(texts, "compiled", workers=2, cache=False)
    assert none is None and one is same
    assert [one, two] == parse(compiled, "The cat sat.", "A dog ran.")


def test_a_line_may_be_long_but_not_longer_than_spacy_accepts(compiled: CompiledProvider) -> None:
    line = "Ann saw 3 dogs . " * 3000
    (document,) = parse(compiled, line)
    assert [len(one.tokens) for one in document.sentences] == [5] * 3000
    with pytest.raises(ValueError, match=r"a line of 1,000,001 characters .* accepts 1,000,000"):
        parse(compiled, "a" * 1_000_001)


def test_a_surrogate_is_refused(compiled: CompiledProvider) -> None:
    with pytest.raises(UnicodeEncodeError):
        parse(compiled, "\ud800")


def test_a_damaged_model_is_refused() -> None:
    data = to_file(sections())
    for broken in (b"", data[:100], data[:-1], data[:5000] + b"?" + data[5001:]):
        with pytest.raises(
            ValueError, match="the parser's model is damaged; install summeval again"
        ):
            from_file(broken)
