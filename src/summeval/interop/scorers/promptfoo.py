"""An assertion for promptfoo.

In a file of your own, `summary.py`:

    from summeval.interop.scorers.promptfoo import get_assert

and in the configuration:

    assert:
      - type: python
        value: file://summary.py
        threshold: 0.3
        config: {metrics: [rougeLsum, rouge1], reference: summary, source: article}
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from inspect import signature
from typing import Any

from summeval._options import unknown
from summeval.interop.scorers import Found, Scorer


def get_assert(output: Any, context: Mapping[str, Any]) -> dict[str, Any]:
    """Return the score of the first metric; all are in `namedScores`.

    The assertion's `config` has the arguments: `metrics`, a name or list of names; `reference` and
    `source`, the variables of the test with these texts ("reference" and "source" by default);
    `candidate`, the entry of an output in JSON; `explain: true` for explanations in the reason.
    Whether it passes is for the `threshold` of the assertion; a text without a score fails.

    Raises
    ------
    KeyError, TypeError, ValueError
        An unknown metric or argument, or a variable that is not there; promptfoo shows the message.

    Examples
    --------
    >>> found = get_assert("the cat", {"vars": {"reference": "the cat"}, "config": {}})
    >>> found["pass"], found["score"], found["reason"]
    (True, 1.0, 'rouge1 1.0000, rouge2 1.0000, rougeL 1.0000, rougeLsum 1.0000')
    """
    config = {"reference": "reference", "source": "source", **(context.get("config") or {})}
    frozen = {k: tuple(v) if isinstance(v, list) else v for k, v in config.items()}
    texts = context.get("vars") or {}
    found = _scorer(**frozen)(output, texts, texts)
    named = {one.name: one.value for one in found if one.value is not None}
    return {
        "pass": len(named) == len(found),
        "score": found[0].value or 0.0,
        "reason": "\n".join([one.reason for one in found if one.reason] or [_line(found)]),
        "namedScores": named,
    }


@lru_cache(maxsize=16)
def _scorer(**config: Any) -> Scorer:
    known = {*signature(Scorer).parameters} - {"higher"}
    if odd := sorted(config.keys() - known):
        raise ValueError(unknown("key of config", odd[0], sorted(known)))
    return Scorer(**config, higher="promptfoo")


def _line(found: list[Found]) -> str:
    told = ("no score" if one.value is None else f"{one.value:.4f}" for one in found)
    return ", ".join(f"{one.name} {text}" for one, text in zip(found, told, strict=True))
