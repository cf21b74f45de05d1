"""The stop list gives the counts that ROUGE-1.5.5 -s printed; the function words are closed."""

from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from definitions.text import stemmer, tokens
from rouge_cases import HERE, Cases
from shared import shared

from summeval.text import function_words
from summeval.text.stemmers import exceptions
from summeval.text.stopwords import rouge155

PLAIN = "-n 4 -w 1.2 -2 4 -U"


def unigrams(cases: Cases, text_ids: list[str], is_stemmed: bool) -> Counter[str]:
    words = [token.decode() for token in tokens.rouge155(cases.content(text_ids))]
    kept = [word for word in words if word not in rouge155()]
    return Counter(stemmer.rouge155(word, exceptions()) if is_stemmed else word for word in kept)


def wrong_counts(cases: Cases) -> Iterator[tuple[dict[str, Any], list[float]]]:
    """Each ROUGE-1 recall and precision, or -t 2 counts, that differ from what was printed."""
    usual = {f"{PLAIN} -s": False, f"{PLAIN} -m -s": True, f"{PLAIN} -m -s -t 2": True}
    checked = 0
    for row in cases.expected:
        if row["opts"] not in usual or row.get("case") not in cases.sentence_cases():
            continue
        case = cases.inputs["cases"][row["case"]]
        is_stemmed = usual[row["opts"]]
        peer = unigrams(cases, case["peer"], is_stemmed)
        models = [unigrams(cases, model, is_stemmed) for model in case["refs"]]
        hits = sum((peer & model).total() for model in models)
        model_total = sum(model.total() for model in models)
        peer_total = peer.total() * len(models)
        if row["opts"].endswith("-t 2"):
            found: list[float] = [model_total, peer_total, hits]
        else:
            found = [
                float(f"{hits / total if total else 0:.5f}") for total in (model_total, peer_total)
            ]
        checked += 1
        if row["scores"]["1"][: len(found)] != found:
            yield row, found
    assert checked > 50


def test_unigrams_left_by_the_stop_list_are_those_of_rouge_155() -> None:
    assert not list(wrong_counts(Cases(HERE)))


def test_unigrams_left_on_real_text_are_those_of_rouge_155() -> None:
    assert not list(wrong_counts(Cases(Path(shared("data/rouge")))))


def test_stop_list_is_as_the_specification_describes_it() -> None:
    words = rouge155()
    assert len(words) == 596
    assert sum("'" in word or "." in word for word in words) == 53
    added = "reuters ap jan feb mar apr may jun jul aug sep oct nov dec tech news index mon tue"
    assert words.issuperset([*added.split(), *"wed thu fri sat 's s t d m re c o".split()])
    assert words.isdisjoint("ve ll don isn".split())


@pytest.mark.parametrize("words", [rouge155(), function_words.english()])
def test_words_are_lower_case_and_whole(words: frozenset[str]) -> None:
    assert all(word == word.lower().strip() and word.isascii() for word in words)


def test_function_words_are_tokens() -> None:
    words = function_words.english()
    assert {word for word in words if tokens.rouge155(word.encode()) != [word.encode()]} == set()


def test_function_words_are_of_closed_classes() -> None:
    words = function_words.english()
    closed = """
        and or but the a this all there of in with because can would ll d s i you they his himself
        up off to yes oh which who whose when where why how
    """
    assert words.issuperset(closed.split())
    open_classes = "is are was have has do not n t ve re m very here now one two man say good"
    assert words.isdisjoint(open_classes.split())
