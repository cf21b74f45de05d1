"""The GUM Discourse Treebank as documents: gold tokens, sentences and relations, predicted parses.

Read by the script that trains the discourse parser and by the benchmark that measures it.
"""

from __future__ import annotations

import gzip
import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import accumulate, pairwise
from pathlib import Path
from typing import Any

from summeval.annotate import Cache, DiscourseDocument, Document, Sentence, Token, cache_folder
from summeval.annotate.parsers import SpacyProvider, load

NO_BLANK_BEFORE = frozenset(
    ", . ; : ! ? ) ] } % ' ’ ” '' 's ’s n't n’t 're ’re 've ’ve 'll ’ll 'm ’m 'd ’d - – / …".split()
)
NO_BLANK_AFTER = frozenset("( [ { $ “ ‘ `` - – /".split())


@dataclass(frozen=True)
class Gold:
    """A document of the treebank: its parse by spaCy, and its relations as annotated."""

    name: str
    parsed: Document
    relations: DiscourseDocument


def read(folder: Path, split: str) -> list[Gold]:
    """The documents of `gdtb_free_<split>.jsonl.gz` in a folder; parses are kept in the cache."""
    with gzip.open(folder / f"gdtb_free_{split}.jsonl.gz", "rt", encoding="utf-8") as file:
        rows = [json.loads(line) for line in file]
    provider = SpacyProvider()
    signature = provider.signature + "+gold-tokens:1"
    cache = Cache(cache_folder())
    texts = [" ".join(row["tokens"]) for row in rows]
    parsed = cache.find(signature, texts)
    missing = [row for row, text in zip(rows, texts, strict=True) if text not in parsed]
    made = [parse_tokens(row, provider.model, signature) for row in missing]
    cache.store(made)
    parsed.update((document.text, document) for document in made)
    cache.close()
    return [
        Gold(row["doc"], parsed[text], gold_relations(row, parsed[text]))
        for row, text in zip(rows, texts, strict=True)
    ]


def parse_tokens(row: dict[str, Any], model: str, signature: str) -> Document:
    """Tags and dependencies of tokens and sentences that are given."""
    from spacy.tokens import Doc

    nlp = load(model)
    sentences = [row["tokens"][first:end] for first, end in row["sents"]]
    docs = [
        Doc(
            nlp.vocab,
            words=words,
            spaces=blanks(words),
            sent_starts=[True] + [False] * (len(words) - 1),
        )
        for words in sentences
    ]
    text = " ".join(row["tokens"])
    offsets = [0, *accumulate(len(word) + 1 for word in row["tokens"])]
    read = []
    for (first, _), doc in zip(row["sents"], nlp.pipe(docs, disable=["ner"]), strict=True):
        tokens = (
            Token(
                token.text,
                token.tag_,
                token.lemma_,
                -1 if token.head.i == token.i else token.head.i,
                token.dep_.lower(),
                offsets[first + token.i],
                offsets[first + token.i + 1] - 1,
            )
            for token in doc
        )
        read.append(Sentence(tuple(tokens)))
    return Document(tuple(read), (), text, signature)


def blanks(words: Sequence[str]) -> list[bool]:
    """Whether a blank stood after each word, guessed: the treebank's extract has none left."""
    after = [
        not (word in NO_BLANK_AFTER or following in NO_BLANK_BEFORE)
        for word, following in pairwise(words)
    ]
    return [*after, False]


def gold_relations(row: dict[str, Any], parsed: Document) -> DiscourseDocument:
    """The relations of a row; an Implicit one whose sense is NoRel is a NoRel."""
    return DiscourseDocument.of(parsed, _relations(row["rels"]))


def _relations(rows: Sequence[dict[str, Any]]) -> Iterator[dict[str, Any]]:
    for row in rows:
        none = row["senses"] == ["NoRel"]
        yield {
            "type": "NoRel" if none else row["type"],
            "sense": None if none else row["senses"],
            "conn_tokens": [token for span in row["conn"] for token in range(*span)],
            "arg1": row["arg1"],
            "arg2": row["arg2"],
        }
