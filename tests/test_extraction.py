"""Basic Elements of trees and dependencies: the cases, each rule's example, and what is refused."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from summeval.units import extract_from_dependencies, extract_from_trees
from summeval.units.assembly import Words, elements_of
from summeval.units.dependencies import find_in_parse, read_rows
from summeval.units.rules import (
    Example,
    RuleTable,
    dependency_rules,
    find_in_tree,
    tree_rules,
)
from summeval.units.trees import read_tree

CASES = json.loads(
    (Path(__file__).parent / "cases" / "extraction.json").read_text(encoding="utf-8")
)["cases"]


def entities_over_the_document(lines: list[str]) -> tuple[list[str], list[tuple[str, int, int]]]:
    """The sentences of a case, and its #ner lines as the public functions want them."""
    kept: list[str] = []
    entities = []
    before = tokens = 0
    for line in lines:
        if line.startswith("#ner"):
            _, label, first, last = line.split()
            entities.append((label, before + int(first), before + int(last)))
        elif line.startswith("("):
            kept.append(line)
            before, tokens = tokens, tokens + len(read_tree(line).tokens)
        else:
            kept.append(line)
    return kept, entities


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["id"])
def test_elements_are_those_of_the_original_rules(case: dict[str, Any]) -> None:
    extract_from = extract_from_trees if case["rules"] == "trees" else extract_from_dependencies
    sentences, entities = entities_over_the_document(case["given"])
    assert extract_from(sentences, entities) == case["elements"]
    assert extract_from(case["given"]) == case["elements"]


def own_elements(example: Example, table: RuleTable) -> list[str]:
    """What the rule of an example finds in it without the other rules."""
    alone = RuleTable((example.rule,), table.labels)
    if table is tree_rules():
        tree = read_tree(example.given)
        words = Words(tree.forms, [tree.labels[node] for node in tree.tokens], 0)
        found = find_in_tree(alone, tree)
    else:
        rows = [row.strip() for row in example.given.split(" / ")]
        ((_, parse),) = read_rows(rows)
        assert not isinstance(parse, str)
        words = Words(parse.forms, parse.labels, 0)
        found = find_in_parse(alone, parse)
    return [str(element) for element in elements_of(words, found, {}, str)]


@pytest.mark.parametrize(
    "example", tree_rules().examples, ids=lambda example: f"{example.rule.name} {example.given}"
)
def test_rule_over_trees_finds_what_its_example_says(example: Example) -> None:
    assert own_elements(example, tree_rules()) == list(example.found)


@pytest.mark.parametrize(
    "example",
    dependency_rules().examples,
    ids=lambda example: f"{example.rule.name} {example.given}",
)
def test_rule_over_dependencies_finds_what_its_example_says(example: Example) -> None:
    assert own_elements(example, dependency_rules()) == list(example.found)


@pytest.mark.parametrize("table", [tree_rules(), dependency_rules()], ids=["trees", "dependencies"])
def test_every_rule_has_an_example(table: RuleTable) -> None:
    assert {rule for rule in table.rules} == {example.rule for example in table.examples}
