"""Both calls of each row of the tables in docs/coming-from give one number."""

from __future__ import annotations

import html
import os
import re
from collections.abc import Iterator
from typing import Any

import pytest
from ecosystem import ecosystem
from shared import ROOT

import summeval

PAGES = sorted((ROOT / "docs" / "coming-from").glob("*.md"))
TABLE = re.compile(r"<!-- pairs: ([\w. ]+) -->\n\n((?:\|.*\n)+)")
HYPS = [
    "The cats sat on the mat. It rained all day in London.",
    "Profits rose 3.5 % in the third quarter, the bank said.",
    "the dog bit the man near the old mill on Monday",
    "High waves forced the ferry to stay in port on Monday.",
    "Farmers in the valley expect a poor harvest after three dry months.",
]
REFS = [
    "The cat sat on the mat. It was raining all day in London.",
    "The bank said that profits rose 3.5 % in the third quarter.",
    "the man was bitten by the dog near the old mill on Monday",
    "The ferry stayed in port on Monday, because of high waves.",
    "After three months without rain, farmers in the valley expect a poor harvest.",
]
OTHERS = [
    "A cat was on the mat. Rain fell all day.",
    "In the third quarter profits rose 3.5 %, said the bank.",
    "a dog bit a man on Monday near the old mill",
    "Because of the waves the ferry stayed in port.",
    "A poor harvest is expected in the valley after three dry months.",
]


def pairs() -> Iterator[Any]:
    """Each row with two calls: what is imported for it, and the calls."""
    for page in PAGES:
        for modules, table in TABLE.findall(page.read_text(encoding="utf-8")):
            for number, row in enumerate(table.splitlines()[2:], 1):
                *_, theirs, ours = re.findall(r"`([^`]+)`", html.unescape(row))
                yield pytest.param(modules.split(), theirs, ours, id=f"{page.stem}-{number}")


def names(modules: list[str], call: str) -> dict[str, Any]:
    """What the calls may use; skips where a package is absent."""
    used = [module for module in modules if module in call]
    assert used, f"{call} is of no package that the table names"
    several = [list(row) for row in zip(REFS, OTHERS, strict=True)]
    found: dict[str, Any] = {
        "hyps": HYPS,
        "refs": REFS,
        "hyp": HYPS[0],
        "ref": REFS[0],
        "several": several,
        "streams": [REFS, OTHERS],
        "gts": dict(enumerate(several)),
        "res": {number: [text] for number, text in enumerate(HYPS)},
        "metric": summeval.metric,
        "tokens": summeval.text.tokens,
    }
    for module in used:
        ecosystem(module)
        top = module.partition(".")[0]
        found[top] = __import__(top)
    return found


@pytest.mark.parametrize(("modules", "theirs", "ours"), list(pairs()))
def test_both_calls_give_one_number(modules: list[str], theirs: str, ours: str) -> None:
    known = names(modules, theirs)
    try:
        expected = eval(theirs, known)
    except LookupError as error:
        if "nltk_data" in str(error) and "data" not in os.environ.get("SUMMEVAL_NO_SKIP", ""):
            pytest.skip("NLTK's data are not installed")
        raise
    found = eval(ours, known)
    if isinstance(expected, list):
        assert found == expected
        return
    single = type(expected).__module__ == "torch"
    precision = 1e-5 if single else 1e-6 if "pycocoevalcap" in theirs else 1e-9
    assert float(found) == pytest.approx(float(expected), rel=precision)
    assert float(found) not in (0.0, 1.0)  # which agree too easily


def test_every_package_has_a_page_and_the_index_all_of_them() -> None:
    index = (ROOT / "docs" / "coming-from" / "index.md").read_text(encoding="utf-8")
    linked = set(re.findall(r"\]\(([\w-]+\.md)\)", index))
    assert linked == {page.name for page in PAGES} - {"index.md"}
    assert len(linked) == 10
