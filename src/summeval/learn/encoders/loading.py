"""Models of transformers as they are loaded: quietly, once, and with errors of one line."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator
from typing import Any

from summeval._extras import need
from summeval._forks import new_lock
from summeval.learn.encoders.place import INSTALL, Place, check_there

WHAT = "A model of transformers"
_LOADING = new_lock()
_LOADED: dict[Any, tuple[Any, Any]] = {}
_MOST_LOADED = 4
_BEYOND = 1_000_000  # transformers' way to say that a tokenizer has no longest text
_LISTS = (
    *("layer", "encoder.layer", "encoder.layers", "encoder.block"),
    *("transformer.layer", "transformer.layers", "layers", "h"),
)


def torch() -> Any:
    """PyTorch, imported; the error for a missing one names the extra."""
    return need("torch", WHAT, "semantic")


def device_of(given: str | None) -> Any:
    """The device of a name; by default a GPU where there is one.

    Raises
    ------
    ImportError
        The name is no device, or there is none of it.
    """
    library = torch()
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
    """A model or a tokenizer by a class of transformers with `from_pretrained`.

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
    found = _LOADED.get(key)
    if found is None:
        with _LOADING:
            found = _LOADED.get(key)
            if found is None:
                found = make()
                while len(_LOADED) >= _MOST_LOADED:
                    del _LOADED[next(iter(_LOADED))]
                _LOADED[key] = found
    return found


def longest(tokens: Any, model: Any) -> int | None:
    """The most tokens of a text; None if the model sets no limit."""
    if tokens.model_max_length < _BEYOND:
        return int(tokens.model_max_length)
    positions = getattr(model.config, "max_position_embeddings", None)
    if not positions or positions < 0:
        return None
    offset = getattr(model.config, "pad_token_id", 0) or 0  # of RoBERTa, before the first position
    return int(positions) - (offset + 1 if "roberta" in type(model).__name__.lower() else 0)


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
    r"""The first line of what an error says, without a full stop.

    >>> first_line(ValueError("No model. \nSee the manual."))
    'No model'
    """
    lines = str(error).strip().splitlines() or [type(error).__name__]
    return lines[0].strip().rstrip(".")


def with_layers(model: Any, layers: int | None, name: str) -> Any:
    """The encoder of a model, cut after so many layers; None keeps all.

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
    owner, kept = _layers_of(model, name)
    most = kept if isinstance(kept, int) else len(kept)
    if not 0 <= layers <= most:
        raise ImportError(f"layer is {layers}; {name} has the layers 0 to {most} ({INSTALL})")
    if isinstance(kept, int):
        setattr(owner[0], owner[1], layers)
    else:
        setattr(owner[0], owner[1], kept[:layers])
    return model


def _layers_of(model: Any, name: str) -> tuple[tuple[Any, str], Any]:
    """Where a model has its list of layers or their number: (object, attribute), and that."""
    if isinstance(getattr(model, "n_layers", None), int):  # XLM
        return (model, "n_layers"), model.n_layers
    if hasattr(getattr(model, "encoder", None), "albert_layer_groups"):
        config = model.encoder.config  # one group of layers that is run several times
        return (config, "num_hidden_layers"), config.num_hidden_layers
    for path in _LISTS:
        owner, last = model, path.rpartition(".")[2]
        if "." in path:
            owner = getattr(model, path.partition(".")[0], None)
        found = getattr(owner, last, None)
        if hasattr(found, "__len__"):
            return (owner, last), found
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
