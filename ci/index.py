"""Write `src/summeval/metrics/data/index.json`: what the classes of metrics declare.

The package reads it instead of the classes where a name, a field or a direction is all that it
needs. A new metric comes last. Run `python ci/index.py` after a change; a test fails if it is out
of date.
"""

from __future__ import annotations

import json
import pkgutil
from importlib import import_module
from pathlib import Path
from typing import Any

import summeval.metrics
from summeval.metrics.run.base import Metric

PLACE = Path(__file__).parents[1] / "src/summeval/metrics/data/index.json"


def rows() -> list[dict[str, Any]]:
    """What each class with names says of itself, in the order of the index."""
    for module in pkgutil.walk_packages(summeval.metrics.__path__, "summeval.metrics."):
        import_module(module.name)
    found = {
        kind.__name__: row_of(kind)
        for kind in subclasses(Metric)
        if kind.__module__.startswith("summeval.metrics.") and (kind.names or kind.others)
    }
    before = [row["kind"] for row in json.loads(PLACE.read_text("utf-8"))]
    order = [*(name for name in before if name in found), *sorted({*found} - {*before})]
    return [found[name] for name in order]


def row_of(kind: type[Metric]) -> dict[str, Any]:
    """What a class says of itself."""
    return {
        "home": kind.__module__.removeprefix("summeval.metrics."),
        "kind": kind.__name__,
        "names": list(kind.names),
        "others": kind.others,
        "summary": [[".*", kind.summary]] if isinstance(kind.summary, str) else kind.summary,
        "fields": list(kind.fields),
        "primary": kind.primary,
        "lower_is_better": sorted(kind.lower_is_better),
        "languages": list(kind.languages),
        "summed": kind.summed,
    }


def subclasses(kind: Any) -> list[Any]:
    """All subclasses of a class."""
    return [one for child in kind.__subclasses__() for one in (child, *subclasses(child))]


def text() -> str:
    """The file."""
    return json.dumps(rows(), indent=1, ensure_ascii=False) + "\n"


if __name__ == "__main__":
    PLACE.write_text(text(), encoding="utf-8")
    print(f"written: {PLACE}")
