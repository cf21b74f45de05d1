"""Parsed documents that no parser would produce, for the discourse parser."""

from __future__ import annotations

import random

from summeval.annotate import Document, Sentence, Token

WORDS = [
    *("it", "It", "rained", "cats", "?", ".", ",", "-", "^", "$", "", "|", "a|b", "“", "’", "``"),
    *("É", "K", "ünd", "\ud800", "and", "And", "so", "that", "because", "if", "then", "either"),
    *("or", "not", "only", "but", "also", "on", "the", "one", "other", "hand", "for", "example"),
    *("as", "well", "However", "you", "um", "w" * 300),
]
TAGS = [
    "VBD",
    "VB",
    "CC",
    "IN",
    "NN",
    "JJ",
    "RB",
    "UH",
    "MD",
    "HYPH",
    "``",
    ".",
    ",",
    "",
    "É",
    "N|",
]
LABELS = ["conj", "cc", "mark", "advcl", "advmod", "nsubj", "aux", "neg", "prep", "punct", "x|y"]


def a_sentence(chance: random.Random, length: int, words: list[str]) -> Sentence:
    """Any tree over the words, in which heads may stand on either side."""
    order = chance.sample(range(length), length)
    heads = [-1] * length
    for place, token in enumerate(order):
        if place and chance.random() < 0.97:
            heads[token] = order[chance.randrange(max(0, place - 4), place)]
    rows = (
        (chance.choice(words), chance.choice(TAGS), "", head, chance.choice(LABELS))
        for head in heads
    )
    return Sentence(tuple(Token(*row) for row in rows))


def a_document(chance: random.Random) -> Document:
    words = WORDS if chance.random() < 0.5 else chance.sample(WORDS, 8)
    most = chance.choice([4, 12, 40])
    lengths = [chance.randint(1, most) for _ in range(chance.randint(0, 6))]
    sentences = [a_sentence(chance, length, words) for length in lengths]
    if chance.random() < 0.2:
        sentences.insert(chance.randint(0, len(sentences)), Sentence(()))
    return Document(tuple(sentences))
