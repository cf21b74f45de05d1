"""TESLA-E by an encoder: the words of each text have vectors in their context."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from summeval.learn.vectors import CheckedEncoder, quantised
from summeval.metrics.run.runner import Runner
from summeval.metrics.run.text_options import TOKEN_MARK

if TYPE_CHECKING:
    from summeval._core.likeness.likeness import EncodedText, LikenessKernel
    from summeval._core.rows.record import Score
    from summeval.learn.vectors import WordEncoder
    from summeval.metrics.run.protocols import Member


def encoded_runner(
    metric: Member, kernel: LikenessKernel, encoder: WordEncoder
) -> Runner[EncodedText]:
    """Encodes each distinct text of some rows once, and compares them pair by pair."""
    encode = CheckedEncoder(encoder, "encoder")

    def read(places: Mapping[str, str], workers: int) -> list[EncodedText]:
        found = []
        texts = list(places)
        for text, (spans, vectors) in zip(texts, encode(texts) if texts else (), strict=True):
            words = [text[begin:end].lower().encode() for begin, end in spans]
            joined = b"".join(word + TOKEN_MARK for word in words)
            found.append(kernel.encode(joined, quantised(vectors, "encoder")))
        return found

    def compare(rows: Sequence[tuple[EncodedText, Sequence[Any]]], workers: int) -> list[Score]:
        return [kernel.score_encoded(own, tuple(others))[metric.name] for own, others in rows]

    return Runner(metric, read, compare)
