"""Options are declared once: checks, keywords, docstrings and the command line agree with it."""

from __future__ import annotations

import doctest
import inspect
import re
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest
from every import every
from registered import FAMILIES

import summeval
from summeval import _options
from summeval._options import Option
from summeval.cli.metrics.listing import says
from summeval.metrics.discourse.cremer import Cremer
from summeval.metrics.discourse.trained import Trained
from summeval.metrics.registry import INDEX
from summeval.metrics.run.base import Metric

Declared = tuple[str, type[Metric], tuple[Option, ...], Any]

TRAINED = (Trained, Cremer)


def declared() -> Iterator[Declared]:
    """Name, class, options, and the function whose keywords they are."""
    for family in FAMILIES:
        if issubclass(family, TRAINED):  # its `named` chooses a model, the class is to be trained
            yield f"{family.__name__}.named", family, family.options, family.named
            yield family.__name__, family, tuple(family.declared.values()), family
        else:
            yield family.__name__, family, family.options, family


DECLARED = list(declared())
IDS = [name for name, *_ in DECLARED]
# Files and objects of other classes: what they may be is told in the docstring.
OWN_WORDS = ("any", "object", "path")


@every(("name", "family", "options", "function"), DECLARED, ids=IDS)
def test_keywords_and_their_defaults_are_the_declared_ones(
    name: str, family: type[Metric], options: tuple[Option, ...], function: Any
) -> None:
    parameters = list(inspect.signature(function).parameters.values())
    given = [(one.name, one.default) for one in parameters if one.kind is one.KEYWORD_ONLY]
    wanted = [(option.name, option.default) for option in options]
    if parameters[-1].kind is inspect.Parameter.VAR_KEYWORD:  # `load` takes the others
        assert given and name.endswith(".named")
        wanted = [one for one in wanted if one[0] in dict(given)]
    assert given == wanted


@every(("name", "family", "options", "function"), DECLARED, ids=IDS)
def test_a_default_is_taken_as_it_stands(
    name: str, family: type[Metric], options: tuple[Option, ...], function: Any
) -> None:
    for option in options:
        assert option.check(option.default) == option.default
        if options is family.options:
            said = says(family, option.name)
            assert said.endswith(".") and not said.startswith(("As in", "An option"))


def entries(family: type[Metric]) -> dict[str, tuple[str, str]]:
    """Type and description of each parameter of a class docstring."""
    text = inspect.getdoc(family) or ""
    part = re.search(r"^Parameters\n-+\n(.*?)(?=\n\n\w+\n-+\n|\Z)", text, re.DOTALL | re.MULTILINE)
    assert part, "it has no Parameters"
    found = {}
    for names, kind, lines in re.findall(
        r"^(\w[\w, ]*)(?: : (.*))?\n((?: .*\n?|\n(?= ))*)", part[1] + "\n", re.MULTILINE
    ):
        for name in names.split(", "):
            found[name] = (kind, " ".join(lines.split()))
    return found


@every("family", FAMILIES, ids=lambda family: family.__name__)
def test_the_docstring_says_what_is_declared(family: type[Metric]) -> None:
    options = tuple(family.declared.values()) if issubclass(family, TRAINED) else family.options
    told = entries(family)
    names = [option.name for option in options]
    assert [name for name in told if name in names] == names
    for option in options:
        kind, text = told[option.name]
        if not text.startswith("As in `"):  # the docstring of another class tells it
            takes = option.takes if len(option.choices) < MANY else "str or callable"
            assert kind == takes or option.kind in OWN_WORDS, option.name


@every("family", FAMILIES, ids=lambda family: family.__name__)
def test_every_option_refuses_what_it_does_not_take_in_a_line(family: type[Metric]) -> None:
    name = next(entry.names[0] for entry in INDEX if entry.kind == family.__name__)
    for option in family.options:
        if option.kind in (*OWN_WORDS, "words"):
            continue
        with pytest.raises((ValueError, TypeError), match=rf"^{option.name} is ") as caught:
            summeval.metric(name, **{option.name: object()})
        assert "\n" not in str(caught.value)


@every("family", FAMILIES, ids=lambda family: family.__name__)
def test_an_option_that_a_class_lacks_is_told_with_the_nearest(family: type[Metric]) -> None:
    with pytest.raises(TypeError, match=f"^unknown option of {family.__name__} 'labl'; .*label"):
        family(labl="x")  # type: ignore[call-arg]


MANY = 9  # choices that the description lists
NUMBER = Option("share", 0.5, kind="share")
GAP = Option("gap", 4, (None,), "whole", low=0)
CASE = Option("case", "keep", ("keep", "lower", "auto"))
TOKENIZER = Option("tokenizer", "a", ("a", "b"), "function")
FLAG = Option("flag", False, kind="bool")
ABOVE = Option("C", None, (None, "cv"), "number", low=0, above=True)


@pytest.mark.parametrize(
    ("option", "value", "wanted"),
    [
        (NUMBER, 1, 1.0),
        (NUMBER, np.float32(0.5), 0.5),
        (GAP, None, None),
        (GAP, np.int64(3), 3),
        (CASE, "auto", "auto"),
        (TOKENIZER, len, len),
        (FLAG, np.True_, True),
        (FLAG, 0, False),
        (ABOVE, "cv", "cv"),
        (ABOVE, 1e-300, 1e-300),
    ],
)
def test_values_become_plain(option: Option, value: Any, wanted: Any) -> None:
    found = option.check(value)
    assert found == wanted
    assert type(found) is type(wanted)


@pytest.mark.parametrize(
    ("option", "value", "message"),
    [
        (NUMBER, 1.5, "share is 1.5; give a number from 0 to 1"),
        (NUMBER, True, "share is True; give a number from 0 to 1"),
        (NUMBER, float("nan"), "share is nan; give a number from 0 to 1"),
        (GAP, -1, "gap is -1; give a whole number of at least 0, or None"),
        (GAP, 1.5, "gap is 1.5; give a whole number of at least 0, or None"),
        (GAP._replace(high=9), 10, "gap is 10; give a whole number from 0 to 9, or None"),
        (
            CASE,
            "lowr",
            "case is 'lowr'; choose from 'keep', 'lower', 'auto' (did you mean 'lower'?)",
        ),
        (CASE, 3, "case is 3; choose from 'keep', 'lower', 'auto'"),
        (TOKENIZER, "c", "tokenizer is 'c'; choose from 'a', 'b', or give a function"),
        (FLAG, "yes", "flag is 'yes'; choose from True, False"),
        (ABOVE, 0, "C is 0; give a number above 0, or None, 'cv'"),
        (ABOVE, float("inf"), "C is inf; give a number above 0, or None, 'cv'"),
    ],
)
def test_what_is_not_taken_is_told_with_the_mend(option: Option, value: Any, message: str) -> None:
    with pytest.raises((ValueError, TypeError)) as caught:
        option.check(value)
    assert str(caught.value) == message


@every(
    ("name", "option"),
    [
        ("rouge1", "stopwords"),
        ("simetrix", "stopwords"),
        ("qarla-rouge", "stopwords"),
        ("bertscore", "idf"),
        ("bertscore", "rescale"),
    ],
)
def test_numbers_are_no_true_and_false_where_other_values_are_taken(name: str, option: str) -> None:
    for value in (0, 1, 1.0, np.True_, np.False_):
        with pytest.raises(TypeError, match=f"^{option} is "):
            summeval.metric(name, **{option: value})


@pytest.mark.parametrize(
    ("option", "text", "value"),
    [
        (NUMBER, "1", 1.0),
        (NUMBER, "many", "many"),
        (GAP, "none", None),
        (GAP, "4", 4),
        (GAP, "4.0", "4.0"),
        (CASE, "lower", "lower"),
        (CASE, "none", "none"),
        (FLAG, "True", True),
        (FLAG, "no", "no"),
        (ABOVE, "cv", "cv"),
        (ABOVE, "2e-3", 0.002),
        (Option("model", None, (None,), "path"), "5", "5"),
    ],
)
def test_texts_of_the_command_line_are_read_by_the_declared_type(
    option: Option, text: str, value: Any
) -> None:
    found = option.read(text)
    assert found == value
    assert type(found) is type(value)


def test_examples_of_the_docstrings() -> None:
    assert doctest.testmod(_options).failed == 0
