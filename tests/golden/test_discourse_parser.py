"""The features and results of the discourse parser on stored parses do not change.

Its model was trained on these features: one that changes unseen gives weights to the wrong things,
and moves the values of every model of readability a little. Where a feature is changed on purpose,
the models are trained again (`ci/resources`), and the numbers here are made anew:
`PYTHONPATH=tests:tests/support python tests/golden/test_discourse_parser.py`.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from hashlib import sha256
from typing import Any

import pytest
from definitions.discourse import parser
from definitions.discourse.linear import Model, default
from shared import CASE_FILES

from summeval.annotate import Document, from_json
from summeval.annotate.discourse import parse
from summeval.annotate.discourse.document import Relation

GOLDEN = CASE_FILES / "discourse_golden.json"


class Listening:
    """A component of the model that notes the features that it is asked about."""

    def __init__(self, component: Any) -> None:
        self.component = component
        self.asked: list[list[str]] = []

    def scores(self, names: Sequence[str]) -> Any:
        self.asked.append(list(names))
        return self.component.scores(names)

    def best(self, names: Sequence[str]) -> Any:
        self.asked.append(list(names))
        return self.component.best(names)


def documents() -> list[Document]:
    rows = [
        row
        for name in ("shipped_models.json", "discourse_parses.json")
        for row in json.loads((CASE_FILES / name).read_text(encoding="utf-8"))["rows"]
    ]
    return [from_json(json.dumps(row["document"])) for row in rows]


def spans(relation: Relation) -> list[list[list[int]]]:
    return [[list(span) for span in argument] for _, argument in relation.arguments]


def observed() -> dict[str, Any]:
    """The features of each component, counted and digested, and the relations of each document."""
    whole = default()
    heard = {name: Listening(component) for name, component in whole.components.items()}
    model = Model(heard, whole.lexicon, whole.senses)  # type: ignore[arg-type]
    relations = [
        [
            [one.type, one.sense, list(one.conn_tokens), *spans(one)]
            for one in parser.parse(document, model).relations
        ]
        for document in documents()
    ]
    told = {}
    for name, component in heard.items():
        written = "\n".join("\t".join(names) for names in component.asked)
        told[name] = [len(component.asked), sha256(written.encode()).hexdigest()[:16]]
    return {"features": told, "relations": relations}


@pytest.fixture(scope="module")
def found() -> dict[str, Any]:
    return observed()


def golden() -> dict[str, Any]:
    kept: dict[str, Any] = json.loads(GOLDEN.read_text(encoding="utf-8"))
    return kept


@pytest.mark.parametrize("component", sorted(golden()["features"]))
def test_a_component_is_asked_about_the_same_features(
    found: dict[str, Any], component: str
) -> None:
    assert found["features"][component] == golden()["features"][component]


def test_the_same_relations_are_found(found: dict[str, Any]) -> None:
    assert found["relations"] == golden()["relations"]


def test_the_kernel_finds_the_same_relations() -> None:
    found = [
        [[one.type, one.sense, list(one.conn_tokens), *spans(one)] for one in parse(each).relations]
        for each in documents()
    ]
    assert found == golden()["relations"]


def test_every_component_is_asked(found: dict[str, Any]) -> None:
    assert all(times for times, _ in found["features"].values())


if __name__ == "__main__":
    made = observed()
    lines = [json.dumps(relations) for relations in made["relations"]]
    GOLDEN.write_text(
        f'{{"features": {json.dumps(made["features"])},\n"relations": [\n'
        + ",\n".join(lines)
        + "\n]}\n",
        encoding="utf-8",
    )
