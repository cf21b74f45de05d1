"""The help of commands: it tells of each argument, and names the defaults that the code has."""

import argparse
import re
from collections.abc import Iterator, Sequence
from importlib import import_module

import pytest

from summeval.cli import annotate, main
from summeval.cli.metrics import recommend
from summeval.cli.shared.choice import DEFAULT
from summeval.meta.alpha import RATING_LEVELS
from summeval.meta.arrays import COEFFICIENTS, LEVELS
from summeval.meta.ranking import USUAL_DRAWS
from summeval.metrics.pyramid.ranker import MODELS
from summeval.study import aesop

COMMANDS = [words for words in main._COMMANDS if words not in main._HELD]


def command(words: str) -> argparse.ArgumentParser:
    found: argparse.ArgumentParser = main.parser([*words.split(), "--help"])
    for name in words.split():
        (group,) = (one for one in found._actions if isinstance(one, argparse._SubParsersAction))
        found = group.choices[name]
    return found


def arguments(parser: argparse.ArgumentParser) -> Iterator[tuple[str, str]]:
    for action in parser._actions:
        yield "/".join(action.option_strings) or str(action.metavar), action.help or ""


@pytest.mark.parametrize("words", COMMANDS)
def test_each_argument_is_told(words: str) -> None:
    parser = command(words)
    assert [name for name, told in arguments(parser) if not told.strip(" []")] == []
    assert parser.description and parser.epilog and "Exit status" in parser.epilog
    assert "[ARGUMENTS]" not in parser.description + parser.epilog


def test_what_is_told_is_an_argument() -> None:
    """A flag that was renamed leaves no line behind."""
    told, known = set[tuple[str, str]](), set[tuple[str, str]]()
    for words in COMMANDS:
        home = main._HOMES.get(words, words.replace(" ", ".")).partition(":")[0]
        page = import_module(f"summeval.cli.{home}").__doc__ or ""
        told |= {(home, flag) for flag in re.findall(r"^(-\S+): ", page, re.MULTILINE)}
        known |= {(home, f) for one in command(words)._actions for f in one.option_strings}
    assert told - known == set()


@pytest.mark.parametrize(
    ("words", "named"),
    [
        ("score", [DEFAULT]),
        ("rank", [USUAL_DRAWS]),
        ("correlate", [", ".join(COEFFICIENTS), ", ".join(LEVELS)]),
        ("agreement", [", ".join(RATING_LEVELS)]),
        ("annotate", [",".join(annotate.TEXTS)]),
        ("recommend", [recommend._ROWS]),
        ("study aesop", aesop.DEFAULT),
        ("study extracts", [", ".join(MODELS)]),
        ("train dicomer", ["from the others [5]"]),
    ],
)
def test_the_help_names_what_the_code_has(words: str, named: Sequence[object]) -> None:
    text = " ".join(command(words).format_help().split())
    assert [one for one in named if str(one) not in text] == []
