"""Readability, DICOMER and their baselines beside human judgements of how summaries read.

    python benchmarks/people/discourse.py readability DATA [--sets NAME,...] [--quick]

DATA holds the files of SETS, one summary a line: topic_id, system_id, summary, scores (a mapping
from dimensions to numbers). For each file and dimension a line of a Markdown table is printed for
each method: Spearman's correlation within topics (mean over topics in which both sides vary) and
over systems (means of a system), first by models that did not see the topic, then by models that
saw neither the topic nor the system. Topics are dealt into four parts, and each system is left out
in turn. Penalties of the readability models are chosen within the training texts of each part;
ranking machines have SVM-light's default C, so nothing is chosen for them.

"readability" is trained here, on the other texts of the set itself. Sets that a model never saw:
readability_sets.py. "dicomer, shipped" is the model that comes with the package, on the sets that
it was not trained on. `--quick` leaves out LIN and DICOMER. Texts are parsed once, for DICOMER; the
parses stay in the cache of `summeval.annotate`. After summeval: how many texts a second
`readability` scores.

The set "order" is gdtb/gdtb_free_dev.jsonl.gz: how often the models of coherent order that come
with the package prefer 12 sentences to a permutation of them; relations are found again for each.
"""

from __future__ import annotations

import argparse
import gzip
import json
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[2] / "ci" / "resources"))

import gdtb
import numpy as np
import readability_models
from numpy.typing import NDArray
from scipy import sparse, stats

import summeval
from summeval.annotate import DiscourseDocument, Document, annotate
from summeval.annotate.discourse import parse
from summeval.learn import signed_ridge as ridge
from summeval.learn.svm import RankSVM, pair_accuracy
from summeval.metrics.discourse.dicomer import SHIPPED
from summeval.metrics.discourse.readability import FEATURES, directions, judged
from summeval.metrics.discourse.roles import RoleSpace

SETS = {
    "summeval": ("coherence", "fluency"),
    "opinsummeval": ("readability", "self_coh"),
    "dialsummeval": ("coherence", "fluency"),
    "summeval_op": ("coherence", "fluency"),
}
TRAINED_ON = ("summeval", "summeval_op")
ROLES = ("presence", "grid", "lin", "dicomer")
Floats = NDArray[np.float64]
Held = Callable[[int], Floats]  # of parts of the systems, the value of each summary
TOPICS, EACH = 4, 1000  # parts of topics; enough parts for each system to be one


@dataclass
class Set:
    """A file of judged summaries, parsed, with its features."""

    rows: list[dict[str, Any]]
    documents: list[Document]
    relations: list[DiscourseDocument]
    features: Floats

    def judged(self, dimension: str) -> ridge.Judged:
        """The features with the scores."""
        names = ([row[key] for row in self.rows] for key in ("topic_id", "system_id"))
        scores = [row["scores"][dimension] for row in self.rows]
        return judged(self.features, scores, *names)


def read(path: Path) -> Set:
    """The summaries of a file."""
    with gzip.open(path, "rt", encoding="utf-8") as file:
        rows = [json.loads(line) for line in file]
    documents = [each for each in annotate([row["summary"] for row in rows]) if each is not None]
    relations = [parse(each) for each in documents]
    features = summeval.metric("readability").features([row["summary"] for row in rows])
    return Set(rows, documents, relations, features)


def roles(given: Set, features: str) -> Any:
    """The sparse rows of a role matrix."""
    space = RoleSpace(features)
    found = space.rows(given.documents if features == "grid" else given.relations)
    shape = (len(given.rows), space.size)
    table = sparse.csr_matrix((found.values, found.indices, found.indptr), shape=shape)
    return table[:, np.unique(found.indices)]


def by_ranking(table: Any, known: ridge.Judged) -> Held:
    """A ranking machine over the rows of a role matrix."""

    def held(systems: int) -> Floats:
        values = np.zeros(len(known.ranks))
        for trained, asked in ridge.parts(known, TOPICS, systems):
            machine = RankSVM(tol=1e-4)
            machine.fit(table[trained], known.ranks[trained], known.topics[trained])
            own = table[trained] @ machine.coef_
            values[asked] = (table[asked] @ machine.coef_ - own.mean()) / (own.std() or 1.0)
        return values

    return held


def by_features(known: ridge.Judged) -> Held:
    """The learner of `readability`."""
    penalties = np.ones(len(FEATURES))
    return lambda systems: ridge.held_out(
        known, directions(), penalties, topics=TOPICS, systems=systems
    )


def fixed(values: Floats) -> Held:
    """Values that nothing was learnt for."""
    return lambda systems: values


def methods(given: Set, name: str, dimension: str, quick: bool) -> Iterator[tuple[str, Held]]:
    """What is compared."""
    known = given.judged(dimension)
    bigrams = list(FEATURES).index("repeated_bigrams")
    words = [len(row["summary"].split()) for row in given.rows]
    yield "words", fixed(np.array(words, dtype=float))
    yield "repeated bigrams, negative", fixed(-given.features[:, bigrams])
    for features in ROLES[:2] if quick else ROLES:
        yield features, by_ranking(roles(given, features), known)
    yield "readability", by_features(known)
    if name not in TRAINED_ON:
        dicomer = summeval.metric("dicomer")
        yield "dicomer, shipped", fixed(dicomer.predict(given.relations))


def correlations(values: Floats, known: ridge.Judged, scores: Floats) -> list[float]:
    """Spearman's within topics, and over systems."""
    sizes = np.bincount(known.systems)
    means = (np.bincount(known.systems, weights=column) / sizes for column in (values, scores))
    return [ridge.agreement(values, known), float(stats.spearmanr(*means).statistic)]


def compare(given: Set, name: str, dimension: str, quick: bool) -> None:
    """Print the table of one dimension."""
    known = given.judged(dimension)
    scores = np.array([row["scores"][dimension] for row in given.rows], dtype=float)
    topics, systems = (len(np.unique(column)) for column in (known.topics, known.systems))
    print(f"\n### {name}, {dimension}: {len(scores)} summaries, {topics} topics, {systems} systems")
    print("\n| | topics unseen: within | system | systems too: within | system |")
    print("|---|---|---|---|---|")
    for label, held in methods(given, name, dimension, quick):
        cells = [
            number for parts in (1, EACH) for number in correlations(held(parts), known, scores)
        ]
        print(f"| {label} | {' | '.join(f'{number:.3f}' for number in cells)} |", flush=True)


def content_and_readability(given: Set) -> None:
    """CREMER on topics that it did not see, beside TESLA-S and DICOMER alone."""
    dimensions = ("coherence", "consistency", "fluency", "relevance")
    overall = np.mean([[row["scores"][name] for name in dimensions] for row in given.rows], axis=1)
    topics = np.array([row["topic_id"] for row in given.rows])
    known = given.judged("coherence")
    known = known._replace(ranks=ridge.ranks_of(overall, known.topics))
    texts, references = ([row[key] for row in given.rows] for key in ("summary", "references"))
    tesla = summeval.metric("tesla-s").score_batch(texts, references)["tesla-s.fmeasure"]
    coherence = np.array([row["scores"]["coherence"] for row in given.rows])
    dicomer = summeval.Dicomer(min_documents=3)
    values = dicomer.cross_predict(given.relations, coherence, topics)
    print("\n### summeval, mean of four dimensions, topics unseen")
    print("\n| | within | system |\n|---|---|---|")
    rows = np.column_stack([tesla, values])
    found = {"tesla-s": tesla, "dicomer": values}
    for kernel in ("linear", "poly", "rbf"):
        held = np.zeros(len(rows))
        for trained, asked in ridge.parts(known, TOPICS, 1):
            metric = summeval.Cremer(kernel=kernel).fit(rows[trained], overall[trained])
            held[asked] = metric.predict(rows[asked])
        found[f"cremer, {kernel}"] = held
    for label, column in found.items():
        cells = correlations(column, known, overall)
        print(f"| {label} | {' | '.join(f'{number:.3f}' for number in cells)} |", flush=True)


def speed(given: Set) -> None:
    """Texts a second, on one core; the best of nine."""
    metric, times = summeval.metric("readability"), []
    texts = [row["summary"] for row in given.rows]
    for _ in range(9):
        begin = time.process_time()
        metric.score_batch(texts)
        times.append(time.process_time() - begin)
    words = sum(len(row["summary"].split()) for row in given.rows) / len(given.rows)
    print(f"\n{len(given.rows) / min(times):,.0f} texts a second, of {words:.0f} words each")


def order(data: Path) -> None:
    """The shipped models of order on documents that they were not trained on."""
    texts, ranks, topics, _ = readability_models.orders(
        [gold.parsed for gold in gdtb.read(data / "gdtb", "dev")]
    )
    related = [parse(text) for text in texts]
    print(f"\n### order: {sum(ranks)} texts, {len(texts) - sum(ranks)} permutations")
    print("\n| | pairs in order |\n|---|---|")
    for features in SHIPPED["coherence-order"]:
        metric = summeval.metric("coherence-order", features=features)
        values = metric.predict(texts if features == "grid" else related)
        print(f"| {features} | {pair_accuracy(values, ranks, topics):.3f} |", flush=True)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--sets", default=",".join([*SETS, "order"]))
    parser.add_argument("--quick", action="store_true")


def run(options: argparse.Namespace) -> None:
    """Print every table."""
    for name in options.sets.split(","):
        if name == "order":
            order(options.data)
            continue
        given = read(options.data / f"{name}.jsonl.gz")
        for dimension in SETS[name]:
            compare(given, name, dimension, options.quick)
        if name == "summeval":
            content_and_readability(given)
            speed(given)
