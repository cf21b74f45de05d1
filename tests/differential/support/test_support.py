"""The kernel of `support` gives the numbers of its definition."""

from __future__ import annotations

import math
import random
from typing import Any

import numpy as np
import pytest
from definitions import support as twin
from hypothesis import example, given, settings
from hypothesis import strategies as st

import summeval
from summeval import Support
from summeval._core.support import support as kernel
from summeval.metrics.support import function_words, numbers, turning_stems
from summeval.text import sentences

FEW = settings(max_examples=40)
METRIC = Support()
KERNEL: kernel.SupportKernel = METRIC._kernel()
SOURCE = (
    "Mr. Smith of Acme Inc. paid $1,500.50 on the 21st. He didn't say why. The Russian bank lost"
    " 3 million. “Why?” asked the banker’s friends, isn’t it odd!\nNo. 5 was closed... Nobody left"
)
# Few words, so that many of them match; words that begin alike; marks that end sentences or not.
PIECES = [
    *"the of was not cat cats sat mat mats and it one two 2 twenty 3rd third 1,000 1000".split(),
    *"russia russian russians russet nationalism nationalization nations Smith SMITH".split(),
    *"2.5 don't Don’t n't no No May may denied Denies allegedly ALLEGED nearly".split(),
    *". ! ? ... . . , ; : ' '' ” “ ( ) - \n \n\n".split(" "),
    *"Smiths smith SMITHS Smithson RUSSIAN Cats CATS Two Russianization nationalizations".split(),
    *"Mr. U.S. Inc. No. e.g. A. Größe 東京 naïve ß é… 。 Москва́ ſ İ 12th 5nd x1y2 ÉCOLE".split(),
]
glue = st.sampled_from(["", " ", " ", " ", " "])
texts = st.lists(st.tuples(st.sampled_from(PIECES), glue), max_size=25).map(
    lambda parts: "".join(part + blank for part, blank in parts)
)
documents = st.lists(texts, min_size=1, max_size=2)
anything = st.text(
    st.characters(exclude_categories=["Cs"], max_codepoint=0x52F) | st.sampled_from(" .'’t,19n…\n"),
    max_size=40,
)


def split(text: str) -> list[tuple[int, str]]:
    """The sentences, and where they begin."""
    found, at = [], 0
    for sentence in sentences(text):
        at = text.index(sentence, at)
        found.append((at, sentence))
        at += len(sentence)
    return found


def read(text: str) -> list[list[twin.Word]]:
    functions, digits = function_words(), numbers()
    return [twin.words(sentence, functions, digits) for _, sentence in split(text)]


TURNING = {stem.decode() for stem in turning_stems()}


def source_of(documents: list[str]) -> twin.Source:
    return twin.Source([read(document) for document in documents], TURNING)


def scored(summary: str, source: list[str]) -> twin.Support:
    return twin.support(read(summary), [read(document) for document in source], TURNING)


def chances(summary: str, source: list[str]) -> list[tuple[float, int | None]]:
    texts = twin.with_names(read(summary))
    return list(twin.probabilities(texts, source_of(source)))


def assert_alike(found: Any, wanted: Any) -> None:
    """To 1e-12; `explained` is 1 minus a ratio, so near 0 its last digits are lost."""
    np.testing.assert_allclose(
        np.array(found, float), np.array(wanted, float), rtol=1e-12, atol=1e-14
    )


@FEW
@given(texts | anything)
@example(SOURCE)
@example("1,234,567.8.9 12,34 1,2345 5th 5thx 5the n't 'n't don'tx CAN'T can’t9 ´’t")
@example("He left . '' She stayed. ” It is.The end.the U.S. No. 5. No. It A. B. 1. x")
@example("it rained @ home [1] {2} `so` ^ _. the dogs left.")  # marks beside the capitals in ASCII
def test_words_and_sentences_are_those_of_the_definition(text: str) -> None:
    wanted = []
    for begin, sentence in split(text):
        for place, word in enumerate(twin.words(sentence, function_words(), numbers())):
            edges = (len(text[: begin + at].encode()) for at in (word.begin, word.end))
            flags = (word.function, word.number, place == 0, word.capital)
            wanted.append((*edges, *flags))
    assert KERNEL.words(text) == wanted


@FEW
@given(texts, documents)
@example(SOURCE, [SOURCE])
@example("The bank paid 1500.50 to Smith. Nobody said why", [SOURCE, "", SOURCE[::-1]])
@example("he say why. lost 3 bank. No left", [SOURCE + " not a b c d e", "he did not", "say why"])
@example("cats on sat", ["cats May not on sat cats. May sat on"])
@example("Russians at Acmes saw Smith and smiths", [SOURCE])
@example("he met Smiths, smiths and russia", [SOURCE])
@example("the Smiths and Smith", ["The SMITH SAW SMITH", "SMITHS ARE SMITH"])
@example("smiths. The Five 5 Smith", ["he saw Smith. The Five. Smiths"])
@example("", [SOURCE])
@example("the cat", [""])
def test_scores_are_those_of_the_definition(summary: str, source: list[str]) -> None:
    score = METRIC.score(summary, source=source)
    assert_alike([score[field] for field in METRIC.fields], scored(summary, source))


@FEW
@given(texts, documents)
def test_each_word_has_the_probability_of_the_definition(summary: str, source: list[str]) -> None:
    wanted = chances(summary, source)
    found = KERNEL.trace(summary, source)
    assert_alike([word[2] for word in found], [z for z, _ in wanted])
    assert [word[4] is None for word in found] == [place is None for _, place in wanted]


def test_long_texts_keep_their_precision() -> None:
    words = "alpha beta gamma delta epsilon zeta eta theta iota kappa lambda".split()
    chance = np.random.default_rng(3)
    source = ". ".join(" ".join(chance.choice(words, 9)) for _ in range(12))
    summary = " ".join(chance.choice(words, 100)) + " new" * 60 + " alpha beta gamma" * 10
    wanted = scored(summary, [source])
    assert_alike(list(METRIC.score(summary, source=source))[:5], wanted)
    assert math.isfinite(wanted.explained)


@pytest.mark.parametrize("seed", range(4))
def test_words_that_the_source_repeats_too_often(seed: int) -> None:
    """Few of their places count, those that follow the last word first."""
    chance = random.Random(seed)
    common = ["the", "cat", "nationalism", "nationalizations"][: chance.randint(1, 4)]
    rare = [*common, "sat", "on", "mat", ". ", "russia"]
    source = [
        " ".join(chance.choices(common, k=size - 9) + chance.choices(rare, k=9))
        + ".\nThe cat sat on a mat."
        for size in (2_500 * len(common), chance.randint(10, 4_000))
    ]
    rare += ["nationally", "dog", "the cat", "russian"]
    for summary in ("The cat sat on a mat.", " ".join(chance.choices(rare, k=12))):
        score = METRIC.score(summary, source=source)
        assert_alike([score[field] for field in METRIC.fields], scored(summary, source))
    wanted = chances(summary, source)
    assert_alike([word[2] for word in KERNEL.trace(summary, source)], [z for z, _ in wanted])


@FEW
@given(st.lists(texts, min_size=1, max_size=5), documents)
def test_batches_threads_and_prepared_sources_give_the_same(
    summaries: list[str], source: list[str]
) -> None:
    wanted = [list(METRIC.score(text, source=source)) for text in summaries]
    prepared = METRIC.prepare(source=source)
    assert [list(prepared.score(text)) for text in summaries] == wanted
    for table in (
        METRIC.score_batch(summaries, sources=[source] * len(summaries)),
        METRIC.score_batch(summaries, sources=[source] * len(summaries), workers=3),
        prepared.score_batch(summaries, workers=2),
    ):
        columns = [table[f"support.{field}"].tolist() for field in METRIC.fields]
        assert [list(row) for row in zip(*columns, strict=True)] == wanted


@FEW
@given(texts, documents)
def test_fields_stay_within_their_bounds(summary: str, source: list[str]) -> None:
    floor, found = METRIC.score("", source=source), METRIC.score(summary, source=source)
    for field in METRIC.fields:
        assert floor[field] <= found[field] <= METRIC.best[field]


@FEW
@given(texts.filter(KERNEL.words), documents)
def test_a_word_that_the_source_lacks_lowers_every_number(summary: str, source: list[str]) -> None:
    before = METRIC.score(summary, source=source)
    after = METRIC.score(f"{summary} blorp", source=source)
    assert after.explained < before.explained or before.explained < -0.17
    for field in ("weakest", "one_sentence", "two_sentences", "copied_pairs"):
        assert after[field] <= before[field] + 1e-12


@pytest.mark.parametrize("sentences", ["rules", "newline", summeval.text.sentences])
def test_sentences_are_those_of_the_option(sentences: Any) -> None:
    metric = Support(sentences=sentences)
    source = "A cat sat. A dog ran."
    both = metric.score("A cat ran", source=source).one_sentence
    assert both == (1.0 if sentences == "newline" else 0.5)
