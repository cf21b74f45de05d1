"""Every registered metric, and some of them with options, as cases of a test."""

from __future__ import annotations

from typing import Any

from letter_vectors import Letters
from registered import NAMES

from summeval import Cider
from summeval.metrics.own.contract import ONE, SHORT, TWO, side

__all__ = ["CASES", "ONE", "SHORT", "TWO", "WITH_OPTIONS", "case_id", "side"]

# Each metric as it comes, and some with options.
WITH_OPTIONS: list[tuple[str, dict[str, Any]]] = [
    ("rougeSU4", {"stemmer": "rouge155", "aggregate": "best"}),
    ("rouge2", {"aggregate": "average", "jackknife": True, "stopwords": ["the"]}),
    ("rougeLsum", {"stemmer": "porter", "tokenizer": "unicode", "sentences": "rules"}),
    ("tesla-s", {"case": "auto", "aggregate": "max-per-bag", "gap": None}),
    ("tesla-s", {"solver": "kernel", "stemmer": "porter", "cross_sentences": False}),
    ("tesla-m", {"recall_weight": 0.5}),
    ("tesla-m", {"similarity": "wordnet"}),
    ("tesla-e", {"vectors": None, "aggregate": "best", "tokenizer": "rouge155"}),
    ("be", {"mode": "hmr2", "stemmer": "porter-java", "aggregate": "best"}),
    ("be", {"mode": "hm1", "jackknife": True, "coreference": "simple"}),
    ("bewte", {"aggregate": "average", "jackknife": False, "solver": "highs"}),
    ("bewte", {"senses": "all", "hyper": True, "coreference": "simple"}),
    ("bipartite", {"aggregate": "average", "tokenizer": "unicode"}),
    ("rougeLsum", {"language": "he", "tokenizer": "uax29"}),
    ("tesla-s", {"language": "en", "tokenizer": "uax29"}),
    ("npower", {"case": "auto", "compat": "npower-1", "max_n": 4}),
    ("paraeval", {"stemmer": "rouge155", "paraphrases": [("storm", "tempest"), ("a", "one more")]}),
    ("queen", {"metrics": ["rouge2.recall", "tesla-s", "memog"], "triples": "distinct"}),
    ("qarla-vector-8", {"stopwords": ["x"], "stemmer": "porter"}),
    ("qarla-nicos", {"concepts": ["storm", "coast"]}),
    ("bertscore", {"model": Letters()}),
    ("bertscore", {"model": Letters(), "aggregate": "average", "idf": [ONE, TWO, SHORT]}),
    ("simetrix", {"stemmer": "porter", "divergence_log": "log2", "idf": ({"storm": 2.0}, 9)}),
]
# What scores no row by itself needs a table.
_COUNTED = {"df": Cider().fit([[ONE, TWO], [SHORT], ["Nothing was lost."]]).df}
NEEDED: dict[str, dict[str, Any]] = dict.fromkeys(Cider.names, _COUNTED)
CASES = [*((name, NEEDED.get(name, {})) for name in NAMES), *WITH_OPTIONS]


def case_id(case: tuple[str, dict[str, Any]]) -> str:
    """The name of a case in what pytest prints."""
    return "-".join([case[0], *case[1]])
