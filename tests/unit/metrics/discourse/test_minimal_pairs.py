"""What `readability` sees: texts beside the same texts spoilt by rule, and what it does not see.

The texts are our own. A pair is seen if the clean text scores higher.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from functools import cache

import pytest
from shared import CASE_FILES

import summeval
from summeval.text import sentences

CLEAN = (CASE_FILES / "clean_texts.txt").read_text(encoding="utf-8").splitlines()
Spoil = Callable[[list[str], random.Random], list[str]]  # sentences to sentences


def loop(text: list[str], chance: random.Random) -> list[str]:
    """From its second half on the text repeats three words."""
    words = " ".join(text).split()
    at = chance.randrange(len(words) // 2, len(words) - 3)
    return [" ".join(words[:at] + (words[at : at + 3] * len(words))[: len(words) - at])]


def repeat(text: list[str], chance: random.Random) -> list[str]:
    """A sentence comes twice."""
    at = chance.randrange(len(text))
    return [*text[: at + 1], *text[at:]]


def fragment(text: list[str], chance: random.Random) -> list[str]:
    """Three words are left of a sentence."""
    at = chance.randrange(len(text))
    words = text[at].split()
    first = chance.randrange(len(words) - 3)
    rest = " ".join(words[first : first + 3]).rstrip(".,") + "."
    return [*text[:at], rest[0].upper() + rest[1:], *text[at + 1 :]]


def truncation(text: list[str], chance: random.Random) -> list[str]:
    """The text ends within its last sentence."""
    words = text[-1].split()
    rest = words[: chance.randint(2, len(words) - 2)]
    return [*text[:-1], " ".join(rest).rstrip(".,")]


def half_sentences(text: list[str], chance: random.Random) -> list[str]:
    """The second half of each sentence is missing."""
    halves = [each.split()[: len(each.split()) // 2] for each in text]
    return [" ".join(words).rstrip(".,") + "." for words in halves]


def word_swap(text: list[str], chance: random.Random) -> list[str]:
    """Two neighbouring words of each sentence change places."""
    found = []
    for each in text:
        words = each.split()
        at = chance.randrange(len(words) - 1)
        words[at : at + 2] = words[at + 1], words[at]
        found.append(" ".join(words))
    return found


def order(text: list[str], chance: random.Random) -> list[str]:
    """The sentences in another order."""
    return chance.choice([text[1:] + text[:1], text[::-1], text[2:] + text[:2]])


def alien(text: list[str], chance: random.Random) -> list[str]:
    """A sentence of another text in place of one."""
    at = chance.randrange(1, len(text))
    other = chance.choice([each for each in CLEAN if each != " ".join(text)])
    return [*text[:at], chance.choice(sentences(other)), *text[at + 1 :]]


@cache
def share_seen(spoil: Spoil, seeds: int = 8, field: str = "value") -> float:
    """The share of pairs in which the clean text scores higher; equal scores are half a pair."""
    metric = summeval.metric("readability")
    whole = [sentences(text) for text in CLEAN]
    clean = metric.score_batch(CLEAN)[f"readability.{field}"]
    seen = []
    for seed in range(seeds):
        spoilt = [" ".join(spoil(text, random.Random(f"{seed} {text}"))) for text in whole]
        found = metric.score_batch(spoilt)[f"readability.{field}"]
        seen += ((clean > found) + (clean == found) / 2).tolist()
    return sum(seen) / len(seen)


@pytest.mark.parametrize("spoil", [loop, repeat, fragment, truncation, half_sentences])
def test_spoilt_form_is_seen(spoil: Spoil) -> None:
    assert share_seen(spoil) >= 0.95


def test_swapped_words_are_seen() -> None:
    assert share_seen(word_swap) >= 0.75


@pytest.mark.parametrize("spoil", [order, alien])
def test_sense_and_order_are_not_seen(spoil: Spoil) -> None:
    """The page says so; if this fails, it is out of date."""
    assert share_seen(spoil) < 0.7


def test_an_alien_sentence_breaks_continuity() -> None:
    assert share_seen(alien, field="continuity") >= 0.6  # by the value .44


def test_continuity_does_not_mind_repetition() -> None:
    """Therefore it is a field of its own, and no part of the value."""
    assert share_seen(repeat, field="continuity") <= 0.5
