"""Models of random weights that judge pairs of texts, made on disk by the tests."""

from __future__ import annotations

import functools
import tempfile
from pathlib import Path
from typing import Any

from tiny_model import LETTERS, WORDS


@functools.cache
def tiny_roberta(labels: tuple[str, ...], tokens: int = 512) -> str:
    """The folder of a classifier like RoBERTa: no kinds of tokens, four marks for a pair."""
    import torch
    import transformers

    folder = tempfile.mkdtemp(prefix="summeval-roberta-")
    size = _save_tokenizer(folder, "<s> $A </s>", "<s> $A </s> </s> $B </s>", tokens)
    torch.manual_seed(5)
    config = transformers.RobertaConfig(
        vocab_size=size,
        hidden_size=16,
        num_hidden_layers=2,
        num_attention_heads=2,
        intermediate_size=32,
        max_position_embeddings=tokens + 2,
        type_vocab_size=1,
        initializer_range=0.5,
        pad_token_id=1,
        bos_token_id=0,
        eos_token_id=2,
        id2label=dict(enumerate(labels)),
        label2id={label: number for number, label in enumerate(labels)},
    )
    transformers.RobertaForSequenceClassification(config).eval().save_pretrained(folder)
    return folder


@functools.cache
def tiny_writer() -> str:
    """The folder of a model like T5, which writes its answer."""
    import torch
    import transformers

    folder = tempfile.mkdtemp(prefix="summeval-t5-")
    size = _save_tokenizer(folder, "$A </s>", None, 40)
    torch.manual_seed(6)
    config = transformers.T5Config(
        vocab_size=size,
        d_model=16,
        d_kv=8,
        d_ff=32,
        num_layers=2,
        num_heads=2,
        decoder_start_token_id=1,
        pad_token_id=1,
        eos_token_id=2,
        initializer_factor=5.0,
    )
    transformers.T5ForConditionalGeneration(config).eval().save_pretrained(folder)
    return folder


def with_onnx(folder: str) -> str:
    """The folder of a copy of a classifier that has a `model.onnx` beside the weights."""
    import shutil

    copy = tempfile.mkdtemp(prefix="summeval-onnx-")
    shutil.copytree(folder, copy, dirs_exist_ok=True)
    export(copy)
    return copy


def export(folder: str) -> None:
    """Write `model.onnx` of a classifier beside its weights."""
    import torch
    import transformers

    model = transformers.AutoModelForSequenceClassification.from_pretrained(folder).eval()
    names = ["input_ids", "attention_mask"]
    names += ["token_type_ids"] * (getattr(model.config, "type_vocab_size", 0) > 1)
    examples = [torch.ones(2, 8, dtype=torch.long) for _ in names]

    class Logits(torch.nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.model = model

        def forward(self, *given: Any) -> Any:
            return self.model(**dict(zip(names, given, strict=True))).logits

    torch.onnx.export(
        Logits(),
        tuple(examples),
        str(Path(folder, "model.onnx")),
        input_names=names,
        output_names=["logits"],
        dynamic_axes={name: {0: "pair", 1: "token"} for name in names} | {"logits": {0: "pair"}},
        opset_version=17,
        dynamo=False,
    )


def _save_tokenizer(folder: str, single: str, pair: str | None, tokens: int) -> int:
    import transformers
    from tokenizers import Tokenizer, models, normalizers, pre_tokenizers, processors

    marks = ["<s>", "<pad>", "</s>", "<unk>"]
    words = [*marks, *WORDS, *LETTERS, "0", "1", "yes", "predict", ":"]
    places = {word: place for place, word in enumerate(dict.fromkeys(words))}
    made = Tokenizer(models.WordLevel(places, unk_token="<unk>"))
    made.normalizer = normalizers.Lowercase()
    made.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    made.post_processor = processors.TemplateProcessing(
        single=single, pair=pair or f"{single} $B", special_tokens=[("<s>", 0), ("</s>", 2)]
    )
    transformers.PreTrainedTokenizerFast(
        tokenizer_object=made,
        unk_token="<unk>",
        pad_token="<pad>",
        eos_token="</s>",
        model_max_length=tokens,
    ).save_pretrained(folder)
    return len(places)
