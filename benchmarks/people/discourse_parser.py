"""How well and how fast the discourse parser works, on the GUM Discourse Treebank.

    python benchmarks/people/discourse.py parser DATA [--split dev] [--json FILE]

DATA holds gdtb/gdtb_free_<split>.jsonl.gz. Tokens and sentences are those of the treebank; tags and
dependencies are spaCy's. Components are measured with what stands before them given as annotated;
end to end, all is predicted. A stretch matches in part where the F1 of its tokens is at least .7
(as in the shared task of CoNLL 2016). Times are CPU times of one process, spaCy's and the parser's.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[2] / "ci" / "resources"))

sys.path.insert(0, str(Path(__file__).parents[2] / "tests"))

import gdtb
from definitions.discourse import connectives, linear, pairs, parser
from definitions.discourse.trees import Tree

from summeval.annotate import provider
from summeval.annotate.discourse import Model, load, parse
from summeval.annotate.discourse.document import LEVEL_1, Relation, Span, spans
from summeval.annotate.discourse.parser import default

PART = 0.7
BETWEEN = ("Implicit", "EntRel", "NoRel", "Hypophora")
Table = dict[str, float]


def tokens(stretch: Iterable[Span]) -> set[int]:
    return {token for span in stretch for token in range(*span)}


def f1(right: float, found: float, wanted: float) -> float:
    return 2 * right / (found + wanted) if found + wanted else 1.0


def overlap(one: Iterable[Span], two: Iterable[Span]) -> float:
    a, b = tokens(one), tokens(two)
    return f1(len(a & b), len(a), len(b))


def finder(gold: gdtb.Gold, known: linear.Model) -> parser.RelationFinder:
    trees = [Tree(sentence) for sentence in gold.parsed.sentences]
    return parser.RelationFinder(trees, gold.parsed.starts, known)


def connective_scores(golds: Sequence[gdtb.Gold], known: linear.Model) -> Table:
    """Parts of connectives, found in the text."""
    right = found = wanted = 0
    for gold in golds:
        own = finder(gold, known)
        style = connectives.Style.of(own.trees)
        predicted = {
            (start + first, start + end)
            for tree, start in zip(own.trees, own.starts, strict=False)
            for connective in parser.find_connectives(tree, style, known)
            for first, end in connective.parts
        }
        annotated = {
            span
            for relation in gold.relations.relations
            if relation.type == "Explicit"
            for span in spans(relation.conn_tokens)
        }
        right += len(predicted & annotated)
        found, wanted = found + len(predicted), wanted + len(annotated)
    return {
        "connective precision": right / found,
        "connective recall": right / wanted,
        "connective F1": f1(right, found, wanted),
    }


def pairs_of_explicit(
    golds: Sequence[gdtb.Gold], known: linear.Model
) -> Iterable[tuple[Relation, Relation | None, bool, bool]]:
    """Annotated Explicit relations, what is predicted from their connectives, and Arg1 before."""
    for gold in golds:
        own = finder(gold, known)
        style = connectives.Style.of(own.trees)
        for relation in gold.relations.relations:
            if relation.type != "Explicit" or not relation.conn_tokens:
                continue
            first = relation.conn_tokens[0]
            number = max(n for n, start in enumerate(own.starts[:-1]) if start <= first)
            start, end = own.starts[number : number + 2]
            parts = spans([token - start for token in relation.conn_tokens if token < end])
            tree = own.trees[number]
            names = connectives.features(tree, *parts[0], style)
            connective = parser.Connective(parts, tree.text(*parts[0]), names)
            made = own.explicit(number, connective)
            before = relation.arg1[-1][1] <= start
            yield relation, made, before, made is not None and made.arg1[-1][1] <= start


def explicit_scores(golds: Sequence[gdtb.Gold], known: linear.Model) -> Table:
    """Sense, position and arguments of annotated connectives."""
    count: Counter[str] = Counter()
    for relation, made, before, made_before in pairs_of_explicit(golds, known):
        count["all"] += 1
        if made is None:
            continue
        senses = {sense.partition(".")[0] for sense in relation.senses}
        count["explicit sense, level 1"] += made.level_1 in senses
        count["explicit sense, all levels"] += made.sense in relation.senses
        count["position of Arg1"] += before == made_before
        exact = [made.arg1 == relation.arg1, made.arg2 == relation.arg2]
        count["Arg1 exact"] += exact[0]
        count["Arg2 exact"] += exact[1]
        count["both arguments exact"] += all(exact)
        for name, one, two in (
            ("Arg1", made.arg1, relation.arg1),
            ("Arg2", made.arg2, relation.arg2),
        ):
            a, b = tokens(one), tokens(two)
            count.update({f"{name} right": len(a & b), f"{name} all": len(a) + len(b)})
        count["arg1 before"] += before
        count["arg1 before, exact"] += before and exact[0]
    shares = (
        "explicit sense, level 1",
        "explicit sense, all levels",
        "position of Arg1",
        "Arg1 exact",
        "Arg2 exact",
        "both arguments exact",
    )
    table = {name: count[name] / count["all"] for name in shares}
    for name in ("Arg1", "Arg2"):
        table[f"{name} token F1"] = 2 * count[f"{name} right"] / count[f"{name} all"]
    table["Arg1 exact where it is a sentence before"] = (
        count["arg1 before, exact"] / count["arg1 before"]
    )
    return table


def between_scores(golds: Sequence[gdtb.Gold], known: linear.Model) -> Table:
    """Relations between neighbouring sentences that have no connective."""
    labels = known.components["neighbours"]
    outcome: Counter[tuple[str, str]] = Counter()
    right_of_implicit = 0
    for gold in golds:
        own = finder(gold, known)
        sentence = {start: number for number, start in enumerate(own.starts)}
        for relation in gold.relations.relations:
            one, two = (sentence.get(each[0][0]) for each in (relation.arg1, relation.arg2))
            if relation.type in BETWEEN and one is not None and two == one + 1:
                scores = labels.scores(pairs.neighbours(own.trees[one], own.trees[two]))
                best = labels.classes[scores.index(max(scores))]
                outcome[relation.level_1, best] += 1
                if relation.type == "Implicit":
                    of_four = max(LEVEL_1, key=lambda name: scores[labels.classes.index(name)])
                    right_of_implicit += of_four == relation.level_1
    total = sum(outcome.values())
    wanted: Counter[str] = Counter()
    found: Counter[str] = Counter()
    for (gold_name, name), number in outcome.items():
        wanted[gold_name] += number
        found[name] += number
    implicit = {name: wanted[name] for name in LEVEL_1}
    each = {name: f1(outcome[name, name], found[name], wanted[name]) for name in wanted}
    return {
        "Implicit, four senses": right_of_implicit / sum(implicit.values()),
        "Implicit, always the commonest": max(implicit.values()) / sum(implicit.values()),
        "between sentences, seven labels": sum(outcome[name, name] for name in wanted) / total,
        "between sentences, always the commonest": max(wanted.values()) / total,
        "between sentences, macro F1": sum(each.values()) / len(each),
        **{f"between sentences, F1 of {name}": each[name] for name in sorted(each)},
    }


def same(one: Relation, two: Relation) -> bool:
    """The same connective and arguments."""
    return one.conn_tokens == two.conn_tokens and one.arg1 == two.arg1 and one.arg2 == two.arg2


def nearly(one: Relation, two: Relation) -> bool:
    """Connectives that share a token or are lacking on both sides, and arguments alike."""
    meets = bool(set(one.conn_tokens) & set(two.conn_tokens))
    return (meets or not (one.conn_tokens or two.conn_tokens)) and all(
        overlap(a, b) >= PART for a, b in ((one.arg1, two.arg1), (one.arg2, two.arg2))
    )


def agreeing(
    made: Sequence[Relation],
    gold: Sequence[Relation],
    match: Callable[[Relation, Relation], bool],
    with_sense: bool,
) -> int:
    """How many annotated relations have a partner, each used once."""
    free = list(made)
    right = 0
    for wanted in gold:
        levels = {sense.partition(".")[0] for sense in wanted.senses} or {wanted.type}
        for relation in free:
            if match(relation, wanted) and (not with_sense or relation.level_1 in levels):
                free.remove(relation)
                right += 1
                break
    return right


def end_to_end(golds: Sequence[gdtb.Gold], known: Model) -> Table:
    """F1 of whole relations, all of it predicted."""
    table: Table = {}
    made = [parse(gold.parsed, known).relations for gold in golds]
    for name, types in (
        ("Explicit", ("Explicit",)),
        ("without connective", BETWEEN),
        ("all relations", None),
    ):
        both = [
            [[r for r in each if types is None or r.type in types] for each in pair]
            for pair in zip(made, (gold.relations.relations for gold in golds), strict=True)
        ]
        sizes = sum(len(a) for a, _ in both), sum(len(b) for _, b in both)
        for kind, match in (("exact", same), ("in part", nearly)):
            for with_sense in (False, True):
                right = sum(agreeing(a, b, match, with_sense) for a, b in both)
                told = f"{name}, {kind}{', with sense' if with_sense else ''}"
                table[f"end to end: {told}"] = f1(right, *sizes)
    return table


def speed(golds: Sequence[gdtb.Gold], known: Model) -> Table:
    """CPU time of discourse parsing beside that of spaCy as summeval runs it."""
    texts = [
        "\n".join(" ".join(t.form for t in sentence.tokens) for sentence in gold.parsed.sentences)
        for gold in golds
    ]
    spacy = provider("spacy")
    documents = list(spacy.parse(texts))
    parse(documents[0], known)
    times: dict[str, list[float]] = {"dependency": [], "discourse": []}
    for _ in range(3):
        start = time.process_time()
        documents = list(spacy.parse(texts))
        times["dependency"].append(time.process_time() - start)
        start = time.process_time()
        for document in documents:
            parse(document, known)
        times["discourse"].append(time.process_time() - start)
    count = sum(document.starts[-1] for document in documents)
    dependency, discourse = (min(times[name]) for name in ("dependency", "discourse"))
    return {
        "tokens a second, dependency parse": count / dependency,
        "tokens a second, discourse parse": count / discourse,
        "discourse parse / dependency parse": discourse / dependency,
    }


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--split", default="dev")
    parser.add_argument("--model", type=Path)
    parser.add_argument("--json", type=Path)


def run(given: argparse.Namespace) -> None:
    golds = gdtb.read(given.data / "gdtb", given.split)
    known = load(given.model) if given.model else default()
    defined = linear.Model.of(known)
    table: Table = {}
    for component in (connective_scores, explicit_scores, between_scores):
        table |= component(golds, defined)
    for whole in (end_to_end, speed):
        table |= whole(golds, known)
    print(f"{given.split}: {len(golds)} documents, {known.signature}")
    for name, value in table.items():
        print(f"{name:48}{value:>10,.0f}" if value > 10 else f"{name:48}{value:>10.3f}")
    if given.json:
        given.json.write_text(json.dumps(table, indent=1), encoding="utf-8")
