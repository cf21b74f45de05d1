"""A transformer of random weights, made on disk by the tests; nothing is downloaded."""

from __future__ import annotations

import functools
import tempfile
from pathlib import Path
from typing import Any

WORDS = (
    "the a storm hit coast town houses were lost army came and it destroyed on monday officials"
    " said cat sat dog no not help people"
).split()
LETTERS = "abcdefghijklmnopqrstuvwxyz.,!?"


@functools.cache
def tiny_model(kind: str = "BertModel", labels: tuple[str, ...] = ()) -> str:
    """The folder of a model with two layers and a tokenizer of word pieces; it takes 24 tokens."""
    import torch
    import transformers

    folder = Path(tempfile.mkdtemp(prefix="summeval-tiny-"))
    pieces = [f"##{letter}" for letter in LETTERS]
    vocabulary = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", *WORDS, *LETTERS, *pieces]
    _tokenizer(vocabulary).save_pretrained(folder)
    torch.manual_seed(7)
    options: dict[str, Any] = {}
    if labels:
        options["id2label"] = dict(enumerate(labels))
        options["label2id"] = {label: number for number, label in enumerate(labels)}
    config = transformers.BertConfig(
        vocab_size=len(vocabulary),
        hidden_size=24,
        num_hidden_layers=2,
        num_attention_heads=2,
        intermediate_size=48,
        max_position_embeddings=24,
        initializer_range=0.3,
        **options,
    )
    getattr(transformers, kind)(config).eval().save_pretrained(folder)
    return str(folder)


def _tokenizer(vocabulary: list[str]) -> Any:
    import transformers
    from tokenizers import Tokenizer, models, normalizers, pre_tokenizers, processors

    places = {piece: place for place, piece in enumerate(vocabulary)}
    made = Tokenizer(models.WordPiece(places, unk_token="[UNK]"))
    made.normalizer = normalizers.BertNormalizer(lowercase=True)
    made.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    made.post_processor = processors.TemplateProcessing(
        single="[CLS] $A [SEP]",
        pair="[CLS] $A [SEP] $B:1 [SEP]:1",
        special_tokens=[("[CLS]", places["[CLS]"]), ("[SEP]", places["[SEP]"])],
    )
    return transformers.PreTrainedTokenizerFast(
        tokenizer_object=made,
        unk_token="[UNK]",
        pad_token="[PAD]",
        cls_token="[CLS]",
        sep_token="[SEP]",
        model_max_length=24,
    )
