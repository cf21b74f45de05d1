"""`readability` on six sets of human judgements: sets, topics and systems that it never saw.

    python benchmarks/people/readability_sets.py DATA

DATA holds the files that ci/resources/reading.py names. The target is how well a summary reads: the
mean of coherence and fluency, or what the set has of them. Printed as a Markdown table: Spearman's
correlation within topics, the mean over the topics in which both sides vary, for each set, and the
mean of the six with its 95 % interval (1,000 resamples of topics). Goals beside the rows that have
one.

    shipped, topics held out    the recipe of the shipped model in 5 parts of the topics: each part
                                is scored by a model of the other four
    shipped                     the model that comes with the package, which saw these summaries
    whole sets left out         each set is scored by a model that saw nothing of it, nor the texts
                                that people wrote for it
    ... judgements alone        the same without the spoilt human texts
    ... no judgements           the same with nothing but the spoilt human texts
    systems unseen              topics held out, and half of the systems of each set
    number of words             as a score
    coverage, −novel3, −repetition   of `extractiveness`, by the source where the set has one
    r1s                         ROUGE-1 recall with stems and without stop words
    RULE3                       distinct words - repeated content + sentence length, normed
    oracle of a system's mean   the mean score of the summary's system on the other topics, which no
                                text tells: what is gained by knowing the systems
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[2] / "ci" / "resources"))

import numpy as np
import reading
from reading import Family, Floats, Set
from scipy import stats

import summeval
from summeval.metrics.discourse.readability import FEATURES, FeatureReader

PARTS, RESAMPLES = 5, 1000
RULE3 = {"distinct_words": 1, "repeated_content": -1, "sentence_length": 1}
GOALS = {"shipped, topics held out": "≥ .41", "whole sets left out": "≥ .40, none < .20"}


class Recipe:
    """The data, and the models of parts of it."""

    def __init__(self, data: Path) -> None:
        reader = FeatureReader(reading.word_pairs(data))
        self.families = reading.read_families(data, reader)
        self.sets = reading.read_sets(data, reader)

    def values(
        self, one: Set, trained: dict[str, Floats], families: dict[str, Family], shares: Sequence
    ) -> Floats:
        """The values of a set by the model of some summaries of sets, and of families."""
        norms = reading.norms_of(families)
        judged = [
            each.judged(norms, trained[each.name]) for each in self.sets if each.name in trained
        ]
        loops = reading.pairs_of(norms, families.values(), ("stutter",))
        forms = reading.pairs_of(norms, families.values(), reading.FORMS)
        weights = reading.combined(judged, loops, forms, shares)
        return reading.normed(norms, one.features, one.words) @ weights

    def without_set(self, one: Set, shares: Sequence = reading.SHARES) -> Floats:
        others = {s.name: np.ones(len(s.rows), dtype=bool) for s in self.sets if s is not one}
        families = {name: each for name, each in self.families.items() if name != one.name}
        return self.values(one, others, families, shares)

    def without_topics(self, one: Set, halves: int = 1) -> Floats:
        """Of models that saw neither the topic nor, with 2 halves, the system."""
        found = np.zeros(len(one.rows))
        for part in range(PARTS):
            for half in range(halves):
                trained = {}
                for each in self.sets:
                    here = np.array([reading.place_of(t) % PARTS == part for t in each.topics])
                    own = np.array([reading.place_of(s) % halves == half for s in each.systems])
                    trained[each.name] = ~here & ~own if halves > 1 else ~here
                    if each is one:
                        asked = here & own
                values = self.values(one, trained, self.families, reading.SHARES)
                found[asked] = values[asked]
        return found

    def rule3(self, one: Set) -> Floats:
        norms = reading.norms_of(self.families)
        table = reading.normed(norms, one.features, one.words)
        return sum(sign * table[:, list(FEATURES).index(name)] for name, sign in RULE3.items())


def copied(one: Set, field: str) -> Floats:
    """A field of `extractiveness`."""
    texts = [row["summary"] for row in one.rows]
    sources = [row.get("source_docs") or [row.get("source") or row["summary"]] for row in one.rows]
    table = summeval.metric("extractiveness").score_batch(texts, sources=sources)
    return np.array(table[f"extractiveness.{field}"])


def recall(one: Set) -> Floats:
    """ROUGE-1 recall with stems and without stop words; 0 where there is no reference."""
    metric = summeval.metric("rouge1", stemmer="porter", stopwords=True, aggregate="average")
    texts, references = ([row[key] for row in one.rows] for key in ("summary", "references"))
    return np.nan_to_num(np.array(metric.score_batch(texts, references)["rouge1.recall"]))


def oracle(one: Set) -> Floats:
    """The mean score of the system on the other topics."""
    found = []
    systems, topics = np.array(one.systems), np.array(one.topics)
    for system, topic in zip(systems, topics, strict=True):
        others = (systems == system) & (topics != topic)
        found.append(one.scores[others].mean() if others.any() else one.scores.mean())
    return np.array(found)


def by_topic(values: Floats, one: Set) -> Floats:
    """Spearman's correlation of each topic in which both sides vary."""
    topics, found = np.array(one.topics), []
    for topic in sorted(set(one.topics)):
        here = topics == topic
        if np.ptp(values[here]) > 0 and np.ptp(one.scores[here]) > 0:
            found.append(stats.spearmanr(values[here], one.scores[here]).statistic)
    return np.array(found)


def interval(found: Sequence[Floats]) -> tuple[float, float]:
    """Of the mean over sets of the mean over topics."""
    chance = np.random.default_rng(0)
    drawn = [
        np.mean([chance.choice(each, len(each)).mean() for each in found]) for _ in range(RESAMPLES)
    ]
    low, high = np.percentile(drawn, [2.5, 97.5])
    return float(low), float(high)


def methods(recipe: Recipe) -> Iterator[tuple[str, list[Floats]]]:
    sets = recipe.sets
    metric = summeval.metric("readability")
    yield "shipped, topics held out", [recipe.without_topics(one) for one in sets]
    texts = ([row["summary"] for row in one.rows] for one in sets)
    yield "shipped (saw these summaries)", [metric.predict(each) for each in texts]
    yield "whole sets left out", [recipe.without_set(one) for one in sets]
    yield "... judgements alone", [recipe.without_set(one, (1, 0, 0)) for one in sets]
    yield "... no judgements", [recipe.without_set(one, (0, 1, 0)) for one in sets]
    yield "systems unseen", [recipe.without_topics(one, 2) for one in sets]
    yield "number of words", [one.words for one in sets]
    for field, sign in {"coverage": 1, "novel3": -1, "repetition": -1}.items():
        yield ("−" if sign < 0 else "") + field, [sign * copied(one, field) for one in sets]
    yield "r1s", [recall(one) for one in sets]
    yield "RULE3", [recipe.rule3(one) for one in sets]
    yield "oracle of a system's mean", [oracle(one) for one in sets]


def main(argv: Sequence[str] | None = None) -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("data", type=Path)
    recipe = Recipe(parser.parse_args(argv).data)
    print(f"| | {' | '.join(one.name for one in recipe.sets)} | mean | goal |")
    print(f"|---|{'--:|' * len(recipe.sets)}---|---|")
    for label, values in methods(recipe):
        found = [by_topic(value, one) for value, one in zip(values, recipe.sets, strict=True)]
        known = [each for each in found if len(each)]
        middle, (low, high) = np.mean([each.mean() for each in known]), interval(known)
        cells = " | ".join(f"{each.mean():.2f}" if len(each) else "–" for each in found)
        fewer = f" ({len(known)} sets)" * (len(known) < len(found))
        print(
            f"| {label} | {cells} | {middle:.3f} [{low:.2f}, {high:.2f}]{fewer} "
            f"| {GOALS.get(label, '')} |",
            flush=True,
        )


if __name__ == "__main__":
    main()
