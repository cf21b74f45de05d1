"""Train the discourse parser's model on the GUM Discourse Treebank.

    python ci/resources/discourse_model.py FOLDER [-o MODEL]

FOLDER holds gdtb_free_train.jsonl.gz: the documents of the treebank (github.com/amir-zeldes/gum,
rst/gdtb, commit 72ce5ac14; annotations CC-BY 4.0) whose texts may be used freely, split `train`.
Needs spaCy and scikit-learn. Parses are kept in summeval's cache, so that only the first run takes
minutes. The same input and versions give the same file.

Each component is a logistic regression, one class against the rest; weights are rounded to whole
numbers from -127 to 127 and features whose weights are small are left out. Settings were chosen on
split `dev`; benchmarks/discourse_parser.py measures the result.
"""

from __future__ import annotations

import argparse
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

import gdtb
import numpy as np
from sklearn.feature_extraction.text import CountVectorizer
from sklearn.linear_model import LogisticRegression

from summeval.annotate.discourse import arguments, connectives, model, pairs
from summeval.annotate.discourse.document import LEVEL_1, Relation
from summeval.annotate.discourse.trees import Tree

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
NO_CONNECTIVES = frozenset({".", "them"})  # slips of the annotation


class Rows(NamedTuple):
    """Features and classes of the examples of a component."""

    features: list[list[str]]
    targets: list[object]


class Place(NamedTuple):
    """An Explicit relation in its document."""

    relation: Relation
    sentence: int
    parts: tuple[tuple[int, int], ...]  # of the connective, within the sentence
    is_within: bool  # whether Arg1 begins in that sentence


def explicit(gold: gdtb.Gold) -> Iterator[Place]:
    """The Explicit relations of a document that have a connective."""
    starts = np.array(gold.relations.starts)
    for relation in gold.relations.relations:
        if relation.type == "Explicit" and relation.conn_tokens:
            sentence = int(np.searchsorted(starts, relation.conn_tokens[0], "right")) - 1
            start, end = starts[sentence], starts[sentence + 1]
            inside = [int(token - start) for token in relation.conn_tokens if token < end]
            last_of_arg1 = relation.arg1[-1][1] - 1
            yield Place(relation, sentence, arguments.spans(inside), bool(last_of_arg1 >= start))


def lexicon_of(golds: Sequence[gdtb.Gold]) -> list[tuple[str, ...]]:
    """The words of all connectives, those added by hand among them."""
    found = {tuple(words.split(" ")) for each in FURTHER.values() for words in each.split(";")}
    for gold in golds:
        for place in explicit(gold):
            tree = Tree(gold.parsed.sentences[place.sentence])
            found.update(tuple(tree.words[first:end]) for first, end in place.parts)
    return sorted(words for words in found if " ".join(words) not in NO_CONNECTIVES)


def examples(golds: Sequence[gdtb.Gold], lexicon: model.Model | dict) -> dict[str, Rows]:
    """The examples of every component."""
    rows = {name: Rows([], []) for name in model.COMPONENTS}
    for gold in golds:
        trees = [Tree(sentence) for sentence in gold.parsed.sentences]
        style = connectives.Style.of(trees)
        places = list(explicit(gold))
        positive = {(place.sentence, part) for place in places for part in place.parts}
        for number, tree in enumerate(trees):
            for span in connectives.candidates(tree, lexicon):
                rows["connective"].features.append(connectives.features(tree, *span, style))
                rows["connective"].targets.append((number, span) in positive)
        for place in places:
            add_explicit(rows, gold, trees, style, place)
        add_neighbours(rows["neighbours"], gold, trees)
    return rows


def add_explicit(
    rows: dict[str, Rows],
    gold: gdtb.Gold,
    trees: Sequence[Tree],
    style: connectives.Style,
    place: Place,
) -> None:
    """Examples of position, sense and arguments."""
    tree, start = trees[place.sentence], gold.relations.starts[place.sentence]
    names = connectives.features(tree, *place.parts[0], style)
    rows["position"].features.append(names)
    rows["position"].targets.append(not place.is_within)
    rows["sense"].features.append(names[-(len(names) // 3) :])
    rows["sense"].targets.append(place.relation.level_1)
    arg1, arg2 = place.relation.arg1, place.relation.arg2
    if place.is_within:
        span = place.parts[-1]
        tried = arguments.boundaries(tree, *span)
        goals = [arg1[0][0], arg1[-1][1], arg2[0][0], arg2[-1][1]]
        rows["boundary"].features.extend(arguments.features(tree, *span, tried))
        rows["boundary"].targets.extend([at + start == goal for goal in goals] for at in tried)
        return
    words = tree.text(*place.parts[0])
    goal = int(np.searchsorted(gold.relations.starts, arg1[-1][0], "right")) - 1
    for distance in range(1, min(pairs.FURTHEST, place.sentence) + 1):
        earlier = trees[place.sentence - distance]
        rows["preceding"].features.append(pairs.preceding(tree, words, earlier, distance))
        rows["preceding"].targets.append(place.sentence - distance == goal)


def add_neighbours(rows: Rows, gold: gdtb.Gold, trees: Sequence[Tree]) -> None:
    """Examples of relations between neighbouring sentences without a connective."""
    starts = np.array(gold.relations.starts)
    for relation in gold.relations.relations:
        if relation.type in ("Implicit", "EntRel", "NoRel", "Hypophora"):
            one, two = (
                int(np.searchsorted(starts, spans[0][0], "right")) - 1
                for spans in (relation.arg1, relation.arg2)
            )
            if one + 1 == two:
                rows.features.append(pairs.neighbours(trees[one], trees[two]))
                rows.targets.append(relation.level_1)


def train(rows: Rows, classes: Sequence[object], strength: float, rare: int, least: float):
    """A component: inverse strength of L2, least count of a feature, least weight kept."""
    vectorizer = CountVectorizer(analyzer=lambda names: names, binary=True, min_df=rare)
    matrix = vectorizer.fit_transform(rows.features)
    names = vectorizer.get_feature_names_out()
    weights, bias = [], []
    for number, each in enumerate(classes):
        goals = [
            target[number] if isinstance(target, list) else target == each
            for target in rows.targets
        ]
        fitted = LogisticRegression(C=strength, solver="liblinear", tol=1e-3, random_state=0)
        fitted.fit(matrix, goals)
        weights.append(fitted.coef_[0])
        bias.append(float(fitted.intercept_[0]))
    table = np.array(weights)
    scale = np.abs(table).max(axis=1) / 127
    table[np.abs(table) < least] = 0
    whole = np.rint(table / scale[:, None]).astype(int)
    kept = np.flatnonzero(whole.any(axis=0))
    return model.Linear(
        tuple(map(str, classes)),
        tuple(round(number, 6) for number in bias),
        tuple(float(f"{number:.6g}") for number in scale),
        {str(names[at]): tuple(int(w) for w in whole[:, at]) for at in kept},
    )


def full_senses(golds: Sequence[gdtb.Gold]) -> dict[str, str]:
    """For a connective and a first level, and for a first level alone, the commonest sense."""
    counts: dict[str, Counter[str]] = defaultdict(Counter)
    for sense, several in FURTHER.items():
        for words in several.split(";"):
            counts[f"{words}|{sense.partition('.')[0]}"][sense] += 1
    for gold in golds:
        for place in explicit(gold):
            tree = Tree(gold.parsed.sentences[place.sentence])
            words = tree.text(*place.parts[0])
            counts[f"{words}|{place.relation.level_1}"][place.relation.sense] += 2
        for relation in gold.relations.relations:
            if relation.type == "Implicit":
                counts[relation.level_1][relation.sense] += 1
    return {
        key: min(found, key=lambda sense: (-found[sense], sense)) for key, found in counts.items()
    }


def fit(golds: Sequence[gdtb.Gold]) -> model.Model:
    """A model of documents."""
    lexicon = model.by_first_word(lexicon_of(golds))
    rows = examples(golds, lexicon)
    for sense, several in FURTHER.items():
        for each in several.split(";"):
            rows["sense"].features.append([f"{each}|"])
            rows["sense"].targets.append(sense.partition(".")[0])
    four = ("Arg1 begins", "Arg1 ends", "Arg2 begins", "Arg2 ends")
    between = (*LEVEL_1, "EntRel", "Hypophora", "NoRel")
    parts = {
        "connective": train(rows["connective"], (True,), 0.4, 1, 0.03),
        "position": train(rows["position"], (True,), 0.1, 2, 0.02),
        "sense": train(rows["sense"], LEVEL_1, 0.3, 1, 0.02),
        "boundary": train(rows["boundary"], four, 0.1, 2, 0.04),
        "preceding": train(rows["preceding"], (True,), 0.1, 2, 0.02),
        "neighbours": train(rows["neighbours"], between, 0.05, 3, 0.02),
    }
    return model.Model(
        parts,
        lexicon,
        full_senses(golds),
        "GUM Discourse Treebank, free texts, train (CC-BY 4.0)",
    )


def main() -> None:
    """Train every component and write the file."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folder", type=Path)
    parser.add_argument("-o", "--output", type=Path, default=MODEL)
    given = parser.parse_args()
    made = fit(gdtb.read(given.folder, "train"))
    given.output.parent.mkdir(exist_ok=True)
    model.save(made, given.output)
    for name, linear in made.components.items():
        print(f"{name}: {len(linear.weights)} features")
    print(f"{given.output}: {given.output.stat().st_size:,} bytes, {made.signature}")


if __name__ == "__main__":
    main()
