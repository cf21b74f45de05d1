"""Signatures as earlier versions spelled them, in today's spelling.

Model files hold the signatures of the metrics that they were trained with. A new spelling of an
option must not make such a file a stranger.
"""

from __future__ import annotations

_TESLA = {"agg": "aggregate", "alpha": "recall-weight"}
_VALUES = {
    ("aggregate", "mean"): "average",
    ("case", "kept"): "keep",
    ("compat", "no"): "none",
    ("compat", "program"): "simetrix-1",
    ("compat", "worst"): "none",
    ("stemmer", "None"): "none",
}


def renamed(line: str) -> str:
    """A signature with the names and values that its options have today.

    >>> renamed("tesla-s|agg:mean|alpha:0.8|case:kept")
    'tesla-s|aggregate:average|recall-weight:0.8|case:keep'
    >>> renamed("bewte|agg:jackknife|compat:no"), renamed("qarla-rouge|lemma:porter|stemmer:none")
    ('bewte|aggregate:max|jackknife|compat:none', 'qarla-rouge|lemma:form|stemmer:porter')
    """
    name, *options = _parted(line, "|")
    found: list[str] = []
    for option in options:
        key, colon, value = option.partition(":")
        if value[:1] == "[" and value[-1:] == "]":
            value = f"[{';'.join(map(renamed, _parted(value[1:-1], ';')))}]"
        found += _option(name, key, value) if colon else [option]
    stemmer = next((part[6:] for part in found if part.startswith("lemma:port")), None)
    stemmer = "rouge155" if "lemma:rouge155" in found else stemmer
    if stemmer and name.startswith("qarla-"):
        now = {f"lemma:{stemmer}": "lemma:form", "stemmer:none": f"stemmer:{stemmer}"}
        found = [now.get(part, part) for part in found]
    return "|".join([name, *found])


def _option(name: str, key: str, value: str) -> list[str]:
    """An option of a metric, as the parts that it has today."""
    if (name, key, value) == ("bewte", "agg", "jackknife"):
        return ["aggregate:max", "jackknife"]
    names = {"agg": "aggregate"}
    if name.startswith("tesla-"):
        names = _TESLA
    elif name == "be":
        names = {"agg": "aggregate", "stem": "stemmer"}
    elif name == "simetrix":
        names = {"empty": "compat"}
    now = names.get(key, key)
    return [f"{now}:{_VALUES.get((now, value), value)}"]


def _parted(line: str, mark: str) -> list[str]:
    """A line at the marks that stand outside brackets."""
    parts, begin, depth = [], 0, 0
    for place, character in enumerate(line):
        depth += (character == "[") - (character == "]")
        if character == mark and depth == 0:
            parts.append(line[begin:place])
            begin = place + 1
    return [*parts, line[begin:]]
