"""Tokens, attributes and lemmas of the compiled parser beside those of spaCy itself."""

from __future__ import annotations

import gzip
import json
import random
from collections.abc import Iterator
from functools import cache
from typing import Any

import pytest
from ecosystem import ecosystem
from parser_lines import a_line
from shared import ROOT, shared

from summeval._core.parsing.tokenizing import Lemmatizer, Tokenizer
from summeval.annotate.compiled import sections
from summeval.annotate.parsers import DEFAULT_MODEL, load

ecosystem("spacy")
ecosystem(DEFAULT_MODEL)

ATTRIBUTES = ["NORM", "PREFIX", "SUFFIX", "SHAPE"]


@cache
def pipeline() -> Any:
    return load(DEFAULT_MODEL)


@cache
def kernel() -> Tokenizer:
    return Tokenizer(sections())


def differences(lines: list[str]) -> list[str]:
    """Lines whose tokens or attributes differ."""
    return [line for line in lines if by_spacy(line) != by_kernel(line)]


def by_kernel(line: str) -> object:
    return kernel().tokens(line.encode()), kernel().ids(line.encode())


def by_spacy(line: str) -> object:
    tokens = pipeline().tokenizer(line)
    told = [
        (one.text, one.norm_, one.idx, one.idx + len(one), bool(one.whitespace_), one.is_space)
        for one in tokens
    ]
    return told, [tuple(row) for row in tokens.to_array(ATTRIBUTES).tolist()]


def demo() -> list[str]:
    """The texts of the bundled summaries."""
    path = ROOT / "src/summeval/cli/data/demo.jsonl"
    rows = map(json.loads, path.read_text(encoding="utf-8").splitlines())
    return sorted({text for row in rows for text in strings(row)})


def strings(value: object) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict | list):
        for one in value.values() if isinstance(value, dict) else value:
            yield from strings(one)


def test_tokens_of_the_bundled_summaries() -> None:
    assert differences(demo()) == []


SETS = [
    *("bc3_email", "dialsummeval", "mslr_cochrane", "newsroom", "opinosis", "qags", "realsumm"),
    *("fewsum_amazon", "fewsum_yelp", "squality", "summeval", "summeval_op", "errors"),
]


def real(name: str) -> list[str]:
    """Texts of a set and their lines, in an order that a seed decides."""
    with gzip.open(shared(f"data/{name}.jsonl.gz"), "rt", encoding="utf-8") as file:
        texts = {text for row in map(json.loads, file) for text in strings(row)}
    lines = sorted({line for text in texts for line in (text, *text.splitlines())})
    random.Random(name).shuffle(lines)
    return lines


@pytest.mark.slow
@pytest.mark.parametrize("name", SETS)
def test_tokens_of_real_texts(name: str) -> None:
    assert differences(real(name)[:4000]) == []


@pytest.mark.parametrize("seed", range(6))
def test_tokens_of_noise(seed: int) -> None:
    rng = random.Random(f"spaCy {seed}")
    assert differences([a_line(rng) for _ in range(1000)]) == []


def test_tokens_of_exceptions() -> None:
    frames = ("{}", "({})", "{}.", "x {} ", "{0}{0}", "'{}'s", "{}-{}", "{}\n", "“{}”", "{},x")
    lines = [frame.format(text, text) for text in pipeline().tokenizer.rules for frame in frames]
    assert differences(lines) == []


def lemmas_differ(documents: list[Any]) -> list[tuple[str, str, str]]:
    """Words whose lemmas differ where tags and labels are spaCy's, and both lemmas."""
    tags = list(pipeline().get_pipe("tagger").labels)
    labels = sorted({*pipeline().get_pipe("parser").labels, "dep", "ROOT"})
    lemmatizer = Lemmatizer(sections(), tags, labels)
    found = []
    for document in documents:
        numbers = (
            bytes(tags.index(one.tag_) for one in document),
            bytes(labels.index(one.dep_) for one in document),
        )
        lemmas = lemmatizer.lemmas(kernel(), document.text.encode(), *numbers)
        found += [
            (one.text, one.lemma_, lemma)
            for one, lemma in zip(document, lemmas, strict=True)
            if one.lemma_ != lemma
        ]
    return found


def test_lemmas_of_the_bundled_summaries() -> None:
    assert lemmas_differ(list(pipeline().pipe(demo(), disable=["ner"]))) == []


@pytest.mark.slow
@pytest.mark.parametrize("name", SETS)
def test_lemmas_of_real_texts(name: str) -> None:
    assert lemmas_differ(list(pipeline().pipe(real(name)[:400], disable=["ner"]))) == []


@pytest.mark.parametrize("seed", range(2))
def test_lemmas_of_all_known_words_under_any_tag_and_label(seed: int) -> None:
    rng = random.Random(f"lemmas {seed}")
    ruler, lemmatizer = map(pipeline().get_pipe, ("attribute_ruler", "lemmatizer"))
    tags = list(pipeline().get_pipe("tagger").labels)
    labels = ["ROOT", "expl", "nsubj", "aux", "auxpass", "dobj", "pobj", "mark", "det", "conj"]
    tables = map(lemmatizer.lookups.get_table, ("lemma_index", "lemma_exc"))
    words = sorted({word for table in tables for kind in table.values() for word in kind})
    patterns = str(ruler.patterns)
    special = [word for word in words if f"'{word}'" in patterns]
    special += "n't nt 's 're 'd 've 'm ca wo sha ai gon na ta c'm y' you it i “ ’ nuthin'".split()
    endings = ["", "", "s", "es", "ed", "ing", "er", "est", "men", "ves", "ies"]
    documents = []
    for _ in range(300):
        line = []
        for _ in range(20):
            word = rng.choice(special) if rng.random() < 0.4 else rng.choice(words)
            word += rng.choice(endings) if rng.random() < 0.4 else ""
            line.append(rng.choice((str, str, str.title, str.upper))(word))
        tokens = pipeline().tokenizer(" ".join(line))
        documents.append(
            type(tokens)(
                tokens.vocab,
                words=[one.text for one in tokens],
                spaces=[bool(one.whitespace_) for one in tokens],
                tags=["_SP" if one.is_space else rng.choice(tags) for one in tokens],
                deps=[rng.choice(labels) for _ in tokens],
                heads=[0 for _ in tokens],
            )
        )
    labelled = [[one.dep_ for one in document] for document in documents]
    read = [lemmatizer(ruler(document)) for document in documents]
    assert [[one.dep_ for one in document] for document in read] == labelled
    assert lemmas_differ(read) == []
