"""Stemmers by name, and the exception table of the one of ROUGE-1.5.5."""

from functools import cache
from importlib.resources import files


@cache
def exceptions() -> dict[str, str]:
    """The WordNet table that ROUGE-1.5.5 -m looks a token up in before it stems: 5,930 entries.

    Inflected form -> first base form, over WordNet's lists of irregular adjectives, adverbs, nouns
    and verbs, the later list winning. Do not change the dict: all callers share it.

    Examples:
        >>> table = exceptions()
        >>> len(table), table["better"], table["mice"], table["comics"]
        (5930, 'well', 'mouse', 'comic_strip')
    """
    text = (files(__package__) / "data" / "wordnet_exceptions.tsv").read_text(encoding="ascii")
    return dict(line.split("\t") for line in text.splitlines())
