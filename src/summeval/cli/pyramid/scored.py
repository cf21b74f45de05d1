"""Scores of peers and models by one pyramid, as `summeval pyramid` prints and writes them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from math import isnan
from pathlib import Path
from typing import Any

from summeval.cli.shared.errors import UsageError
from summeval.io import system_error
from summeval.metrics.pyramid import (
    Annotation,
    Pyramid,
    ducview_score,
    jackknife,
    modified_score,
)

_NUMBERS = (
    "total_scus",
    "unique_scus",
    "not_in_pyramid",
    "total_weight",
    "max_total",
    "quality",
    "average_scus",
    "max_average",
    "coverage",
    "comprehensive",
    "modified",
    "jackknife",
)


@contextmanager
def named(path: str) -> Iterator[None]:
    """Turn the errors of a file into errors of the command."""
    try:
        yield
    except OSError as error:
        raise system_error(path, error) from None


def described(pyramid: Pyramid) -> dict[str, Any]:
    """The pyramid for JSON."""
    return {
        "path": pyramid.path,
        "models": list(pyramid.models),
        "scus": len(pyramid.scus),
        "repairs": list(pyramid.repairs),
    }


def peer_scores(
    pyramid: Pyramid, model_scus: Sequence[Sequence[int]], peer: Annotation, rounding: str
) -> dict[str, Any]:
    """The scores of a peer; None means no score."""
    scores = {
        name: None if isinstance(number, float) and isnan(number) else number
        for name, number in ducview_score(pyramid, peer).items()
    }
    left_out = None
    if len(model_scus) > 1:
        left_out = jackknife(model_scus, peer.scu_ids, rounding=rounding).peer_mean
    return {
        "peer": Path(peer.path).stem,
        "path": peer.path,
        **scores,
        "modified": modified_score(model_scus, peer.scu_ids, rounding=rounding).value,
        "jackknife": left_out,
        "repairs": [*peer.repairs, *_differences(pyramid, peer)],
    }


def _differences(pyramid: Pyramid, peer: Annotation) -> list[str]:
    """Differences of the peer's SCUs between this pyramid and the annotators' one."""
    now = {scu.uid: (scu.label, len(scu.contributors)) for scu in pyramid.scus}
    then = {scu.uid: (scu.label, len(scu.contributors)) for scu in peer.pyramid.scus}
    return [
        f"SCU {uid} was {then[uid][0]!r} of weight {then[uid][1]} when it was annotated; it is"
        f" {now[uid][0]!r} of weight {now[uid][1]}"
        for uid in peer.contributors
        if now[uid] != then[uid]
    ]


def model_scores(
    pyramid: Pyramid, model_scus: Sequence[Sequence[int]], rounding: str
) -> list[dict[str, Any]]:
    """The score of each model against the others."""
    if len(model_scus) < 2:
        raise UsageError(f"--models: {pyramid.path} has 1 model; leaving one out needs 2 or more")
    scores = jackknife(model_scus, [], rounding=rounding).human
    return [
        {"model": name, "jackknife": score}
        for name, score in zip(pyramid.models, scores, strict=True)
    ]


def row(names: Mapping[str, str], scores: Mapping[str, Any]) -> dict[str, Any]:
    """A row of the output: names of topic, system and annotator, then the numbers.

    A model has the jackknife alone.
    """
    kind = "model" if "model" in scores else "peer"
    return {**names, "kind": kind, **{name: scores.get(name) for name in _NUMBERS}}


def cell(number: float | None) -> str:
    """A number for people; a dash for none."""
    if number is None:
        return "-"
    return str(number) if isinstance(number, int) else f"{number:.4f}"
