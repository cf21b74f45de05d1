"""Models like BERT on a CPU: texts side by side without padding, each as if it were alone.

All but attention treats each token by itself, so that the tokens of several texts can be rows of
one matrix; attention goes text by text. Nothing is computed for padding, and the vectors of a text
have the same bits whatever is beside it: a product of matrices gives a row the same bits whatever
the other rows are, if there are enough of them.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from summeval.learn.encoders import loading

TOKENS = 1024  # of texts that are run together, so that what is between fits into the cache
_ROWS = 32  # for each thread: with fewer, products of matrices take another way
_KINDS = frozenset("bert roberta xlm-roberta camembert".split())
_PROBES = ((5, 9, 7, 6, 8, 5), (8, 6))
_CLOSE = 1e-4


class PackedModel:
    """The layers of a model of transformers, called one by one.

    Raises
    ------
    ValueError
        The model is none of those, or has something that these layers have not: then it gives
        other vectors for some tokens than transformers does.
    """

    def __init__(self, model: Any) -> None:
        config = model.config
        if config.model_type not in _KINDS or getattr(config, "is_decoder", False):
            raise ValueError("no model like BERT")
        if getattr(config, "position_embedding_type", None) not in (None, "absolute"):
            raise ValueError("positions are not added")
        torch = loading.torch()
        self._heads = config.num_attention_heads
        # RoBERTa counts positions from the number of its padding on.
        self._first = 0 if config.model_type == "bert" else config.pad_token_id + 1
        self._embeddings = model.embeddings
        self._layers = []
        for layer in model.encoder.layer:
            own = layer.attention.self
            parts = (own.query, own.key, own.value)
            weight, bias = (
                torch.cat([getattr(part, name).detach() for part in parts])
                for name in ("weight", "bias")
            )
            self._layers.append((layer, weight.contiguous(), bias.contiguous()))
        self._check(model)

    def run(self, ids: Sequence[Sequence[int]]) -> list[Any]:
        """The vectors [token, dimensions] of token lists, as float32 arrays."""
        torch = loading.torch()
        sizes = [len(one) for one in ids]
        rows = max(sum(sizes), _ROWS * torch.get_num_threads())
        with torch.inference_mode():
            flat = torch.zeros(rows, dtype=torch.long)
            places = torch.zeros(rows, dtype=torch.long)
            begin = 0
            for one in ids:
                flat[begin : begin + len(one)] = torch.tensor(list(one), dtype=torch.long)
                places[begin : begin + len(one)] = torch.arange(len(one)) + self._first
                begin += len(one)
            found = self._states(flat, places, sizes).float()
            parts = found[:begin].split(sizes)
            return [part.numpy().copy() for part in parts]

    def _states(self, flat: Any, places: Any, sizes: Sequence[int]) -> Any:
        """The last states [row, dimensions]."""
        functional = loading.torch().nn.functional
        table = self._embeddings
        states = table.word_embeddings(flat) + table.token_type_embeddings.weight[0]
        states = table.LayerNorm(states + table.position_embeddings(places))
        for layer, weight, bias in self._layers:
            projected = functional.linear(states, weight, bias)
            mixed = self._attention(projected, sizes)
            attended = layer.attention.output
            states = attended.LayerNorm(attended.dense(mixed) + states)
            inner = layer.intermediate.intermediate_act_fn(layer.intermediate.dense(states))
            states = layer.output.LayerNorm(layer.output.dense(inner) + states)
        return states

    def _attention(self, projected: Any, sizes: Sequence[int]) -> Any:
        """Each text by itself; the rows behind the texts stay zeros."""
        torch = loading.torch()
        width = projected.shape[1] // 3
        mixed = torch.zeros(projected.shape[0], width, dtype=projected.dtype)
        begin = 0
        for size in sizes:
            own = projected[begin : begin + size].view(size, 3, self._heads, -1)
            query, key, value = own.permute(1, 2, 0, 3).unsqueeze(1).unbind(0)
            found = torch.nn.functional.scaled_dot_product_attention(query, key, value)
            mixed[begin : begin + size] = found[0].transpose(0, 1).reshape(size, width)
            begin += size
        return mixed

    def _check(self, model: Any) -> None:
        """Raise unless some tokens get the vectors that transformers gives them."""
        torch = loading.torch()
        size = model.config.vocab_size
        probes = [[token % size for token in probe] for probe in _PROBES]
        for probe, found in zip(probes, self.run(probes), strict=True):
            with torch.inference_mode():
                mask = torch.ones(1, len(probe), dtype=torch.long)
                wanted = model(torch.tensor([probe]), attention_mask=mask)[0][0].float().numpy()
            if wanted.shape != found.shape or not abs(wanted - found).max() < _CLOSE:
                raise ValueError("the model has other layers")


def packed_model(model: Any) -> PackedModel | None:
    """The model as a `PackedModel`; None if it cannot be one."""
    try:
        return PackedModel(model)
    except (ValueError, AttributeError, TypeError, RuntimeError):
        return None


def parts_of(ids: Sequence[Sequence[int]]) -> list[tuple[int, int]]:
    """The ranges of texts to run together.

    >>> parts_of([[0] * 600, [0] * 400, [0] * 100, [0] * 5])
    [(0, 2), (2, 4)]
    """
    found, begin, size = [], 0, 0
    for place, one in enumerate(ids):
        if size and size + len(one) > TOKENS:
            found.append((begin, place))
            begin, size = place, 0
        size += len(one)
    return [*found, (begin, len(ids))] if ids else []
