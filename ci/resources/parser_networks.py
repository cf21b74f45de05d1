"""The networks of the compiled parser: sections of its model file, in whole numbers of 12 bits.

A matrix is its rows and columns, then for each row a scale and an addend (32-bit floats), then its
numbers row by row, two in three bytes. A number of a row stands for itself times the row's scale.
"""

from __future__ import annotations

import struct
from typing import Any

import numpy as np
import numpy.typing as npt

MOST = 2047
"""The largest weight in whole numbers; the least is -MOST."""

Floats = npt.NDArray[np.float32]


def sections(nlp: Any) -> dict[str, bytes]:
    """Return the names of tags and moves, the two networks, and the layers that decide."""
    tagger, parser, entities = (nlp.get_pipe(name) for name in ("tagger", "parser", "ner"))
    softmax = tagger.model.get_ref("softmax")
    return {
        "tags": "\n".join(tagger.labels).encode(),
        "moves": _moves(parser),
        "entity_moves": _moves(entities),
        "words": _words(nlp.get_pipe("tok2vec").model),
        "tagger": _matrix(softmax.get_param("W"), softmax.get_param("b")),
        "parser": _decider(parser.model),
        "entity_words": _words(entities.model.get_ref("tok2vec")),
        "entities": _decider(entities.model),
    }


def _moves(pipe: Any) -> bytes:
    moves = pipe.moves
    return "\n".join(moves.get_class_name(number) for number in range(moves.n_moves)).encode()


def _words(model: Any) -> bytes:
    """The tables of attributes, the layer that mixes them, and the convolutions."""
    layers = list(model.walk())
    tables = [layer for layer in layers if layer.name == "hashembed"]
    maxouts = [layer for layer in layers if layer.name == "maxout"]
    norms = [layer for layer in layers if layer.name == "layernorm"]
    found = [struct.pack("<2I", len(tables), len(maxouts) - 1)]
    for table in tables:
        rows = table.get_param("E")
        # One scale for a table, so that the four rows of a string are added as whole numbers.
        scale = np.float32(np.abs(rows).max() / MOST)
        found.append(struct.pack("<2If", len(rows), table.attrs["seed"], scale))
        found.append(_packed(np.rint(rows / scale).astype(np.int64)))
    for maxout, norm in zip(maxouts, norms, strict=True):
        weights = maxout.get_param("W")
        outputs = weights.shape[0] * weights.shape[1]
        found.append(_matrix(weights.reshape(outputs, -1), maxout.get_param("b").reshape(outputs)))
        found += [_floats(norm.get_param(name)) for name in ("G", "b")]
    return b"".join(found)


def _decider(model: Any) -> bytes:
    """The layer over the tokens of a state, and the one over moves.

    The map from a token's vector is linear, and so is what follows: they become one matrix.
    """
    (reduced,) = (
        layer for layer in model.get_ref("tok2vec").layers if layer.name.startswith("linear")
    )
    lower, upper = model.get_ref("lower"), model.get_ref("upper")
    weights = lower.get_param("W").astype(np.float64)
    flat = weights.reshape(-1, weights.shape[-1])
    return b"".join(
        [
            _matrix(flat @ reduced.get_param("W"), flat @ reduced.get_param("b")),
            _floats(lower.get_param("pad")),
            _floats(lower.get_param("b")),
            _matrix(upper.get_param("W"), upper.get_param("b")),
        ]
    )


def _matrix(weights: Floats, addends: Floats) -> bytes:
    """A matrix, each of whose rows has a scale of its own."""
    scales = (np.abs(weights).max(axis=1) / MOST).astype(np.float32)
    whole = np.rint(weights / scales[:, None].astype(np.float64)).astype(np.int64)
    assert np.abs(whole).max() <= MOST
    shape = struct.pack("<2I", *weights.shape)
    return shape + _floats(scales) + _floats(addends) + _packed(whole)


def _floats(numbers: Any) -> bytes:
    return np.ascontiguousarray(numbers, dtype="<f4").tobytes()


def _packed(whole: npt.NDArray[np.int64]) -> bytes:
    """Numbers of 12 bits, two in three bytes; their number is even."""
    pairs = (whole & 0xFFF).reshape(-1, 2)
    together = pairs[:, 0] | pairs[:, 1] << 12
    parts = np.stack([together, together >> 8, together >> 16], axis=1)
    return (parts & 0xFF).astype("u1").tobytes()
