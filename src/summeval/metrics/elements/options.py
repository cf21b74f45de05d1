"""The options of metrics on Basic Elements, declared."""

from __future__ import annotations

from typing import Any

from summeval._options import Option
from summeval.metrics.option_groups import (
    AGGREGATE,
    CACHE,
    CASE,
    JACKKNIFE,
    LABEL,
    PARSER,
    SOLVER,
)

WEIGHTS = ("root", "binary", "total")
COMPAT = (None, "0.5.1")
COREFERENCE = Option(
    "coreference",
    "What finds mentions of one thing: their pronouns and names are replaced by its name before"
    ' elements are cut. "simple" joins names that share words and pronouns of the nearest name;'
    ' "file:PATH" reads what another program found; a function gets a `Document` and returns its'
    " chains. See `summeval.annotate.coreference`.",
    None,
    (None, "simple"),
    "any",
)
SENSES = Option(
    "senses",
    "How many senses of a word of WordNet the transformations look at, the most frequent first:"
    " one (as the original program), all, or this number.",
    "first",
    ("first", "all"),
    "whole",
    low=1,
    high=1000,
)
BEWTE = (
    Option(
        "weights",
        "The weight of an element that f references have: the square root of f, 1, or f.",
        "root",
        WEIGHTS,
    ),
    Option(
        "duplicates",
        "Whether equal elements of a document are counted separately, or once.",
        False,
        kind="bool",
    ),
    Option("hyper", "Whether to use hypernyms and hyponyms.", False, kind="bool"),
    AGGREGATE._replace(says="Over several references: the largest recall, or the mean."),
    JACKKNIFE._replace(default=True),
    Option(
        "coefficients",
        "For groups of transformations (`summeval.elements.transformations.GROUPS`)"
        " numbers from"
        ' 0 to 1; "others" for all groups that are not named, 1 if it is not given.',
        None,
        (None,),
        "object",
    ),
    Option(
        "compat",
        '"0.5.1" reproduces the bugs of that version of the original program, and gives its'
        " numbers (with exact means in place of an order-dependent one): no plurals in -ies, no"
        " verbs in -s, no table of abbreviations, no pronouns for names with capitals, no names"
        " with periods, no book about what a book is on, no author of those who authored.",
        None,
        COMPAT,
    ),
    SENSES,
    COREFERENCE,
    SOLVER._replace(says='One of ``summeval.solvers.list_solvers("assignment")``.'),
    CASE._replace(says="How capitals are changed before texts are parsed, as in `BasicElements`."),
    PARSER,
    CACHE,
    LABEL,
)


def number_of_senses(chosen: Any) -> int:
    """The number that `senses` means; 0 is all.

    >>> number_of_senses("first"), number_of_senses("all"), number_of_senses(3)
    (1, 0, 3)
    """
    return {"first": 1, "all": 0}[chosen] if isinstance(chosen, str) else int(chosen)
