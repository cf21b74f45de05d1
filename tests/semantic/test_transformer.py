"""Vectors by a transformer from disk: tokens, layers, batches, lack of memory, errors."""

from __future__ import annotations

import copy
import pickle
import shutil
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from ecosystem import ecosystem
from tiny_model import tiny_model

import summeval
from summeval.learn.encoders import Transformer, loading
from summeval.learn.encoders.loading import PackedModel, packed_model
from summeval.learn.encoders.transformer import LONG

torch = ecosystem("torch")
transformers = ecosystem("transformers")

TEXTS = ["The storm hit the coast.", "", "a cat sat and the dog came", "no", "people " * 40]


def states(layer: int) -> list[Any]:
    """The vectors that transformers gives each text, run alone."""
    tokenizer = transformers.AutoTokenizer.from_pretrained(tiny_model())
    model = transformers.AutoModel.from_pretrained(tiny_model()).eval()
    found = []
    for text in TEXTS:
        given = tokenizer(text, return_tensors="pt", truncation=True, max_length=24)
        with torch.no_grad():
            found.append(model(**given, output_hidden_states=True).hidden_states[layer][0].numpy())
    return found


@pytest.mark.parametrize("layer", [0, 1, 2, None])
@pytest.mark.parametrize("batch_size", [None, 2, 5])
def test_vectors_are_those_of_transformers(layer: int | None, batch_size: int | None) -> None:
    encoder = Transformer(tiny_model(), layer, "cpu", batch_size)
    found = encoder.encode(TEXTS)
    for one, wanted in zip(found, states(2 if layer is None else layer), strict=True):
        np.testing.assert_allclose(one.vectors, wanted, rtol=0, atol=1e-5)
        assert len(one.ids) == len(wanted) <= 24


def test_without_batches_a_text_has_the_same_bits_whatever_is_beside_it() -> None:
    encoder = Transformer(tiny_model(), device="cpu")
    together = encoder.encode(TEXTS)
    for text, wanted in zip(TEXTS, together, strict=True):
        (alone,) = encoder.encode([text])
        np.testing.assert_array_equal(alone.vectors, wanted.vectors)


@pytest.mark.parametrize("tokens", [1, 30, 10_000])
def test_texts_side_by_side_have_the_bits_that_each_has_alone(
    monkeypatch: pytest.MonkeyPatch, tokens: int
) -> None:
    texts = [f"{text} {other}" for text in TEXTS for other in ("help came", "no army said so", "")]
    encoder = Transformer(tiny_model(), device="cpu")
    wanted = [encoder.encode([text])[0].vectors for text in texts]
    monkeypatch.setattr(loading, "TOKENS", tokens)
    for one, vectors in zip(encoder.encode(texts), wanted, strict=True):
        np.testing.assert_array_equal(one.vectors, vectors)


def test_only_models_that_give_the_same_vectors_are_run_without_padding() -> None:
    model = transformers.AutoModel.from_pretrained(tiny_model()).eval()
    assert packed_model(model) is not None
    hook = model.encoder.layer[1].register_forward_hook(lambda layer, given, out: _more(out))
    assert packed_model(model) is None
    hook.remove()
    assert packed_model(model) is not None
    config = transformers.DistilBertConfig(dim=8, n_heads=2, n_layers=1, hidden_dim=8, vocab_size=9)
    assert packed_model(transformers.DistilBertModel(config).eval()) is None


def test_positions_of_roberta() -> None:
    torch.manual_seed(3)
    config = transformers.RobertaConfig(
        vocab_size=40,
        hidden_size=16,
        num_hidden_layers=2,
        num_attention_heads=2,
        intermediate_size=32,
        max_position_embeddings=20,
        initializer_range=0.4,
        pad_token_id=1,
    )
    model = transformers.RobertaModel(config).eval()
    ids = [[0, 7, 8, 9, 2], [0, 30, 2]]
    found = PackedModel(model).run(ids)
    for one, vectors in zip(ids, found, strict=True):
        with torch.no_grad():
            wanted = model(torch.tensor([one])).last_hidden_state[0].numpy()
        np.testing.assert_allclose(vectors, wanted, rtol=0, atol=1e-5)


def _more(out: Any) -> Any:
    return (out[0] + 1, *out[1:]) if isinstance(out, tuple) else out + 1


def test_marks_are_known() -> None:
    encoder = Transformer(tiny_model())
    assert encoder.special == {2, 3}
    assert encoder.ids(["", "the storm"]) == [[2, 3], [2, 4, 6, 3]]
    assert encoder.encode([]) == []


def test_a_layer_that_is_not_there() -> None:
    with pytest.raises(ValueError, match=r"layer is 3; .* has the layers 0 to 2"):
        Transformer(tiny_model(), 3)
    model = transformers.AutoModel.from_pretrained(tiny_model())
    with pytest.raises(ImportError, match=r"layer is 3; tiny has the layers 0 to 2 \(pip"):
        loading.with_layers(model, 3, "tiny")
    with pytest.raises(ImportError, match="the layers of tiny cannot be found; leave layer out"):
        loading.with_layers(torch.nn.Linear(2, 2), 1, "tiny")


@pytest.mark.parametrize("most", [1, 2, 3])
def test_a_batch_without_memory_is_halved(monkeypatch: pytest.MonkeyPatch, most: int) -> None:
    encoder = Transformer(tiny_model(), batch_size=5)
    wanted = encoder.encode(TEXTS)
    run, sizes = Transformer._run, []

    def short_of_memory(self: Transformer, ids: Any, *more: Any) -> Any:
        sizes.append(len(ids))
        if len(ids) > most:
            raise RuntimeError("CUDA out of memory. Tried to allocate 2.00 GiB")
        return run(self, ids, *more)

    monkeypatch.setattr(Transformer, "_run", short_of_memory)
    for one, other in zip(encoder.encode(TEXTS), wanted, strict=True):
        np.testing.assert_allclose(one.vectors, other.vectors, rtol=0, atol=1e-5)
    assert max(sizes) == 5
    assert min(sizes) <= most


def test_a_text_that_alone_needs_too_much_memory_is_told_in_a_line(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def none(*_: Any) -> Any:
        raise RuntimeError("CUDA out of memory.\nTried to allocate 2.00 GiB")

    monkeypatch.setattr(Transformer, "_run", none)
    with pytest.raises(MemoryError, match="cpu has no memory for a text of 24 tokens; choose a"):
        Transformer(tiny_model(), batch_size=1).encode(TEXTS)
    monkeypatch.setattr(PackedModel, "run", none)
    with pytest.raises(MemoryError, match="cpu has no memory for a text of"):
        Transformer(tiny_model(), device="cpu").encode(TEXTS)


def test_other_errors_of_a_model_are_raised(monkeypatch: pytest.MonkeyPatch) -> None:
    def wrong(*_: Any) -> Any:
        raise RuntimeError("shapes do not fit")

    monkeypatch.setattr(Transformer, "_run", wrong)
    with pytest.raises(RuntimeError, match="shapes do not fit"):
        Transformer(tiny_model(), batch_size=4).encode(TEXTS)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (
            {"model": "no-such/model"},
            "the model 'no-such/model' cannot be loaded",
        ),
        ({"device": "abacus"}, "device is 'abacus', which cannot be used here"),
    ],
)
def test_what_cannot_be_loaded_is_told_in_a_line(
    monkeypatch: pytest.MonkeyPatch, options: dict[str, Any], message: str
) -> None:
    monkeypatch.setattr("huggingface_hub.constants.HF_HUB_OFFLINE", True)
    metric = summeval.metric("bertscore", **{"model": tiny_model(), **options})
    with pytest.raises(ImportError, match=message) as caught:
        metric.score_batch(["a", "b"], ["a", "b"], on_error="skip")
    assert "\n" not in str(caught.value)
    assert "pip install" in str(caught.value)


def test_a_signature_names_the_files_of_the_model() -> None:
    metric = summeval.metric("bertscore", model=tiny_model(), layer=1)
    label = metric.signature.options["model"]
    assert isinstance(label, str)
    assert label.startswith("summeval-tiny-")
    assert label.endswith("-layer-1")
    for other in (pickle.loads(pickle.dumps(metric)), copy.deepcopy(metric)):
        assert other.signature == metric.signature
        assert other.score("the storm", "a storm") == metric.score("the storm", "a storm")


def test_texts_that_fit_have_the_same_bits_with_windows() -> None:
    cut, windows = (Transformer(tiny_model(), device="cpu", long=one) for one in LONG)
    short = [text for text in TEXTS if len(text) < 40]
    for one, other in zip(cut.encode(short), windows.encode(short), strict=True):
        np.testing.assert_array_equal(one.vectors, other.vectors)


@pytest.mark.parametrize("layer", [0, 2])
def test_a_long_text_is_read_in_windows(layer: int) -> None:
    """The middle of each window has the vectors that its tokens have in it alone."""
    encoder = Transformer(tiny_model(), layer, "cpu", long="window")
    (ids,) = encoder.ids([TEXTS[-1]])
    assert len(ids) == 42  # "people", 40 times, and two marks
    (found,) = encoder.encode([TEXTS[-1]])
    assert found.ids.tolist() == ids
    (alone,) = Transformer(tiny_model(), layer, "cpu").encode(["people " * 22])
    assert found.vectors.shape == (42, alone.vectors.shape[1])
    # Windows of 22 words begin at 0, 9 and 18: a word counts in that in whose middle it is most.
    np.testing.assert_array_equal(found.vectors[:16], alone.vectors[:16])
    np.testing.assert_array_equal(found.vectors[16:25], alone.vectors[7:16])
    np.testing.assert_array_equal(found.vectors[25:], alone.vectors[7:])


def test_bertscore_reads_on_where_it_would_cut() -> None:
    text = "the storm hit the coast " * 8 + "help came"
    ends = {}
    for long in LONG:
        metric = summeval.metric("bertscore", model=tiny_model(), long=long)
        told = metric.explain("help came", text)
        assert told.value == metric.score("help came", text).value
        ends[long] = max(end for item in told.items for _, _, end in item.reference_spans)
    assert ends == {"cut": len(" ".join(text.split()[:22])), "window": len(text)}
    plain = summeval.metric("bertscore", model=tiny_model())
    assert plain.signature != metric.signature
    with pytest.raises(ValueError, match="long is 'windows'; choose from 'cut', 'window'"):
        summeval.metric("bertscore", model=tiny_model(), long="windows")


def test_a_folder_that_changes_is_loaded_again(tmp_path: Path) -> None:
    folder = tmp_path / "model"
    shutil.copytree(tiny_model(), folder)
    before = Transformer(folder, device="cpu")
    vectors, signature = before.encode(TEXTS)[0].vectors, before.signature
    model = transformers.AutoModel.from_pretrained(folder)
    with torch.no_grad():
        next(model.parameters()).mul_(2)
    model.save_pretrained(folder)
    (again,) = Transformer(folder, device="cpu").encode(TEXTS[:1])
    assert not np.array_equal(again.vectors, vectors)
    np.testing.assert_array_equal(before.encode(TEXTS[:1])[0].vectors, vectors)
    assert Transformer(folder, device="cpu").signature != signature


def test_a_model_of_half_precision_is_run_in_whole(tmp_path: Path) -> None:
    shutil.copytree(tiny_model(), tmp_path / "half")
    model = transformers.AutoModel.from_pretrained(tiny_model())
    model.half().save_pretrained(tmp_path / "half")
    model.float().save_pretrained(tmp_path / "whole")
    shutil.copytree(tiny_model(), tmp_path / "whole", dirs_exist_ok=True, ignore=_weights)
    half, whole = (Transformer(tmp_path / kind, device="cpu") for kind in ("half", "whole"))
    for one, wanted in zip(half.encode(TEXTS), whole.encode(TEXTS), strict=True):
        np.testing.assert_array_equal(one.vectors, wanted.vectors)


def _weights(folder: str, names: list[str]) -> list[str]:
    return [name for name in names if name.endswith((".safetensors", ".bin", "config.json"))]
