"""Model files as earlier versions wrote them."""

from __future__ import annotations

import hashlib
import json
import zlib
from pathlib import Path
from typing import Any

from summeval.learn.model_file import load_model


def signed(content: dict[str, Any]) -> str:
    """A file of linear models, as JSON, with a checksum that fits."""
    content = {key: value for key, value in content.items() if key != "sha256"}
    digest = hashlib.sha256(json.dumps(content, sort_keys=True).encode()).hexdigest()
    return json.dumps(content | {"sha256": digest}, indent=1) + "\n"


def write_linear(path: Path, kind: str, model: Path) -> None:
    """The JSON file for a model file of today."""
    content, _ = load_model(model, kind)
    known = {name: content[name] for name in ("basis", "models")}
    path.write_text(signed({"format": "summeval-linear", "version": 1, "kind": kind, **known}))


def discourse(content: object, **changes: object) -> bytes:
    """A file of the discourse parser around any JSON, its header right but for the changes."""
    unpacked = json.dumps(content).encode()
    packed = zlib.compress(unpacked)
    header = {
        "format": "summeval discourse model",
        "version": 1,
        "bytes": len(unpacked),
        "sha256": hashlib.sha256(packed).hexdigest(),
    }
    return json.dumps(header | changes).encode() + b"\n" + packed
