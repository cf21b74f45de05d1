"""How well the models of discourse roles tell a text from permutations of its sentences.

    python benchmarks/people/discourse.py order DATA [--documents N] [--json FILE]

DATA holds gdtb/gdtb_free_train.jsonl.gz and gdtb_free_dev.jsonl.gz. Texts are stretches of 12
sentences, each with 8 permutations; the share of pairs is printed in which the text scores above
its permutation. Sentences keep their parses, relations are found again for each permutation, by a
discourse parser trained on other documents. Ranking machines are trained on other documents; their
C is chosen on further ones (nested cross-validation). The error is that of the mean over documents.
"""

from __future__ import annotations

import argparse
import json
import random
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[2] / "ci" / "resources"))

import discourse_model  # which also finds the definitions
import gdtb
import numpy as np
from definitions.discourse import connectives, pairs, parser
from definitions.discourse.trees import Tree
from scipy import sparse

from summeval.annotate import DiscourseDocument, Document
from summeval.annotate.discourse.document import LEVEL_1, Relation, Span
from summeval.learn.svm import RankSVM, default_c, topic_folds
from summeval.metrics.discourse.roles import OPEN, RoleSpace
from summeval.text import stemmer

LENGTH = 12  # sentences of a text
FOLDS = 5
GRID = (0.03, 0.1, 0.3, 1.0, 3.0, 10.0)  # of SVM-light's C
COMMON = 5  # texts of the training part that must have a feature
LABELS = (*LEVEL_1, "EntRel", "NoRel")
GOALS = {"presence": 0.75, "LIN": 0.69, "DICOMER": 0.69}


@dataclass(frozen=True)
class OrderedText:
    """A stretch of a document, in its order or another."""

    document: int
    stretch: int
    rank: int  # 1 for the order of the document
    parsed: Document
    relations: DiscourseDocument
    labels: tuple[np.ndarray, ...]  # of each relation, the probabilities of LABELS


def texts(golds: Sequence[gdtb.Gold], documents: int, permutations: int) -> Iterator[OrderedText]:
    """The texts and permutations of the first documents, parsed as all other documents teach."""
    draw = random.Random(0)
    stretch = 0
    for fold in range(FOLDS):
        known = discourse_model.fit([g for n, g in enumerate(golds) if n % FOLDS != fold])
        for number in range(fold, documents, FOLDS):
            sentences = golds[number].parsed.sentences
            for first in range(0, len(sentences) - LENGTH + 1, LENGTH):
                own = sentences[first : first + LENGTH]
                trees = [Tree(sentence) for sentence in own]
                for place, order in enumerate(orders(draw, permutations)):
                    parsed = Document(tuple(own[at] for at in order))
                    others = [trees[at] for at in order]
                    made = related(parsed, parser.RelationFinder(others, parsed.starts, known))
                    yield OrderedText(number, stretch, int(place == 0), parsed, *made)
                stretch += 1


def orders(draw: random.Random, permutations: int) -> list[list[int]]:
    """The order 0, 1, ... and others, each once."""
    found = [list(range(LENGTH))]
    while len(found) <= permutations:
        other = draw.sample(range(LENGTH), LENGTH)
        if other not in found:
            found.append(other)
    return found


def related(
    parsed: Document, finder: parser.RelationFinder
) -> tuple[DiscourseDocument, tuple[np.ndarray, ...]]:
    """The relations of a text, and how likely each label of each is."""
    found = DiscourseDocument.of(parsed, finder.all())
    style = connectives.Style.of(finder.trees)
    return found, tuple(label_of(relation, finder, style) for relation in found.relations)


def label_of(
    relation: Relation, finder: parser.RelationFinder, style: connectives.Style
) -> np.ndarray:
    """How likely the parser takes each label to be for a relation that it found."""
    starts, components = finder.starts, finder.model.components
    place = relation.arg2[0][0] if not relation.conn_tokens else relation.conn_tokens[0]
    number = int(np.searchsorted(starts, place, "right")) - 1
    tree = finder.trees[number]
    if relation.conn_tokens:
        first = relation.conn_tokens[0] - starts[number]
        tokens = {token - starts[number] for token in relation.conn_tokens}
        end = next(at for at in range(first, len(tree) + 1) if at not in tokens)
        names = connectives.features(tree, first, end, style)
        linear = components["sense"]
        scores = linear.scores(connectives.sense_features(tree, first, end, names))
    else:
        linear = components["neighbours"]
        scores = linear.scores(pairs.neighbours(finder.trees[number - 1], tree))
    shares = 1 / (1 + np.exp(-np.array(scores)))
    found = np.zeros(len(LABELS))
    for name, share in zip(linear.classes, shares / shares.sum(), strict=True):
        found[LABELS.index("EntRel" if name == "Hypophora" else name)] += share
    return found


def counted(
    features: str, salience: int | None = None
) -> Callable[[Sequence[OrderedText]], sparse.csr_matrix]:
    """The features of texts as `transition_features` has them."""
    space = RoleSpace(features, salience)
    return lambda given: table(space, [t.parsed if space.grid else t.relations for t in given])


def table(space: RoleSpace, documents: Sequence[DiscourseDocument | Document]) -> sparse.csr_matrix:
    rows = space.rows(documents)
    return sparse.csr_matrix(
        (rows.values, rows.indices, rows.indptr), shape=(len(documents), space.size)
    )


def changed(
    features: str, change: Callable[[OrderedText], DiscourseDocument]
) -> Callable[[Sequence[OrderedText]], sparse.csr_matrix]:
    """The features of texts that are changed first."""
    return lambda given: table(RoleSpace(features), [change(text) for text in given])


def explicit_only(text: OrderedText) -> DiscourseDocument:
    kept = [relation for relation in text.relations.relations if relation.type == "Explicit"]
    return DiscourseDocument(text.relations.sentences, kept)


def with_names(text: OrderedText) -> DiscourseDocument:
    """Each `he` or `she` replaced by the last name before it, subjects before others."""
    sentences: list[list[tuple[str, str]]] = []
    name = subject = ""
    for sentence in text.parsed.sentences:
        line = []
        for token in sentence.tokens:
            if token.tag in ("PRP", "PRP$") and token.form.lower() in PERSONS:
                known = subject or name
                line.append((known, "NNP") if known else (token.form, token.tag))
                continue
            line.append((token.form, token.tag))
            if token.tag == "NNP" and token.label != "compound":
                name = token.form
                subject = token.form if token.label.startswith("nsubj") else subject
        sentences.append(line)
    return DiscourseDocument(sentences, text.relations.relations)


PERSONS = frozenset(("he", "him", "his", "she", "her", "hers"))


def expected(given: Sequence[OrderedText]) -> sparse.csr_matrix:
    """The features of LIN with the probabilities of labels in the place of labels."""
    return sparse.csr_matrix(np.array([expected_row(text) for text in given]))


def expected_row(text: OrderedText) -> np.ndarray:
    cells = expected_cells(text)
    if not len(cells):
        return np.zeros(cells.shape[2] ** 2 + cells.shape[2] ** 3)
    one, two = cells[:, :-1], cells[:, 1:]
    size = cells.shape[2]
    both = np.einsum("cti,ctj->ij", one, two)
    three = np.einsum("cti,ctj->ctij", one[:, :-1], two[:, :-1]).reshape(-1, size * size)
    triples = three.T @ cells[:, 2:].reshape(-1, size)
    found = []
    for counts in (both, triples):
        shares = counts.ravel() / counts.sum()
        shares[0] = 0  # nil alone
        found.append(shares)
    return np.concatenate(found)


def expected_cells(text: OrderedText) -> np.ndarray:
    """[stem, sentence, nil and roles]: how likely each role is in each cell."""
    stem = stemmer("porter-java")
    tokens = [
        (row, stem(form) if tag[:2] in OPEN else "")
        for row, sentence in enumerate(text.relations.sentences)
        for form, tag in sentence
    ]
    columns: dict[str, np.ndarray] = {}
    size = 1 + 2 * len(LABELS)
    for relation, labels in zip(text.relations.relations, text.labels, strict=True):
        for argument, stretches in enumerate((relation.arg1, relation.arg2)):
            own = slice(1 + argument * len(LABELS), 1 + (argument + 1) * len(LABELS))
            for row, word in words_of(stretches, tokens):
                absent = columns.setdefault(word, np.ones((LENGTH, size)))
                absent[row, own] *= 1 - labels
                absent[row, 0] = 0
    if not columns:
        return np.zeros((0, LENGTH, size))
    found = np.array(list(columns.values()))
    found[:, :, 1:] = 1 - found[:, :, 1:]
    return found


def words_of(stretches: Sequence[Span], tokens: Sequence[tuple[int, str]]) -> set[tuple[int, str]]:
    found = {tokens[place] for first, end in stretches for place in range(first, end)}
    return {(row, word) for row, word in found if word}


def together(
    *parts: tuple[float, Callable[[Sequence[OrderedText]], sparse.csr_matrix]],
) -> Callable[[Sequence[OrderedText]], sparse.csr_matrix]:
    """Features beside each other, each set multiplied by a factor."""
    return lambda given: sparse.hstack([by * made(given) for by, made in parts], format="csr")


presence = counted("presence")
MODELS = {
    "presence": presence,
    "roles without sense": counted("roles"),
    "LIN": counted("lin"),
    "LIN+C": counted("lin+c"),
    "LIN+E": counted("lin+e"),
    "DICOMER": counted("dicomer"),
    "entity grid": counted("grid"),
    "presence + .3 DICOMER": together((1, presence), (0.3, counted("dicomer"))),
    "presence + .3 grid": together((1, presence), (0.3, counted("grid"))),
    "presence by salience": counted("presence", 2),
    "presence, explicit relations only": changed("presence", explicit_only),
    "LIN, explicit relations only": changed("lin", explicit_only),
    "presence + .3 LIN of explicit relations": together(
        (1, presence), (0.3, changed("lin", explicit_only))
    ),
    "LIN, probabilities of senses": expected,
    "presence + .3 LIN, probabilities of senses": together((1, presence), (0.3, expected)),
    "presence, he and she as names": changed("presence", with_names),
    "DICOMER, he and she as names": changed("dicomer", with_names),
}


def fitted(
    rows: sparse.csr_matrix, given: Sequence[OrderedText], multiple: float
) -> Callable[[sparse.csr_matrix], np.ndarray]:
    """A ranking machine with a multiple of SVM-light's C, on common features."""
    kept = np.flatnonzero(rows.getnnz(axis=0) >= COMMON)
    own = rows[:, kept]
    ranks = np.array([text.rank for text in given])
    stretches = np.array([text.stretch for text in given])
    originals = {text.stretch: row for row, text in enumerate(given) if text.rank}
    others = np.flatnonzero(ranks == 0)
    differences = own[[originals[stretches[row]] for row in others]] - own[others]
    norms = np.sqrt(np.asarray(differences.multiply(differences).sum(axis=1)).ravel())
    machine = RankSVM(C=multiple * default_c(norms), tol=1e-4).fit(own, ranks, stretches)
    return lambda new: np.asarray(machine.predict(new[:, kept]))


def accuracies(scores: np.ndarray, given: Sequence[OrderedText]) -> dict[int, tuple[int, float]]:
    """For each stretch its document and the share of permutations that score below it."""
    found: dict[int, tuple[int, list[float]]] = {}
    originals = {t.stretch: s for t, s in zip(given, scores, strict=True) if t.rank}
    for text, score in zip(given, scores, strict=True):
        if not text.rank:
            win = (np.sign(originals[text.stretch] - score) + 1) / 2
            found.setdefault(text.stretch, (text.document, []))[1].append(float(win))
    return {key: (document, float(np.mean(wins))) for key, (document, wins) in found.items()}


def held_out(
    rows: sparse.csr_matrix, given: Sequence[OrderedText], multiple: float, folds: int
) -> np.ndarray:
    """The scores of texts by machines of other documents."""
    scores = np.zeros(len(given))
    for part in topic_folds([text.document for text in given], folds):
        some = [text for text, out in zip(given, part, strict=True) if not out]
        scores[part] = fitted(rows[~part], some, multiple)(rows[part])
    return scores


def nested(
    rows: sparse.csr_matrix, given: Sequence[OrderedText]
) -> tuple[float, float, list[float]]:
    """Accuracy, its error, and the multiples of C that were chosen."""
    scores = np.zeros(len(given))
    chosen = []
    for part in topic_folds([text.document for text in given], FOLDS):
        some = [text for text, out in zip(given, part, strict=True) if not out]
        inner = {c: mean(held_out(rows[~part], some, c, 3), some) for c in GRID}
        chosen.append(max(GRID, key=lambda c: (inner[c], -c)))
        scores[part] = fitted(rows[~part], some, chosen[-1])(rows[part])
    return mean(scores, given), error(scores, given), chosen


def mean(scores: np.ndarray, given: Sequence[OrderedText]) -> float:
    return float(np.mean([share for _, share in accuracies(scores, given).values()]))


def error(scores: np.ndarray, given: Sequence[OrderedText]) -> float:
    """The standard error, stretches of a document taken together."""
    shares = accuracies(scores, given)
    middle = mean(scores, given)
    sums: dict[int, float] = {}
    for document, share in shares.values():
        sums[document] = sums.get(document, 0.0) + share - middle
    return float(np.sqrt(sum(each**2 for each in sums.values()))) / len(shares)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--documents", type=int, help="only so many")
    parser.add_argument("--permutations", type=int, default=8)
    parser.add_argument("--json", type=Path)


def run(given: argparse.Namespace) -> None:
    folder = given.data / "gdtb"
    golds = [gold for split in ("train", "dev") for gold in gdtb.read(folder, split)]
    start = time.process_time()
    made = list(texts(golds, given.documents or len(golds), given.permutations))
    seconds = time.process_time() - start
    stretches = len({text.stretch for text in made})
    print(f"{stretches} texts of {LENGTH} sentences, {len(made)} orders, {seconds:.0f} s\n")
    print("| model | accuracy | error | goal | C |\n|---|---|---|---|---|")
    found = {}
    for name, features in MODELS.items():
        accuracy, spread, multiples = nested(features(made), made)
        found[name] = {"accuracy": accuracy, "error": spread}
        goal = f"{GOALS[name]:.2f}" if name in GOALS else ""
        used = " ".join(f"{multiple:g}" for multiple in multiples)
        print(f"| {name} | {accuracy:.3f} | {spread:.3f} | {goal} | {used} |", flush=True)
    if given.json:
        given.json.write_text(json.dumps(found, indent=1), encoding="utf-8")
