"""Train the models of readability, DICOMER, CREMER and of coherent order that the package brings.

    python ci/resources/readability_models.py DATA [-o FOLDER]

DATA holds, one summary a line, the files that reading.py names, among them summeval.jsonl.gz
(SummEval, github.com/Yale-LILY/SummEval: judgements of experts, MIT licence) and
summeval_op.jsonl.gz (SummEval-OP: judgements of reviews' summaries, MIT licence), and
gdtb/gdtb_free_train.jsonl.gz (see discourse_model.py). Models hold words of features, numbers and
weights, no text. All but readability need spaCy and scikit-learn; parses are kept in summeval's
cache. The same input and versions give the same files: run it again when the discourse parser's
model has changed. benchmarks/people/readability_sets.py measures readability,
benchmarks/people/discourse.py the others.

    readability             the recipe of reading.py
    dicomer                 coherence of SummEval and SummEval-OP
    cremer-parts            the same of tesla-e, support and readability
    cremer                  the mean of all dimensions of SummEval, with coherence for its DICOMER
    coherence-order-*       original order against permutations of 12 sentences
"""

from __future__ import annotations

import argparse
import gzip
import json
import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import gdtb
import reading

from summeval import Cremer, Dicomer, Readability
from summeval.annotate import DiscourseDocument, Document, annotate
from summeval.annotate.discourse import parse
from summeval.metrics.discourse.dicomer import SHIPPED
from summeval.metrics.discourse.trained import FOLDER, PARTS

SETS = ("summeval", "summeval_op")
OVERALL = ("coherence", "consistency", "fluency", "relevance")
CHUNK, PERMUTATIONS, SEED = 12, 8, 1
NOTE = "SummEval and SummEval-OP (MIT): "


@dataclass
class Set:
    """The judged summaries of a file."""

    name: str
    rows: list[dict]
    documents: list[Document]
    relations: list[DiscourseDocument]

    def scores(self, *dimensions: str) -> list[float]:
        """The mean of some dimensions for each summary."""
        return [
            sum(row["scores"][name] for name in dimensions) / len(dimensions) for row in self.rows
        ]

    def column(self, name: str) -> list[str]:
        """Names of topics or systems, which other sets do not share."""
        return [f"{self.name}:{row[name]}" for row in self.rows]


def read(path: Path) -> Set:
    """The summaries of a file, parsed."""
    with gzip.open(path, "rt", encoding="utf-8") as file:
        rows = [json.loads(line) for line in file]
    documents = [each for each in annotate([row["summary"] for row in rows]) if each is not None]
    return Set(path.name.split(".")[0], rows, documents, [parse(each) for each in documents])


def chunks(documents: Sequence[Document]) -> Iterator[tuple[int, Document]]:
    """Runs of sentences, with the number of the document that each is from."""
    for number, document in enumerate(documents):
        for first in range(0, len(document.sentences) - CHUNK + 1, CHUNK):
            sentences = document.sentences[first : first + CHUNK]
            yield number, replace(document, sentences=sentences, entities=(), text="")


def orders(documents: Sequence[Document]) -> tuple[list[Document], list[int], list[str], list[int]]:
    """Chunks and their permutations, 1 for the original order, the chunk, its document."""
    chance = random.Random(SEED)
    texts: list[Document] = []
    ranks, topics, origins = [], [], []
    for place, (origin, chunk) in enumerate(chunks(documents)):
        seen = {chunk.sentences}
        texts.append(chunk)
        while len(seen) <= PERMUTATIONS:
            sentences = tuple(chance.sample(chunk.sentences, CHUNK))
            if sentences not in seen:
                seen.add(sentences)
                texts.append(replace(chunk, sentences=sentences))
        ranks += [1] + [0] * PERMUTATIONS
        topics += [f"chunk {place}"] * (PERMUTATIONS + 1)
        origins += [origin] * (PERMUTATIONS + 1)
    return texts, ranks, topics, origins


def save(metric: Cremer | Dicomer | Readability, folder: Path, name: str, note: str) -> None:
    path = folder / f"{name}.model"
    metric.save(path, note=note)
    print(f"{path.name}: {path.stat().st_size:,} bytes, {metric.trained}", flush=True)


def train_dicomer(sets: Sequence[Set], folder: Path) -> None:
    """The paper's features, on coherence."""
    metric = Dicomer(features="dicomer", C="cv", min_documents=3)
    metric.fit(
        [relations for each in sets for relations in each.relations],
        [score for each in sets for score in each.scores("coherence")],
        [name for each in sets for name in each.column("topic_id")],
    )
    save(metric, folder, "dicomer", NOTE + "coherence")


def train_cremer(summeval: Set, folder: Path) -> None:
    """The paper's regression, its DICOMER applied to topics that it did not see."""
    dicomer = Dicomer(features="dicomer", C="cv", min_documents=3)
    metric = Cremer(kernel="rbf", C="cv", dicomer=dicomer)
    texts = [row["summary"] for row in summeval.rows]
    references = [row["references"] for row in summeval.rows]
    metric.fit_documents(
        summeval.relations,
        metric.tesla.score_batch(texts, references)["tesla-s.fmeasure"],
        summeval.scores("coherence"),
        summeval.scores(*OVERALL),
        summeval.column("topic_id"),
        cross_fit=True,
    )
    save(metric, folder, "cremer", f"SummEval (MIT): mean of {', '.join(OVERALL)}")


def train_cremer_parts(data: Path, folder: Path) -> None:
    """The same regression, linear, of parts that need no parser; support reads the article."""
    rows = reading.lines(data / "summeval.jsonl.gz")
    metric = Cremer(kernel="linear", parts=PARTS)
    metric.fit_texts(
        [row["summary"] for row in rows],
        [sum(row["scores"][name] for name in OVERALL) / len(OVERALL) for row in rows],
        references=[row["references"] for row in rows],
        sources=[row["source"] for row in rows],
    )
    save(metric, folder, "cremer-parts", f"SummEval (MIT): mean of {', '.join(OVERALL)}")


def train_orders(data: Path, folder: Path) -> None:
    """Relations are found again in each permutation."""
    golds = gdtb.read(data / "gdtb", "train")
    texts, ranks, topics, _ = orders([gold.parsed for gold in golds])
    related = [parse(text) for text in texts]
    known = SHIPPED["coherence-order"]
    for features in known:
        metric = Dicomer(features=features, C="cv", min_documents=5)
        metric.fit(texts if features == "grid" else related, ranks, topics)
        name = "coherence-order" if features == known[0] else f"coherence-order-{features}"
        save(metric, folder, name, "GUM Discourse Treebank, free texts, train (CC-BY 4.0)")


def main() -> None:
    """Train every model and write its file."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("data", type=Path)
    parser.add_argument("-o", "--output", type=Path, default=FOLDER)
    parser.add_argument("--only", choices=("readability", "dicomer", "cremer", "order"))
    given = parser.parse_args()
    given.output.mkdir(exist_ok=True)
    asked = [given.only] if given.only else ["readability", "dicomer", "cremer", "order"]
    if "readability" in asked:
        save(reading.made(given.data), given.output, "readability", reading.NOTE)
    if "dicomer" in asked:
        train_dicomer([read(given.data / f"{name}.jsonl.gz") for name in SETS], given.output)
    if "cremer" in asked:
        train_cremer(read(given.data / "summeval.jsonl.gz"), given.output)
    if {"cremer", "readability"}.intersection(asked):  # its file names the readability it has
        train_cremer_parts(given.data, given.output)
    if "order" in asked:
        train_orders(given.data, given.output)


if __name__ == "__main__":
    main()
