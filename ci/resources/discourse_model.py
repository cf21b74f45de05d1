"""Train the discourse parser's model on the GUM Discourse Treebank.

    python ci/resources/discourse_model.py FOLDER [-o MODEL]

FOLDER holds gdtb_free_train.jsonl.gz: the documents of the treebank (github.com/amir-zeldes/gum,
rst/gdtb, commit 72ce5ac14; annotations CC-BY 4.0) whose texts may be used freely, split `train`.
Needs spaCy and scikit-learn. Parses are kept in summeval's cache, so that only the first run takes
minutes. The same input and versions give the same file.

Each component is a logistic regression, one class against the rest; weights are rounded to whole
numbers from -127 to 127 and features whose weights are small are left out. Settings were chosen by
cross-validation over documents; benchmarks/people/discourse.py parser measures the result on split
`dev`.
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

import gdtb
import numpy as np
from scipy import sparse
from sklearn.feature_extraction.text import CountVectorizer
from sklearn.linear_model import LogisticRegression

from summeval.annotate.discourse.document import LEVEL_1, Relation, Span, spans
from summeval.annotate.discourse.parser import COMPONENTS, save

sys.path.insert(0, str(Path(__file__).parents[2] / "tests"))
from definitions.discourse import connectives, linear, pairs, parser, stretches
from definitions.discourse.trees import Tree

MODEL = Path(__file__).parents[2] / "src/summeval/annotate/discourse/data/gdtb.model"

# Connectives of English that the treebank's free part has no or few examples of.
FURTHER = {
    "Comparison.Concession.Arg2-as-denier": "nevertheless;nonetheless;on the contrary;regardless;"
    "rather;that said;even so",
    "Comparison.Concession.Arg1-as-denier": "although;though;even though;albeit;notwithstanding",
    "Comparison.Contrast": "by comparison;by contrast;conversely;in contrast;on the other hand;"
    "whereas;whilst",
    "Comparison.Similarity": "likewise;similarly;just as;in the same way",
    "Contingency.Cause.Reason": "inasmuch as;insofar as;seeing that",
    "Contingency.Cause.Result": "accordingly;as a consequence;as a result;consequently;hence;"
    "in turn;thereby;therefore;thus",
    "Contingency.Condition.Arg2-as-cond": "as long as;assuming that;if and when;in case;"
    "in the event that;on condition that;provided;provided that;so long as",
    "Contingency.Negative-condition.Arg2-as-negcond": "lest;unless",
    "Contingency.Purpose.Arg2-as-goal": "in order that;in order to",
    "Expansion.Conjunction": "additionally;besides;furthermore;in addition;moreover;what is more;"
    "what's more;in essence",
    "Expansion.Disjunction": "alternatively;or else",
    "Expansion.Equivalence": "in other words;that is;that is to say",
    "Expansion.Instantiation.Arg2-as-instance": "for example;for instance;in particular",
    "Expansion.Level-of-detail.Arg1-as-detail": "in short;in sum;in summary;overall;to sum up",
    "Expansion.Level-of-detail.Arg2-as-detail": "in fact;indeed;specifically",
    "Temporal.Asynchronous.Precedence": "afterward;afterwards;before;by then;eventually;later;"
    "later on;subsequently;thereafter;ultimately",
    "Temporal.Asynchronous.Succession": "after;as soon as;by the time;earlier;ever since;"
    "previously;since then;once",
    "Temporal.Synchronous": "all the while;as long as;at the same time;at that time;"
    "in the meantime;in the meanwhile;meantime;meanwhile;simultaneously",
}
FOLDS = 5  # of documents, for what a component learns from those before it
NO_CONNECTIVES = frozenset({".", "them"})  # slips of the annotation


class Rows(NamedTuple):
    """Features and classes of the examples of a component."""

    features: list[list[str]]
    targets: list[object]
    scores: list[float]  # to which a component's own are added; empty where there are none

    @classmethod
    def none(cls) -> Rows:
        return cls([], [], [])


class Place(NamedTuple):
    """An Explicit relation in its document."""

    relation: Relation
    sentence: int
    parts: tuple[tuple[int, int], ...]  # of the connective, within the sentence
    is_within: bool  # whether Arg1 begins in that sentence


class Within(NamedTuple):
    """A connective with both arguments in its sentence."""

    sight: stretches.Sight
    edges: tuple[int, int, int, int]  # begin and end of Arg1 and Arg2 in the sentence
    one: set[int]
    two: set[int]


class TokenizedText(NamedTuple):
    """A document as the features see it."""

    gold: gdtb.Gold
    trees: list[Tree]
    style: connectives.Style
    places: list[Place]

    @classmethod
    def of(cls, gold: gdtb.Gold) -> TokenizedText:
        trees = [Tree(sentence) for sentence in gold.parsed.sentences]
        return cls(gold, trees, connectives.Style.of(trees), list(explicit(gold)))


def explicit(gold: gdtb.Gold) -> Iterator[Place]:
    """The Explicit relations of a document that have a connective."""
    starts = np.array(gold.relations.starts)
    for relation in gold.relations.relations:
        if relation.type == "Explicit" and relation.conn_tokens:
            sentence = int(np.searchsorted(starts, relation.conn_tokens[0], "right")) - 1
            start, end = starts[sentence], starts[sentence + 1]
            inside = [int(token - start) for token in relation.conn_tokens if token < end]
            last_of_arg1 = relation.arg1[-1][1] - 1
            yield Place(relation, sentence, spans(inside), bool(last_of_arg1 >= start))


def lexicon_of(readings: Sequence[TokenizedText]) -> list[tuple[str, ...]]:
    """The words of all connectives, those added by hand among them."""
    found = {tuple(words.split(" ")) for each in FURTHER.values() for words in each.split(";")}
    for reading in readings:
        for place in reading.places:
            tree = reading.trees[place.sentence]
            found.update(tuple(tree.words[first:end]) for first, end in place.parts)
    return sorted(words for words in found if " ".join(words) not in NO_CONNECTIVES)


def connective_examples(
    readings: Sequence[TokenizedText], lexicon: connectives.Lexicon
) -> list[Rows]:
    """The candidates of each document."""
    found = []
    for reading in readings:
        rows = Rows.none()
        positive = {(place.sentence, part) for place in reading.places for part in place.parts}
        for number, tree in enumerate(reading.trees):
            for span in connectives.candidates(tree, lexicon):
                rows.features.append(connectives.features(tree, *span, reading.style))
                rows.targets.append((number, span) in positive)
        found.append(rows)
    return found


def joined(several: Iterable[Rows]) -> Rows:
    """The rows of several documents."""
    found = Rows.none()
    for rows in several:
        found.features.extend(rows.features)
        found.scores.extend(rows.scores)
        found.targets.extend(rows.targets)
    return found


def found_connectives(
    readings: Sequence[TokenizedText], rows: Sequence[Rows], lexicon: connectives.Lexicon
) -> Iterator[list[list[Span]]]:
    """What a parser trained on other documents finds in each sentence of each document."""
    known = [
        linear.Model({"connective": connective_model(others)}, lexicon, {})
        for others in all_but_each_fold(rows)
    ]
    for number, reading in enumerate(readings):
        own = known[number % FOLDS]
        found = [parser.find_connectives(tree, reading.style, own) for tree in reading.trees]
        yield [[part for each in several for part in each.parts] for several in found]


def examples(readings: Sequence[TokenizedText], lexicon: connectives.Lexicon) -> dict[str, Rows]:
    """The examples of every component."""
    rows = {name: Rows.none() for name in COMPONENTS}
    candidates = connective_examples(readings, lexicon)
    rows["connective"] = joined(candidates)
    found = found_connectives(readings, candidates, lexicon)
    inside = []
    for reading, others in zip(readings, found, strict=True):
        for place in reading.places:
            add_explicit(rows, reading, place)
        add_neighbours(rows["neighbours"], reading)
        within = [place for place in reading.places if place.is_within]
        inside.append([within_of(reading, place, others[place.sentence]) for place in within])
    boundaries = [boundary_examples(several) for several in inside]
    rows["boundary"] = joined(boundaries)
    rows["stretches"] = joined(stretch_examples(inside, boundaries))
    return rows


def within_of(reading: TokenizedText, place: Place, found: Sequence[Span]) -> Within:
    """A connective in a sentence where these were found."""
    tree, start = reading.trees[place.sentence], reading.gold.relations.starts[place.sentence]
    tokens = [token for part in place.parts for token in range(*part)]
    last = place.parts[-1]
    one, two = ([(a - start, b - start) for a, b in each] for _, each in place.relation.arguments)
    return Within(
        stretches.Sight(tree, tokens, last, [part for part in found if part != last]),
        (one[0][0], one[-1][1], two[0][0], two[-1][1]),
        *({token for span in each for token in range(*span)} for each in (one, two)),
    )


def boundary_examples(several: Sequence[Within]) -> Rows:
    """Each boundary, and which edges of the arguments it is."""
    rows = Rows.none()
    for each in several:
        tried, features = each.sight.boundaries()
        rows.features.extend(features)
        rows.targets.extend([at == edge for edge in each.edges] for at in tried)
    return rows


def stretch_examples(
    inside: Sequence[Sequence[Within]], boundaries: Sequence[Rows]
) -> Iterator[Rows]:
    """The pairs of stretches that a parser trained on other documents compares.

    Features are their names and the score of the pair's boundaries.
    """
    known = [boundary_model(others) for others in all_but_each_fold(boundaries)]
    for number, several in enumerate(inside):
        rows = Rows.none()
        for each in several:
            tried, features = each.sight.boundaries()
            scores = [known[number % FOLDS].scores(names) for names in features]
            pairs = each.sight.pairs(tried, scores)
            worth = [f1(set(p.one), each.one) + f1(set(p.two), each.two) for p in pairs]
            rows.features.extend(each.sight.features(pair) for pair in pairs)
            rows.scores.extend(pair.score for pair in pairs)
            rows.targets.extend(value == max(worth) for value in worth)
        yield rows


def f1(one: set[int], two: set[int]) -> float:
    return 2 * len(one & two) / (len(one) + len(two))


def all_but_each_fold(rows: Sequence[Rows]) -> Iterator[Rows]:
    """For each fold the rows of the documents outside of it."""
    for fold in range(FOLDS):
        yield joined(each for number, each in enumerate(rows) if number % FOLDS != fold)


def add_explicit(rows: dict[str, Rows], reading: TokenizedText, place: Place) -> None:
    """Examples of position, sense and, where it lies in a sentence before, of Arg1."""
    starts, tree = reading.gold.relations.starts, reading.trees[place.sentence]
    names = connectives.features(tree, *place.parts[0], reading.style)
    rows["position"].features.append(names)
    rows["position"].targets.append(not place.is_within)
    rows["sense"].features.append(connectives.sense_features(tree, *place.parts[0], names))
    rows["sense"].targets.append(place.relation.level_1)
    if place.is_within:
        return
    words = tree.text(*place.parts[0])
    goal = int(np.searchsorted(starts, place.relation.arg1[-1][0], "right")) - 1
    for distance in range(1, min(pairs.FURTHEST, place.sentence) + 1):
        earlier = reading.trees[place.sentence - distance]
        rows["preceding"].features.append(pairs.preceding(tree, words, earlier, distance))
        rows["preceding"].targets.append(place.sentence - distance == goal)


def add_neighbours(rows: Rows, reading: TokenizedText) -> None:
    """Examples of relations between neighbouring sentences without a connective."""
    starts, trees = np.array(reading.gold.relations.starts), reading.trees
    for relation in reading.gold.relations.relations:
        if relation.type in ("Implicit", "EntRel", "NoRel", "Hypophora"):
            one, two = (
                int(np.searchsorted(starts, spans[0][0], "right")) - 1
                for spans in (relation.arg1, relation.arg2)
            )
            if one + 1 == two:
                rows.features.append(pairs.neighbours(trees[one], trees[two]))
                rows.targets.append(relation.level_1)


def connective_model(rows: Rows) -> linear.Linear:
    return train(rows, (True,), 0.4, 1, 0.03)


def boundary_model(rows: Rows) -> linear.Linear:
    four = ("Arg1 begins", "Arg1 ends", "Arg2 begins", "Arg2 ends")
    return train(rows, four, 0.1, 2, 0.04)


def train(
    rows: Rows,
    classes: Sequence[object],
    strength: float,
    rare: int,
    least: float,
    *,
    trusted: float = 1.0,
) -> linear.Linear:
    """A component: inverse strength of L2, least count of a feature, least weight kept.

    The weights of connectives alone (`so|`) are held back less, by a factor `trusted`.
    """
    vectorizer = CountVectorizer(analyzer=lambda names: names, binary=True, min_df=rare)
    matrix = vectorizer.fit_transform(rows.features).astype(float)
    names = vectorizer.get_feature_names_out()
    factors = np.array([trusted if name.endswith("|") else 1.0 for name in names])
    if rows.scores:
        matrix = sparse.hstack([matrix, np.array(rows.scores)[:, None]])
        factors = np.append(factors, 1.0)
    matrix = matrix.multiply(factors).tocsr()
    weights, bias = [], []
    for number, each in enumerate(classes):
        goals = [
            target[number] if isinstance(target, list) else target == each
            for target in rows.targets
        ]
        fitted = LogisticRegression(C=strength, solver="liblinear", tol=1e-3, random_state=0)
        fitted.fit(matrix, goals)
        found, own = fitted.coef_[0] * factors, fitted.intercept_[0]
        if rows.scores:  # in their units
            found, own = found[:-1] / found[-1], own / found[-1]
        weights.append(found)
        bias.append(float(own))
    table = np.array(weights)
    scale = np.abs(table).max(axis=1) / 127
    table[np.abs(table) < least] = 0
    whole = np.rint(table / scale[:, None]).astype(int)
    kept = np.flatnonzero(whole.any(axis=0))
    return linear.Linear(
        tuple(map(str, classes)),
        tuple(round(number, 6) for number in bias),
        tuple(float(f"{number:.6g}") for number in scale),
        {str(names[at]): tuple(int(w) for w in whole[:, at]) for at in kept},
    )


def full_senses(readings: Sequence[TokenizedText]) -> dict[str, str]:
    """For a connective and a first level, and for a first level alone, the commonest sense."""
    counts: dict[str, Counter[str]] = defaultdict(Counter)
    for sense, several in FURTHER.items():
        for words in several.split(";"):
            counts[f"{words}|{sense.partition('.')[0]}"][sense] += 1
    for reading in readings:
        for place in reading.places:
            words = reading.trees[place.sentence].text(*place.parts[0])
            counts[f"{words}|{place.relation.level_1}"][place.relation.sense] += 2
        for relation in reading.gold.relations.relations:
            if relation.type == "Implicit":
                counts[relation.level_1][relation.sense] += 1
    return {
        key: min(found, key=lambda sense: (-found[sense], sense)) for key, found in counts.items()
    }


def fit(golds: Sequence[gdtb.Gold]) -> linear.Model:
    """A model of documents."""
    readings = [TokenizedText.of(gold) for gold in golds]
    lexicon = linear.by_first_word(lexicon_of(readings))
    rows = examples(readings, lexicon)
    for sense, several in FURTHER.items():
        for each in several.split(";"):
            rows["sense"].features.append([f"{each}|"])
            rows["sense"].targets.append(sense.partition(".")[0])
    between = (*LEVEL_1, "EntRel", "Hypophora", "NoRel")
    parts = {
        "connective": connective_model(rows["connective"]),
        "position": train(rows["position"], (True,), 0.1, 2, 0.02),
        "sense": train(rows["sense"], LEVEL_1, 0.1, 1, 0.02, trusted=8.0),
        "boundary": boundary_model(rows["boundary"]),
        "stretches": train(rows["stretches"], (True,), 0.1, 2, 0.04),
        "preceding": train(rows["preceding"], (True,), 0.1, 2, 0.02),
        "neighbours": train(rows["neighbours"], between, 0.05, 3, 0.02),
    }
    return linear.Model(
        parts,
        lexicon,
        full_senses(readings),
        "GUM Discourse Treebank, free texts, train (CC-BY 4.0)",
    )


def main() -> None:
    """Train every component and write the file."""
    told = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    told.add_argument("folder", type=Path)
    told.add_argument("-o", "--output", type=Path, default=MODEL)
    given = told.parse_args()
    made = fit(gdtb.read(given.folder, "train"))
    given.output.parent.mkdir(exist_ok=True)
    save(made.packed(), given.output)
    for name, each in made.components.items():
        print(f"{name}: {len(each.weights)} features")
    print(f"{given.output}: {given.output.stat().st_size:,} bytes, {made.packed().signature}")


if __name__ == "__main__":
    main()
