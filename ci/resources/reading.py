"""The recipe of the model of `readability`, and the data that it learns from.

Used by readability_models.py, which makes the model that ships, and by
benchmarks/people/readability_sets.py, which leaves sets, topics and systems out.

1. Norms: the features of texts that people wrote (FAMILIES), by the number of words.
2. Judged summaries (SETS): ranks within topics, the sets weighing the same.
3. Texts that people wrote beside the same text with a stuttered phrase (and, at half the weight,
   cut off, with half sentences, with a fragment, with swapped words). No judgements.
The model is the sum of 2 and 3, each of deviation 1 within the topics of 2.
"""

from __future__ import annotations

import gzip
import hashlib
import json
import math
import random
import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from length_norms import fit_sets, fitted
from numpy.typing import NDArray
from word_pairs import class_of, likeliness

from summeval.learn.signed_ridge import Judged, LengthNorms, Weights
from summeval.metrics.discourse.readability import (
    NORMED,
    FeatureReader,
    Readability,
    directions,
    judged,
)
from summeval.text import sentences, tokens

Floats = NDArray[np.float64]
# "Reads well" is the mean of these; sets that judge several.
SETS = {
    "summeval": ("coherence", "fluency"),
    "summeval_op": ("coherence", "fluency"),
    "opinsummeval": ("readability",),
    "dialsummeval": ("coherence", "fluency"),
    "newsroom": ("coherence", "fluency"),
    "mslr_cochrane": ("fluency",),
}
# Texts that people wrote: summaries by people, or references.
FAMILIES = {
    "summeval": "references",
    "realsumm": "references",
    "pyrxsum": "references",
    "newsroom": "references",
    "news_writers_pairwise": "people",
    "dialsummeval": "people",
    "fewsum_amazon": "people",
    "fewsum_yelp": "people",
    "opinosis": "references",
    "summeval_op": "references",
    "opinsummeval": "references",
    "squality": "people",
    "mslr_cochrane": "references",
}
MOST_TEXTS, FEWEST_WORDS = 150, 4  # of a family; of a text
STRENGTH = 300.0
SHARES = (1.0, 1.0, 0.5)  # of judgements, stuttered texts and texts of other faults
FURTHEST = 5.0  # deviations that count

NOTE = (
    "Judgements of SummEval (MIT), SummEval-OP (MIT), OpinSummEval, DialSummEval, Newsroom, MSLR"
    " (Cochrane); norms of human texts of these, REALSumm (CC-BY 4.0), PyrXSum, FewSum (MIT),"
    " Opinosis (Apache 2.0), SQuALITY (CC-BY 4.0) and news writers' summaries; word classes of the"
    " GUM Discourse Treebank, free texts, train (CC-BY 4.0)"
)


@dataclass
class Set:
    """The judged summaries of a file, and their features, which have no norms yet."""

    name: str
    rows: list[dict[str, Any]]
    features: Floats
    words: Floats
    scores: Floats
    topics: list[str]
    systems: list[str]

    def judged(self, norms: LengthNorms, chosen: Any = slice(None)) -> Judged:
        """The normed features and ranks of some of the summaries."""
        where = np.arange(len(self.rows))[chosen]
        return judged(
            normed(norms, self.features[where], self.words[where]),
            self.scores[where],
            [self.topics[place] for place in where],
            [self.systems[place] for place in where],
        )


@dataclass
class Family:
    """Texts that people wrote, and the same texts spoilt in several ways, with their features."""

    features: Floats
    words: Floats
    spoilt: dict[str, tuple[list[int], Floats, Floats]]  # which text, features, words


def lines(path: Path) -> list[dict[str, Any]]:
    """The rows of a file."""
    with gzip.open(path, "rt", encoding="utf-8") as file:
        return [json.loads(line) for line in file]


def place_of(text: str) -> int:
    """A number that depends on the text alone, to choose and to deal by."""
    return int(hashlib.sha1(text.encode()).hexdigest(), 16)


def word_pairs(data: Path) -> Floats:
    """The table of word classes, of the treebank's texts for training."""
    found = []
    for row in lines(data / "gdtb" / "gdtb_free_train.jsonl.gz"):
        for first, end in row["sents"]:
            words = tokens(" ".join(row["tokens"][first:end]), "unicode")
            found.append([class_of(word) for word in words])
    return likeliness(found)


def read_sets(data: Path, reader: FeatureReader, names: Iterable[str] = SETS) -> list[Set]:
    """The judged summaries, with features."""
    found = []
    for name in names:
        rows = lines(data / f"{name}.jsonl.gz")
        features, words, _ = reader.read([row["summary"] for row in rows])
        scores = np.array([np.mean([row["scores"][one] for one in SETS[name]]) for row in rows])
        topics = [f"{name}:{row['topic_id']}" for row in rows]
        systems = [f"{name}:{row['system_id']}" for row in rows]
        found.append(Set(name, rows, features, words, scores, topics, systems))
    return found


def human_texts(data: Path, name: str) -> list[str]:
    """The texts of a family, in an order that a hash decides."""
    rows = lines(data / f"{name}.jsonl.gz")
    if FAMILIES[name] == "people":
        found = {row["summary"] for row in rows if row["is_human"] or name.startswith("fewsum")}
    else:
        found = {text for row in rows for text in row["references"] or ()}
    kept = {text.strip() for text in found if len(tokens(text, "unicode")) >= FEWEST_WORDS}
    return sorted(kept, key=place_of)[:MOST_TEXTS]


def read_families(data: Path, reader: FeatureReader) -> dict[str, Family]:
    """The texts that people wrote, with features."""
    found = {}
    for name in FAMILIES:
        texts = human_texts(data, name)
        spoilt = {}
        for kind, spoil in SPOILT.items():
            made = [
                (place, spoil(text, random.Random(kind + text))) for place, text in enumerate(texts)
            ]
            kept = [(place, new) for place, new in made if new and new != texts[place]]
            features, words, _ = reader.read([new for _, new in kept])
            spoilt[kind] = ([place for place, _ in kept], features, words)
        found[name] = Family(*reader.read(texts)[:2], spoilt)
    return found


def norms_of(families: dict[str, Family]) -> LengthNorms:
    """Of the features that are seldom 0; the families weigh the same."""
    tables = [family.features for family in families.values()]
    wanted = np.arange(tables[0].shape[1]) < len(NORMED)
    return fitted(tables, [family.words for family in families.values()], wanted)


def normed(norms: LengthNorms, features: Floats, words: Floats) -> Floats:
    """Features in deviations, as far as they count."""
    return np.clip(norms.standard(features, words), -FURTHEST, FURTHEST)


def pairs_of(norms: LengthNorms, families: Iterable[Family], kinds: Sequence[str]) -> list[Judged]:
    """Clean texts beside spoilt ones: each pair is a topic, each family and kind is a set."""
    found = []
    for kind in kinds:
        for family in families:
            places, features, words = family.spoilt[kind]
            if len(places) < 8:
                continue
            clean = normed(norms, family.features[places], family.words[places])
            rows = np.vstack([clean, normed(norms, features, words)])
            ranks = np.repeat([0.25, -0.25], len(places))
            topics = np.tile(np.arange(len(places)), 2)
            found.append(Judged(rows, ranks, topics, np.zeros_like(topics)))
    return found


def within(values: Floats, topics: NDArray[np.int64]) -> Floats:
    """Differences from the means of topics."""
    sums = np.bincount(topics, weights=values) / np.maximum(1, np.bincount(topics))
    return values - sums[topics]


def spread_of(weights: Floats, sets: Sequence[Judged]) -> float:
    """The deviation of the values within topics, the sets weighing the same."""
    return math.sqrt(np.mean([np.var(within(one.rows @ weights, one.topics)) for one in sets]))


def combined(
    sets: Sequence[Judged],
    loops: Sequence[Judged],
    forms: Sequence[Judged],
    shares: Sequence[float] = SHARES,
) -> Floats:
    """The weights of the model: the sum of its parts, each of deviation 1 within topics."""
    found = np.zeros(sets[0].rows.shape[1])
    for part, share in zip((sets, loops, forms), shares, strict=True):
        weights = fit_sets(part, directions(), STRENGTH)
        found += share * weights / spread_of(weights, sets)
    return found


def model_of(basis: dict[str, Floats], weights: Floats, sets: Sequence[Judged]) -> Readability:
    """The metric, its values of mean 0 and deviation 1 over the sets, which weigh the same."""
    values = [one.rows @ weights for one in sets]
    middle = np.mean([value.mean() for value in values])
    spread = math.sqrt(np.mean([np.mean((value - middle) ** 2) for value in values]))
    scale = FURTHEST / 4  # the learner's own bound is 4
    size = len(weights)
    found = Weights(np.zeros(size), np.full(size, scale), weights / spread * scale, middle / spread)
    trained = {
        "strength": STRENGTH,
        "texts": sum(len(one.ranks) for one in sets),
        "sets": len(sets),
    }
    return Readability.made_of(basis, found, trained)


def made(data: Path) -> Readability:
    """The model that ships."""
    pairs = word_pairs(data)
    reader = FeatureReader(pairs)
    families = read_families(data, reader)
    norms = norms_of(families)
    sets = [each.judged(norms) for each in read_sets(data, reader)]
    loops = pairs_of(norms, families.values(), ("stutter",))
    forms = pairs_of(norms, families.values(), FORMS)
    return model_of({"pairs": pairs, **norms._asdict()}, combined(sets, loops, forms), sets)


def stutter(text: str, chance: random.Random) -> str | None:
    """A phrase of 1 to 6 words, said again once to three times."""
    words = text.split()
    if len(words) < 4:
        return None
    size = chance.randint(1, min(6, len(words) - 1))
    first = chance.randrange(len(words) - size + 1)
    phrase = words[first : first + size]
    return " ".join(words[:first] + phrase * (1 + chance.randint(1, 3)) + words[first + size :])


def cut_off(text: str, chance: random.Random) -> str | None:
    """The last sentence ends in its midst."""
    whole = sentences(text)
    words = whole[-1].split()
    if len(words) < 6:
        return None
    rest = " ".join(words[: chance.randint(2, len(words) - 2)])
    return " ".join([*whole[:-1], rest.rstrip(".,;:!?")])


def half(text: str, chance: random.Random) -> str | None:
    """The first half of each sentence, with a full stop."""
    halves = (each.split()[: max(1, len(each.split()) // 2)] for each in sentences(text))
    return " ".join(re.sub(r"[ .,;:!?]+$", "", " ".join(words)) + "." for words in halves)


def fragment(text: str, chance: random.Random) -> str | None:
    """Two to four words in place of a sentence."""
    whole = sentences(text)
    place = chance.randrange(len(whole))
    words = whole[place].split()
    if len(whole) < 2 or len(words) < 8:
        return None
    first = chance.randrange(1, len(words) - 4)
    whole[place] = " ".join(words[first : first + chance.randint(2, 4)]) + " ."
    return " ".join(whole)


def swap(text: str, chance: random.Random) -> str | None:
    """Two neighbouring words of each sentence change places."""
    found = []
    for each in sentences(text):
        words = each.split()
        if len(words) > 4:
            at = chance.randrange(len(words) - 2)
            words[at], words[at + 1] = words[at + 1], words[at]
        found.append(" ".join(words))
    return " ".join(found)


SPOILT: dict[str, Callable[[str, random.Random], str | None]] = {
    "stutter": stutter,
    "cut off": cut_off,
    "half": half,
    "fragment": fragment,
    "swap": swap,
}
FORMS = ("cut off", "half", "fragment", "swap")
