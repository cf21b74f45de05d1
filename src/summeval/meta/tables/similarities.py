"""Checks of the arrays of similarities that QARLA compares, and their directions."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, SupportsIndex

from summeval._options import check_choice
from summeval.meta.tables.directions import directions, negated

if TYPE_CHECKING:
    from numpy import float64
    from numpy.typing import NDArray

    from summeval.meta.tables.directions import HigherIsBetter

LEAST = {"pairs": 2, "distinct": 3, "all": 1}  # models needed for a triple


def risen(
    values: NDArray[float64], higher_is_better: HigherIsBetter, names: Any = None
) -> NDArray[float64]:
    """The array [metric, …], distances negated."""
    labels = list(range(len(values))) if names is None else names
    rising = directions(higher_is_better, [str(label) for label in labels])
    if all(rising):
        return values
    copy: NDArray[float64] = values.copy()
    for metric, up in enumerate(rising):
        if not up:
            copy[metric] = negated(values[metric])
    return copy


def labels_of(names: Any, metrics: int) -> list[Any]:
    if not hasattr(names, "__iter__"):
        raise TypeError(f"names is {type(names).__name__}; give a list of names")
    labels = list(names)
    if len(labels) != metrics:
        raise ValueError(f"names has {len(labels)} for {metrics} metrics; give one for each")
    for label in labels:
        if labels.count(label) > 1:
            raise ValueError(f"names has {label!r} twice; give each metric a different name")
    return labels


def read(similarities: Any, n_models: int, triples: str, left_out: int) -> NDArray[float64]:
    """Check the array for QUEEN with `left_out` models left out each time."""
    values = _square(similarities, n_models)
    enough(n_models, triples, left_out)
    if values.shape[1] == n_models:
        raise ValueError(f"all {n_models} texts are models; add the rows and columns of a peer")
    models = values[:, :n_models, :n_models]
    no_nan("similarities", models if triples == "all" else off_diagonal(models))
    no_nan("similarities", values[:, n_models:, :n_models], row=n_models)
    return values


def read_for_jack(similarities: Any, n_models: int, variant: str, triples: str) -> NDArray[float64]:
    check_choice("variant", variant, ("one_sided", "both_sides", "queen_positive"))
    if variant == "queen_positive":
        values = read(similarities, n_models, triples, 0)
    else:
        check_choice("triples", triples, tuple(LEAST))
        values = _square(similarities, n_models)
        no_nan("similarities", values[:, n_models:, :n_models], row=n_models)
    peers = off_diagonal(values[:, n_models:, n_models:])
    no_nan("similarities", peers, row=n_models, column=n_models)
    return values


def _square(similarities: Any, n_models: int) -> NDArray[float64]:
    values = numbers("similarities", similarities, "metric, candidate, reference")
    if isinstance(n_models, bool) or not isinstance(n_models, SupportsIndex):
        raise TypeError(f"n_models is {type(n_models).__name__}; give a whole number")
    if values.shape[1] != values.shape[2]:
        raise ValueError(
            f"similarities has {values.shape[1]} candidates, {values.shape[2]} references;"
            " pass every text as both"
        )
    if not 1 <= n_models < values.shape[1]:
        raise ValueError(
            f"n_models is {n_models} of {values.shape[1]} texts; it must leave a model and a peer"
        )
    return values


def numbers(name: str, given: Any, axes: str) -> NDArray[float64]:
    import numpy as np

    try:
        values = np.ascontiguousarray(given, dtype=np.float64)
    except (TypeError, ValueError):
        raise ValueError(f"{name} must be an array of numbers [{axes}]") from None
    if np.ndim(given) != axes.count(",") + 1:
        raise ValueError(f"{name} has the shape {np.shape(given)}; it must be [{axes}]")
    if not len(values):
        raise ValueError(f"{name} has no metrics; give at least one")
    return values


def off_diagonal(square: NDArray[float64]) -> NDArray[float64]:
    """A copy with zeros on the diagonal, which is not used."""
    import numpy as np

    copy = np.array(square)
    copy[:, np.arange(copy.shape[1]), np.arange(copy.shape[1])] = 0.0
    return copy


def no_nan(name: str, values: NDArray[float64], row: int = 0, column: int = 0) -> None:
    """Raise at the first NaN in a block that starts at [:, row, column]."""
    import numpy as np

    bad = np.argwhere(np.isnan(values))
    if len(bad):
        starts = (0, row, column)[: values.ndim]
        place = ", ".join(str(int(i) + start) for i, start in zip(bad[0], starts, strict=True))
        raise ValueError(f"{name}[{place}] is NaN; pass a number for every compared similarity")


def enough(models: int, triples: str, left_out: int) -> None:
    check_choice("triples", triples, tuple(LEAST))
    least = LEAST[triples] + left_out
    if models < least:
        raise ValueError(
            f"{models} model{'s' * (models != 1)} for triples={triples!r};"
            f" {'KING' if left_out else 'QUEEN'} needs at least {least}"
        )
