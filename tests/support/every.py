"""Many small cases as one test, which names each that fails."""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable, Iterable, Sequence
from typing import Any

import pytest


def _values(case: Any, keys: int) -> Any:
    """The values of a case that may be a `pytest.param`."""
    if not hasattr(case, "marks"):
        return case
    return case.values if keys > 1 else case.values[0]


def every(
    names: str | Sequence[str], cases: Iterable[Any], ids: Any = None
) -> Callable[..., Callable[..., None]]:
    """Make one test of all cases, where `pytest.mark.parametrize` makes one of each.

    All cases are tried; the failure lists those that failed, each with its error. A case that
    skips counts as one that holds, unless all do.
    """
    keys = re.split(r"\s*,\s*", names) if isinstance(names, str) else list(names)
    rows = [_values(case, len(keys)) for case in cases]
    settings = [dict(zip(keys, row if len(keys) > 1 else [row], strict=True)) for row in rows]
    labels = list(map(ids, rows)) if callable(ids) else list(ids or settings)

    def of_all(test: Callable[..., None]) -> Callable[..., None]:
        def run(**given: Any) -> None:
            failed, skipped = [], []
            for setting, label in zip(settings, labels, strict=True):
                try:
                    test(**setting, **given)
                except pytest.skip.Exception as skip:
                    skipped.append(skip)
                except (Exception, pytest.fail.Exception) as error:
                    failed.append(f"{label}: {type(error).__name__}: {error}")
            assert not failed, "\n".join([f"{len(failed)} of {len(settings)} cases", *failed])
            if skipped and len(skipped) == len(settings):
                raise skipped[0]

        run.__name__, run.__doc__, run.__module__ = test.__name__, test.__doc__, test.__module__
        known = inspect.signature(test)
        others = [p for name, p in known.parameters.items() if name not in keys]
        kinds = [p.replace(kind=inspect.Parameter.KEYWORD_ONLY) for p in others]
        run.__signature__ = known.replace(parameters=kinds)  # type: ignore[attr-defined]
        return run

    return of_all
