"""What runs a model that judges pairs of texts: PyTorch, or ONNX Runtime."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from types import SimpleNamespace
from typing import Any, NamedTuple

from summeval._lazy import need, np
from summeval._options import shown
from summeval.learn.encoders import loading
from summeval.learn.encoders.loading import Place, first_line, in_batches, longest_first, padded
from summeval.learn.encoders.outputs import Output

Encoded = tuple[list[int], list[int]]  # the tokens of a pair, and the kind of each
ONNX_FILE = "model.onnx"
_PROVIDERS = {"cpu": "CPUExecutionProvider", "cuda": "CUDAExecutionProvider"}


class BackEnd(NamedTuple):
    """A model at hand.

    Attributes
    ----------
    config : object
        That of transformers.
    device : object
        With the attribute `type`.
    run : callable
        Of encoded pairs and the token for padding: the logits of each.
    """

    config: Any
    device: Any
    run: Callable[[Sequence[Encoded], int], list[Any]]

    def logits(self, pairs: Sequence[Encoded], pad: int, batch_size: int | None) -> list[Any]:
        """Return the logits of encoded pairs, run in batches of about one length."""

        def each(some: Sequence[Encoded]) -> Iterator[Any]:
            return in_batches(
                some, self.device, batch_size, lambda batch: self.run(batch, pad), _size
            )

        return longest_first(pairs, each, _size)


def _size(encoded: Encoded) -> int:
    return len(encoded[0])


def has_onnx(folder: str) -> bool:
    """Return whether a folder has a model for ONNX Runtime."""
    return os.path.isfile(os.path.join(folder, ONNX_FILE))


def by_torch(
    place: Place, output: Output, tokenizer: Any, device: str | None, dtype: str | None
) -> BackEnd:
    """Return the model run by PyTorch.

    Raises
    ------
    ImportError
        PyTorch, transformers, weights or an answer of the model is missing.
    """
    there = loading.device_of(device)
    kind = "SequenceClassification" if output.classes else "Seq2SeqLM"
    model, told = loading.load(place, f"AutoModelFor{kind}", output_loading_info=True)
    if missing := sorted(told["missing_keys"]):
        raise ImportError(
            f"the model {place.given!r} lacks weights ({missing[0]}); give the folder of one that"
            f" was trained to judge pairs of texts ({loading.INSTALL})"
        )
    model = model.eval().to(there, getattr(loading.torch_module(), dtype or "float32"))
    if output.classes:
        return classifier(model, there)
    answers = first_tokens(tokenizer, output)
    begin = model.config.decoder_start_token_id

    def run(batch: Sequence[Encoded], pad: int) -> list[Any]:
        given, mask = padded([ids for ids, _ in batch], pad)
        begins = np.full((len(batch), 1), begin)
        arrays = {"input_ids": given, "attention_mask": mask, "decoder_input_ids": begins}
        return list(_run(model, there, arrays)[:, 0, answers].double().cpu().numpy())

    return BackEnd(model.config, there, run)


def classifier(model: Any, device: Any) -> BackEnd:
    """Return a model of PyTorch that classifies pairs, as what runs it there."""
    has_kinds = getattr(model.config, "type_vocab_size", 0) > 1

    def run(batch: Sequence[Encoded], pad: int) -> list[Any]:
        given, mask = padded([ids for ids, _ in batch], pad)
        arrays = {"input_ids": given, "attention_mask": mask}
        if has_kinds:
            arrays["token_type_ids"] = padded([kinds for _, kinds in batch], 0)[0]
        return list(_run(model, device, arrays).double().cpu().numpy())

    return BackEnd(model.config, device, run)


def _run(model: Any, device: Any, arrays: dict[str, Any]) -> Any:
    """Return the logits of a model of PyTorch for the arrays that it reads."""
    torch = loading.torch_module()
    tensors = {name: torch.from_numpy(array).to(device) for name, array in arrays.items()}
    with torch.inference_mode():
        return model(**tensors).logits


def first_tokens(tokenizer: Any, output: Output) -> list[int]:
    """Return the first tokens of the answers for entailed and refuted.

    Raises
    ------
    ImportError
        They do not tell the answers apart. (No row of a batch can cause it.)
    """
    answers = [str(output.entailed), str(output.refuted)]
    found = [tokenizer(one, add_special_tokens=False)["input_ids"][:1] for one in answers]
    if not all(found) or found[0] == found[1] or [tokenizer.unk_token_id] in found:
        raise ImportError(
            f"the model has no token of its own for the answers {shown(answers[0])} and"
            f" {shown(answers[1])}; set entailed= and refuted= to those that it was trained to give"
        )
    return [one[0] for one in found]


def by_onnx(place: Place, device: str | None) -> BackEnd:
    """Return the model of `model.onnx`, run by ONNX Runtime.

    Raises
    ------
    ImportError
        ONNX Runtime is missing, does not know the device or cannot read the file.
    """
    library = need("onnxruntime", f"{ONNX_FILE} in {place.given}", "onnx")
    provider = _PROVIDERS.get(device or "cpu")
    if provider not in library.get_available_providers():
        raise ImportError(
            f"device is {device!r}, which ONNX Runtime cannot use here; choose 'cpu', or"
            " backend='torch'"
        )
    options = library.SessionOptions()
    threads = os.environ.get("OMP_NUM_THREADS", "")  # what PyTorch and others go by
    options.intra_op_num_threads = int(threads) if threads.isdecimal() else 0
    try:
        path = os.path.join(place.name, ONNX_FILE)
        session = library.InferenceSession(path, options, providers=[provider])
    except Exception as error:  # its errors share no other class
        raise ImportError(
            f"{path} cannot be loaded ({first_line(error)}); export the model again, or choose"
            " backend='torch'"
        ) from None
    names = [one.name for one in session.get_inputs()]

    def run(batch: Sequence[Encoded], pad: int) -> list[Any]:
        given, mask = padded([ids for ids, _ in batch], pad)
        kinds, _ = padded([kinds for _, kinds in batch], 0)
        known = {"input_ids": given, "attention_mask": mask, "token_type_ids": kinds}
        (logits, *_) = session.run(None, {name: known[name] for name in names if name in known})
        return list(logits.astype(np.float64))

    # A name that is not PyTorch's, whose memory it does not use.
    there = SimpleNamespace(type="cpu" if provider == _PROVIDERS["cpu"] else provider)
    return BackEnd(loading.load(place, "AutoConfig"), there, run)
